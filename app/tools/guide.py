"""Lines that show what a gesture is locked to. Calls no Qt."""

from __future__ import annotations

import numpy as np

from app.tools.drag import Sight
from app.tools.lock import Lock
from app.tools.tool import Stroke

REACH = 60.0  # camera distances that a guide goes out on both sides
NEAREST = 0.05  # of the pivot's depth: where a guide that runs toward the camera is cut


def guides(sight: Sight, pivot: np.ndarray, basis: np.ndarray, lock: Lock, colors: dict[str, str]) -> list[Stroke]:
    """One line through the pivot for each axis left free, none when all are."""
    if lock.axis is None:
        return []
    lines = ((k, axis_line(sight, pivot, basis[:, k])) for k in lock.moving)
    return [Stroke(line, colors["xyz"[k]], 1.4, 0.85) for k, line in lines if line is not None]


def axis_line(sight: Sight, pivot: np.ndarray, axis: np.ndarray) -> np.ndarray | None:
    """(2, 2) px of a long line through a point, cut off before it passes the camera; None when the point does."""
    camera = sight.camera
    back = camera.axes()[2]
    depth = float((camera.eye - pivot) @ back)
    far = REACH * camera.distance
    start, end = -far, far
    if not camera.orthographic:
        if depth <= 0.0:
            return None
        slope = float(axis @ back)  # depth lost per metre along the axis
        if abs(slope) > 1e-9:
            cut = (1.0 - NEAREST) * depth / slope
            start, end = (start, min(end, cut)) if slope > 0.0 else (max(start, cut), end)
    points = pivot + np.outer([start, end], axis)
    return camera.project(points, sight.width, sight.height)[0]
