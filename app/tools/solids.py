"""A body as convex solids in the world, ready to be asked for distances. No Qt.

A solid is the hull of some corners or a cylinder, rounded by a radius: a ball is a rounded point, a capsule a rounded
segment. Surfaces count as thin triangles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Plane, Sphere, TriangleMesh
from engine.shapes.leaves import Leaf, leaves
from engine.shapes.turns import rotation_matrix

Point = tuple[float, float, float]
SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


@dataclass(frozen=True)
class Solid:
    """Everything within `rounding` of a core: the hull of `corners`, or a cylinder about their middle."""

    corners: np.ndarray  # (n, 3) m
    rounding: float = 0.0  # m
    axis: Point | None = None  # unit; the core is a cylinder whose end circles are about the corners
    radius: float = 0.0  # m, of that cylinder
    upright: bool = False  # a box along the world's axes

    def farthest(self, x: float, y: float, z: float) -> Point:
        """The point of the core farthest along a direction of any length but zero."""
        corners = self.corners
        if len(corners) == 1:
            best = corners[0]
        else:
            best = corners[int((corners @ (x, y, z)).argmax())]
        px, py, pz = float(best[0]), float(best[1]), float(best[2])
        if self.axis is None:
            return px, py, pz
        ax, ay, az = self.axis
        along = x * ax + y * ay + z * az
        ox, oy, oz = x - along * ax, y - along * ay, z - along * az
        rest = ox * ax + oy * ay + oz * az  # what rounding leaves along the axis counts where little lies across it
        ox, oy, oz = ox - rest * ax, oy - rest * ay, oz - rest * az
        across = math.sqrt(ox * ox + oy * oy + oz * oz)
        if across <= 1e-14 * abs(along):
            return px, py, pz
        s = self.radius / across
        return px + s * ox, py + s * oy, pz + s * oz

    @cached_property
    def middle(self) -> Point:
        """Mean of the corners (m)."""
        x, y, z = self.corners.mean(axis=0)
        return float(x), float(y), float(z)


class Solids:
    """The solids of one body, with boxes around them; triangles become solids only when asked for.

    `shrink` (m) makes each solid smaller on all sides, at least that much for boxes and round shapes, about that much
    for others.
    """

    def __init__(self, body: Body, shrink: float = 0.0) -> None:
        self._made: list[Solid] = []
        self._triangles = np.zeros((0, 3, 3))
        self.planes: list[tuple[np.ndarray, np.ndarray]] = []  # point, unit normal out of the solid
        turn, at = rotation_matrix(body.orientation), np.array(body.position)
        for leaf in leaves(body.shape):
            self._add(leaf, at + turn @ leaf.place, turn @ leaf.turn, shrink)
        lows = [_reach(solid, -1.0) for solid in self._made]
        highs = [_reach(solid, 1.0) for solid in self._made]
        self.low = np.vstack([np.reshape(lows, (-1, 3)), self._triangles.min(axis=1)])  # (n, 3) m
        self.high = np.vstack([np.reshape(highs, (-1, 3)), self._triangles.max(axis=1)])

    def moved(self, by: np.ndarray) -> Solids:
        """The same solids elsewhere (m): a tenth of the work of making them from the body."""
        other = object.__new__(Solids)
        other._made = [replace(solid, corners=solid.corners + by) for solid in self._made]
        other._triangles = self._triangles + by
        other.planes = [(point + by, normal) for point, normal in self.planes]
        other.low, other.high = self.low + by, self.high + by
        return other

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, index: int) -> Solid:
        if index < len(self._made):
            return self._made[index]
        return Solid(self._triangles[index - len(self._made)])

    def _add(self, leaf: Leaf, at: np.ndarray, turn: np.ndarray, shrink: float) -> None:
        shape = leaf.shape
        if isinstance(shape, Plane):
            normal = turn @ (np.array(shape.normal) / math.hypot(*shape.normal))
            self.planes.append((at + turn @ np.array(shape.point), normal))
        elif isinstance(shape, TriangleMesh):
            triangles = (shape.vertices @ turn.T + at)[shape.triangles]
            self._triangles = np.vstack([self._triangles, _shrunk_triangles(triangles, shrink)])
        else:
            self._made.append(_convex(shape, at, turn, shrink))


def _convex(
    shape: Sphere | Box | Capsule | Cylinder | Hull | object, at: np.ndarray, turn: np.ndarray, shrink: float
) -> Solid:
    ends = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
    if isinstance(shape, Sphere):
        return Solid(at[None, :], shape.radius - shrink)
    if isinstance(shape, Capsule):
        return Solid(shape.half_length * ends @ turn.T + at, shape.radius - shrink)
    if isinstance(shape, Box):
        upright = bool((np.abs(turn) == np.abs(turn).round()).all())
        return Solid((SIGNS * (np.array(shape.half) - shrink)) @ turn.T + at, upright=upright)
    if isinstance(shape, Cylinder):
        axis = (float(turn[0, 2]), float(turn[1, 2]), float(turn[2, 2]))
        return Solid((shape.half_height - shrink) * ends @ turn.T + at, 0.0, axis, shape.radius - shrink)
    assert isinstance(shape, Hull)
    points = shape.points
    if shrink:
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        half = np.maximum(0.5 * np.ptp(points, axis=0), 2.0 * shrink)
        points = middle + (points - middle) * (1.0 - shrink / half)
    return Solid(points @ turn.T + at)


def _shrunk_triangles(triangles: np.ndarray, shrink: float) -> np.ndarray:
    if not shrink or not len(triangles):
        return triangles
    middle = triangles.mean(axis=1, keepdims=True)
    arm = np.linalg.norm(triangles - middle, axis=2).max(axis=1)
    return middle + (triangles - middle) * (1.0 - shrink / np.maximum(arm, 2.0 * shrink))[:, None, None]


def _reach(solid: Solid, sign: float) -> np.ndarray:
    """Highest (sign 1) or lowest (-1) coordinates of a solid."""
    far = (sign * solid.corners).max(axis=0) + solid.rounding
    if solid.axis is not None:
        far = far + solid.radius * np.sqrt(np.maximum(0.0, 1.0 - np.array(solid.axis) ** 2))
    return sign * far
