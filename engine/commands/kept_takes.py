"""The take a command is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from engine.errors import ForegoneError
from engine.kept import find_card, open_kept
from engine.scene.spec import Scene
from engine.scene.take_files import TakeFiles
from engine.tape.store import load_take
from engine.tape.take import Take


class Chosen(NamedTuple):
    take: Take
    after: Take | None  # goes on from the authored frame
    name: str
    tiers: tuple[float, ...] | None  # shares of contact steps, when they are known already


def chosen_take(file: str, scene: Scene, wanted: str) -> Chosen:
    """A take of the project, by id or name, or a file that `foregone run` wrote."""
    if Path(wanted).is_file():
        return Chosen(load_take(wanted, scene), None, Path(wanted).stem, None)
    card = find_card(scene, wanted)
    if card is None:
        known = ", ".join(f"{card.name} ({card.id})" for card in scene.takes) or "none"
        raise ForegoneError(f'{file} has no take "{wanted}" and there is no such file. Takes: {known}.')
    take, after = open_kept(scene, card, TakeFiles(Path(file)))
    return Chosen(take, after, card.name, card.tiers or None)
