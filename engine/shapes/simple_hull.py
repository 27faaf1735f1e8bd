"""Convex hulls with few corners, as bodies want them."""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import times
from engine.functions import cosine, mapped, sine

HULL_POINTS = 64  # corners of a hull; more cost time at every contact and are not seen


def simple_hull(points: np.ndarray, most: int = HULL_POINTS) -> np.ndarray:
    """Corners of the convex hull; of rich hulls those that are outermost in evenly spread directions, so that the
    simple one touches the true one everywhere it can."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners = points[ConvexHull(points - points.mean(axis=0)).vertices]
    except QhullError:
        return points
    if len(corners) <= most:
        return corners
    outermost = np.unique(np.argmax(times(directions(most - 6), (corners - corners.mean(axis=0)).T), axis=1))
    return corners[outermost]


def directions(count: int) -> np.ndarray:
    """The six axes, and `count` unit vectors spread over the sphere on a golden spiral."""
    z = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    angle = np.arange(count) * math.pi * (3.0 - math.sqrt(5.0))
    around = np.sqrt(1.0 - z * z)
    spiral = np.stack([around * mapped(cosine, angle), around * mapped(sine, angle), z], axis=1)
    return np.concatenate([np.eye(3), -np.eye(3), spiral])
