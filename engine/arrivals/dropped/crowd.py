"""Who is in whose way: a body against everything at rest and everybody under way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.algebra import norms
from engine.collide.dismiss import part_centre
from engine.collide.distance import part_distance
from engine.collide.gauge import Gauge
from engine.jit import kernel
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.vec import norm, row, sub

CLEAR = 5e-4  # m that bodies of ordinary size keep from each other on their way
SMALL, LARGE = 0.01, 1.0  # m: radii between which a size is ordinary; beyond them the distance follows it


def clearance(size: np.ndarray) -> np.ndarray:
    """m that bodies of these radii keep from others."""
    return CLEAR * np.minimum(size / SMALL, np.maximum(1.0, size / LARGE))


class Ways(NamedTuple):
    """Where everybody is, step by step: row i is at x[offset[i] + k] in step begin[i] + k, and stays where it ends.
    Only the way itself is kept, not the rest before or after it: takes are long, and ways are short."""

    begin: np.ndarray  # (n,) int64
    offset: np.ndarray  # (n,) int64
    count: np.ndarray  # (n,) int64
    x: np.ndarray  # (w, 3) m
    q: np.ndarray  # (w, 4)


class Others(NamedTuple):
    """Whom to keep clear of, in steps first <= k < last."""

    body: np.ndarray  # (m,) int64
    first: np.ndarray  # (m,) int64
    last: np.ndarray  # (m,) int64
    reach: np.ndarray  # (m,) m   beyond this distance of centres they are apart
    clear: np.ndarray  # (m,) m   to keep; half of what they have at rest where that is less


@kernel
def _nearest(narrow, parts, body, other, but, least, state):
    """m between two bodies as they are in `state`, but for one part of the other; at most about `least` matters."""
    geometry = narrow.geometry
    nearest = np.inf
    for p in range(parts[body], parts[body + 1]):
        for o in range(parts[other], parts[other + 1]):
            here = part_centre(p, body, geometry.part_center, state.x, state.q)
            there = part_centre(o, other, geometry.part_center, state.x, state.q)
            bounds = geometry.part_bound[p] + geometry.part_bound[o]
            if o == but or norm(sub(here, there)) - bounds > least:
                continue
            apart, _ = part_distance(narrow, p, o, state.x, state.q)
            nearest = min(nearest, apart)
    return nearest


@kernel
def _put(body, x, q, k, state):
    for i in range(3):
        state.x[body, i] = x[k, i]
    for i in range(4):
        state.q[body, i] = q[k, i]


@kernel
def meets(narrow, parts, body, but, own, others, ways, rest, state):
    """Whether a body on its way comes too near to one of `others`. own: its way (x, q, first step). but: a part that
    may be met, -1: none. rest: the ending. state: work."""
    x, q, begin = own
    for m in range(others.body.shape[0]):
        other, clear = others.body[m], others.clear[m]
        known = False
        for k in range(others.first[m], others.last[m]):
            mine = min(max(k - begin, 0), x.shape[0] - 1)
            there = ways.offset[other] + min(max(k - ways.begin[other], 0), ways.count[other] - 1)
            if norm(sub(row(x, mine), row(ways.x, there))) > others.reach[m]:
                continue
            _put(body, x, q, mine, state)
            _put(other, ways.x, ways.q, there, state)
            if _nearest(narrow, parts, body, other, but, clear, state) >= clear:
                continue
            if not known:  # neighbours may rest nearer to each other than bodies on their way
                _put(body, rest.x, rest.q, body, state)
                _put(other, rest.x, rest.q, other, state)
                clear = min(clear, 0.5 * _nearest(narrow, parts, body, other, but, np.inf, state))
                known = True
                _put(body, x, q, mine, state)
                _put(other, ways.x, ways.q, there, state)
            if _nearest(narrow, parts, body, other, but, clear, state) < clear:
                return True
    return False


class Crowd:
    """Everybody but the body in question, over the steps of a take.

    rests: first step at rest, of those who come in. Whoever is not in it is there all the time."""

    def __init__(self, model: Model, steps: int, rests: Mapping[int, int]) -> None:
        self.model, self.steps, self.rests = model, steps, rests
        self._gauge = Gauge(model.geometry)
        bodies, geometry, n = model.bodies, model.geometry, len(model.names)
        self._parts = np.searchsorted(geometry.part_body, np.arange(n + 1))
        self._state = copy_state(model.start)
        self._moves = bodies.inverse_mass > 0.0
        self._clear = clearance(bodies.size)
        whole = np.zeros(n)
        np.maximum.at(whole, geometry.part_body, norms(geometry.part_center) + geometry.part_bound)
        self._size = np.where(self._moves, bodies.size, whole)  # of static ones the ball that holds every part
        nothing = np.zeros(n, np.int64)
        self._ways = Ways(nothing, np.arange(n), nothing + 1, model.start.x.copy(), model.start.q.copy())
        self._used = n  # of the rows of the ways
        self._since = np.zeros(n, np.int64)  # first step in which somebody is there
        self._until = np.zeros(n, np.int64)  # and at rest, once the way is known
        for each, step in rests.items():
            self._since[each] = max(step, 0)
        self._low, self._high = model.start.x.copy(), model.start.x.copy()  # boxes of the ways' centres

    def add(self, row: int, states: State) -> None:
        """From now on the body comes this way; its last state is its rest."""
        count, ways, first = len(states.x), self._ways, self._used
        if first + count > len(ways.x):
            more = max(count, len(ways.x))
            x, q = (np.concatenate([part, np.zeros((more, part.shape[1]))]) for part in (ways.x, ways.q))
            ways = self._ways = ways._replace(x=x, q=q)
        ways.x[first : first + count], ways.q[first : first + count] = states.x, states.q
        self._used += count
        ways.begin[row], ways.offset[row], ways.count[row] = self.rests[row] + 1 - count, first, count
        self._since[row], self._until[row] = max(int(ways.begin[row]), 0), self.rests[row]
        self._low[row], self._high[row] = states.x.min(0), states.x.max(0)

    def is_clear(self, row: int, states: State) -> bool:
        """Whether the body may come this way: it meets nobody that moves or is to move (static bodies it may touch).
        Whoever has no way yet will keep clear of this one, and is in the way only once it rests."""
        return not self._meets(row, -1, states, self._moves)

    def misses_static(self, row: int, ground: int, states: State) -> bool:
        """Whether the body stays clear of everything static but the part `ground` on its last steps to rest."""
        return not self._meets(row, ground, states, ~self._moves)

    def _meets(self, row: int, but: int, states: State, among: np.ndarray) -> bool:
        """Only those are compared whose ways come near each other, in space and in time."""
        rests = self.rests[row]
        begin = rests + 1 - len(states.x)
        first = np.maximum(self._since, max(begin, 0))
        last = np.maximum(self._until, rests)
        clear = np.minimum(self._clear, self._clear[row]) if but < 0 else np.full(len(first), self._clear[row])
        reach = self._size + self._size[row] + clear
        near = among & (first < last)
        near[row] = False
        at = np.flatnonzero(near)
        low, high = states.x.min(0), states.x.max(0)
        apart = (self._low[at] > high + reach[at, None]) | (self._high[at] < low - reach[at, None])
        at = at[~apart.any(1)]
        if not len(at):
            return False
        own = (np.ascontiguousarray(states.x), np.ascontiguousarray(states.q), begin)
        others = Others(at, first[at], last[at], reach[at], clear[at])
        return bool(
            meets(self._gauge.narrow, self._parts, row, but, own, others, self._ways, self.model.start, self._state)
        )
