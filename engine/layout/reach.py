"""How far shapes reach in many directions: a quick way to tell that two have the same hull."""

from __future__ import annotations

import numpy as np

from engine.errors import GeometryError
from engine.scene.spec import Shape
from engine.shapes.ask import ask
from engine.shapes.simple_hull import directions

DIRECTIONS = directions(58)  # (64, 3)
SAME = 1e-5  # of the size


def reaches(points: np.ndarray) -> np.ndarray:
    """(64,) m from the origin."""
    return np.asarray((DIRECTIONS @ points.T).max(axis=1))


def shape_reaches(shape: Shape) -> np.ndarray | None:
    try:
        return reaches(ask(shape).points())
    except (GeometryError, ValueError):
        return None


def agree(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(a - b).max() <= SAME * float(np.abs(b).max()))
