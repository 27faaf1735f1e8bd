"""The cones on the hull of a patch, by their generators."""

from __future__ import annotations

import numpy as np

from engine.analysis.patch_hull import PlaneHull, perp, unperp


def cone(hull: PlaneHull) -> np.ndarray:
    """(h, 3) generators of K_P: wrenches (m_T, f_N) of a unit push at each corner."""
    return np.hstack([perp(hull.corners), np.ones((len(hull.corners), 1))])


def dual_cone(hull: PlaneHull) -> np.ndarray:
    """(k, 3) generators of K_P*: twists (omega_T, v_N) that tip about each side, at one radian per second. Those of a
    point or a segment come in pairs along which nothing moves."""
    return np.hstack([unperp(hull.normals), hull.offsets[:, None]])
