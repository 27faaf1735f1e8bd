"""What hulls and triangle meshes have in common: their points say how far they reach."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from engine.algebra import norms, times
from engine.scene.spec import Hull, Shape, TriangleMesh
from engine.shapes.answers import AXES, Extent, Magnitude, ShapeAnswers, SizeField

C = TypeVar("C", Hull, TriangleMesh)


def extent_fields(answers: type[ShapeAnswers], stretched: Callable[[Any, int, float], Shape]) -> tuple[SizeField, ...]:
    """Sizes along the own axes; `stretched` makes the shape so many times as large along one of them."""

    def field(axis: int, label: str, name: str) -> SizeField:
        def read(shape: Shape) -> float:
            size = answers(shape).size()
            return 0.0 if size is None else size[axis]

        def write(shape: Shape, length: float) -> Shape:
            size = read(shape)
            return stretched(answers(shape), axis, length / size) if size > 0.0 else shape

        return SizeField(label, name, read, write)

    return tuple(field(axis, *words) for axis, words in enumerate(AXES))


class CloudAnswers(ShapeAnswers[C]):
    @abstractmethod
    def points(self) -> np.ndarray: ...

    @abstractmethod
    def with_points(self, points: np.ndarray) -> C: ...

    def reach(self, directions: np.ndarray) -> np.ndarray:
        return np.asarray(times(directions, self.points().T).max(axis=1))

    def box(self, place: np.ndarray, turn: np.ndarray) -> Extent:
        points = place + times(self.points(), turn.T)
        return points.min(axis=0), points.max(axis=0)

    def scale(self) -> Magnitude:
        thin = float(np.ptp(self.points(), axis=0).min()) if self.massive else np.inf
        return Magnitude(2.0 * float(np.abs(self.points()).max()), thin)

    def ball(self) -> tuple[np.ndarray, float]:
        points = self.points()
        center = points.mean(axis=0)
        return center, float(norms(points - center).max())

    def scaled(self, factors: np.ndarray, least: float = 0.0) -> C:
        return self.with_points(self.points() * np.maximum(factors, least))

    def stretched(self, axis: int, factor: float) -> C:
        return self.with_points(self.points() * np.where(np.arange(3) == axis, factor, 1.0))
