"""Where the spots of a die are seen."""

from __future__ import annotations

import numpy as np

from engine.scene.dice import RADIUS, SIDES, SPOTS, SPREAD


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
