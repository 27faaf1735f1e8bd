"""What a surface of triangles answers. It is thin and has no mass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.algebra import dots, norms, times
from engine.scene.faults import Fault, points_fault
from engine.scene.spec import TriangleMesh
from engine.shapes import rays
from engine.shapes.answers import Pieces
from engine.shapes.cloud import CloudAnswers, extent_fields
from engine.shapes.surface import Surface, triangle_surface

THIN_TRIANGLE = 1e-12  # area over longest edge squared below which a triangle has no usable normal


def _thin_triangles(corners: np.ndarray) -> np.ndarray:
    sides = corners - np.roll(corners, 1, axis=1)
    longest = np.abs(sides).max(axis=(1, 2))
    with np.errstate(all="ignore"):
        scaled = sides / longest[:, None, None]  # relative, so that tiny and huge triangles do not under- or overflow
        area = 0.5 * norms(np.cross(scaled[:, 0], scaled[:, 1]))
    return np.flatnonzero(~(area > THIN_TRIANGLE))


class TriangleMeshAnswers(CloudAnswers[TriangleMesh]):
    word = "Mesh"
    massive = False

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        if not static:
            text = "a triangle mesh is a surface without mass and cannot move."
            yield Fault("mesh-moves", text, "Make the body static, or use its hull or a compound of hulls.")
        fault = points_fault(self.shape.vertices, "mesh vertices")
        if fault:
            yield fault
            return
        rows = self.shape.triangles
        if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.shape[1] != 3 or len(rows) == 0:
            text = "its triangles are not rows of three whole numbers."
            yield Fault("mesh-malformed", text, "Import the mesh again.")
            return
        wrong = np.flatnonzero(((rows < 0) | (rows >= len(self.shape.vertices))).any(axis=1))
        if len(wrong):
            text = f"{len(wrong)} of its triangles (first: {wrong[0]}) use vertices that do not exist."
            yield Fault("mesh-index", text, "Import the mesh again.")
            return
        thin = _thin_triangles(self.shape.vertices[rows])
        if len(thin):
            text = f"{len(thin)} of its triangles (first: {thin[0]}) have no area."
            yield Fault("mesh-degenerate", text, "Remove them: merge doubled vertices and delete empty faces.")

    def volume(self) -> float:
        """Of what it encloses, if it is closed."""
        a, b, c = self.shape.vertices[self.shape.triangles].transpose(1, 0, 2)
        return abs(float(dots(a, np.cross(b, c)).sum())) / 6.0

    def surface(self) -> Surface:
        return triangle_surface(np.asarray(self.shape.vertices, float), np.asarray(self.shape.triangles, np.int64))

    def points(self) -> np.ndarray:
        return self.shape.vertices

    def with_points(self, points: np.ndarray) -> TriangleMesh:
        return replace(self.shape, vertices=points)

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> rays.Hit:
        return rays.triangles(origin, direction, self.shape.vertices[self.shape.triangles])

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        triangles = (times(self.shape.vertices, turn.T) + place)[self.shape.triangles]
        if shrink and len(triangles):
            middle = triangles.mean(axis=1, keepdims=True)
            arm = norms(triangles - middle).max(axis=1)
            triangles = middle + (triangles - middle) * (1.0 - shrink / np.maximum(arm, 2.0 * shrink))[:, None, None]
        return Pieces([], triangles)


TriangleMeshAnswers.sizes = extent_fields(TriangleMeshAnswers, TriangleMeshAnswers.stretched)
