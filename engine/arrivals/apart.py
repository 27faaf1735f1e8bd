"""How far two bodies are from each other, for kernels that lead one past many others."""

from __future__ import annotations

import numpy as np

from engine.collide.dismiss import part_centre
from engine.collide.distance import part_distance
from engine.jit import kernel
from engine.vec import norm, row, sub


@kernel
def nearest(narrow, parts, body, other, but, least, state):
    """m between two bodies as they are in `state`, but for one part of the other; at most about `least` matters."""
    geometry = narrow.geometry
    found = np.inf
    for p in range(parts[body], parts[body + 1]):
        for o in range(parts[other], parts[other + 1]):
            here = part_centre(p, body, geometry.part_center, state.x, state.q)
            there = part_centre(o, other, geometry.part_center, state.x, state.q)
            bounds = geometry.part_bound[p] + geometry.part_bound[o]
            if o == but or norm(sub(here, there)) - bounds > least:
                continue
            apart, _ = part_distance(narrow, p, o, state.x, state.q)
            found = min(found, apart)
    return found


@kernel
def put(body, x, q, k, state):
    """Body to pose k of a way."""
    for i in range(3):
        state.x[body, i] = x[k, i]
    for i in range(4):
        state.q[body, i] = q[k, i]


@kernel
def box_of(x):
    """Lowest and highest corner of the box around places (k, 3)."""
    low, high = row(x, 0), row(x, 0)
    for k in range(1, x.shape[0]):
        low = (min(low[0], x[k, 0]), min(low[1], x[k, 1]), min(low[2], x[k, 2]))
        high = (max(high[0], x[k, 0]), max(high[1], x[k, 1]), max(high[2], x[k, 2]))
    return low, high


@kernel
def are_apart(lows, highs, i, low, high, reach):
    """Whether box i of many is further than `reach` from another box, along an axis."""
    for k in range(3):
        if lows[i, k] > high[k] + reach or highs[i, k] < low[k] - reach:
            return True
    return False
