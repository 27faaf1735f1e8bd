"""Who is in whose way: a body against everything at rest and everybody under way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from engine.collide.dismiss import part_centre
from engine.collide.distance import part_distance
from engine.collide.gauge import Gauge
from engine.jit import kernel
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.vec import norm, row, sub

CLEAR = 5e-4  # m that bodies keep from each other on their way

Way: TypeAlias = tuple[np.ndarray, np.ndarray]
"""Positions and orientations over the steps of a take."""


@kernel
def meets(narrow, parts, pair, span, paths, reach, clear, state):
    """Whether a body on its path comes nearer than `clear` to another on its own.

    pair: the body, the other, and a part of it that may be met, -1: none. span: first and last step. paths: (x, q) of
    both. reach: beyond this distance of centres (m) they are apart."""
    body, other, but = pair
    geometry = narrow.geometry
    x, q, other_x, other_q = paths
    for k in range(span[0], span[1]):
        if norm(sub(row(x, k), row(other_x, k))) > reach:
            continue
        for i in range(3):
            state.x[body, i] = x[k, i]
            state.x[other, i] = other_x[k, i]
        for i in range(4):
            state.q[body, i] = q[k, i]
            state.q[other, i] = other_q[k, i]
        for p in range(parts[body], parts[body + 1]):
            for o in range(parts[other], parts[other + 1]):
                here = part_centre(p, body, geometry.part_center, state.x, state.q)
                there = part_centre(o, other, geometry.part_center, state.x, state.q)
                bounds = geometry.part_bound[p] + geometry.part_bound[o]
                if o == but or norm(sub(here, there)) - bounds > clear:
                    continue
                apart, _ = part_distance(narrow, p, o, state.x, state.q)
                if apart < clear:
                    return True
    return False


class Crowd:
    """Everybody but the body in question, over the steps of a take."""

    def __init__(self, model: Model, steps: int, rests: Mapping[int, int]) -> None:
        self.model, self.steps, self.rests = model, steps, rests
        self._gauge = Gauge(model.geometry)
        self._parts = np.searchsorted(model.geometry.part_body, np.arange(len(model.names) + 1))
        self._state = copy_state(model.start)
        self._paths: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def add(self, row: int, states: State) -> None:
        """From now on the body comes this way; its last state is its rest."""
        self._paths[row] = self._whole(row, states)

    def is_clear(self, row: int, states: State) -> bool:
        """Whether the body may come this way: it meets nobody that moves or is to move (static bodies it may touch)."""
        x, q = self._whole(row, states)
        rests = self.rests[row]
        size = self.model.bodies.size
        for other in range(len(size)):
            if other == row or self.model.bodies.inverse_mass[other] == 0.0:
                continue
            known = other in self._paths
            other_x, other_q = self._paths[other] if known else self._resting(other)
            # Whoever has no way yet will keep clear of this one; it is in the way only once it rests.
            first = 0 if known or other not in self.rests else max(self.rests[other], 0)
            reach = size[row] + size[other] + CLEAR
            first = max(first, rests + 1 - len(states.x))
            last = max(rests, self.rests[other]) if known else rests
            clear = min(CLEAR, 0.5 * self._apart_at_rest(row, other))
            if self._meet(row, other, -1, first, last, (x, q), (other_x, other_q), reach, clear):
                return False
        return True

    def misses_static(self, row: int, ground: int, states: State) -> bool:
        """Whether the body stays clear of everything static but the part `ground` on its last steps to rest."""
        x, q = self._whole(row, states)
        rests = self.rests[row]
        for other in np.flatnonzero(self.model.bodies.inverse_mass == 0.0):
            clear = min(CLEAR, 0.5 * self._apart_at_rest(row, int(other), ground))
            first = max(0, rests + 1 - len(states.x))
            still = self._resting(int(other))
            if self._meet(row, int(other), ground, first, rests, (x, q), still, np.inf, clear):
                return False
        return True

    def _meet(
        self, row: int, other: int, but: int, first: int, last: int, own: Way, theirs: Way, reach: float, clear: float
    ) -> bool:
        return bool(
            meets(self._gauge.narrow, self._parts, (row, other, but), (first, last),
                  (*own, *theirs), float(reach), float(clear), self._state)
        )  # fmt: skip

    def _apart_at_rest(self, row: int, other: int, but: int = -1) -> float:
        """m between two bodies at the ending, but for one part; infinite when there is no other."""
        start, apart = self.model.start, np.inf
        for p in range(self._parts[row], self._parts[row + 1]):
            for o in range(self._parts[other], self._parts[other + 1]):
                if o != but:
                    apart = min(apart, self._gauge.measure(p, o, start.x, start.q)[0])
        return float(apart)

    def _resting(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        start = self.model.start
        return np.repeat(start.x[row][None], self.steps + 1, axis=0), np.repeat(start.q[row][None], self.steps + 1, 0)

    def _whole(self, row: int, states: State) -> tuple[np.ndarray, np.ndarray]:
        """(steps + 1, ...) poses over the take."""
        x, q = self._resting(row)
        rests = self.rests[row]
        count = min(rests + 1, len(states.x))
        x[rests + 1 - count : rests + 1], q[rests + 1 - count : rests + 1] = states.x[-count:], states.q[-count:]
        return x, q
