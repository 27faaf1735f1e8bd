"""What capsules and cylinders have in common: they are round about z and have two equal ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from engine.scene.faults import Fault, size_faults
from engine.scene.spec import Capsule, Cylinder, Vector
from engine.shapes.answers import Extent, ShapeAnswers
from engine.shapes.symmetry import of_axial

A = TypeVar("A", Capsule, Cylinder)
ENDS = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])


class AxialAnswers(ShapeAnswers[A]):
    rolls = True
    half_name = ""  # of the field with half its length or height

    @property
    def half(self) -> float:
        return float(getattr(self.shape, self.half_name))

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        return size_faults(**{name: getattr(self.shape, name) for name in ("radius", self.half_name)})

    def half_box(self, axis: np.ndarray) -> np.ndarray:
        """Half the sizes (3,) of the box along the world's axes, with its own axis along a unit vector."""
        raise NotImplementedError

    def box(self, place: np.ndarray, turn: np.ndarray) -> Extent:
        half = self.half_box(turn[:, 2])
        return place - half, place + half

    def scaled(self, factors: np.ndarray, least: float = 0.0) -> A:
        radius = max(least, self.shape.radius * math.sqrt(factors[0] * factors[1]))
        lengths: dict[str, Any] = {"radius": radius, self.half_name: max(least, self.half * float(factors[2]))}
        return replace(self.shape, **lengths)

    def span(self) -> Vector:
        return (self.shape.radius, self.shape.radius, self.half)

    def alike(self, a: np.ndarray, b: np.ndarray, angle: float = 0.0) -> list[np.ndarray]:
        return of_axial(a, b, angle)

    def canonical_side(self, side: np.ndarray) -> np.ndarray:
        return np.array([math.hypot(side[0], side[1]), 0.0, abs(side[2])])
