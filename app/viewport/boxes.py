"""Corners of boxes along the axes. No GL, no Qt."""

from __future__ import annotations

import numpy as np

_PICK = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


def box_corners(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(8, 3) corners of one box; or (8 n, 3) of n boxes, given (n, 3) lowest and highest corners."""
    low, high = np.atleast_2d(low), np.atleast_2d(high)
    return np.where(_PICK[None] == 0, low[:, None], high[:, None]).reshape(-1, 3)
