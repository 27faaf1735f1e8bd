"""Rays against solids, many at once: distance, surface normal, and how far the nearest edge is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from engine.scene.spec import Box, Capsule, Cylinder, Hull, Plane, Shape, Sphere, TriangleMesh
from engine.shapes.leaves import leaves
from engine.shapes.polytope import box_polytope, convex_polytope

Hit = tuple[np.ndarray, np.ndarray, np.ndarray]
"""t (m,) inf where missed, unit normal (m, 3), distance to the nearest edge (m,) m."""

FAR = np.inf


@dataclass
class Solid(ABC):
    """A simple solid in its body's frame, inside a ball about `center`."""

    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    bound: float = FAR

    @abstractmethod
    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        """Where rays from one origin first meet it."""


def solids_of(shape: Shape) -> list[Solid]:
    """The solids of a shape in the body's frame."""
    found: list[Solid] = []
    for leaf in leaves(shape):
        solid, place, turn = leaf.shape, leaf.place, leaf.turn
        axis = turn[:, 2]
        if isinstance(solid, Sphere):
            found.append(Ball(place, solid.radius))
        elif isinstance(solid, Capsule):
            found.append(Pill(place, solid.radius + solid.half_length, axis, solid.radius, solid.half_length))
        elif isinstance(solid, Cylinder):
            bound = float(np.hypot(solid.radius, solid.half_height))
            found.append(Can(place, bound, axis, solid.radius, solid.half_height))
        elif isinstance(solid, (Box, Hull)):
            polytope = box_polytope(solid.half) if isinstance(solid, Box) else convex_polytope(solid.points)
            corners = polytope.vertices @ turn.T + place
            normals = polytope.normals @ turn.T
            center = corners.mean(axis=0)
            bound = float(np.linalg.norm(corners - center, axis=1).max())
            found.append(Convex(center, bound, normals, polytope.offsets + normals @ place))
        elif isinstance(solid, Plane):
            normal = turn @ (np.array(solid.normal) / np.linalg.norm(solid.normal))
            found.append(HalfSpace(place + turn @ np.array(solid.point), FAR, normal))
        elif isinstance(solid, TriangleMesh):
            corners = solid.vertices @ turn.T + place
            center = corners.mean(axis=0)
            bound = float(np.linalg.norm(corners - center, axis=1).max())
            found.append(Sheet(center, bound, corners[solid.triangles]))
    return found


def _missed(count: int) -> Hit:
    return np.full(count, FAR), np.zeros((count, 3)), np.full(count, FAR)


@dataclass
class Ball(Solid):
    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        t, normal, edge = _missed(len(direction))
        near, _, met = _ball_span(origin - self.center, direction, self.bound)
        met &= near > 0.0
        t[met] = near[met]
        normal[met] = (_at(origin, direction, t, met) - self.center) / self.bound
        return t, normal, edge


