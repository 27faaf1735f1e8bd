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

from engine.arrivals.meeting.past import LEAVE, NEVER, Past, keep_plan, make_past
from engine.arrivals.meeting.roll import long_reel, roll_meeting
from engine.arrivals.meeting.step import LAWFUL, NO_LANDING
from engine.decide.chance import draws
from engine.decide.plan import Plan
from engine.model.compile import Model
from engine.params import Params
from engine.status import DIVERGED, REEL_FULL
from engine.step.scratch import enlarge, make_scratch
from engine.tape.reel import enlarge_reel

Progress = Callable[[int, int], bool | None]

MOST_JUMPS = 100  # of one attempt; those who have not arrived by then rarely do
AT_ONCE = 128  # steps in compiled code before progress is told and a request to stop is heard
DEPTH, DEEPER = 1.3, 6.0  # mean number of decisions to go back; jumps in one place that add one more
STUCK, LOST = 12, 60  # jumps in one place before landings are put off, and before much is undone
PUT_OFF, LATER, LONGEST_WAIT = 0.35, 0.6, 0.25  # how often a landing is drawn again, and put off; by at most, s
UNDO, UNDONE = 0.1, 0.1  # how often much is undone, and over how long on average, s
CLOSE = 2  # steps by which the search must get further to count as having moved on


class Stopped(Exception):
    """The search was asked to stop."""


class Search:
    """One attempt after another for one take."""

    def __init__(self, model: Model, params: Params, steps: int, seed: int, hints: int = 0) -> None:
        """hints: bodies that have any."""
        self.model, self.params, self.steps, self.seed = model, params, steps, seed
        self.past: Past = make_past(model.start, steps, hints)
        self.reel = long_reel(len(model.names), steps)
        self.jumps, self.attempts, self.steps_made = 0, 0, 0
        self.why: Counter[int] = Counter()
        self.blamed: Counter[int] = Counter()  # bodies of failing islands
        self.reached = 0
        self.plan: Plan | None = None
        self._segment, self._numbers = steps, list[int]()
        self._rng = draws(seed, "meeting", 0)
        self._scratch = make_scratch(model)

    def attempt(self, plan: Plan, release: Mapping[int, int], progress: Progress | None, most_jumps: int) -> bool:
        """Try to get to the start of the take by a fresh plan; release: step from which others may leave. False after
        most_jumps jumps; raises Stopped on request, with `reached` steps of the take lawful."""
        self.begin(plan, release, self.steps)
        self.draw_anew(draws(self.seed, "meeting", self.attempts))
        self.attempts += 1
        return self.advance(self.steps, progress, most_jumps)

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

    def advance(self, last: int, progress: Progress | None, most_jumps: int) -> bool:
        """Go on until `last` steps are lawful; False after most_jumps jumps."""
        furthest, fails, jumps = self.reached, 0, 0
        while self.reached < last:
            refused = self._roll(last)
            if progress is not None and progress(max(self.reached, furthest), self.steps) is False:
                raise Stopped
            if refused == LAWFUL:
                continue
            self.why[refused] += 1
            if jumps >= most_jumps:
                return False
            jumps, self.jumps = jumps + 1, self.jumps + 1
            if self.reached > furthest + CLOSE:
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

    def _roll(self, last: int) -> int:
        """Go on from `reached`; returns why it went no further, LAWFUL when it only paused."""
        first = self.reached
        segment = first // self._segment
        last = min(first + AT_ONCE, (segment + 1) * self._segment, last)
        self.reached, status, refused = roll_meeting(
            self._scratch, self.past, self.plan, self._numbers[segment], self.params, self.reel, first, last
        )
        self.steps_made += self.reached - first + 1
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
        step, body = decided[min(int(rng.geometric(1.0 / (DEPTH + fails / DEEPER))) - 1, len(decided) - 1)]
        landings = [(k, each) for k, each in decided if past.decision[k, each] == LEAVE]
        past.nonce[body] += 1
        if fails > STUCK and landings and rng.random() < PUT_OFF:
            step, body = landings[min(int(rng.geometric(0.5)) - 1, len(landings) - 1)]
            past.nonce[body] += 1
            if rng.random() < LATER:
                past.release[step, body] = step + int(rng.integers(4, max(5, round(LONGEST_WAIT / self.params.dt))))
        if fails > LOST and rng.random() < UNDO:
            step = max(0, step - int(rng.exponential(UNDONE) / self.params.dt))
            past.nonce[:] += rng.integers(0, 2, len(past.nonce))
        self.reached = step
        return True
