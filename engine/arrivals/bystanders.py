"""Bystanders: who is where while hands bring bodies in, looked at from time to time.

Looks are so many steps apart; look k is at step k times that. Somebody's passage is kept as its poses at the looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.arrivals.apart import are_apart, box_of, nearest, put
from engine.arrivals.growing import roomier
from engine.arrivals.structure import boxes_at_rest
from engine.collide.cores import build_cores
from engine.collide.distance import part_distance
from engine.collide.gauge import Gauge
from engine.jit import kernel
from engine.model.arrays import PLANE, copy_state
from engine.model.compile import Model
from engine.record import Record
from engine.vec import norm, row, sub

FIRST_ROOM = 16  # looks per body, to begin with


@dataclass(frozen=True)
class Passage:
    """Where a body is from a state on."""

    first: int  # state of the take of the first row
    x: np.ndarray  # (k, 3) m
    q: np.ndarray  # (k, 4)


class Unmoved(Record):
    """Parts that never move."""

    part: np.ndarray  # (f,) int64
    low: np.ndarray  # (f, 3) m, infinite of planes
    high: np.ndarray  # (f, 3) m


class Passages(Record):
    """One after another: passage i has its pose in look first[i] + k at x[offset[i] + k]."""

    body: np.ndarray  # (m,) int64
    first: np.ndarray  # (m,) int64  look
    count: np.ndarray  # (m,) int64
    offset: np.ndarray  # (m,) int64
    stays: np.ndarray  # (m,) bool    where it ends, from then on; else it is over
    low: np.ndarray  # (m, 3) m       box of its places
    high: np.ndarray  # (m, 3) m
    x: np.ndarray  # (w, 3) m
    q: np.ndarray  # (w, 4)


@kernel
def _room_beside_unmoved(narrow, parts, unmoved, own, reach, best, state):
    """m from a body on its way to the nearest part that never moves; see `room_on_way`."""
    body, _, x, q = own
    low, high = box_of(x)
    room = np.inf
    for f in range(unmoved.part.shape[0]):
        if are_apart(unmoved.low, unmoved.high, f, low, high, reach):
            continue
        for k in range(x.shape[0]):
            beside = (
                max(unmoved.low[f, 0] - x[k, 0], x[k, 0] - unmoved.high[f, 0], 0.0),
                max(unmoved.low[f, 1] - x[k, 1], x[k, 1] - unmoved.high[f, 1], 0.0),
                max(unmoved.low[f, 2] - x[k, 2], x[k, 2] - unmoved.high[f, 2], 0.0),
            )
            if norm(beside) >= reach:
                continue
            put(body, x, q, k, state)
            for p in range(parts[body], parts[body + 1]):
                apart, _ = part_distance(narrow, p, unmoved.part[f], state.x, state.q)
                room = min(room, apart)
            if room <= best:
                return room
    return room


@kernel
def room_on_way(narrow, parts, unmoved, passages, used, size, own, clear, best, state):
    """m from a body on its way to whoever is nearest, at most so far that balls of their `size` are `clear` (m) of each
    other, infinite where nobody is. own: (body, first look, its poses in the looks from there on). Not looked at to its
    end where it is no more than `best`. used: passages that there are. state: work, with whoever never moves."""
    body, first, x, q = own
    reach = size[body] + clear
    room = _room_beside_unmoved(narrow, parts, unmoved, own, reach, best, state)
    if room <= best:
        return room
    low, high = box_of(x)
    for i in range(used):
        other = passages.body[i]
        if other == body or are_apart(passages.low, passages.high, i, low, high, reach + size[other]):
            continue
        last = first + x.shape[0]
        if not passages.stays[i]:
            last = min(last, passages.first[i] + passages.count[i])
        for look in range(max(first, passages.first[i]), last):
            k = look - first
            there = passages.offset[i] + min(look - passages.first[i], passages.count[i] - 1)
            if norm(sub(row(x, k), row(passages.x, there))) >= reach + size[other]:
                continue
            put(body, x, q, k, state)
            put(other, passages.x, passages.q, there, state)
            room = min(room, nearest(narrow, parts, body, other, -1, room, state))
            if room <= best:
                return room
    return room


class Bystanders:
    """Everybody of a model: whoever never moves, those that rest all the time, and those with passages, which stay
    where they end. Others are added as they are found."""

    def __init__(self, model: Model, motions: Mapping[int, Passage], every: int) -> None:
        """every: steps between two looks."""
        self.every, self._size = every, model.bodies.size
        geometry, moves = model.geometry, model.bodies.inverse_mass > 0.0
        self._gauge, self._state = Gauge(geometry), copy_state(model.start)
        self._parts = np.searchsorted(geometry.part_body, np.arange(len(model.names) + 1))
        fixed = np.flatnonzero(~moves[geometry.part_body])
        boxes = boxes_at_rest(model, build_cores(geometry))[fixed]
        boxes[geometry.part_kind[fixed] == PLANE] = *(-np.inf,) * 3, *(np.inf,) * 3
        self._unmoved = Unmoved(fixed, np.ascontiguousarray(boxes[:, :3]), np.ascontiguousarray(boxes[:, 3:]))
        rows = np.flatnonzero(moves)
        most = 3 * len(rows)  # each comes in, before that a hand may bring it, and that hand may lead others
        self._used, self._looks = 0, 0
        body, first, count, offset = np.zeros((4, most), np.int64)
        self._passages = Passages(
            body=body, first=first, count=count, offset=offset, stays=np.zeros(most, bool),
            low=np.zeros((most, 3)), high=np.zeros((most, 3)),
            x=np.empty((FIRST_ROOM * most, 3)), q=np.empty((FIRST_ROOM * most, 4)),
        )  # fmt: skip
        for each in map(int, rows):
            rests = Passage(0, model.start.x[each : each + 1], model.start.q[each : each + 1])
            self._come(each, motions.get(each, rests))

    def looks(self, first: float, end: int) -> np.ndarray:
        """Steps of the looks from one step to before another."""
        return np.arange(max(-(-first // self.every), 0), -(-end // self.every), dtype=np.int64) * self.every

    def add(self, body: int, steps: np.ndarray, x: np.ndarray, q: np.ndarray) -> None:
        """A body that is in others' way in these looks, and not after the last."""
        if len(steps):
            self._keep(body, int(steps[0]) // self.every, x, q, stays=False)

    def room(self, body: int, steps: np.ndarray, x: np.ndarray, q: np.ndarray, clear: float, best: float) -> float:
        """m from a body in these looks to whoever is nearest; see `room_on_way`."""
        if not len(steps):
            return float("inf")
        own = (body, int(steps[0]) // self.every, np.ascontiguousarray(x), np.ascontiguousarray(q))
        every, used, narrow = self._passages, self._used, self._gauge.narrow
        return float(
            room_on_way(narrow, self._parts, self._unmoved, every, used, self._size, own, clear, best, self._state)
        )

    def _come(self, body: int, motion: Passage) -> None:
        rests = motion.first + len(motion.x) - 1
        steps = self.looks(motion.first, rests)
        at = np.append(steps, rests) - motion.first  # and whenever one looks later
        first = int(steps[0]) // self.every if len(steps) else -(-rests // self.every)
        self._keep(body, first, motion.x[at], motion.q[at], stays=True)

    def _keep(self, body: int, first: int, x: np.ndarray, q: np.ndarray, stays: bool) -> None:
        every, i, at, count = self._passages, self._used, self._looks, len(x)
        if at + count > len(every.x):
            every = self._passages = every._replace(x=roomier(every.x, at, count), q=roomier(every.q, at, count))
        every.x[at : at + count], every.q[at : at + count] = x, q
        every.body[i], every.first[i], every.count[i], every.offset[i] = body, first, count, at
        every.stays[i], every.low[i], every.high[i] = stays, x.min(0), x.max(0)
        self._used, self._looks = i + 1, at + count
