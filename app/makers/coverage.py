"""How much of each cell of a square grid a plane figure covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SAMPLES = 8  # per cell and direction


def coverage(
    loops: Sequence[np.ndarray], origin: tuple[float, float], cell: float, shape: tuple[int, int]
) -> np.ndarray:
    """(rows, columns) fractions from 0 to 1; row 0 is the lowest, starting at `origin`. Even-odd rule: give loops of
    regions that do not overlap."""
    rows, columns = shape
    if not loops or rows <= 0 or columns <= 0:
        return np.zeros((max(rows, 0), max(columns, 0)))
    a = np.concatenate(list(loops))
    b = np.concatenate([np.roll(loop, -1, axis=0) for loop in loops])
    step = cell / SAMPLES
    across = origin[0] + (np.arange(columns * SAMPLES) + 0.5) * step
    covered = np.zeros((rows * SAMPLES, columns * SAMPLES), bool)
    for line in range(rows * SAMPLES):
        y = origin[1] + (line + 0.5) * step
        cut = (a[:, 1] <= y) != (b[:, 1] <= y)
        p, q = a[cut], b[cut]
        x = np.sort(p[:, 0] + (y - p[:, 1]) * (q[:, 0] - p[:, 0]) / (q[:, 1] - p[:, 1]))
        covered[line] = np.searchsorted(x, across) % 2 == 1
    return covered.reshape(rows, SAMPLES, columns, SAMPLES).mean(axis=(1, 3))
