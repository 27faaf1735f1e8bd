"""Distances of parts, for code outside kernels."""

from __future__ import annotations

import numpy as np

from engine.collide.distance import part_distance
from engine.collide.narrow import make_narrow
from engine.model.arrays import Geometry


class Gauge:
    """part_distance with its buffers, for many pairs of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.narrow = make_narrow(geometry)

    def measure(self, part_a: int, part_b: int, x: np.ndarray, q: np.ndarray) -> tuple[float, np.ndarray]:
        """Signed distance (m) of two parts and the unit normal from b to a."""
        s, n = part_distance(self.narrow, part_a, part_b, x, q)
        return float(s), np.array(n)
