"""Takes kept in a project: found by their card, opened with the scene they were made for."""

from __future__ import annotations

import io
from collections.abc import Callable
from os import PathLike

from engine.arrivals.disorder import disordered
from engine.errors import ProjectError
from engine.scene.file import member_names, read_member
from engine.scene.shot import AFTER, TAPE, TakeCard
from engine.scene.spec import Scene
from engine.tape.store import LARGEST, read_take
from engine.tape.take import Take

Read = Callable[[str], bytes | None]
"""Content of a file of the project by its name inside; None when there is none."""


def open_kept(scene: Scene, card: TakeCard, read: Read) -> tuple[Take, Take | None]:
    """The take, and the one that goes on from its authored frame when there is one. Raises ProjectError when its
    record is gone, damaged, or of another version of the scene."""
    own = disordered(scene, card.disorder, card.seed)
    take = _open(own, card, TAPE.format(card.id), read)
    return take, _open(own, card, AFTER.format(card.id), read) if card.after > 0.0 else None


def _open(scene: Scene, card: TakeCard, member: str, read: Read) -> Take:
    data = read(member)
    if data is None:
        raise ProjectError(f"the record of {card.name} is gone: generate it again")
    return read_take(io.BytesIO(data), scene, card.name)


def reader(project: str | PathLike[str]) -> Read:
    """Of the files inside a project."""
    inside = frozenset(member_names(project))
    return lambda name: read_member(project, name, LARGEST) if name in inside else None


def find_card(scene: Scene, wanted: str) -> TakeCard | None:
    """By id or name."""
    return next((card for card in scene.takes if wanted in (card.id, card.name)), None)
