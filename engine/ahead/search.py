"""The search: for one body after another an arrival that the law explains, that what rests can carry, that is in
nobody's way, and that looks like one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.ahead import draw as kinds
from engine.ahead.arrival import Arrival, cost, keep
from engine.ahead.carry import Carriers, Load, crossed
from engine.ahead.draw import Candidate, asked, draw, place_of
from engine.ahead.flight import (
    ARRIVED,
    BLOCKER,
    EVENTS,
    IN_THE_WAY,
    NO_ROOM,
    STATUS,
    WHY,
    fly,
    make_flight,
)
from engine.ahead.lookout import Traffic
from engine.ahead.manner import Manner
from engine.ahead.order import NEVER, Schedule
from engine.ahead.standing import Remainders
from engine.ahead.structure import Structure, boxes_at_rest
from engine.collide.distance import Gauge
from engine.direct.chance import draws
from engine.direct.launch import Launch
from engine.direct.plan import BUDGET, make_plan
from engine.model.arrays import copy_state
from engine.params import Params
from engine.step.scratch import enlarge, make_scratch

Progress = Callable[[int, int], bool | None]

REASONS = {
    "unlawful": "nothing that ends there came from anywhere: contacts would have had to be ignored",
    "sideways": "whatever leaves there runs into its neighbours",
    "in the way": "the ways of other bodies leave it no room",
    "crowding": "there is no room beside bodies that arrive next to it",
    "unsolved": "the forces of its contacts could not be found",
    "stayed": "nothing moves it",
    "no room": "it touches too much at once",
    "turned": "whatever leaves there turns too fast",
    "not carried": "what it rests on cannot carry its landing",
    "kept": "a way was found, and given up for those of others",
}
"""Why a body has no arrival, by what ended most of its candidates."""

ASKED_TRIES = 24  # of a hint, more and more freely; after that the body comes as it can
CLOSE = 0.02  # m: neighbours nearer than this bar the way
TURN_CHECK = 0.1  # s before rest
CHANCE = 0.3  # of the cost: the best is not always the same kind


class Stopped(Exception):
    """The search was asked to stop."""


@dataclass
class Effort:
    tried: int = 0
    repairs: int = 0
    why: Counter[str] = field(default_factory=Counter)


class Search:
    """One take: a schedule, and arrivals found so far."""

    def __init__(
        self,
        structure: Structure,
        params: Params,
        steps: int,
        plan_of: Schedule,
        manner: Manner,
        budget: np.ndarray,
        ending_energy: np.ndarray,
        seed: int,
        launches: Mapping[int, Launch],
        remainders: Remainders,
    ) -> None:
        self.structure, self.params, self.steps, self.manner, self.seed = structure, params, steps, manner, seed
        self.order, self.leaves = list(plan_of.order), plan_of.leaves
        self.budget, self.ending_energy = budget, ending_energy
        self.launches, self.remainders = launches, remainders
        self.notes: list[str] = []
        self.carriers = Carriers(structure, params)
        self.found: dict[int, Arrival] = {}
        self.effort = Effort()
        model = structure.model
        self._scratch = make_scratch(model)
        self._full = (self._scratch.bodies, self._scratch.root, self._scratch.root_mass)
        n = len(model.names)
        self._ways = (np.zeros((n, steps + 1, 3)), np.zeros((n, steps + 1, 4)), np.zeros(n))
        self._parts = np.searchsorted(model.geometry.part_body, np.arange(n + 1)).astype(np.int64)
        self._boxes = boxes_at_rest(model, self._scratch.detect.cores)
        self._rest = copy_state(model.start)
        self._flight = make_flight(steps, n, steps + 1, 8 * steps + 1024)
        self._up = (float(structure.up[0]), float(structure.up[1]), float(structure.up[2]))
        self._close = self._close_neighbours()
        self._attempt: Counter[int] = Counter()
        self._reasons: dict[int, Counter[str]] = {body: Counter() for body in self.order}

    def run(self, progress: Progress | None = None) -> tuple[bool, list[int]]:
        """Find an arrival for every body. Returns whether it was asked to stop, and for whom there was none."""
        waiting, stuck = list(self.order), []
        while waiting:
            body = waiting.pop(0)
            try:
                good, blockers = self._candidates(body, self.manner.tries, self.manner.choose_from, progress)
                if not good:
                    more, others = self._candidates(body, 3 * self.manner.tries, 1, progress)
                    good, blockers = more, blockers + others
            except Stopped:
                self._cut_short([body, *waiting])
                return True, []
            if good:
                self._accept(min(good, key=lambda each: each[0])[1])
                continue
            self.effort.repairs += 1
            if self.effort.repairs > self.manner.repairs or not self.found:
                stuck.append(body)
                continue
            dropped = [other for other, _ in blockers.most_common(1 + self.effort.repairs // 5)]
            dropped = dropped or list(self.found)[-2:]
            for other in dropped:
                self.found.pop(other)
            waiting = [body, *dropped, *waiting] if self.effort.repairs % 3 else [*dropped, body, *waiting]
        return False, stuck

    def _cut_short(self, waiting: Iterable[int]) -> None:
        """Keep what is certain: the take up to the step in which the first body would leave that has no way yet."""
        self.steps = int(min(self.leaves[body] for body in waiting)) - 1
        self.found = {body: each for body, each in self.found.items() if each.first <= self.steps}

    def why_not(self, body: int) -> str:
        """The usual reason why candidates of a body failed, in the artist's words."""
        reasons = self._reasons[body]
        return REASONS[reasons.most_common(1)[0][0]] if reasons else "nothing was tried"

    # ---- one body -------------------------------------------------------------------------------------------------

    def _candidates(
        self, body: int, tries: int, wanted: int, progress: Progress | None
    ) -> tuple[list[tuple[float, Arrival]], Counter[int]]:
        first = int(self.leaves[body])
        self._freeze_others(body)
        traffic = self._traffic(body)
        resting = self.resting_at(first)
        place = place_of(self.structure, body, resting, self._close[body])
        good: list[tuple[float, Arrival]] = []
        blockers: Counter[int] = Counter()
        names, weights = list(self.manner.mix), np.array(list(self.manner.mix.values()))
        gravity = self.structure.model.gravity
        for _ in range(tries):
            if progress is not None and progress(self.steps * len(self.found) // len(self.order), self.steps) is False:
                raise Stopped
            self._attempt[body] += 1
            self.effort.tried += 1
            rng = draws(self.seed, "arrival", self.structure.model.ids[body], self._attempt[body])
            if body in self.launches and self._attempt[body] <= ASKED_TRIES:
                launch, attempt = self.launches[body], self._attempt[body] - 1
                candidate = asked(place, launch, gravity, self.params.dt, first * self.params.dt, rng, attempt)
            else:
                kind = names[int(rng.choice(len(names), p=weights / weights.sum()))]
                candidate = draw(kind, place, gravity, self.params.dt, first * self.params.dt, rng)
            if not self._stopped_at_rest(body, candidate, first):
                self._count(body, "not carried")
                continue
            ended = self._fly(candidate, place.body, first, traffic)
            if ended != ARRIVED:
                self._count(body, WHY[ended])
                if ended == IN_THE_WAY:
                    blockers[int(self._flight.counts[BLOCKER])] += 1
                continue
            seen = place.swing > 0.0 and candidate.kind != kinds.ASKED
            if seen and self._turned(first) > self.manner.most_turn:
                self._count(body, "turned")
                continue
            loads = self._loads(body, candidate, first)
            if not self._carried(body, candidate, first, loads):
                self._count(body, "not carried")
                continue
            self._count(body, "kept")
            arrival = keep(self._flight, body, candidate, first, loads)
            good.append((cost(arrival, self.structure, self.params.dt) + CHANCE * rng.uniform(), arrival))
            if len(good) >= wanted or candidate.kind == kinds.ASKED:
                break
        return good, blockers

    def _count(self, body: int, why: str) -> None:
        self.effort.why[why] += 1
        self._reasons[body][why] += 1

    def _fly(self, candidate: Candidate, body: int, first: int, traffic: Traffic) -> int:
        launches = {} if candidate.launch is None else {body: candidate.launch}
        while True:
            plan = make_plan(BUDGET, 0.0, launches, self.budget, self.ending_energy)
            ended = fly(
                self._scratch, plan, self.params, body, candidate.launch is None, tuple(candidate.velocity),
                tuple(candidate.momentum), first, self.steps, traffic, self._flight,
            )  # fmt: skip
            if ended != NO_ROOM or self._flight.counts[STATUS] == 0:
                return int(ended)
            self._scratch = enlarge(self._scratch, int(self._flight.counts[STATUS]))

    def _freeze_others(self, body: int) -> None:
        """Only the body has mass."""
        alone = np.arange(len(self.leaves)) == body
        bodies, root, root_mass = self._full
        self._scratch = self._scratch._replace(
            bodies=bodies._replace(
                inverse_mass=np.where(alone, bodies.inverse_mass, 0.0),
                inverse_inertia=np.where(alone[:, None, None], bodies.inverse_inertia, 0.0),
            ),
            root=np.where(alone[:, None, None], root, 0.0),
            root_mass=np.where(alone, root_mass, 0.0),
        )

    def _traffic(self, body: int) -> Traffic:
        """Everybody but the body."""
        leaves = self.leaves.copy()
        leaves[body] = NEVER
        known = np.where([i in self.found for i in range(len(leaves))], np.arange(len(leaves)), -1)
        size = self.structure.model.bodies.size
        return Traffic(leaves, known, *self._ways, size, self._boxes, self._rest, self._parts, self._up)

    def _accept(self, arrival: Arrival) -> None:
        """The body's way is known from now on."""
        self.found[arrival.body] = arrival
        x, q, pace = self._ways
        x[arrival.body], q[arrival.body] = arrival.x, arrival.q
        moved = np.linalg.norm(np.diff(arrival.x[arrival.first :], axis=0), axis=1)
        turned = 2.0 * np.linalg.norm(np.diff(arrival.q[arrival.first :], axis=0), axis=1)
        size = float(self.structure.model.bodies.size[arrival.body])
        pace[arrival.body] = float((moved + size * turned).max(initial=0.0))

    def resting_at(self, step: int) -> np.ndarray:
        """(n,) bool: whose contacts are the structure's in that step."""
        until = self.leaves.copy()
        for arrival in self.found.values():
            until[arrival.body] = arrival.moves_from - 1
        return self.structure.moves & (until >= step)

    # ---- what it does to those at rest ----------------------------------------------------------------------------

    def _loads(self, body: int, candidate: Candidate, first: int) -> dict[int, list[Load]]:
        """By step: what the flight puts on resting bodies."""
        model, flight = self.structure.model, self._flight
        loads: dict[int, list[Load]] = {}
        strip, part_body = flight.reel.strip, model.geometry.part_body
        mass = float(model.bodies.mass[body])
        if candidate.launch is None:
            loads[first] = [Load(body, mass * candidate.velocity, candidate.momentum)]
        for e in range(int(flight.counts[EVENTS])):
            step = int(flight.event_step[e])
            if step == first and candidate.launch is None:
                continue
            for c in range(int(flight.reel.contact_start[e]), int(flight.reel.contact_start[e + 1])):
                a, b = int(part_body[strip.part_a[c]]), int(part_body[strip.part_b[c]])
                other, sign = (b, -1.0) if a == body else (a, 1.0)
                if not self.structure.moves[other]:
                    continue
                p = sign * strip.impulse[c]
                arm = flight.point[c] - model.start.x[other]
                turn = crossed(arm[None], p[None])[0] + sign * strip.torque[c]
                loads.setdefault(step, []).append(Load(other, p, turn))
        return loads

    def _stopped_at_rest(self, body: int, candidate: Candidate, first: int) -> bool:
        """Whether the landing itself can be carried: cheap to ask before the whole flight is flown."""
        if candidate.launch is not None:
            return True
        momentum = float(self.structure.model.bodies.mass[body]) * candidate.velocity
        return self._carried(body, candidate, first, {first: [Load(body, momentum, candidate.momentum)]})

    def _carried(self, body: int, candidate: Candidate, first: int, loads: dict[int, list[Load]]) -> bool:
        for step in sorted(loads):
            others = [load for each in self.found.values() for load in each.loads.get(step, [])]
            resting = self.resting_at(step)
            if candidate.launch is not None and step == first:
                resting[body] = False
            standing = self.remainders.standing(resting)
            if standing.falls or self.carriers.carry(resting, standing, others + loads[step]) is None:
                return False
        return True

    # ---- which one to keep ----------------------------------------------------------------------------------------

    def _turned(self, first: int) -> float:
        """Degrees by which the body turned in the last TURN_CHECK seconds before rest."""
        k = min(first + round(TURN_CHECK / self.params.dt), self.steps)
        same = abs(float(self._flight.q[first] @ self._flight.q[k]))
        return math.degrees(2.0 * math.acos(min(same, 1.0)))

    def _close_neighbours(self) -> list[np.ndarray]:
        """For every body the unit directions toward others that are near without touching."""
        structure, model = self.structure, self.structure.model
        gauge = Gauge(model.geometry)
        near: list[list[np.ndarray]] = [[] for _ in structure.moves]
        x, size = model.start.x, model.bodies.size
        for i in np.flatnonzero(structure.moves):
            touching = {int(other) for other in structure.others_of(int(i))}
            for j in np.flatnonzero(structure.moves):
                if j <= i or int(j) in touching or np.linalg.norm(x[i] - x[j]) > size[i] + size[j] + CLOSE:
                    continue
                apart, toward = math.inf, np.zeros(3)
                for p in range(self._parts[i], self._parts[i + 1]):
                    for o in range(self._parts[j], self._parts[j + 1]):
                        gap, normal = gauge.measure(p, o, x, model.start.q)
                        if gap < apart:
                            apart, toward = gap, -normal
                if apart < CLOSE and abs(float(toward @ structure.up)) < kinds.SIDEWAYS:
                    near[i].append(toward)
                    near[j].append(-toward)
        return [np.array(each).reshape(-1, 3) for each in near]
