"""Can a body leave while everything it touches stays? A linear program over its motions, right where the rule of
positive dot products is wrong: for balls in pockets, leaning bodies and bodies between walls."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

APART = 1e-6  # speed of separation, of all contacts together, that counts: less is rounding


def way_out(normals: np.ndarray, arms: np.ndarray, up: np.ndarray) -> np.ndarray | None:
    """A motion (velocity, angular velocity times the body's size) that opens some contact and closes none, straight up
    where that will do; None when there is none.

    normals: (k, 3) toward the body; arms: (k, 3) from its centre to the contacts, in units of its size."""
    rows = np.hstack([normals, np.cross(arms, normals)])
    lift = np.concatenate([up, np.zeros(3)])
    if not (rows @ lift < -APART).any() and (not len(rows) or (rows @ lift).sum() > APART):
        return lift
    found = linprog(-rows.sum(0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=[(-1.0, 1.0)] * 6, method="highs")
    if found.status != 0 or -found.fun <= APART:
        return None
    return np.asarray(found.x)
