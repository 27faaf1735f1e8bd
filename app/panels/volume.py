"""Volumes and sizes of shapes for display, exact and without compiled code (the engine has its own for physics)."""

from __future__ import annotations

import math

import numpy as np

from engine.scene.spec import Box, Capsule, Compound, Cylinder, Hull, Plane, Shape, Sphere, TriangleMesh, Vector
from engine.shapes.turns import rotation_matrix

_hulls: dict[int, tuple[np.ndarray, float]] = {}
"""Volumes of hulls met lately. The key is the identity of the points, which are read-only; holding them here keeps
the identity from being given to others."""
MOST_HULLS = 512


def volume(shape: Shape) -> float | None:
    """m^3; None where there is none (a plane, a shape that cannot be understood). Parts that overlap count twice, as
    in the engine."""
    if isinstance(shape, Sphere):
        return 4.0 / 3.0 * math.pi * shape.radius**3
    if isinstance(shape, Box):
        return 8.0 * shape.half[0] * shape.half[1] * shape.half[2]
    if isinstance(shape, Capsule):
        return math.pi * shape.radius**2 * (2.0 * shape.half_length + 4.0 / 3.0 * shape.radius)
    if isinstance(shape, Cylinder):
        return 2.0 * math.pi * shape.radius**2 * shape.half_height
    if isinstance(shape, Hull):
        return _hull_volume(shape.points)
    if isinstance(shape, Compound):
        parts = [volume(part[0]) for part in shape.parts]
        return None if None in parts else math.fsum(part for part in parts if part is not None)
    if isinstance(shape, TriangleMesh):
        a, b, c = (shape.vertices[shape.triangles[:, k]] for k in range(3))
        return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6.0
    return None


def _hull_volume(points: np.ndarray) -> float | None:
    known = _hulls.get(id(points))
    if known is not None and known[0] is points:
        return known[1]
    from scipy.spatial import ConvexHull, QhullError  # takes a while to import, and most scenes have no hulls

    try:
        found = float(ConvexHull(points).volume)
    except (QhullError, ValueError):
        return None
    if len(_hulls) >= MOST_HULLS:
        _hulls.clear()
    _hulls[id(points)] = (points, found)
    return found


def extents(shape: Shape) -> Vector | None:
    """Size along the shape's own axes, m; None for a plane."""
    reach = _reach(shape)
    if reach is None:
        return None
    low, high = reach
    x, y, z = (float(c) for c in high - low)
    return (x, y, z)


def _reach(shape: Shape) -> tuple[np.ndarray, np.ndarray] | None:
    """Lowest and highest coordinates."""
    if isinstance(shape, Plane):
        return None
    if isinstance(shape, Hull):
        return shape.points.min(axis=0), shape.points.max(axis=0)
    if isinstance(shape, TriangleMesh):
        return shape.vertices.min(axis=0), shape.vertices.max(axis=0)
    if isinstance(shape, Compound):
        reaches = [_part_reach(*part) for part in shape.parts]
        known = [reach for reach in reaches if reach is not None]
        if not known:
            return None
        return np.min([low for low, _ in known], axis=0), np.max([high for _, high in known], axis=0)
    half = _half(shape)
    return -half, half


def _half(shape: Sphere | Box | Capsule | Cylinder) -> np.ndarray:
    if isinstance(shape, Sphere):
        return np.full(3, shape.radius)
    if isinstance(shape, Box):
        return np.array(shape.half)
    if isinstance(shape, Capsule):
        return np.array([shape.radius, shape.radius, shape.half_length + shape.radius])
    return np.array([shape.radius, shape.radius, shape.half_height])


def _part_reach(
    shape: Shape, position: Vector = (0.0, 0.0, 0.0), orientation: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
) -> tuple[np.ndarray, np.ndarray] | None:
    """Of a part of a compound: exact for turned points, spheres, capsules, cylinders and boxes."""
    turned, at = rotation_matrix(orientation), np.asarray(position, float)
    if isinstance(shape, (Hull, TriangleMesh)):
        points = (shape.points if isinstance(shape, Hull) else shape.vertices) @ turned.T + at
        return points.min(axis=0), points.max(axis=0)
    if isinstance(shape, Sphere):
        half = np.full(3, shape.radius)
    elif isinstance(shape, Box):
        half = np.abs(turned) @ np.array(shape.half)
    elif isinstance(shape, Capsule):
        half = np.abs(turned[:, 2]) * shape.half_length + shape.radius
    elif isinstance(shape, Cylinder):
        across = np.sqrt(np.maximum(0.0, 1.0 - turned[:, 2] ** 2))
        half = np.abs(turned[:, 2]) * shape.half_height + across * shape.radius
    else:
        return None
    return at - half, at + half
