"""How far shapes reach in many directions: a quick way to tell that two have the same hull."""

from __future__ import annotations

import itertools

import numpy as np

from engine.errors import GeometryError
from engine.export.surfaces import surface_of
from engine.scene.spec import Box, Compound, Hull, Shape, TriangleMesh
from engine.shapes.leaves import leaves
from engine.shapes.simple_hull import directions

DIRECTIONS = directions(58)  # (64, 3)
SAME = 1e-5  # of the size
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def reaches(points: np.ndarray) -> np.ndarray:
    """(64,) m from the origin."""
    return np.asarray((DIRECTIONS @ points.T).max(axis=1))


def shape_points(shape: Shape) -> np.ndarray:
    """(n, 3) points with the hull of the surface that we export for a shape; its faces, which take long, are left."""
    if isinstance(shape, Box):
        return CORNERS * np.array(shape.half)
    if isinstance(shape, Hull):
        return shape.points
    if isinstance(shape, TriangleMesh):
        return shape.vertices
    if isinstance(shape, Compound):
        parts = leaves(shape)
        return np.concatenate([shape_points(leaf.shape) @ leaf.turn.T + leaf.place for leaf in parts])
    return surface_of(shape).points


def shape_reaches(shape: Shape) -> np.ndarray | None:
    try:
        return reaches(shape_points(shape))
    except (GeometryError, ValueError):
        return None


def agree(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(a - b).max() <= SAME * float(np.abs(b).max()))
