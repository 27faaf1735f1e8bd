"""Random planar patches, lawful at every point or broken in one of three ways: the planar condition must tell."""

from __future__ import annotations

import numpy as np

from engine.analysis.patch import read
from engine.analysis.patch_hull import hull_of, perp
from tests.bench.inspector_case import Case
from tests.engine.analysis.patch_cones import dual_cone


def _patch(rng: np.random.Generator) -> bool:
    """Up to eight points, often not convex, at rest or tipping about a side of their hull."""
    points = rng.normal(size=(int(rng.integers(3, 9)), 2)) * 10.0 ** rng.uniform(-2, 1)
    hull = hull_of(points)
    side = rng.exponential() * dual_cone(hull)[rng.integers(0, len(hull.normals))] * (rng.random() < 0.7)
    omega, v = side[:2], float(side[2])
    opening = perp(points) @ omega + v
    fastest = float(opening.max())
    pressure = np.where(opening <= 1e-9 * (1.0 + fastest), rng.exponential(size=len(points)), 0.0)
    breach = rng.integers(0, 4)
    if breach == 1:  # a pull that the pushes do not make up for
        pressure = pressure.copy()
        pressure[rng.integers(0, len(points))] -= 1.1 * pressure.sum()
    elif breach == 2:  # a part goes in
        v -= 0.1 * (fastest + 1.0)
    elif breach == 3 and fastest > 0.0:  # what leaves is pushed
        pressure = pressure + 0.1 * (opening > 0.1 * fastest)
    lawful = breach == 0 or (breach == 3 and fastest == 0.0)
    return read(points, pressure @ perp(points), float(pressure.sum()), omega, v).valid == lawful


PATCHES = (Case("contact", "planar condition against the law of points", "<= 8 points", 10_000, 100, _patch, seed=2),)
