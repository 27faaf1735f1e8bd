"""What a box answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from engine.algebra import norm, times
from engine.scene.faults import Fault, short, size_faults
from engine.scene.spec import Box, Vector
from engine.shapes import rays
from engine.shapes.answers import AXES, Pieces, ShapeAnswers, SizeField
from engine.shapes.inertia import MassProperties
from engine.shapes.polytope import box_polytope
from engine.shapes.solid import Solid
from engine.shapes.surface import Surface, faceted
from engine.shapes.symmetry import SAME, of_box

SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def _edge(axis: int) -> Callable[[Box], float]:
    return lambda shape: 2.0 * shape.half[axis]


def _with_edge(axis: int) -> Callable[[Box, float], Box]:
    def write(shape: Box, length: float) -> Box:
        half = list(shape.half)
        half[axis] = 0.5 * length
        return replace(shape, half=(half[0], half[1], half[2]))

    return write


class BoxAnswers(ShapeAnswers[Box]):
    word = "Box"
    sizes = tuple(SizeField(label, name, _edge(i), _with_edge(i)) for i, (label, name) in enumerate(AXES))

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        half = self.shape.half
        if isinstance(half, tuple) and len(half) == 3:
            yield from size_faults(half_x=half[0], half_y=half[1], half_z=half[2])
        else:
            text = f"its half sizes are {short(half)}."
            yield Fault("size-not-a-number", text, "A box needs three lengths in metres.")

    def mass(self, density: float) -> MassProperties:
        x, y, z = self.shape.half
        mass = density * 8.0 * x * y * z
        inertia = np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * (mass / 3.0)
        return MassProperties(mass, np.zeros(3), inertia)

    def reach(self, directions: np.ndarray) -> np.ndarray:
        return times(np.abs(directions), np.array(self.shape.half))

    def radius(self) -> float:
        return math.hypot(*self.shape.half)

    def scaled(self, factors: np.ndarray, least: float = 0.0) -> Box:
        x, y, z = (max(least, half * float(factor)) for half, factor in zip(self.shape.half, factors, strict=True))
        return replace(self.shape, half=(x, y, z))

    def surface(self) -> Surface:
        return faceted(box_polytope(self.shape.half))

    def points(self) -> np.ndarray:
        return SIGNS * np.array(self.shape.half)

    def span(self) -> Vector:
        return self.shape.half

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        return rays.box(origin, direction, np.array(self.shape.half))

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        upright = bool((np.abs(turn) == np.abs(turn).round()).all())
        return Pieces([Solid(times(SIGNS * (np.array(self.shape.half) - shrink), turn.T) + place, upright=upright)])

    @property
    def _symmetries(self) -> tuple[np.ndarray, ...]:
        x, y, z = self.shape.half
        return of_box((float(x), float(y), float(z)))

    def alike(self, a: np.ndarray, b: np.ndarray, angle: float = 0.0) -> list[np.ndarray]:
        return [s for s in self._symmetries if norm(times(s, a) - b) < SAME]

    def canonical_side(self, side: np.ndarray) -> np.ndarray:
        return max((times(s, side) for s in self._symmetries), key=lambda d: np.round(d, 9).tolist())
