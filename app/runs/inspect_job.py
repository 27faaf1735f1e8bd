"""Answers of the inspectors, from what the window asks to records. In the worker's process only."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.document.take_store import LARGEST
from engine.analysis.inspect import inspect, step_at
from engine.arrivals.disorder import disordered
from engine.scene.file import read_member
from engine.scene.fingerprint import fingerprint
from engine.scene.inspection import Inspection
from engine.scene.spec import Scene
from engine.tape.store import read_take
from engine.tape.take import Take


def inspections(scene: Scene, asked: dict[str, Any], look_up: Callable[[], None]) -> tuple[Inspection, ...]:
    """`asked` is a worker.Question as a table."""
    what: Scene | Take = scene
    step = None
    if asked["tape"]:
        written = Path(asked["tape"]).stat().st_mtime_ns
        own = disordered(scene, float(asked["disorder"]), int(asked["seed"]))
        what = _opened(_Kept(own), asked["tape"], asked["member"], written)
        step = step_at(what, float(asked["time"]))
    x, y, z = asked["push"]
    push = (float(x), float(y), float(z))
    return tuple(inspect(what, topic, str(asked["body"]), step, push, look_up) for topic in asked["topics"])


class _Kept:
    """A scene that is the same as another when takes of the other are takes of it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._key = fingerprint(scene), tuple(body.name for body in scene.bodies)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and other._key == self._key


@lru_cache(maxsize=1)  # of the take that is looked at, frame by frame: reading it takes longer than any answer
def _opened(kept: _Kept, file: str, member: str, written: int) -> Take:
    if not member:
        return read_take(file, kept.scene, Path(file).name)
    return read_take(io.BytesIO(read_member(Path(file), member, LARGEST)), kept.scene, member)
