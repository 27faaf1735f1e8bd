"""The search: for one body after another an arrival that the law explains, that what rests can carry, that is in
nobody's way, and that looks like one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.ahead.arrival import Arrival, cost, keep, placed
from engine.arrivals.ahead.bearing import Bearing, loads_of
from engine.arrivals.ahead.beside import across_sides, slowest_landing
from engine.arrivals.ahead.carry import Carrying
from engine.arrivals.ahead.delay import delayed, disturbed, kept_waiting
from engine.arrivals.ahead.draw import Candidate, RestingPlace, asked, draw, place_of, suited
from engine.arrivals.ahead.flight import (
    ARRIVED,
    BLOCKER,
    EVENTS,
    GRAZE,
    IN_THE_WAY,
    LAST,
    NO_ROOM,
    NOT_CARRIED,
    STATUS,
    WHY,
    fly,
    make_flight,
)
from engine.arrivals.ahead.lookout import Traffic
from engine.arrivals.ahead.order import NEVER, Schedule
from engine.arrivals.ahead.outward import Outward
from engine.arrivals.ahead.paths import Paths
from engine.arrivals.ahead.pushes import Pushes, Rests, make_pushes
from engine.arrivals.ahead.reasons import REASONS
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ahead.supports import Burden, Supports, make_burden, supports_of
from engine.arrivals.ahead.tuning import ASKED, SKIP, SLIDE, TUNING
from engine.arrivals.ahead.ways import NEAREST, SOONEST, Ways, release_of
from engine.arrivals.brief import Brief, Stopped
from engine.arrivals.drawn import drawn_starts
from engine.arrivals.structure import boxes_at_rest
from engine.collide.gauge import Gauge
from engine.decide.chance import draws
from engine.decide.plan import BUDGET, CONSTANT, make_plan
from engine.functions import arc_cosine
from engine.model.arrays import copy_state
from engine.step.scratch import Scratch, enlarge, holding, make_scratch

BENT_COUNTS = 0.15  # of one that the authored materials explain: so much is an arrival worth that they do not

UNHURT = (SKIP, SLIDE, ASKED)  # kinds to which a calmer push makes no difference


class Search:
    """One take: a schedule, and arrivals found so far."""

    def __init__(
        self,
        brief: Brief,
        times: Schedule,
        ways: Ways,
        budget: np.ndarray,
        remainders: Remainders,
        later_seed: int = 0,
    ) -> None:
        """budget: (n,) J, of bodies in a structure. later_seed: added to the brief's, for other random numbers."""
        self.brief, self.structure, self.params, self.steps = brief, brief.structure, brief.params, brief.steps
        self.ways, self.manner, self.budget, self.remainders = ways, ways.manner, budget, remainders
        self.seed, self.held_from = brief.seed + later_seed, times.held_from
        self.order, self.leaves_at = list(times.order), times.leaves_at
        self._crowded, self._patient = times.crowded, times.patient
        self.too_late: list[int] = []  # bodies for which others left no time
        self.carrying = Carrying(self.structure, self.params)
        self.found: dict[int, Arrival] = {}
        self.near = set(ways.near)  # who found no way from as high as was wished, and is let go near its place
        self._repairs, self._postponed = 0, 0
        model, up = brief.model, self.structure.up
        self._scratch = make_scratch(model)
        n = len(model.names)
        longest = max((self._longest(body) for body in self.order), default=1)
        self._paths = Paths(np.zeros((n, longest + 1, 3)), np.zeros((n, longest + 1, 4)), n)
        self._parts = np.searchsorted(model.geometry.part_body, np.arange(n + 1)).astype(np.int64)
        self._boxes = boxes_at_rest(model, self._scratch.detect.narrow.cores)
        self._rest = copy_state(model.start)
        self._flight = make_flight(longest, n)
        self._up = (float(up[0]), float(up[1]), float(up[2]))
        self._in_hand = 0 if ways.letting is None else round(ways.letting.hand / self.params.dt)  # steps, at least
        self._close = self._close_neighbours()
        self._until = self.leaves_at.copy()
        self._supports, self._burden = self._carriers()
        self._others = self._join_pushes()
        self._sides = across_sides(self.structure) if ways.lets_go else None
        self._attempt: Counter[int] = Counter()
        self._waits: Counter[int] = Counter()
        self._hint_waits: Counter[int] = Counter()
        self._asked_since: Counter[int] = Counter()  # attempts before those of the hint
        self._asked_why: dict[int, Counter[str]] = {body: Counter() for body in self.order}
        self._drawn = drawn_starts(brief, slides=True) if ways.lets_go else {}
        gravity = norm(model.gravity)
        self._outward = {
            body: Outward(way, model.start.x[body], up, gravity, ways.tops[body][1]) for body, way in ways.out.items()
        }
        self._tried: Counter[tuple[int, str]] = Counter()
        self._kept: Counter[tuple[int, str]] = Counter()
        self._reasons: dict[int, Counter[str]] = {body: Counter() for body in self.order}

    def run(self) -> tuple[bool, list[int]]:
        """Find an arrival for every body. Returns whether it was asked to stop, and for whom there was none."""
        waiting, stuck = list(self.order), []
        while waiting:
            body = waiting.pop(0)
            if self.ways.lets_go:
                try:
                    waiting = self._let_go(body, waiting)
                except Stopped:
                    self._cut_short([body, *waiting])
                    return True, []
                continue
            waits = self._crowded and self._patient and bool(self.structure.beside[body])
            tries = self.manner.tries // (2 if waits else 1)
            wanted = max(self.manner.choose_from // (3 if waits else 1), 1)
            try:
                good, blockers = self._candidates(body, tries, wanted)
                if not good and waits and self._postpone(body, waiting):
                    continue
                if not good and not self._one_in_the_way(blockers, blockers.total()):
                    more, others = self._candidates(body, 3 * self.manner.tries, 1)
                    good, blockers = more, blockers + others
            except Stopped:
                self._cut_short([body, *waiting])
                return True, []
            if good:
                self._accept(min(good, key=lambda each: each[0])[1])
                continue
            self._repairs += 1
            if self._repairs > self.manner.repairs or not self.found:
                stuck.append(body)
                continue
            dropped = [other for other, _ in blockers.most_common(1 + self._repairs // 5)]
            dropped = dropped or list(self.found)[-2:]
            for other in dropped:
                self._give_up(other)
            waiting = [body, *dropped, *waiting] if self._repairs % 3 else [*dropped, body, *waiting]
        return False, stuck

    def _let_go(self, body: int, waiting: list[int]) -> list[int]:
        """Find an arrival for a body that is let go; who is to be looked at next. Where there is none it leaves later,
        or others give up theirs that are in its way; at last a hand lays it where it rests."""
        asked = body in self.ways.wants and self.ways.wants[body].kind == "placed"
        if self.held_from[body] < NEVER or asked:
            self._accept(placed(body, int(self.leaves_at[body]), self._rest))
            return waiting
        again = self._waits[body] > 0
        tries = self.manner.tries // (TUNING.fewer_again if again else 1)
        tries *= TUNING.outward if self._goes_out(body) else 1
        good, blockers = self._candidates(body, tries, 1 if again else self.manner.choose_from)
        if good and self._waits_for_its_hint(body, good, waiting):
            return waiting
        if good:
            self._accept(min(good, key=lambda each: each[0])[1])
            return waiting
        if body in self.ways.tops and body not in self.near:
            self.near.add(body)
            return [body, *waiting]
        hopeless = self._reasons[body]["unlawful"] + self._reasons[body]["unborne"]
        if hopeless > TUNING.mostly * self._reasons[body].total():
            self._waits[body] = TUNING.waits + self.manner.repairs  # no waiting changes that
        self._waits[body] += 1
        nobody_held = bool((self.held_from == NEVER).all())
        if self._waits[body] <= TUNING.waits and self._patient and nobody_held and self._postpone(body, waiting):
            return waiting
        barring = [other for other, _ in blockers.most_common(1 + self._waits[body] // 2)]
        if barring and self._waits[body] <= TUNING.waits + self.manner.repairs:
            for other in barring:
                self._give_up(other)
            return [body, *barring, *waiting]
        self._accept(placed(body, int(self.leaves_at[body]), self._rest))
        return waiting

    def lay(self, body: int) -> None:
        """Give up a way that the certificate refused: a hand lays the body instead. The ways of others stay free."""
        self._give_up(body)
        self._reasons[body] = Counter(refused=1)
        self._accept(placed(body, int(self.leaves_at[body]), self._rest))

    def _waits_for_its_hint(self, body: int, good: list[tuple[float, Arrival]], waiting: list[int]) -> bool:
        """Let a body leave later that could come as its hint asks, were others not in its way."""
        missed = self._asked_why[body]
        if body not in self.brief.launches or not missed or any(each.candidate.kind == ASKED for _, each in good):
            return False
        barred = missed["in the way"] + missed["crowding"] > TUNING.mostly * missed.total()
        if not (barred and self._patient and self._hint_waits[body] < TUNING.waits and self._postpone(body, waiting)):
            return False
        self._hint_waits[body] += 1
        self._asked_since[body] = self._attempt[body]
        missed.clear()
        return True

    def why_not_asked(self, body: int) -> str | None:
        """What kept a body from coming as its hint asks, in the artist's words; None: nothing did."""
        missed = self._asked_why[body]
        return REASONS[missed.most_common(1)[0][0]] if missed else None

    def _postpone(self, body: int, waiting: list[int]) -> bool:
        """Let a body leave later, and who carries it; False where what is left then does not stand by itself. For whom
        no time is left, they were there from the start."""
        wait, last = round(TUNING.postponed / self.params.dt), self.steps - round(TUNING.least_flight / self.params.dt)
        last -= self._in_hand
        tired = self._postponed >= TUNING.often * len(self.order)
        step = last + 1 if tired else int(self.leaves_at[body]) + wait
        letting = self.ways.letting
        between = wait // 2 if letting is None else round(letting.apart / self.params.dt)
        leaves_at = delayed(self.structure, self.leaves_at, body, step, between, last)
        order = sorted((one for one in self.order if leaves_at[one] < NEVER), key=lambda one: int(leaves_at[one]))
        if not self._stands(order):
            return False
        late = kept_waiting(self.order, self.leaves_at, leaves_at)
        again = {body, *waiting, *(b for b, each in self.found.items() if disturbed(self.structure, each, late))}
        if self.ways.lets_go and len(order) < len(self.order):
            return False  # whoever is let go comes in
        self.too_late += sorted(set(self.order) - set(order))
        self.leaves_at[:], self.order = leaves_at, order
        for one in again & set(self.found):
            self._give_up(one)
        self._until[:] = self.leaves_at
        for each in self.found.values():
            self._until[each.body] = each.moves_from - 1
        self._supports, self._burden = self._carriers()
        self._postponed += 1
        waiting[:] = [one for one in order if one in again]
        return True

    def _stands(self, order: list[int]) -> bool:
        """Whether everything that is left stands as bodies leave in another order than they did."""
        alike = [one == other for one, other in zip(order, self.order, strict=False)]
        first = alike.index(False) if False in alike else len(alike)
        same = (
            len(alike) - 1 - alike[::-1].index(False)
            if False in alike and len(order) == len(self.order)
            else len(order)
        )
        resting = self.structure.moves.copy()
        resting[order[:first]] = False
        for one in order[first : same + 1]:
            resting[one] = False
            if self.remainders.standing(resting).falls:
                return False
        return True

    def _one_in_the_way(self, blockers: Counter[int], tried: int) -> bool:
        """Whether it is almost always the same flight that bars the way: then more tries are wasted."""
        return tried >= TUNING.enough_tries and max(blockers.values(), default=0) > TUNING.mostly * tried

    def _cut_short(self, waiting: Iterable[int]) -> None:
        """Keep what is certain: the take up to the step in which the first body would leave that has no way yet."""
        self.steps = int(min(self.leaves_at[body] for body in waiting)) - 1
        kept = (each for each in self.found.values() if each.first <= self.steps)
        self.found = {each.body: each.let_go_at(min(each.last, self.steps)) for each in kept}

    def _goes_out(self, body: int) -> bool:
        """Whether a body is enclosed, and is still to find its way out."""
        return body in self._outward and body not in self.near

    def name(self, body: int) -> str:
        return self.structure.model.names[body]

    def why_not(self, body: int) -> str:
        """The usual reason why candidates of a body failed, in the artist's words."""
        reasons = self._reasons[body]
        return REASONS[reasons.most_common(1)[0][0]] if reasons else "nothing was tried"

    @property
    def notes(self) -> list[str]:
        names = self.structure.model.names
        return [f'"{names[body]}" is there from the start: others left it no time' for body in self.too_late]

    # ---- one body -------------------------------------------------------------------------------------------------

    def _candidates(self, body: int, tries: int, wanted: int) -> tuple[list[tuple[float, Arrival]], Counter[int]]:
        first = int(self.leaves_at[body])
        last = min(first + self._longest(body) - 1, self.steps - self._in_hand)
        alone = holding(self._scratch, np.arange(len(self.leaves_at)) != body)
        traffic = self._traffic(body)
        self._others = self._join_pushes(first, last)
        self._remains = self._remains_until(first, last)
        place = self._place(body, first)
        if not len(place.points):  # nothing stops a landing; what holds it is a squeeze
            self._reasons[body]["unborne"] += 1
            return [], Counter()
        good: list[tuple[float, Arrival]] = []
        enough = 0.0
        blockers: Counter[int] = Counter()
        calmer = TUNING.calmer if self._crowded else TUNING.calmer[:1]
        calmer, unhurt = (TUNING.calmer_releases, UNHURT[1:]) if self.ways.lets_go else (calmer, UNHURT)
        for tried in range(1, tries + 1):
            self.brief.tell(self.steps * len(self.found) // len(self.order))
            self._attempt[body] += 1
            for calm in calmer:
                candidate, rng = self._drawn_at(body, place, first, calm)
                ended, alone = self._fly(alone, candidate, place.body, first, last, traffic)
                if ended != NOT_CARRIED or candidate.kind in unhurt:
                    break
                if int(self._flight.counts[LAST]) >= first and not self.ways.lets_go:
                    break
            if self._goes_out(body):
                self._outward[body].learn(candidate, self._flight.x[: int(self._flight.counts[LAST]) - first + 2])
            let_go = self._release(candidate, body, first, ended)
            if ended != ARRIVED and let_go is None:
                self._count(body, candidate.kind, WHY[ended])
                if ended == IN_THE_WAY:
                    blockers[int(self._flight.counts[BLOCKER])] += 1
                if not good and self._one_in_the_way(blockers, tried):
                    break
                continue
            seen = place.swing > 0.0 and candidate.kind != ASKED
            if seen and self._turned(first) > self.manner.most_turn:
                self._count(body, candidate.kind, "turned")
                continue
            if self.ways.lets_go and let_go is None:
                self._count(body, candidate.kind, "near")
                continue
            arrival = keep(self._flight, body, candidate, first, int(self._flight.counts[LAST]))
            arrival = arrival if let_go is None else arrival.let_go_at(let_go)
            self._count(body, candidate.kind, "kept")
            price = cost(arrival, self.structure, self.params.dt, self.budget)
            as_wished = not self.ways.lets_go or (arrival.is_exact and self._suits(arrival))
            price += 0.0 if as_wished else TUNING.bent_release_cost
            good.append((price + TUNING.chance * rng.uniform(), arrival))
            enough += 1.0 if as_wished else BENT_COUNTS
            if enough >= wanted or candidate.kind == ASKED:
                break
        return good, blockers

    def _place(self, body: int, first: int) -> RestingPlace:
        """Where a body rests, and what is asked of its way there."""
        soon, taken = self._soon(body, first), self._taken(body, first)
        resting = self.resting_at(first)
        place = place_of(self.structure, body, resting, self._close[body], soon, taken)
        if self._sides is not None:
            rows, others = self.structure.rows_of[body], self.structure.others_of(body)
            there = resting[others] | ~self.structure.moves[others]
            place = replace(place, slowest=slowest_landing(self._sides[rows[there]], self.params))
        want = self.ways.wants.get(body)
        if want is not None and (want.side is not None or want.speed is not None):
            place = replace(place, sector=want.sector(self.brief.scene.camera), speed=want.speed)
        return place

    def _drawn_at(
        self, body: int, place: RestingPlace, first: int, calm: float
    ) -> tuple[Candidate, np.random.Generator]:
        """The candidate of this attempt, as a hint asks or by chance, and the random numbers that are left."""
        names, weights = list(self.manner.mix), np.array(list(self.manner.mix.values()))
        gravity, dt, time = self.structure.model.gravity, self.params.dt, first * self.params.dt
        rng = draws(self.seed, "arrival", self.structure.model.ids[body], self._attempt[body])
        attempt = self._attempt[body] - self._asked_since[body] - 1
        if body in self.brief.launches and attempt < TUNING.asked_tries:
            launch = self.brief.launches[body]
            return asked(place, launch, gravity, dt, time, rng, attempt), rng
        chances = weights * self._promise(body, names) * [suited(kind, place) for kind in names]
        kind = names[int(rng.choice(len(names), p=chances / chances.sum()))]
        pace = self.ways.pace_of(body, place.soon < TUNING.hurry * self.ways.scale.time, body in self.near)
        if self._goes_out(body):
            outward = self._outward[body]
            place = replace(place, sector=outward.sector(rng))
            return outward.chosen(draw(kind, place, gravity, dt, time, rng, calm, pace), place, rng), rng
        return draw(kind, place, gravity, dt, time, rng, calm, pace), rng

    def _release(self, candidate: Candidate, body: int, first: int, ended: int) -> int | None:
        """Where to let go of the body that flew last: at the top of its way, or before it ran into something; None for
        flights, and where there is no such place."""
        if not self.ways.lets_go:
            return None
        flown, at = self._flight, int(self._flight.counts[LAST])
        at -= int(flown.counts[BLOCKER]) >= 0  # there it is in somebody's way already
        if candidate.kind == ASKED and body in self._drawn:
            rows = flown.event_step[: int(flown.counts[EVENTS])] - first + 1
            hits = np.array([row for row in rows if row - 1 not in rows and row <= at - first + 1], np.int64)
            begun = self._drawn[body].begun_at(flown.x[: at - first + 2], hits, self.structure.up)
            return None if begun is None or begun == 0 else first - 1 + begun
        model = self.structure.model
        events = flown.event_step[: int(flown.counts[EVENTS])]
        size, suits = float(model.bodies.size[body]), self.ways.suits(body, self.brief.scene.camera)
        open_at = self._outward[body].is_open if self._goes_out(body) else None
        return release_of(flown, events, first, at, size, model.gravity, self.params.dt, suits, open_at)

    def _suits(self, arrival: Arrival) -> bool:
        """Whether a body is let go where it was asked to be."""
        suits = self.ways.suits(arrival.body, self.brief.scene.camera)
        return suits is None or bool(suits(arrival.x[-1:])[0])

    def _soon(self, body: int, first: int) -> float:
        """s after which the first of those that touch a body leaves too; none where there is time enough for all."""
        if not self._crowded:
            return math.inf
        later = [int(self.leaves_at[o]) for o in self.structure.others_of(body) if first < self.leaves_at[o] < NEVER]
        return (min(later) - first) * self.params.dt if later else math.inf

    def _taken(self, body: int, first: int) -> list[np.ndarray]:
        """Unit level ways on which neighbours have lately left."""
        ways, up = [], self.structure.up
        for other in sorted({int(o) for o in self.structure.others_of(body)} & set(self.found)):
            each = self.found[other]
            if 0 <= first - each.first < round(TUNING.lately / self.params.dt):
                way = each.x[min(round(TUNING.gone / self.params.dt) + 1, len(each.x) - 1)] - each.x[1]
                way = way - float(times(way, up)) * up
                if way.any():
                    ways.append(way / norm(way))
        return ways

    def _count(self, body: int, kind: str, why: str) -> None:
        self._reasons[body][why] += 1
        self._tried[body, kind] += 1
        self._kept[body, kind] += why == "kept"
        if kind == ASKED and why != "kept":
            self._asked_why[body][why] += 1

    def _promise(self, body: int, names: list[str]) -> np.ndarray:
        """How well each kind of arrival has done for a body so far; all alike at the beginning."""
        tried = np.array([self._tried[body, kind] for kind in names])
        kept = np.array([self._kept[body, kind] for kind in names])
        return (kept + 1.0) / (tried + TUNING.doubt)

    def _longest(self, body: int) -> int:
        """Steps of a flight."""
        return min(self.ways.longest.get(body, self.steps), self.steps) + 1

    def _fly(
        self, alone: Scratch, candidate: Candidate, body: int, first: int, last: int, traffic: Traffic
    ) -> tuple[int, Scratch]:
        """How the flight ended. alone: a scratch in which only the body has mass, enlarged where it was too small."""
        launches = {} if candidate.launch is None else {body: candidate.launch}
        rests = self._rests(body, candidate, first)
        bends = not self.ways.lets_go or candidate.kind == ASKED
        policy, sure = BUDGET if bends else CONSTANT, -1
        size = float(self.structure.model.bodies.size[body])
        at_top = self.ways.lets_go and not (candidate.kind == ASKED and body in self._drawn)
        at_top = at_top and not self._goes_out(body)
        richest = self._outward[body].richest if self._goes_out(body) else math.inf
        letting = (first + round(SOONEST / self.params.dt) if at_top else NEVER, NEAREST * size, richest)
        while True:
            plan = make_plan(policy, 0.0, launches, self.budget, self.brief.ending_energy)
            given = candidate.launch is None
            how = given, tuple(candidate.velocity), tuple(candidate.momentum), candidate.glance, letting
            ended = fly(alone, plan, self.params, body, how, first, last, sure, traffic, rests, self._flight)
            if ended == NO_ROOM and self._flight.counts[STATUS] != 0:
                status = int(self._flight.counts[STATUS])
                self._scratch, alone = enlarge(self._scratch, status), enlarge(alone, status)
                continue
            step = int(self._flight.counts[LAST]) + 1
            if ended != NOT_CARRIED or not self._carried_after_all(rests, step):
                return int(ended), alone
            sure = step

    def _traffic(self, body: int) -> Traffic:
        """Everybody but the body."""
        leaves_at = self.leaves_at.copy()
        leaves_at[body] = NEVER
        known = np.full(len(leaves_at), -1, np.int64)
        known[list(self.found)] = list(self.found)
        size, scale, paths = self.structure.model.bodies.size, self.ways.scale, self._paths
        boxes = self._boxes.copy()  # the flight writes those of its body
        rise = TUNING.keep_out_rise * scale.length
        return Traffic(
            leaves_at, known, paths.since, paths.until, paths.x, paths.q, paths.pace, size, boxes, self._rest,
            self._parts, self._up, self._apart(body), int(TUNING.keep_out * scale.time / self.params.dt),
            (rise * self._up[0], rise * self._up[1], rise * self._up[2]),
        )  # fmt: skip

    def _apart(self, body: int) -> np.ndarray:
        """(n,) m that others keep from a body. Neighbours that touch may slide along each other."""
        apart = np.full(len(self.leaves_at), TUNING.apart * self.ways.scale.length)
        if self.ways.lets_go:
            for other, gap in self._gaps[body].items():
                apart[other] = min(apart[other], 0.5 * gap)
            apart[self.structure.others_of(body)] = -GRAZE
        return apart

    def _accept(self, arrival: Arrival) -> None:
        """The body's way is known from now on."""
        self.found[arrival.body] = arrival
        self._paths.keep(arrival, float(self.structure.model.bodies.size[arrival.body]))
        self._until[arrival.body] = arrival.moves_from - 1

    def _give_up(self, body: int) -> None:
        """Its way is not known any more."""
        self.found.pop(body)
        self._until[body] = self.leaves_at[body]

    def resting_at(self, step: int) -> np.ndarray:
        """(n,) bool: whose contacts are the structure's in that step."""
        return self.structure.moves & (self._until >= step)

    def until(self) -> np.ndarray:
        """(n,) int64: last step in which a body's contacts are the structure's."""
        return self._until.copy()

    # ---- what it does to those at rest ----------------------------------------------------------------------------

    def _rests(self, body: int, candidate: Candidate, first: int) -> Rests:
        """What rests under a flight, and who else pushes it."""
        until = self.until()
        until[body] = first - (candidate.launch is not None)
        return self._remains._replace(until=until, others=self._others[0], others_start=self._others[1])

    def _carriers(self) -> tuple[Supports, Burden]:
        supports = supports_of(self.structure, self.params, self._passing())
        burden = make_burden(supports)
        burden.held_from[:] = self.held_from
        return supports, burden

    def _remains_until(self, first: int, last: int) -> Rests:
        """What is left as one after another leaves, from one step to another."""
        leaves = self.leaves_at[self.order]
        gone = max(int(np.searchsorted(leaves, first - 1)) - 1, 0)
        resting = self.structure.moves.copy()
        resting[self.order[:gone]] = False
        stands = [self.remainders.standing(resting, self.held(resting, gone))]
        for i in range(gone, min(int(np.searchsorted(leaves, last + 1)) + 1, len(self.order))):
            resting[self.order[i]] = False
            stands.append(self.remainders.standing(resting, self.held(resting, i + 1)))
        return Rests(
            np.array(self.order, np.int64), self._until, gone, np.array([each.impulse for each in stands]),
            np.array([each.torque for each in stands]), make_pushes(0), np.zeros(self.steps + 2, np.int64),
            self._supports, self._burden,
        )  # fmt: skip

    def held(self, resting: np.ndarray, gone: int) -> np.ndarray:
        """(n,) bool: whom a hand holds when so many of the order have left."""
        return resting & (self.held_from <= gone)

    def _passing(self) -> set[int]:
        """Bodies that leave while others still stand on them."""
        carried, at = self.structure.carried, self.leaves_at
        return {body for body in self.order if any(at[body] < at[each] for each in carried[body])}

    def _join_pushes(self, first: int = 0, last: int = NEVER) -> tuple[Pushes, np.ndarray]:
        """What the known arrivals that are under way from one step to another put on those at rest, by step, and where
        each step begins."""
        every = [each.pushes for each in self.found.values() if each.first <= last and each.last >= first]
        if not every:
            return make_pushes(0), np.zeros(self.steps + 2, np.int64)
        joined = Pushes(*(np.concatenate(column) for column in zip(*every, strict=True)))
        order = np.argsort(joined.step, kind="stable")
        start = np.searchsorted(joined.step[order], np.arange(self.steps + 2)).astype(np.int64)
        return joined._replace(**{name: getattr(joined, name)[order] for name in Pushes._fields[:-1]}), start

    def bearing(self) -> Bearing:
        """What those at rest bear, of the arrivals found."""
        pushes, start = self._join_pushes()
        rests = self._remains_until(0, self.steps)._replace(until=self.until(), others=pushes, others_start=start)
        return Bearing(self.structure, rests, self.remainders, self.carrying)

    def _carried_after_all(self, rests: Rests, step: int) -> bool:
        """Whether all bodies together carry what the flight puts on them in a step; handing down did not say so."""
        flown = self._flight.pushes
        own = loads_of(flown, np.flatnonzero(flown.step[: int(flown.used[0])] == step))
        return Bearing(self.structure, rests, self.remainders, self.carrying).together(step, own) is not None

    # ---- which one to keep ----------------------------------------------------------------------------------------

    def _turned(self, first: int) -> float:
        """Degrees by which the body turned shortly before rest."""
        k = min(round(TUNING.turn_check * self.ways.scale.time / self.params.dt) + 1, self.steps - first + 1)
        same = abs(float(times(self._flight.q[1], self._flight.q[k])))
        return math.degrees(2.0 * arc_cosine(min(same, 1.0)))

    def _close_neighbours(self) -> list[np.ndarray]:
        """For every body the unit directions toward others that are near without touching."""
        structure, model = self.structure, self.structure.model
        gauge, close = Gauge(model.geometry), TUNING.close * self.ways.scale.length
        near: list[list[np.ndarray]] = [[] for _ in structure.moves]
        self._gaps: list[dict[int, float]] = [{} for _ in structure.moves]  # m to others that are near
        x, size = model.start.x, model.bodies.size
        moving = np.flatnonzero(structure.moves)
        for i in moving:
            touching = {int(other) for other in structure.others_of(int(i))}
            others = moving[moving > i]
            for j in others[norms(x[others] - x[i]) <= size[i] + size[others] + close]:
                if int(j) in touching:
                    continue
                apart, toward = math.inf, np.zeros(3)
                for p in range(self._parts[i], self._parts[i + 1]):
                    for o in range(self._parts[j], self._parts[j + 1]):
                        gap, normal = gauge.measure(p, o, x, model.start.q)
                        if gap < apart:
                            apart, toward = gap, -normal
                if apart < close:
                    self._gaps[i][int(j)] = self._gaps[j][int(i)] = max(apart, 0.0)
                if apart < close and abs(float(times(toward, structure.up))) < TUNING.sideways:
                    near[i].append(toward)
                    near[j].append(-toward)
        return [np.array(each).reshape(-1, 3) for each in near]
