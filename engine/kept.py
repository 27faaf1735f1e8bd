"""Takes kept in a project: found by their card, opened with the scene they were made for."""

from __future__ import annotations

from engine.arrivals.disorder import disordered
from engine.errors import ProjectError
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene
from engine.scene.take_files import AFTER, TAPE, TakeFiles
from engine.tape.store import read_take
from engine.tape.take import Take


def open_kept(scene: Scene, card: TakeCard, files: TakeFiles) -> tuple[Take, Take | None]:
    """The take, and the one that goes on from its authored frame when there is one. Raises ProjectError when its
    record is gone, damaged, or of another version of the scene."""
    return open_part(scene, card, files), open_part(scene, card, files, AFTER) if card.after > 0.0 else None


def open_part(scene: Scene, card: TakeCard, files: TakeFiles, part: str = TAPE) -> Take:
    """One of the two."""
    stream = files.open(part.format(card.id))
    if stream is None:
        raise ProjectError(f"the record of {card.name} is gone: generate it again")
    with stream:
        return read_take(stream, disordered(scene, card.disorder, card.seed), card.name)


def find_card(scene: Scene, wanted: str) -> TakeCard | None:
    """By id or name."""
    return next((card for card in scene.takes if wanted in (card.id, card.name)), None)