def _ball_span(o: np.ndarray, d: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    b = (o * d).sum(-1)
    root = b * b - ((o * o).sum(-1) - radius * radius)
    s = np.sqrt(np.maximum(root, 0.0))
    return -b - s, -b + s, root > 0.0


def _at(origin: np.ndarray, direction: np.ndarray, t: np.ndarray, met: np.ndarray) -> np.ndarray:
    start = origin[met] if origin.ndim == 2 else origin
    return start + t[met, None] * direction[met]


@dataclass
class Convex(Solid):
    normals: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    offsets: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        count = len(direction)
        t, normal, edge = _missed(count)
        near, far = np.full(count, -FAR), np.full(count, FAR)
        face = np.zeros(count, np.int64)
        for number, (n, offset) in enumerate(zip(self.normals, self.offsets, strict=True)):
            slope = direction @ n
            room = offset - origin @ n
            with np.errstate(divide="ignore", invalid="ignore"):
                cut = room / slope
            enters = slope < 0.0
            later = enters & (cut > near)
            near = np.where(later, cut, near)
            face = np.where(later, number, face)
            far = np.where(slope > 0.0, np.minimum(far, cut), far)
            far = np.where((slope == 0.0) & (room < 0.0), -FAR, far)
        met = (near < far) & (near > 0.0)
        t[met] = near[met]
        normal[met] = self.normals[face[met]]
        edge[met] = self._edge_distance(_at(origin, direction, t, met), face[met])
        return t, normal, edge

    def _edge_distance(self, points: np.ndarray, face: np.ndarray) -> np.ndarray:
        """Distance within the face to the planes that bound it."""
        nearest = np.full(len(points), FAR)
        for number, (n, offset) in enumerate(zip(self.normals, self.offsets, strict=True)):
            sine = np.sqrt(np.maximum(1.0 - (self.normals[face] @ n) ** 2, 1e-12))
            room = (offset - points @ n) / sine
            nearest = np.where(face == number, nearest, np.minimum(nearest, room))
        return nearest


@dataclass
class Can(Solid):
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    radius: float = 1.0
    half: float = 1.0

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        t, normal, edge = _missed(len(direction))
        o = origin - self.center
        oz, dz = o @ self.axis, direction @ self.axis
        side_near, side_far, in_side = _side_span(o, direction, oz, dz, self.axis, self.radius)
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (-self.half - oz) / dz, (self.half - oz) / dz
        level = dz == 0.0
        cap_near = np.where(level, np.where(np.abs(oz) < self.half, -FAR, FAR), np.minimum(first, second))
        cap_far = np.where(level, FAR, np.maximum(first, second))
        near, far = np.maximum(side_near, cap_near), np.minimum(side_far, cap_far)
        met = in_side & (near < far) & (near > 0.0)
        t[met] = near[met]
        points = _at(origin, direction, t, met) - self.center
        high = points @ self.axis
        radial = points - high[:, None] * self.axis
        wide = np.linalg.norm(radial, axis=1)
        capped = (cap_near > side_near)[met]
        normal[met] = np.where(
            capped[:, None], np.sign(high)[:, None] * self.axis, radial / np.maximum(wide, 1e-12)[:, None]
        )
        edge[met] = np.where(capped, self.radius - wide, self.half - np.abs(high))
        return t, normal, edge


def _side_span(
    o: np.ndarray, d: np.ndarray, oz: np.ndarray, dz: np.ndarray, axis: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where rays are inside an infinite cylinder about `axis`."""
    flat_o = o - np.multiply.outer(oz, axis)
    flat_d = d - dz[:, None] * axis
    a = np.maximum((flat_d * flat_d).sum(-1), 1e-18)
    b = (flat_o * flat_d).sum(-1)
    c = (flat_o * flat_o).sum(-1) - radius * radius
    root = b * b - a * c
    s = np.sqrt(np.maximum(root, 0.0))
    return (-b - s) / a, (-b + s) / a, root > 0.0


@dataclass
class Pill(Solid):
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    radius: float = 1.0
    half: float = 1.0

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        t, normal, edge = _missed(len(direction))
        o = origin - self.center
        oz, dz = o @ self.axis, direction @ self.axis
        near, _, met = _side_span(o, direction, oz, dz, self.axis, self.radius)
        met &= (np.abs(oz + near * dz) <= self.half) & (near > 0.0)
        t[met] = near[met]
        for sign in (-1.0, 1.0):
            near, _, met = _ball_span(o - sign * self.half * self.axis, direction, self.radius)
            met &= (near > 0.0) & (near < t)
            t[met] = near[met]
        met = np.isfinite(t)
        points = _at(origin, direction, t, met) - self.center
        core = np.clip(points @ self.axis, -self.half, self.half)[:, None] * self.axis
        normal[met] = (points - core) / self.radius
        return t, normal, edge


@dataclass
class HalfSpace(Solid):
    axis: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        t, normal, edge = _missed(len(direction))
        slope = direction @ self.axis
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = ((self.center - origin) @ self.axis) / slope
        met = (slope < 0.0) & (cut > 0.0)
        t[met] = cut[met]
        normal[met] = self.axis
        return t, normal, edge


@dataclass
class Sheet(Solid):
    """Triangles (m, 3, 3)."""

    corners: np.ndarray = field(default_factory=lambda: np.zeros((0, 3, 3)))

    def hit(self, origin: np.ndarray, direction: np.ndarray) -> Hit:
        t, normal, edge = _missed(len(direction))
        for a, b, c in self.corners:
            u, v = b - a, c - a
            n = np.cross(u, v)
            length = np.linalg.norm(n)
            if length == 0.0:
                continue
            with np.errstate(divide="ignore", invalid="ignore"):
                cut = ((a - origin) @ n) / (direction @ n)
            met = (cut > 0.0) & (cut < t)
            points = _at(origin, direction, cut, met) - a
            first = np.cross(points, v) @ n / length**2
            second = np.cross(u, points) @ n / length**2
            inside = (first >= 0.0) & (second >= 0.0) & (first + second <= 1.0)
            where = np.flatnonzero(met)[inside]
            t[where] = cut[where]
            facing = np.sign(-(direction[where] @ n))[:, None]
            normal[where] = facing * n / length
        return t, normal, edge
