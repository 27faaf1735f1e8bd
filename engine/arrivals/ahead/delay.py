"""Waiting: a body that finds no way leaves later, seen backward, when those who barred it are gone.

Whoever carries it waits with it. A way that is known already is given up where it leads past a body that rests longer
now, or where it pushed the structure meanwhile: others carried it than will be there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.algebra import norms
from engine.arrivals.ahead.arrival import Arrival
from engine.arrivals.ahead.order import NEVER
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.structure import Structure


def delayed(structure: Structure, leaves_at: np.ndarray, body: int, step: int, wait: int, last: int) -> np.ndarray:
    """When everybody leaves if a body does not before `step`, and those who carry it at least `wait` steps after. Who
    would leave after step `last` never does."""
    leaves_at = leaves_at.copy()
    pending = [(body, step)]
    while pending:
        one, step = pending.pop()
        if leaves_at[one] >= step:
            continue
        while step in leaves_at:
            step += 1
        leaves_at[one] = step if step <= last else NEVER
        pending += [(other, step + wait) for other in structure.carriers[one]]
    return leaves_at


def kept_waiting(order: Sequence[int], before: np.ndarray, after: np.ndarray) -> Mapping[int, tuple[int, int]]:
    """Bodies that leave at another step than they did: from when to when they rest longer."""
    return {body: (int(before[body]), int(after[body])) for body in order if before[body] != after[body]}


def disturbed(structure: Structure, arrival: Arrival, late: Mapping[int, tuple[int, int]]) -> bool:
    """Whether an arrival that was found before some bodies were late does not hold any more."""
    if arrival.body in late:
        return True
    begin, end = min(since for since, _ in late.values()), max(until for _, until in late.values())
    if ((arrival.pushes.step >= begin) & (arrival.pushes.step <= end)).any():
        return True
    x, size = structure.model.start.x, structure.model.bodies.size
    for body, (since, until) in late.items():
        path = arrival.x[max(since - arrival.first, 0) + 1 : max(min(until, arrival.last) - arrival.first, -1) + 2]
        near = float(size[body] + size[arrival.body]) + TUNING.kept_free
        if (norms(path - x[body]) < near).any():
            return True
    return False
