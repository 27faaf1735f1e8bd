"""What a capsule answers: everything within its radius of a segment along z."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.algebra import dots, times
from engine.scene.spec import Capsule, Vector
from engine.shapes import rays
from engine.shapes.answers import THINNEST, Pieces, SizeField
from engine.shapes.axial import ENDS, AxialAnswers
from engine.shapes.inertia import MassProperties
from engine.shapes.solid import Solid
from engine.shapes.sphere import RADIUS
from engine.shapes.surface import Surface, round_surface

SHORTEST = 1e-9  # m, of half a capsule that is drawn: without length it is a ball


def _with_length(shape: Capsule, length: float) -> Capsule:
    return replace(shape, half_length=max(THINNEST, 0.5 * length - shape.radius))


class CapsuleAnswers(AxialAnswers[Capsule]):
    word = "Capsule"
    half_name = "half_length"
    sizes = (RADIUS, SizeField("Length", "Length over all", lambda s: 2.0 * (s.half_length + s.radius), _with_length))

    def mass(self, density: float) -> MassProperties:
        """A cylinder and two half balls, whose centres of mass lie 3/8 r beyond the ends of the segment."""
        r, h = self.shape.radius, self.shape.half_length
        tube = density * 2.0 * math.pi * r * r * h
        ball = density * 4.0 / 3.0 * math.pi * r * r * r
        across = tube * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r)
        along = 0.5 * tube * r * r + 0.4 * ball * r * r
        return MassProperties(tube + ball, np.zeros(3), np.diag([across, across, along]))

    def reach(self, directions: np.ndarray) -> np.ndarray:
        length = np.sqrt(dots(directions, directions))
        return self.shape.half_length * np.abs(directions[:, 2]) + self.shape.radius * length

    def half_box(self, axis: np.ndarray) -> np.ndarray:
        return np.abs(axis) * self.shape.half_length + self.shape.radius

    def radius(self) -> float:
        return self.shape.radius + self.shape.half_length

    def surface(self) -> Surface:
        return round_surface(self.shape.radius, self.shape.half_length)

    def span(self) -> Vector:
        return (self.shape.radius, self.shape.radius, max(self.shape.half_length, SHORTEST))

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        return rays.capsule(origin, direction, np.array(self.span()))

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        return Pieces([Solid(times(self.shape.half_length * ENDS, turn.T) + place, self.shape.radius - shrink)])
