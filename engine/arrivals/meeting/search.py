"""The search of a meeting: steps back until a contact has no explanation, then to an earlier decision of the bodies
involved, and on again (conflict-directed backjumping).

All bodies of the failing island are to blame: the contact that failed often has no decision of its own. Mostly their
latest decision is drawn anew; the longer the search is stuck at a place, the further back it goes, and the more often
it puts off a landing, which is always lawful: resting on is. After many jumps it starts over with other numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.meeting.past import LEAVE, NEVER, Past, keep_plan, make_past
from engine.arrivals.meeting.step import LAWFUL, NO_LANDING
from engine.arrivals.meeting.stepping import long_reel, meeting_steps
from engine.arrivals.meeting.tuning import TUNING
from engine.decide.chance import draws
from engine.decide.plan import Plan
from engine.functions import logarithm
from engine.status import DIVERGED, REEL_FULL
from engine.step.scratch import enlarge, make_scratch
from engine.tape.reel import enlarge_reel


class Search:
    """One attempt after another for one take."""

    def __init__(self, brief: Brief, hints: int = 0) -> None:
        """hints: bodies that have any."""
        self.brief, self.model, self.params, self.steps = brief, brief.model, brief.params, brief.steps
        model, steps = brief.model, brief.steps
        self.past: Past = make_past(model.start, steps, hints)
        self.reel = long_reel(len(model.names), steps)
        self.jumps, self.attempts = 0, 0
        self.blamed: Counter[int] = Counter()  # bodies of failing islands
        self.reached = 0
        self.plan: Plan | None = None
        self._segment, self._numbers = steps, list[int]()
        self._rng = draws(brief.seed, "meeting", 0)
        self._scratch = make_scratch(model)

    def attempt(self, plan: Plan, release: Mapping[int, int], most_jumps: int) -> bool:
        """Try to get to the start of the take by a fresh plan; release: step from which others may leave. False after
        most_jumps jumps; raises Stopped on request, with `reached` steps of the take lawful."""
        self.begin(plan, release, self.steps)
        self.draw_anew(draws(self.brief.seed, "meeting", self.attempts))
        self.attempts += 1
        return self.advance(self.steps, most_jumps, self.brief.tell)

    def begin(self, plan: Plan, release: Mapping[int, int], segment: int) -> None:
        """At the ending again. Every `segment` steps have random numbers of their own, drawn when they are come to."""
        past = self.past
        past.nonce[:] = 0
        past.release[0] = NEVER
        for body, step in release.items():
            past.release[0, body] = step
        keep_plan(plan, past, 0)
        self.plan, self.reached = plan, 0
        self._segment, self._numbers = segment, []

    def draw_anew(self, rng: np.random.Generator) -> None:
        """Random numbers of the segment that comes next, and of the jumps in it."""
        self._rng = rng
        self._numbers.append(int(rng.integers(1 << 62)))

    def advance(self, last: int, most_jumps: int, tell: Callable[[int], None]) -> bool:
        """Go on until `last` steps are lawful; False after most_jumps jumps."""
        furthest, fails, jumps = self.reached, 0, 0
        while self.reached < last:
            refused = self._advance(last)
            tell(max(self.reached, furthest))
            if refused == LAWFUL:
                continue
            if jumps >= most_jumps:
                return False
            jumps, self.jumps = jumps + 1, self.jumps + 1
            if self.reached > furthest + TUNING.close:
                furthest, fails = self.reached, 0
            else:
                fails += 1
            if not self._jump(refused, fails, self._rng):
                return False
        return True

    def become(self, other: Search) -> None:
        """Take over all that another search of the same take has come to."""
        assert other.plan is not None
        self.past, self.reel, self.plan = other.past._copied(), other.reel._copied(), other.plan._copied()
        self.reached, self._segment, self._numbers = other.reached, other._segment, list(other._numbers)

    def _advance(self, last: int) -> int:
        """Go on from `reached`; returns why it went no further, LAWFUL when it only paused."""
        first = self.reached
        segment = first // self._segment
        last = min(first + TUNING.at_once, (segment + 1) * self._segment, last)
        self.reached, status, refused = meeting_steps(
            self._scratch, self.past, self.plan, self._numbers[segment], self.params, self.reel, first, last
        )
        if status == REEL_FULL:
            self.reel = enlarge_reel(self.reel)
        elif status == DIVERGED:
            return NO_LANDING
        elif status:
            self._scratch = enlarge(self._scratch, status)
        return int(refused)

    def _jump(self, refused: int, fails: int, rng: np.random.Generator) -> bool:
        """Back to a decision of the bodies that could not go on, to be drawn anew; False when there is none."""
        past, here = self.past, self.reached
        bodies = [int(i) for i in past.conflict[1 : 1 + past.conflict[0]]]
        self.blamed.update(bodies)
        if refused == NO_LANDING:
            past.nonce[bodies[0]] += 1
            past.release[here, bodies[0]] = here + int(rng.integers(1, 8))
            return True
        decided = [(int(k), body) for body in bodies for k in np.flatnonzero(past.decision[: here + 1, body])]
        decided.sort(reverse=True)
        if not decided:
            return False
        back = int(rng.geometric(1.0 / (TUNING.depth + fails / TUNING.deeper))) - 1
        step, body = decided[min(back, len(decided) - 1)]
        landings = [(k, each) for k, each in decided if past.decision[k, each] == LEAVE]
        past.nonce[body] += 1
        if fails > TUNING.stuck and landings and rng.random() < TUNING.put_off:
            step, body = landings[min(int(rng.geometric(0.5)) - 1, len(landings) - 1)]
            past.nonce[body] += 1
            if rng.random() < TUNING.later:
                longest = round(TUNING.longest_wait / self.params.dt)
                past.release[step, body] = step + int(rng.integers(4, max(5, longest)))
        if fails > TUNING.lost and rng.random() < TUNING.undo:
            step = max(0, step - int(-TUNING.undone * logarithm(1.0 - rng.random()) / self.params.dt))
            past.nonce[:] += rng.integers(0, 2, len(past.nonce))
        self.reached = step
        return True
