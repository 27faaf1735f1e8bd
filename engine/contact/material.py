"""Materials of a pair: friction is the geometric mean, restitution and rolling friction the larger.

Tuning ranges combine the same way. A negative friction marks a neutral body (the default ground), which takes on the
material of whatever touches it, so that an artist's coefficients mean what they say on bare ground.
"""

from __future__ import annotations

import math

import numpy as np

from engine.jit import kernel, standalone
from engine.record import Record


class PairMaterial(Record):
    """Coefficients of C contacts: as authored, and how far the director may move them."""

    friction: np.ndarray  # (C,)
    friction_low: np.ndarray  # (C,)
    friction_top: np.ndarray  # (C,)
    restitution: np.ndarray  # (C,)
    restitution_low: np.ndarray  # (C,)
    restitution_top: np.ndarray  # (C,)
    rolling: np.ndarray  # (C,) m


def empty_materials(capacity: int) -> PairMaterial:
    return PairMaterial(*(np.zeros(capacity) for _ in PairMaterial._fields))


@kernel
def _mean(a, b):
    return a if a == b else math.sqrt(a * b)  # equal values keep their bits


@standalone
def pair_materials(count, a, b, bodies, material):
    """Authored coefficients and tuning limits of every contact, into a Material table."""
    for c in range(count):
        i = a[c]
        j = b[c]
        if bodies.friction[j] < 0.0:
            j = i
        if bodies.friction[i] < 0.0:
            i = j
        material.friction[c] = _mean(bodies.friction[i], bodies.friction[j])
        material.friction_low[c] = _mean(bodies.friction_low[i], bodies.friction_low[j])
        material.friction_top[c] = _mean(bodies.friction_top[i], bodies.friction_top[j])
        material.restitution[c] = max(bodies.restitution[i], bodies.restitution[j])
        material.restitution_low[c] = max(bodies.restitution_low[i], bodies.restitution_low[j])
        material.restitution_top[c] = max(bodies.restitution_top[i], bodies.restitution_top[j])
        material.rolling[c] = max(bodies.rolling[i], bodies.rolling[j])
