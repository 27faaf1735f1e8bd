"""The spots of a die: six on +z, five on +y, four on +x; opposite sides sum to seven."""

from __future__ import annotations

import numpy as np

RADIUS = 0.19  # of half an edge
SPREAD = 0.5

_CORNERS = [(-1, -1), (1, 1)]
_OTHERS = [(-1, 1), (1, -1)]
_SIDES = [(-1, 0), (1, 0)]
SPOTS = {
    1: [(0, 0)],
    2: _CORNERS,
    3: [(0, 0), *_CORNERS],
    4: _CORNERS + _OTHERS,
    5: [(0, 0), *_CORNERS, *_OTHERS],
    6: _CORNERS + _OTHERS + _SIDES,
}
SIDES = {(2, 1): 6, (2, -1): 1, (1, 1): 5, (1, -1): 2, (0, 1): 4, (0, -1): 3}
"""(axis, sign) -> spots."""


def pip_cover(points: np.ndarray, half: tuple[float, float, float]) -> np.ndarray:
    """1 inside a spot, 0 outside, for points (m, 3) on the surface of the box, in its frame."""
    scaled = points / np.array(half)
    axis = np.abs(scaled).argmax(axis=1)
    cover = np.zeros(len(points), np.float32)
    for (k, sign), count in SIDES.items():
        on = np.flatnonzero((axis == k) & (np.sign(scaled[:, k]) == sign))
        flat = scaled[on][:, [(k + 1) % 3, (k + 2) % 3]]
        for spot in SPOTS[count]:
            inside = ((flat - SPREAD * np.array(spot)) ** 2).sum(1) < RADIUS**2
            cover[on[inside]] = 1.0
    return cover
