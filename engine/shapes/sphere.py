"""What a ball answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.algebra import dots
from engine.functions import cube_root
from engine.scene.faults import Fault, size_faults
from engine.scene.spec import Sphere, Vector
from engine.shapes import rays
from engine.shapes.answers import Extent, Pieces, ShapeAnswers, SizeField
from engine.shapes.inertia import MassProperties
from engine.shapes.solid import Solid
from engine.shapes.surface import Surface, round_surface
from engine.shapes.symmetry import of_ball

RADIUS = SizeField("Radius", "Radius", lambda shape: shape.radius, lambda shape, radius: replace(shape, radius=radius))


class SphereAnswers(ShapeAnswers[Sphere]):
    word = "Ball"
    rolls = True
    sizes = (RADIUS,)

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        return size_faults(radius=self.shape.radius)

    def mass(self, density: float) -> MassProperties:
        mass = density * 4.0 / 3.0 * math.pi * (self.shape.radius * self.shape.radius * self.shape.radius)
        return MassProperties(mass, np.zeros(3), np.eye(3) * (0.4 * mass * self.shape.radius * self.shape.radius))

    def reach(self, directions: np.ndarray) -> np.ndarray:
        return self.shape.radius * np.sqrt(dots(directions, directions))

    def box(self, place: np.ndarray, turn: np.ndarray) -> Extent:
        return place - self.shape.radius, place + self.shape.radius

    def radius(self) -> float:
        return self.shape.radius

    def scaled(self, factors: np.ndarray, least: float = 0.0) -> Sphere:
        return replace(self.shape, radius=max(least, self.shape.radius * cube_root(float(np.prod(factors)))))

    def surface(self) -> Surface:
        return round_surface(self.shape.radius, 0.0)

    def span(self) -> Vector:
        return (self.shape.radius,) * 3

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        return rays.ball(origin, direction, np.array(self.span()))

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        return Pieces([Solid(place[None, :], self.shape.radius - shrink)])

    def alike(self, a: np.ndarray, b: np.ndarray, angle: float = 0.0) -> list[np.ndarray]:
        return of_ball(a, b, angle)

    def canonical_side(self, side: np.ndarray) -> np.ndarray:
        return np.array([0.0, 0.0, 1.0])
