"""Who arrived when: a body leaves rest, seen backward, only after all that it carries has left."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from engine.ahead.structure import Structure
from engine.ahead.wishes import Wishes

FIRST_REST = 0.05  # s before the end: the ending is seen at rest at least this long
SHORTEST, LONGEST = 0.05, 0.3  # s between arrivals
LAST_FLIGHT = 1.0  # s of the take that the first body to arrive has for its way, if there is room
TOP_FIRST = 2.0  # how strongly bodies high up are preferred, per course


@dataclass(frozen=True)
class Schedule:
    order: tuple[int, ...]  # bodies as they leave, seen backward
    leaves: np.ndarray  # (n,) int64: last step at rest; NEVER for static bodies and those who stay


NEVER = 1 << 40


def schedule(
    structure: Structure,
    steps: int,
    dt: float,
    rng: np.random.Generator,
    wishes: Wishes,
    staying: Set[int] = frozenset(),
) -> Schedule:
    """A random order that the support and the wishes allow, high bodies first, with random times between. Times that
    were asked for are kept as long as the order allows. staying: bodies that never leave."""
    bodies = [int(i) for i in np.flatnonzero(structure.moves) if int(i) not in staying]
    course = courses(structure)
    held_by = wishes.held_by(structure)
    waits = wishes.waits_for(structure, staying)
    left: set[int] = set()
    order: list[int] = []
    while len(order) < len(bodies):
        free = [i for i in bodies if i not in left and not waits[i] - left]
        if not free:  # they carry each other in a ring: whoever is highest
            free = [max((i for i in bodies if i not in left), key=lambda i: course[i])]
        weight = np.exp(TOP_FIRST * np.array([course[i] for i in free], float))
        pick = int(rng.choice(len(free), p=weight / weight.sum()))
        times = np.array([wishes.times.get(i, np.inf) for i in free])
        if np.isfinite(times).any():
            pick = int(times.argmin())
        order.append(free[pick])
        left.add(free[pick])
    room = max(steps * dt - LAST_FLIGHT - FIRST_REST, 0.3 * steps * dt)
    gaps = rng.uniform(SHORTEST, LONGEST, size=len(order))
    gaps *= min(1.0, room / max(float(gaps.sum()), 1e-9))
    leaves = np.full(len(structure.moves), NEVER, np.int64)
    time, last = FIRST_REST, 0
    held = set(staying)
    for body, gap in zip(order, gaps, strict=True):
        wanted = wishes.times.get(body, time)
        step = max(round(wanted / dt), last + 1)
        if step >= steps or held_by[body] & held:
            held.add(body)  # it arrived before the take begins, and so did what carries it
            continue
        leaves[body] = last = step
        time = max(time, wanted) + float(gap)
    return Schedule(tuple(i for i in order if leaves[i] < NEVER), leaves)


def courses(structure: Structure) -> list[int]:
    """How many bodies stand under each, at most."""
    known: dict[int, int] = {}

    def course(body: int, under: frozenset[int]) -> int:
        if body not in known:
            carriers = structure.below[body] - under
            known[body] = 1 + max((course(each, under | {body}) for each in carriers), default=-1)
        return known[body]

    return [course(i, frozenset()) for i in range(len(structure.moves))]
