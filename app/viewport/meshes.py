"""Meshes of simple solids: triangles, normals and the edges worth a line. No GL: arrays only.

Round solids come in levels of detail, finest first; a level is good enough while what it cuts off the outline stays
below half a pixel.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from engine.shapes.polytope import Polytope, convex_polytope
from engine.shapes.smoothing import creases, smooth_corners

COARSEN_BELOW = (160.0, 40.0, 8.0)  # px of radius on screen below which the next level is used
_SUBDIVISIONS = (4, 3, 2, 1)  # of an icosahedron
_SEGMENTS = (96, 48, 24, 12)  # of a circle
_RINGS = (12, 7, 4)  # of the finer half balls; the coarsest has a flat top


class Mesh(NamedTuple):
    vertices: np.ndarray  # (n, 3) float32
    normals: np.ndarray  # (n, 3) float32, unit
    triangles: np.ndarray  # (m, 3) uint32, counter-clockwise from outside
    edges: np.ndarray  # (k, 4, 3) float32: two ends, then the normals of the faces on both sides
    two_sided: bool = False  # an open surface, seen from behind too


def _mesh(vertices: np.ndarray, normals: np.ndarray, triangles: np.ndarray, edges: np.ndarray | None = None) -> Mesh:
    lines = np.zeros((0, 4, 3)) if edges is None else edges
    return Mesh(
        np.ascontiguousarray(vertices, np.float32),
        np.ascontiguousarray(normals, np.float32),
        np.ascontiguousarray(triangles, np.uint32).reshape(-1, 3),
        np.ascontiguousarray(lines, np.float32),
    )


@cache
def levels(kind: str) -> tuple[Mesh, ...]:
    """Unit meshes, finest first: sphere (radius 1), box (half edges 1), cylinder (radius 1, z from -1 to 1), tube (a
    cylinder without caps), dome (upper half of the sphere), plane (a square of half edge 1 at z = 0), ball (like dome,
    but with few triangles: the shaders turn it toward whoever looks, so it passes for a whole sphere)."""
    if kind == "sphere":
        return tuple(_sphere(count) for count in _SUBDIVISIONS)
    if kind == "ball":
        finer = (_half_ball(count, rings) for count, rings in zip(_SEGMENTS, _RINGS, strict=False))
        return (*finer, _coarse_half_ball(_SEGMENTS[-1]))
    if kind == "dome":
        return tuple(_dome(count) for count in _SEGMENTS)
    if kind in ("cylinder", "tube"):
        return tuple(_cylinder(count, caps=kind == "cylinder") for count in _SEGMENTS)
    if kind == "box":
        return (_box(),)
    assert kind == "plane", kind
    return (_square(),)


def hull_mesh(points: np.ndarray) -> Mesh:
    """The convex hull of points; raises GeometryError when they span no solid."""
    return _faceted(convex_polytope(points))


def surface_mesh(vertices: np.ndarray, triangles: np.ndarray) -> Mesh:
    """A triangle mesh, smooth where its faces nearly agree and creased elsewhere."""
    corners = np.asarray(vertices, float)[np.asarray(triangles)]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sound = np.linalg.norm(normal, axis=1) > 0.0
    corners, normal = corners[sound], normal[sound]
    normals = smooth_corners(corners, normal)
    index = np.arange(3 * len(corners), dtype=np.uint32).reshape(-1, 3)
    mesh = _mesh(corners.reshape(-1, 3), normals.reshape(-1, 3), index, creases(corners, normal))
    return mesh._replace(two_sided=True)


def _sphere(subdivisions: int) -> Mesh:
    points, triangles = _icosahedron()
    for _ in range(subdivisions):
        points, triangles = _split(points, triangles)
    return _mesh(points, points, triangles)


def _icosahedron() -> tuple[np.ndarray, np.ndarray]:
    g = (1.0 + 5.0**0.5) / 2.0
    corners = [(s * 1.0, t * g, 0.0) for s in (-1, 1) for t in (-1, 1)]
    points = np.array([np.roll(c, k) for k in range(3) for c in corners])
    points /= np.linalg.norm(points, axis=1)[:, None]
    polytope = convex_polytope(points)
    return polytope.vertices, np.array(polytope.faces)


def _split(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every triangle into four, new corners pushed out to the sphere."""
    sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    unique, place = np.unique(sides, axis=0, return_inverse=True)
    middle = points[unique].sum(axis=1)
    middle /= np.linalg.norm(middle, axis=1)[:, None]
    ab, bc, ca = place.reshape(3, -1) + len(points)
    a, b, c = triangles.T
    fresh = [np.stack(corner, axis=1) for corner in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
    return np.concatenate([points, middle]), np.concatenate(fresh)


def _ring(count: int) -> np.ndarray:
    angle = 2.0 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _strip(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Triangles between two rings of vertex numbers, seen from outside."""
    after_lower, after_upper = np.roll(lower, -1), np.roll(upper, -1)
    return np.concatenate(
        [np.stack([lower, after_lower, after_upper], axis=1), np.stack([lower, after_upper, upper], axis=1)]
    )


def _dome(segments: int) -> Mesh:
    return _half_ball(segments, segments // 4)


def _coarse_half_ball(segments: int) -> Mesh:
    """A rim, a ring of half as many corners at 45 degrees, and a flat top: round enough for a few pixels."""
    half = segments // 2
    rim, top = np.c_[_ring(segments), np.zeros(segments)], np.c_[_ring(half), np.ones(half)] / np.sqrt(2.0)
    k, upper = np.arange(half), segments + np.arange(half)
    after, following = (2 * k + 2) % segments, segments + (k + 1) % half
    sides = [(2 * k, 2 * k + 1, upper), (2 * k + 1, following, upper), (2 * k + 1, after, following)]
    lid = [(np.full(half - 2, segments), upper[1:-1], upper[2:])]
    points = np.concatenate([rim, top])
    return _mesh(points, points, np.concatenate([np.stack(corners, axis=1) for corners in sides + lid]))


def _half_ball(segments: int, rows: int) -> Mesh:
    ring = _ring(segments)
    points, triangles = [], []
    for row in range(rows):
        angle = 0.5 * np.pi * row / rows
        points.append(np.c_[np.cos(angle) * ring, np.full(segments, np.sin(angle))])
        if row:
            start = (row - 1) * segments
            triangles.append(_strip(np.arange(start, start + segments), np.arange(start, start + segments) + segments))
    last = np.arange((rows - 1) * segments, rows * segments)
    top = np.full(segments, rows * segments)
    triangles.append(np.stack([last, np.roll(last, -1), top], axis=1))
    vertices = np.concatenate([*points, [[0.0, 0.0, 1.0]]])
    return _mesh(vertices, vertices, np.concatenate(triangles))


def _cylinder(segments: int, caps: bool) -> Mesh:
    ring = _ring(segments)
    side = np.c_[ring, np.zeros(segments)]
    low, high = np.c_[ring, -np.ones(segments)], np.c_[ring, np.ones(segments)]
    numbers = np.arange(segments)
    vertices, normals = [low, high], [side, side]
    triangles = [_strip(numbers, numbers + segments)]
    if not caps:
        return _mesh(np.concatenate(vertices), np.concatenate(normals), triangles[0])
    edges = []
    middle = side + np.roll(side, -1, axis=0)
    for sign, rim in ((-1.0, low), (1.0, high)):
        start = sum(len(part) for part in vertices)
        up = np.tile([0.0, 0.0, sign], (segments, 1))
        vertices.append(rim)
        normals.append(up)
        fan = np.stack([np.full(segments - 2, start), start + numbers[1:-1], start + numbers[2:]], axis=1)
        triangles.append(fan if sign > 0 else fan[:, ::-1])
        edges.append(np.stack([rim, np.roll(rim, -1, axis=0), up, middle], axis=1))
    return _mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(triangles), np.concatenate(edges))


def _box() -> Mesh:
    return _faceted(convex_polytope(np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])))


def _faceted(polytope: Polytope) -> Mesh:
    vertices, normals, triangles, start = [], [], [], 0
    for face, normal in zip(polytope.faces, polytope.normals, strict=True):
        count = len(face)
        vertices.append(polytope.vertices[list(face)])
        normals.append(np.tile(normal, (count, 1)))
        inner = start + np.arange(1, count - 1)
        triangles.append(np.stack([np.full(count - 2, start), inner, inner + 1], axis=1))
        start += count
    edges = np.concatenate([polytope.vertices[polytope.edges], polytope.normals[polytope.edge_faces]], axis=1)
    return _mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(triangles), edges)


def _square() -> Mesh:
    corners = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    edges = np.stack([corners, np.roll(corners, -1, axis=0), up, -up], axis=1)
    return _mesh(corners, up, np.array([[0, 1, 2], [0, 2, 3]]), edges)._replace(two_sided=True)
