"""Meshes of simple solids: triangles, normals and the edges worth a line. No GL: arrays only.

Round solids come in levels of detail, finest first; a level is good enough while what it cuts off the outline stays
below half a pixel.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from engine.scene.spec import Box, Shape
from engine.shapes.ask import ask
from engine.shapes.polytope import edges_of
from engine.shapes.smoothing import creases
from engine.shapes.surface import Surface

COARSEN_BELOW = (160.0, 40.0, 8.0)  # px of radius on screen below which the next level is used
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
    """Unit meshes, finest first: box (half edges 1), cylinder (radius 1, z from -1 to 1), tube (a cylinder without
    caps), dome (upper half of a ball of radius 1), plane (a square of half edge 1 at z = 0), ball (like dome, but with
    few triangles: the shaders turn it toward whoever looks, so it passes for a whole ball)."""
    if kind == "ball":
        finer = (_half_ball(count, rings) for count, rings in zip(_SEGMENTS, _RINGS, strict=False))
        return (*finer, _coarse_half_ball(_SEGMENTS[-1]))
    if kind == "dome":
        return tuple(_half_ball(count, count // 4) for count in _SEGMENTS)
    if kind in ("cylinder", "tube"):
        return tuple(_cylinder(count, caps=kind == "cylinder") for count in _SEGMENTS)
    if kind == "box":
        return (shape_mesh(Box((1.0, 1.0, 1.0))),)
    assert kind == "plane", kind
    return (_square(),)


def shape_mesh(shape: Shape) -> Mesh:
    """The surface of a shape with its edges; raises GeometryError where there is none."""
    surface = ask(shape).surface()
    corners = surface.points[surface.corners]
    if surface.solid:
        return _mesh(corners, surface.normals, surface.triangles, _edges(surface))
    faces = corners[surface.triangles]
    normal = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    mesh = _mesh(corners, surface.normals, surface.triangles, creases(faces, normal))
    return mesh._replace(two_sided=True)


def _edges(surface: Surface) -> np.ndarray:
    """(k, 4, 3) of a closed surface: where the normals of two faces differ."""
    loops = np.split(surface.corners, surface.starts[1:])
    edges, faces = edges_of(tuple(tuple(loop.tolist()) for loop in loops))
    normals = surface.normals[surface.starts[faces]]
    sharp = (normals[:, 0] != normals[:, 1]).any(axis=1)
    return np.concatenate([surface.points[edges], normals], axis=1)[sharp]


def _ring(count: int) -> np.ndarray:
    angle = 2.0 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _strip(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Triangles between two rings of vertex numbers, seen from outside."""
    after_lower, after_upper = np.roll(lower, -1), np.roll(upper, -1)
    return np.concatenate(
        [np.stack([lower, after_lower, after_upper], axis=1), np.stack([lower, after_upper, upper], axis=1)]
    )


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


def _square() -> Mesh:
    corners = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    edges = np.stack([corners, np.roll(corners, -1, axis=0), up, -up], axis=1)
    return _mesh(corners, up, np.array([[0, 1, 2], [0, 2, 3]]), edges)._replace(two_sided=True)
