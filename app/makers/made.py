"""What a maker makes: bodies in named groups, told in a few words, and how they come into a scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.document import edits
from app.makers.lengths import on_grid
from engine.scene.spec import Body, Scene, Vector
from engine.shapes.extent import extent

LIMIT = 20_000  # bodies that one maker may add: beyond, neither view nor engine is pleasant to work with


@dataclass(frozen=True)
class Batch:
    """Bodies that become one group; a batch of one body stays without a group."""

    name: str
    bodies: tuple[Body, ...]


@dataclass(frozen=True)
class Made:
    batches: tuple[Batch, ...] = ()
    summary: str = ""  # "37 balls, 1 tray"
    warnings: tuple[str, ...] = ()  # whole sentences: what would go wrong and what to do
    refused: str = ""  # why nothing was made

    @property
    def bodies(self) -> list[Body]:
        return [body for batch in self.batches for body in batch.bodies]


def refuse(reason: str) -> Made:
    return Made(refused=reason)


def too_many(count: int, advice: str) -> Made:
    return refuse(f"That would be {count:,} bodies; {LIMIT:,} is the most. {advice}".replace(",", " "))


def counted(count: int, one: str, many: str = "") -> str:
    """1 ball, 2 balls."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def listed(words: list[str]) -> str:
    """A, B and C."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def put(scene: Scene, made: Made, at: Vector = (0.0, 0.0, 0.0)) -> tuple[Scene, list[str]]:
    """The scene with what was made, moved by `at`; returns it and the ids of the new bodies."""
    everything: list[str] = []
    for batch in made.batches:
        scene, ids = edits.add(scene, [edits.moved(body, at) if any(at) else body for body in batch.bodies])
        if len(ids) > 1:
            scene, _ = edits.group(scene, ids, batch.name)
        everything += ids
    return scene, everything


def free_place(scene: Scene, made: Made) -> Vector:
    """Where to put what was made so that it stands clear of everything: at the origin if that is free, else in front
    of all there is (toward -y, where the camera of a new scene looks from). On the binary grid, so that touching
    bodies still touch after the move."""
    ours, theirs = extent(made.bodies), extent(body for body in scene.bodies if not body.hidden)
    if ours is None or theirs is None:
        return (0.0, 0.0, 0.0)
    if (ours[0] >= theirs[1]).any() or (theirs[0] >= ours[1]).any():
        return (0.0, 0.0, 0.0)
    gap = 0.1 * float(np.max(ours[1] - ours[0]))
    return (0.0, on_grid(float(theirs[0][1] - ours[1][1]) - gap), 0.0)


def put_clear(scene: Scene, made: Made) -> tuple[Scene, list[str]]:
    """The scene with what was made, clear of the others, and the ids of the new bodies."""
    return put(scene, made, free_place(scene, made))
