"""Who is in whose way: a body against everything at rest and everybody under way."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.algebra import norms
from engine.arrivals.apart import are_apart, box_of, nearest, put
from engine.arrivals.growing import roomier
from engine.collide.gauge import Gauge
from engine.jit import kernel
from engine.model.arrays import copy_state
from engine.model.compile import Model
from engine.record import Record
from engine.vec import norm, row, sub

NEVER = 1 << 62  # steps: no end
CLEAR = 5e-4  # m that bodies of ordinary size keep from each other on their way
SMALL, LARGE = 0.01, 1.0  # m: radii between which a size is ordinary; beyond them the distance follows it


def clearance(size: np.ndarray) -> np.ndarray:
    """m that bodies of these radii keep from others."""
    return CLEAR * np.minimum(size / SMALL, np.maximum(1.0, size / LARGE))


class Tracks(Record):
    """Where everybody is, step by step: row i is at x[offset[i] + k] in step begin[i] + k, and stays where it ends.
    Only the way itself is kept, not the rest before or after it: takes are long, and ways are short."""

    begin: np.ndarray  # (n,) int64
    offset: np.ndarray  # (n,) int64
    count: np.ndarray  # (n,) int64
    since: np.ndarray  # (n,) int64  first step in which it is there
    until: np.ndarray  # (n,) int64  and at rest, once the way is known
    low: np.ndarray  # (n, 3) m      box of the way's centres
    high: np.ndarray  # (n, 3) m
    size: np.ndarray  # (n,) m       radius of a ball that holds the body, infinite of planes
    clear: np.ndarray  # (n,) m      to keep
    is_static: np.ndarray  # (n,) bool
    x: np.ndarray  # (w, 3) m
    q: np.ndarray  # (w, 4)


@kernel
def _meet(narrow, parts, pair, span, clear, own, ways, rest, state):
    """Whether a body on its way comes nearer than `clear` to another, or than half of what they have at rest. pair: the
    two, and a part of the other that may be met, -1: none. span: first and last step."""
    body, other, but = pair
    x, q, begin, _ = own
    reach = ways.size[body] + ways.size[other] + clear
    at_rest = False
    for k in range(span[0], span[1]):
        mine = min(max(k - begin, 0), x.shape[0] - 1)
        there = ways.offset[other] + min(max(k - ways.begin[other], 0), ways.count[other] - 1)
        if norm(sub(row(x, mine), row(ways.x, there))) > reach:
            continue
        put(body, x, q, mine, state)
        put(other, ways.x, ways.q, there, state)
        apart = nearest(narrow, parts, body, other, but, clear, state)
        if apart < clear and not at_rest:  # neighbours may rest nearer to each other than bodies on their way
            at_rest = True
            put(body, rest.x, rest.q, body, state)
            put(other, rest.x, rest.q, other, state)
            clear = min(clear, 0.5 * nearest(narrow, parts, body, other, but, np.inf, state))
        if apart < clear:
            return True
    return False


@kernel
def meets(narrow, parts, body, but, own, rests, ways, rest, state):
    """Whether a body on its way comes too near to somebody. own: its way (x, q, first step, and the one before which to
    look). but: a part of the static that it may meet, -1: it looks only at those who move. rest: the ending. state:
    work. Only those are compared whose ways come near each other, in space and in time."""
    low, high = box_of(own[0])
    static = but >= 0
    for other in range(ways.since.shape[0]):
        if other == body or ways.is_static[other] != static:
            continue
        first, last = max(ways.since[other], own[2], 0), min(max(ways.until[other], rests), own[3])
        clear = ways.clear[body] if static else min(ways.clear[body], ways.clear[other])
        if first >= last or are_apart(
            ways.low, ways.high, other, low, high, ways.size[body] + ways.size[other] + clear
        ):
            continue
        if _meet(narrow, parts, (body, other, but), (first, last), clear, own, ways, rest, state):
            return True
    return False


class Crowd:
    """Everybody but the body in question, over the steps of a take.

    rests: first step at rest, of those who come in. Whoever is not in it is there all the time. early: steps before
    its rest from which the place of one who has no way yet is kept free, so that it finds one."""

    def __init__(self, model: Model, rests: Mapping[int, int], early: Mapping[int, int] | None = None) -> None:
        self.model, self.rests = model, rests
        self._gauge = Gauge(model.geometry)
        geometry, n, start = model.geometry, len(model.names), model.start
        self._parts = np.searchsorted(geometry.part_body, np.arange(n + 1))
        self._state = copy_state(start)
        since, nothing = np.zeros(n, np.int64), np.zeros(n, np.int64)
        for each, step in rests.items():
            since[each] = max(step - (early or {}).get(each, 0), 0)
        size = np.zeros(n)
        np.maximum.at(size, geometry.part_body, norms(geometry.part_center) + geometry.part_bound)
        self._ways = Tracks(
            begin=nothing, offset=np.arange(n), count=np.ones(n, np.int64), since=since, until=nothing.copy(),
            low=start.x.copy(), high=start.x.copy(), size=size, clear=clearance(size),
            is_static=model.bodies.inverse_mass == 0.0, x=start.x.copy(), q=start.q.copy(),
        )  # fmt: skip
        self._used = n  # rows of the ways

    def add(self, row: int, x: np.ndarray, q: np.ndarray) -> None:
        """From now on the body comes this way; its last pose is its rest."""
        t, count, first = self._ways, len(x), self._used
        if first + count > len(t.x):
            t = self._ways = t._replace(x=roomier(t.x, first, count), q=roomier(t.q, first, count))
        t.x[first : first + count], t.q[first : first + count] = x, q
        self._used += count
        t.begin[row], t.offset[row], t.count[row] = self.rests[row] + 1 - count, first, count
        t.since[row], t.until[row] = max(int(t.begin[row]), 0), self.rests[row]
        t.low[row], t.high[row] = x.min(0), x.max(0)

    def is_clear(self, row: int, x: np.ndarray, q: np.ndarray) -> bool:
        """Whether the body may come this way to its rest: it meets nobody that moves or is to move (static bodies it
        may touch). Whoever has no way yet will keep clear of this one, and is in the way only once it rests."""
        return not self._meets(row, -1, (x, q, self.rests[row] + 1 - len(x), NEVER))

    def is_clear_before(self, row: int, x: np.ndarray, q: np.ndarray, step: int) -> bool:
        """The same of the way on which it is before a step."""
        return not len(x) or not self._meets(row, -1, (x, q, step - len(x), step))

    def misses_static(self, row: int, ground: int, x: np.ndarray, q: np.ndarray) -> bool:
        """Whether the body stays clear of everything static but the part `ground` on its last steps to rest."""
        return not self._meets(row, ground, (x, q, self.rests[row] + 1 - len(x), NEVER))

    def _meets(self, row: int, but: int, own: tuple[np.ndarray, np.ndarray, int, int]) -> bool:
        narrow, rests, rest = self._gauge.narrow, self.rests[row], self.model.start
        return bool(meets(narrow, self._parts, row, but, own, rests, self._ways, rest, self._state))
