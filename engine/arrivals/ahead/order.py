"""Who arrived when: a body leaves rest, seen backward, only after all that it carries has left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.ahead.wishes import Wishes
from engine.arrivals.structure import Structure
from engine.arrivals.times import FIRST_REST
from engine.functions import exponential, mapped

MEAN = 0.5 * (TUNING.shortest + TUNING.longest)  # s between arrivals
HALVINGS = 20
FILLED, SLOWEST = 0.7, 2.5  # of the time, with bodies that are let go; but not slower than so many times as usual
STANDS = 0.6  # of what is left of it, in which the ending stands


Near: TypeAlias = Callable[[int], Iterable[int]]
"""Bodies whose leaving is in the way of one's own."""


@dataclass(frozen=True)
class Letting:
    """When bodies leave that are let go near their places."""

    hand: float  # s in which a hand brings a body in, at least
    flight: float  # s that the first one to arrive needs after that
    apart: float  # s between a body and what it stands on: it bounces there before it is clear
    between: float | None = None  # s between two bodies, where that was asked for
    place: Mapping[int, int] = field(default_factory=dict)  # in a stagger: the larger, the later a body is to come
    drawn: float = 0.0  # s that a way may take that a hint asks for

    def room(self, seconds: float) -> float:
        return max(seconds - self.hand - self.flight - FIRST_REST, 0.3 * seconds)


@dataclass(frozen=True)
class Schedule:
    order: tuple[int, ...]  # bodies as they leave, seen backward
    leaves_at: np.ndarray  # (n,) int64: last step at rest; NEVER for static bodies and those who stay
    crowded: bool = False  # there are more bodies than the take has time for: who leaves must make room
    patient: bool = True  # nothing was asked of the order: whoever finds no way may wait
    held_from: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """(n,) int64: how many have left when a body does not stand by itself any more and is held; NEVER: it stands."""

    def __post_init__(self) -> None:
        if not len(self.held_from):
            object.__setattr__(self, "held_from", np.full(len(self.leaves_at), NEVER, np.int64))


NEVER = 1 << 40


def schedule(
    structure: Structure,
    steps: int,
    dt: float,
    rng: np.random.Generator,
    wishes: Wishes,
    staying: Set[int] = frozenset(),
    letting: Letting | None = None,
) -> Schedule:
    """A random order that the support and the wishes allow, high bodies first, with random times between. Times that
    were asked for are kept as long as the order allows. staying: bodies that never leave. letting: where all are let go
    within the take."""
    bodies = [int(i) for i in np.flatnonzero(structure.moves) if int(i) not in staying]
    course = courses(structure)
    carried = wishes.carried(structure)
    waits = wishes.waits_for(structure, staying)
    left: set[int] = set()
    order: list[int] = []
    room = _room(len(bodies), steps * dt) if letting is None else letting.room(steps * dt)
    crowded = letting is not None or len(bodies) * MEAN > room
    between = TUNING.neighbours_apart if letting is None else letting.apart
    apart = math.ceil(between * len(bodies) / room)
    near = structure.others_of if letting is None else (lambda i: sorted(structure.carried[i] | structure.carriers[i]))
    while len(order) < len(bodies):
        free = [i for i in bodies if i not in left and not waits[i] - left]
        if not free:  # they carry each other in a ring: whoever is highest
            free = [max((i for i in bodies if i not in left), key=lambda i: course[i])]
        ready = _least_crowded(near, free, order, apart) if crowded else free
        weight = mapped(exponential, [TUNING.top_first * course[i] for i in ready])
        pick = ready[int(rng.choice(len(ready), p=weight / weight.sum()))]
        if letting is not None and letting.place:
            pick = max(ready, key=lambda i: (letting.place.get(i, 0), i))
        times = np.array([wishes.times.get(i, np.inf) for i in free])
        if np.isfinite(times).any():
            pick = free[int(times.argmin())]
        order.append(pick)
        left.add(pick)
    gaps = rng.uniform(TUNING.shortest, TUNING.longest, size=len(order))
    if letting is not None and letting.between is not None:
        gaps = np.full(len(order), letting.between)
    if crowded:
        gaps = _gaps(near, order, gaps, room, between)
    gaps *= min(1.0, room / max(float(gaps.sum()), 1e-9))
    leaves_at = np.full(len(structure.moves), NEVER, np.int64)
    time, last = FIRST_REST, 0
    if letting is not None and not wishes.times:
        gaps, time = _spread(gaps, room, letting)
    held = set(staying)
    for body, gap in zip(order, gaps, strict=True):
        wanted = wishes.times.get(body, time)
        step = max(round(wanted / dt), last + 1)
        if step >= steps or carried[body] & held:
            held.add(body)  # it arrived before the take begins, and so did what carries it
            continue
        leaves_at[body] = last = step
        time = max(time, wanted) + float(gap)
    patient = not (wishes.given or wishes.order or wishes.free)
    return Schedule(tuple(i for i in order if leaves_at[i] < NEVER), leaves_at, crowded, patient)


