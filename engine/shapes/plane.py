"""What a plane without end answers: everything behind it is solid."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.algebra import dots, times
from engine.scene.faults import Fault, is_vector, short
from engine.scene.spec import Plane
from engine.shapes import rays
from engine.shapes.answers import Magnitude, Pieces, ShapeAnswers
from engine.shapes.surface import Surface, square_surface


class PlaneAnswers(ShapeAnswers[Plane]):
    word = "Plane"
    massive = False
    endless = True

    @property
    def normal(self) -> np.ndarray:
        """(3,) unit, out of the solid."""
        return np.array(self.shape.normal) / math.hypot(*self.shape.normal)

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        normal, point = self.shape.normal, self.shape.point
        if not static:
            text = "a plane has no end and cannot move."
            yield Fault("plane-moves", text, "Make the body static, or use a flat box.")
        if not is_vector(normal) or not 0.0 < math.hypot(*normal) < math.inf:
            text = f"its plane normal {short(normal)} points nowhere."
            yield Fault("plane-normal", text, "Use for example (0, 0, 1).")
        if not is_vector(point):
            text = f"its plane point {short(point)} is not a place."
            yield Fault("plane-point", text, "Use for example (0, 0, 0).")

    def volume(self) -> None:
        return None

    def reach(self, directions: np.ndarray) -> np.ndarray:
        length = np.sqrt(dots(directions, directions))
        along = times(directions, self.normal) >= length * (1.0 - 1e-12)
        return np.where(along, times(directions, np.array(self.shape.point)), np.inf)

    def box(self, place: np.ndarray, turn: np.ndarray) -> None:
        return None

    def scale(self) -> Magnitude:
        return Magnitude(0.0, np.inf)

    def scaled(self, factors: np.ndarray, least: float = 0.0) -> Plane:
        return self.shape

    def surface(self) -> Surface:
        """A square that stands for it."""
        return square_surface(np.array(self.shape.normal, float), np.array(self.shape.point, float))

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        return rays.half_space(origin, direction, np.array(self.shape.point), self.normal)

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        return Pieces([], planes=((place + times(turn, np.array(self.shape.point)), times(turn, self.normal)),))
