"""Where bodies came to rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.scene.record import Quaternion, Vector

Poses: TypeAlias = dict[str, tuple[Vector, Quaternion]]


@dataclass(frozen=True)
class Settled:
    poses: Poses  # of the bodies that were let go, by id; one that fell away keeps the pose it had
    moving: tuple[str, ...]  # ids of bodies that did not come to rest
    fallen: tuple[str, ...]  # ids of bodies that fell away: nothing is below them
    seconds: float = 0.0  # simulated
    stopped: bool = False  # on request; the poses are those reached so far

    @property
    def restless(self) -> tuple[str, ...]:
        return (*self.moving, *self.fallen)
