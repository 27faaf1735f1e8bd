"""The take as it should arrive, worked out without anything of the export: matrices from Path, axes by hand."""

from __future__ import annotations

import numpy as np

from engine.tape.path import Path
from engine.tape.take import Take

RATES = (23.976, 24.0, 25.0, 29.97, 30.0, 60.0, 120.0)
FRACTIONS = {23.976: 24000 / 1001, 29.97: 30000 / 1001}
TO_AXES = {"z": np.eye(3), "y": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])}
PER_METRE = {"m": 1.0, "cm": 100.0}


def matrices(q: np.ndarray) -> np.ndarray:
    """(..., 3, 3) of quaternions w x y z."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def expected(take: Take, fps: float, up: str = "z", unit: str = "m") -> tuple[np.ndarray, np.ndarray]:
    """Positions (F, n, 3) and rotations (F, n, 3, 3) of every frame up to the ending, the last of which it is."""
    rate = FRACTIONS.get(fps, fps)
    first, last = float(take.times[0]), float(take.times[-1])
    count = int(np.ceil((last - first) * rate - 1e-6))
    times = np.maximum(last - np.arange(count, -1, -1) / rate, first)
    x, q = Path(take).at(times)
    turn = TO_AXES[up]
    return PER_METRE[unit] * x @ turn.T, turn @ matrices(q) @ turn.T
