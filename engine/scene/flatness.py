"""Do points span a solid?"""

from __future__ import annotations

import numpy as np

FLAT = 1e-9  # thinner than this fraction of its length, a point set spans no solid


def is_flat(points: np.ndarray) -> bool:
    """True for fewer than four points, and for points in one plane, on one line or in one place."""
    if len(points) < 4:
        return True
    spread = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)  # extents along the principal axes
    return bool(spread[2] <= FLAT * spread[0])
