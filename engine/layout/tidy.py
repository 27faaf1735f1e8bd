"""Numbers that went through single precision, made what they were meant to be: 0.05000000075 is 0.05.

Bodies that touch in the other program then touch here, and not by a rounding error less or more.
"""

from __future__ import annotations

import math

import numpy as np

from engine.scene.spec import Quaternion

SINGLE = 2e-7  # relative: what single precision and a product or two lose
DIGITS = 6  # decimals that a person would type
TURNS = np.array([0.0, 0.5, math.sqrt(0.5), 1.0])  # parts of quaternions of quarter turns


def tidy(values: np.ndarray) -> np.ndarray:
    """Each value, or the number of six digits that is nearest to it where single precision cannot tell them apart."""
    values = np.asarray(values, float)
    with np.errstate(all="ignore"):
        place = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.abs(values))))
        short = np.round(values * place) / place
        near = np.abs(short - values) <= SINGLE * np.abs(values)
    return np.asarray(np.where(near, short, values))


def tidy_length(value: float) -> float:
    return float(tidy(np.array(value)))


def tidy_turn(q: Quaternion) -> Quaternion:
    """Of unit length; quarter turns exactly."""
    parts = np.asarray(q, float)
    if not np.isfinite(parts).all():
        return q
    parts = parts / np.linalg.norm(parts)
    nearest = TURNS[np.abs(np.abs(parts)[:, None] - TURNS).argmin(axis=1)]
    parts = np.where(np.abs(np.abs(parts) - nearest) <= SINGLE, np.copysign(nearest, parts), parts) + 0.0
    w, x, y, z = (parts / np.linalg.norm(parts)).tolist()
    return (w, x, y, z)