def _spread(gaps: np.ndarray, room: float, letting: Letting) -> tuple[np.ndarray, float]:
    """Longer times between departures where the take has the time, and s before its end at which the first one leaves:
    no take is to begin empty."""
    spare = room - max(letting.flight, letting.drawn)
    slower = 1.0 if letting.between is not None else FILLED * spare / max(float(gaps[:-1].sum()), 1e-9)
    gaps = gaps * min(max(slower, 1.0), SLOWEST)
    return gaps, FIRST_REST + STANDS * max(spare - float(gaps[:-1].sum()), 0.0)


def _room(count: int, seconds: float) -> float:
    """s in which the bodies leave: the many take some from the way of the first to arrive."""
    flight = min(max(seconds - FIRST_REST - MEAN * count, TUNING.shortest_flight), TUNING.last_flight)
    return max(seconds - flight - FIRST_REST, TUNING.least_room * seconds)


def _least_crowded(near: Near, free: list[int], order: list[int], apart: int) -> list[int]:
    """Those of the free whose neighbours have not just left: two bodies that touch need each other's room to leave.
    apart: places in the order between neighbours that are enough."""
    lately = {body: place for place, body in enumerate(reversed(order[-apart:]), 1)}
    since = [min((lately[int(o)] for o in near(i) if int(o) in lately), default=apart + 1) for i in free]
    return [i for i, places in zip(free, since, strict=True) if places == max(since)]


def _gaps(near: Near, order: list[int], gaps: np.ndarray, room: float, between: float) -> np.ndarray:
    """s after each departure until the next: what was drawn where there is room for it; else less, but not between
    neighbours as long as others can do with less."""
    place = {body: i for i, body in enumerate(order)}
    lately = [max((place[int(o)] for o in near(b) if place.get(int(o), i) < i), default=-1)
              for i, b in enumerate(order)]  # fmt: skip

    def times(share: float, apart: float) -> np.ndarray:
        found = np.zeros(len(order) + 1)
        for i in range(1, len(order) + 1):
            found[i] = found[i - 1] + share * gaps[i - 1]
            if i < len(order) and lately[i] >= 0:
                found[i] = max(found[i], found[lately[i]] + apart)
        return found

    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        share = 0.5 * (low + high)
        low, high = (share, high) if times(share, between)[-1] <= room else (low, share)
    return np.diff(times(max(low, TUNING.least_share), between))


def courses(structure: Structure) -> list[int]:
    """How many bodies stand under each, at most."""
    known: dict[int, int] = {}

    def course(body: int, under: frozenset[int]) -> int:
        if body not in known:
            carriers = structure.carriers[body] - under
            known[body] = 1 + max((course(each, under | {body}) for each in carriers), default=-1)
        return known[body]

    return [course(i, frozenset()) for i in range(len(structure.moves))]
