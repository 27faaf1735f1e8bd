"""Where hints begin: an arc, or a line, begins where it was drawn from, and there the body is let go."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.brief import Brief
from engine.arrivals.ending import contacts_of
from engine.arrivals.hints import chain_of
from engine.arrivals.structure import LEANS
from engine.scene.spec import Hint

FAR = 4.0  # sizes: where nothing says how far a body slides or rolls in
NEARLY = 0.25  # of the length of a stroke: who does not come nearer to its beginning was never there


@dataclass(frozen=True)
class Drawn:
    """Where the way of a body begins."""

    start: np.ndarray  # m from its resting place
    arcs: int  # of which the way consists, the earliest one included: it begins on the far side of its top; 0: a line

    def begun_at(self, x: np.ndarray, hits: np.ndarray, up: np.ndarray) -> int | None:
        """The row of a way (k, 3), from its rest backward, at which it passes its drawn beginning for the first time;
        None where it never comes near. hits: rows at which it bounces: nobody lets go of a body there."""
        if self.arcs:
            return self._far_side(times(x - x[0], up), hits)
        apart = norms(x - (x[0] + self.start))
        apart[hits] = np.inf
        limit = NEARLY * norm(self.start)
        near = np.flatnonzero(apart <= limit)
        if not len(near):
            return None
        last = int(near[0])
        while last + 1 < len(apart) and apart[last + 1] <= limit:
            last += 1
        return int(near[0]) + int(apart[int(near[0]) : last + 1].argmin())

    def _far_side(self, high: np.ndarray, hits: np.ndarray) -> int | None:
        """On the far side of the earliest arc: where it has come down to where it began."""
        begins = max(float(self.start[2]), 0.0)
        rows = np.flatnonzero((high[1:-1] >= high[:-2]) & (high[1:-1] > high[2:])) + 1
        tops = [int(row) for row in rows if high[row] > begins + NEARLY * norm(self.start) * NEARLY]
        if len(tops) < self.arcs:
            return None
        top = tops[self.arcs - 1]
        ends = [int(hit) for hit in hits if hit > top]
        low = np.flatnonzero(high[top:] <= begins)
        found = top + int(low[0]) if len(low) else len(high) - 1
        return min([found, *(end - 1 for end in ends[:1])])


def drawn_starts(brief: Brief, slides: bool = False) -> dict[int, Drawn]:
    """By row of each body with a hint that says so. slides: bodies that are to slide or roll in, without a word on from
    where, begin as far away as friction lets them come."""
    found = {}
    for row in brief.hinted[0]:
        hints = chain_of(brief.directed[0], brief.bodies[row])
        start = _start(hints)
        if start is None and slides and len(hints) == 1:
            start = _as_far_as_it_comes(brief, row, hints[0])
        if start is not None:
            arcs = sum(hint.kind == "bounce" for hint in hints) if hints[-1].kind == "bounce" else 0
            found[row] = Drawn(start, arcs)
    return found


def _start(hints: list[Hint]) -> np.ndarray | None:
    """The chain of hints of a body is its whole way: it begins with the earliest one, where all have a beginning."""
    places = [_beginning(hint) for hint in hints]
    if not places or any(place is None for place in places):
        return None
    return np.sum(np.array(places), axis=0)


def _as_far_as_it_comes(brief: Brief, row: int, hint: Hint) -> np.ndarray | None:
    """m, from the rest of a slide or a roll to where it has the speed that its hint asks for: v^2 / (2 mu g)."""
    along = hint.direction if hint.velocity is None else hint.velocity
    if hint.kind not in ("slide", "roll") or along is None or not any(along):
        return None
    way = np.array(along, float) / math.hypot(*along)
    fast = hint.speed if hint.velocity is None else norm(np.array(hint.velocity))
    mine, normal = contacts_of(brief.ending, row)
    under = mine[times(normal, brief.structure.up) > LEANS]
    slowing = float(brief.ending.friction[under].min(initial=np.inf)) * norm(brief.model.gravity)
    if hint.kind == "slide" and fast is not None and 0.0 < slowing < np.inf:
        return -way * fast * fast / (2.0 * slowing)
    return -way * FAR * float(brief.model.bodies.size[row])


def _beginning(hint: Hint) -> np.ndarray | None:
    """m, from where a hint ends to where it begins."""
    if hint.stroke is not None and len(hint.stroke) > 1:
        return np.array(hint.stroke[0], float) - np.array(hint.stroke[-1], float)
    if hint.distance is not None and hint.direction is not None:
        level = np.array([hint.direction[0], hint.direction[1], 0.0])
        return -hint.distance * level / norm(level) if level.any() else None
    return None
