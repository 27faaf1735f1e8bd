"""Axes: from metres, z up, right-handed to the unit and axes of another program.

A point p becomes s C p, a rotation R becomes C R C^T, with C a permutation of axes with signs. Where C mirrors, faces
change their sense, and quaternions take the mirrored axis and the opposite sense of turning.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.export.settings import UNITS

TURNS = {
    ("z", "right"): ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ("y", "right"): ((1, 0, 0), (0, 0, 1), (0, -1, 0)),  # x, z, -y: as Maya, Houdini and glTF have it
    ("z", "left"): ((1, 0, 0), (0, -1, 0), (0, 0, 1)),  # Unreal
    ("y", "left"): ((1, 0, 0), (0, 0, 1), (0, 1, 0)),  # Cinema 4D
}


@dataclass(frozen=True)
class Axes:
    unit: str = "m"
    up: str = "z"
    hand: str = "right"

    @cached_property
    def turn(self) -> np.ndarray:
        """(3, 3) C."""
        return np.array(TURNS[self.up, self.hand], float)

    @cached_property
    def scale(self) -> float:
        """Units per metre."""
        return 1.0 / UNITS[self.unit]

    @property
    def mirrored(self) -> bool:
        return self.hand == "left"

    def points(self, points: np.ndarray) -> np.ndarray:
        """(..., 3). In metres with z up the bits stay."""
        return self.scale * self.directions(points)

    def directions(self, vectors: np.ndarray) -> np.ndarray:
        """(..., 3), without the unit."""
        return self._mixed(np.asarray(vectors, float), 1.0)

    def quaternions(self, q: np.ndarray) -> np.ndarray:
        """(..., 4) w x y z."""
        q = np.asarray(q, float)
        return np.concatenate([q[..., :1], self._mixed(q[..., 1:], -1.0 if self.mirrored else 1.0)], axis=-1)

    def _mixed(self, v: np.ndarray, sign: float) -> np.ndarray:
        """sign C v by picking and negating, which keeps bits that a product of matrices would touch."""
        source = np.abs(self.turn).argmax(axis=1)
        return np.asarray(v[..., source] * (sign * self.turn[np.arange(3), source]))


def back(axes: Axes, points: np.ndarray) -> np.ndarray:
    """Points of another program in metres, z up, right-handed."""
    return UNITS[axes.unit] * (np.asarray(points, float) @ axes.turn)
