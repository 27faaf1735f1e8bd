"""Films without an engine: every body glides along a straight line into its ending, turning about z. So the pose at any
moment is a formula, and tests know what must be seen."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Scene

if TYPE_CHECKING:
    from app.document.document import Document

RATE = 120.0  # samples per second


def gliding(
    bodies: Sequence[Body], velocity: Sequence[float] = (1.0, 0.0, 0.0), seconds: float = 2.0, spin: float = 0.0
) -> dict[str, np.ndarray]:
    """At `ending - t` a body is at its ending minus `t * velocity` (m/s), turned back by `t * spin` (rad) about z.
    Static bodies are not in the film, as in films of the engine."""
    moving = [body for body in bodies if not body.static]
    times = np.arange(round(seconds * RATE) + 1) / RATE
    left = seconds - times
    ends = np.array([body.position for body in moving], float).reshape(-1, 3)
    turns = np.array([body.orientation for body in moving], float).reshape(-1, 4)
    half = -0.5 * spin * left
    w, x, y, z = turns.T
    c, s = np.cos(half)[:, None], np.sin(half)[:, None]
    turned = np.stack([c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w], axis=2)
    count = len(moving)
    return {
        "times": times,
        "ending": np.array(seconds),
        "positions": (ends - left[:, None, None] * np.array(velocity, float)).astype(np.float32),
        "orientations": turned.astype(np.float32),
        "bodies": np.array([body.id for body in moving], dtype="U16"),
        "energy": np.zeros(len(times)),
        "step_first": np.array(0.0),
        "step_dt": np.array(1.0 / 480.0),
        "step_tier": np.full(round(480 * seconds), -1, np.int8),
        "event_time": np.zeros(0),
        "event_body": np.zeros((0, 2), np.int32),
        "event_speed": np.zeros(0),
        "mark_step": np.zeros(0, np.int32),
        "mark_tier": np.zeros(0, np.int8),
        "mark_body": np.zeros((0, 2), np.int32),
        "mark_value": np.zeros((0, 4)),
        "begin": np.zeros(count),
        "rest": np.full(count, seconds),
    }


def with_take(document: Document, film: dict[str, np.ndarray], name: str = "Take 07") -> str:
    """Put a take of the document's scene into it; its id."""
    scene: Scene = document.scene
    key = f"t{scene.next_id}"
    stream = io.BytesIO()
    np.savez(stream, **film)  # type: ignore[arg-type]
    (document.takes.folder / "films" / f"{key}.npz").write_bytes(stream.getvalue())
    card = TakeCard(key, name, seconds=float(film["ending"]), scene=fingerprint(scene))
    document.edit("Take", replace(scene, takes=[*scene.takes, card], next_id=scene.next_id + 1))
    return key
