"""How far shapes reach in many directions: a quick way to tell that two have the same hull."""

from __future__ import annotations

import numpy as np

from engine.errors import GeometryError
from engine.export.surfaces import surface_of
from engine.geometry.simple_hull import directions
from engine.scene.spec import Shape

DIRECTIONS = directions(58)  # (64, 3)
SAME = 1e-5  # of the size


def reaches(points: np.ndarray) -> np.ndarray:
    """(64,) m from the origin."""
    return np.asarray((DIRECTIONS @ points.T).max(axis=1))


def shape_reaches(shape: Shape) -> np.ndarray | None:
    """Of the surface that we export for a shape."""
    try:
        return reaches(surface_of(shape).points)
    except (GeometryError, ValueError):
        return None


def agree(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(a - b).max() <= SAME * float(np.abs(b).max()))
