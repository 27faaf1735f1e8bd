"""Who is in whose way: a moving body against everything at rest and everybody under way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.ahead.lookout import bodies_apart
from engine.collide.cores import build_cores, make_place
from engine.jit import kernel
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.vec import norm, row, sub

CLEAR = 5e-4  # m that bodies keep from each other on their way


@kernel
def meets(geometry, cores, place, parts, body, other, first, last, x, q, other_x, other_q, reach, clear, state):
    """Whether `body` on its path (x, q) comes nearer than `clear` to `other` on its own in steps first .. last.

    reach: beyond this distance of their centres (m) they are apart."""
    for k in range(first, last):
        if norm(sub(row(x, k), row(other_x, k))) > reach:
            continue
        for i in range(3):
            state.x[body, i] = x[k, i]
            state.x[other, i] = other_x[k, i]
        for i in range(4):
            state.q[body, i] = q[k, i]
            state.q[other, i] = other_q[k, i]
        if bodies_apart(geometry, cores, place, body, other, parts, clear, state) < clear:
            return True
    return False


class Crowd:
    """Everybody but the body in question, over the steps of a take."""

    def __init__(self, model: Model, steps: int, rests: Mapping[int, int]) -> None:
        self.model, self.steps, self.rests = model, steps, rests
        self._cores = build_cores(model.geometry)
        self._place = (
            make_place(self._cores),
            make_place(self._cores),
            make_place(self._cores),
            make_place(self._cores),
        )
        self._parts = np.searchsorted(model.geometry.part_body, np.arange(len(model.names) + 1))
        self._state = copy_state(model.start)
        self._paths: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def add(self, row: int, states: State) -> None:
        """From now on the body comes this way; its last state is its rest."""
        self._paths[row] = self._whole(row, states)

    def is_clear(self, row: int, support: int, states: State) -> bool:
        """Whether the body may come this way: it meets nobody but what it lands on."""
        x, q = self._whole(row, states)
        rests = self.rests[row]
        size = self.model.bodies.size
        for other in range(len(size)):
            if other in (row, support):
                continue
            known = other in self._paths
            other_x, other_q = self._paths[other] if known else self._resting(other)
            # Whoever has no way yet will keep clear of this one; it is in the way only once it rests.
            first = 0 if known or other not in self.rests else max(self.rests[other], 0)
            moving = self.model.bodies.inverse_mass[other] > 0.0
            reach = size[row] + size[other] + CLEAR if moving else np.inf
            first = max(first, rests + 1 - len(states.x))
            last = max(rests, self.rests[other]) if known else rests
            clear = min(CLEAR, 0.5 * self._apart_at_rest(row, other))
            if meets(self.model.geometry, self._cores, self._place, self._parts, row, other, first, last, x, q,
                     other_x, other_q, reach, clear, self._state):  # fmt: skip
                return False
        return True

    def _apart_at_rest(self, row: int, other: int) -> float:
        return float(
            bodies_apart(self.model.geometry, self._cores, self._place, row, other, self._parts, np.inf,
                         copy_state(self.model.start))
        )  # fmt: skip

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
