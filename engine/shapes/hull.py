"""What a convex hull answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.algebra import times
from engine.errors import GeometryError
from engine.scene.faults import Fault, points_fault
from engine.scene.flatness import is_flat
from engine.scene.spec import Hull
from engine.shapes import rays
from engine.shapes.answers import Pieces
from engine.shapes.cloud import CloudAnswers, extent_fields
from engine.shapes.inertia import MassProperties, polytope_mass
from engine.shapes.polytope import convex_polytope
from engine.shapes.solid import Solid
from engine.shapes.surface import Surface, faceted


class HullAnswers(CloudAnswers[Hull]):
    word = "Convex shape"

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        points = self.shape.points
        fault = points_fault(points, "hull points")
        if fault:
            yield fault
            return
        distinct = len(np.unique(points, axis=0))
        if distinct < 4:
            text = f"its hull has {distinct} different points."
            yield Fault("hull-too-few-points", text, "A solid needs at least four.")
        elif np.abs(points).max() < 1e100 and is_flat(points):
            text = "the points of its hull all lie in one plane."
            yield Fault("hull-flat", text, "Give it some thickness, or use a thin box.")

    def mass(self, density: float) -> MassProperties:
        return polytope_mass(convex_polytope(self.shape.points), density)

    def volume(self) -> float | None:
        try:
            return self.mass(1.0).mass
        except GeometryError:  # points that span no solid
            return None

    def surface(self) -> Surface:
        return faceted(convex_polytope(self.shape.points))

    def points(self) -> np.ndarray:
        return self.shape.points

    def with_points(self, points: np.ndarray) -> Hull:
        return replace(self.shape, points=points)

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        polytope = convex_polytope(self.shape.points)
        return rays.convex(origin, direction, polytope.normals, polytope.offsets)

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        points = self.shape.points
        if shrink:
            middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
            half = np.maximum(0.5 * np.ptp(points, axis=0), 2.0 * shrink)
            points = middle + (points - middle) * (1.0 - shrink / half)
        return Pieces([Solid(times(points, turn.T) + place)])


HullAnswers.sizes = extent_fields(HullAnswers, HullAnswers.stretched)
