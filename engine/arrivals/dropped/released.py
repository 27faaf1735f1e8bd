"""Drops that are let go: every body that stands alone on level ground comes in by a drop of its own length.

Nothing is put before a drop. Its first state is where a hand let go; before that the body is not there, so bodies are
in each other's way only while they fly and once they lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.brief import Brief
from engine.arrivals.dropped.assemble import Retargeted
from engine.arrivals.dropped.choose import Cut, Spot, Wish, candidates, later, low
from engine.arrivals.dropped.crowd import Crowd
from engine.arrivals.dropped.library import key_of
from engine.arrivals.dropped.pages import Pages
from engine.arrivals.dropped.placing import Placing
from engine.arrivals.dropped.retarget import resting_side
from engine.arrivals.dropped.stands import Stand
from engine.arrivals.overhead import Overhead
from engine.decide.chance import draws
from engine.scene.fingerprint import words_of
from engine.shapes.turns import rotation_matrix

WHOLE, FEW = 30, 2  # drops to try from their start on, and where bodies lie so close that most run into others
CROWDED, LATELY = 3.0, 0.1  # tries that tell so, and how much the last body counts
DRAWN = 6  # drops that are drawn, at most, for one that leaves the time for a hand before it
SPARE = 12  # drops that find a way, though nobody can be brought where they begin, before the first of them is taken
EARLY = 3.0  # sqrt(r / g): so long before its rest the place of a body is kept free, time for a low drop
NO_DROP = "no drop of it comes to rest on this side"
NO_WAY = "no drop finds a way to it"


@dataclass(frozen=True)
class Released:
    """By row: who comes how, who does not and why, and by how much wishes were missed (degrees, m, m/s, rad/s)."""

    arrivals: dict[int, Retargeted] = field(default_factory=dict)
    why: dict[int, str] = field(default_factory=dict)
    missed: dict[int, Mapping[str, float]] = field(default_factory=dict)


def released_drops(
    brief: Brief,
    rows: Iterable[int],
    rests: Mapping[int, int],
    wishes: Mapping[int, Wish] | None = None,
    attempt: int = 0,
    placing: Placing | None = None,
) -> Released:
    """Drops for bodies `rows` that rest from step rests[row] on, one after another, each clear of all before, however
    long they are: those that are longer than the time until then begin before the take.

    rests may know others who come in some other way: they are in the way from their rest on. Whoever is not in it is
    there all the time. The same brief and attempt give the same bits."""
    return Search(brief, placing or Placing(brief), rows, wishes, attempt).drops(rests)


class Search:
    """Drops for bodies `rows`, in two steps where they are to begin within the take: how long they would like to be,
    and, once it is known who rests when, which they are."""

    def __init__(
        self,
        brief: Brief,
        placing: Placing,
        rows: Iterable[int],
        wishes: Mapping[int, Wish] | None = None,
        attempt: int = 0,
        overhead: Overhead | None = None,
    ) -> None:
        """overhead: how bodies are brought where they are let go, in the time that the take has before; None: nobody
        asks for that."""
        self.brief, self.placing, self.wishes, self.overhead = brief, placing, wishes or {}, overhead
        self.model, self.attempt = brief.model, attempt
        self.rows = sorted(rows)
        self._standing = [row for row in self.rows if row in placing.stands]
        self._kinds = self._names()
        self._pages: dict[str, Pages] = {}
        self._turns: dict[int, _Turn] = {}
        self._told = 0
        self._hard = 0.0  # tries that bodies have needed lately

    def lengths(self, latest: int) -> dict[int, int]:
        """The step, by row, before which a body cannot rest if it is to have the first drop that is drawn for it; of
        those that let it rest by step `latest`. 0 where none does."""
        return {row: self._length(row, latest) for row in self._standing}

    def _length(self, row: int, latest: int) -> int:
        turn = self._turn(row)
        drawn: list[Cut] = []
        steps = latest + 1
        for candidate in islice(turn.drops, DRAWN):
            drawn.append(candidate)
            steps = self._before(row, candidate) + candidate.steps
            if steps <= latest:
                break
        turn.drops = chain(drawn, turn.drops)
        return steps if steps <= latest else 0

    def drops(self, rests: Mapping[int, int]) -> Released:
        """For bodies that rest from step rests[row] on."""
        found = Released()
        for row in self.rows:
            if row not in self.placing.stands:
                found.why[row] = self.placing.why.get(row, "it stays where it is")
        dt, size = self.brief.params.dt, self.model.bodies.size
        early = EARLY * np.sqrt(size / max(norm(self.model.gravity), 1e-300)) / dt
        crowd = Crowd(self.model, rests, {row: int(early[row]) for row in rests})
        for done, row in enumerate(self._standing):
            self._told = int(done / len(self._standing) * self.brief.steps)
            self.brief.tell(self._told)
            came = self._arrival(row, rests[row], crowd)
            if came is None:
                found.why[row] = NO_WAY if self._turn(row).pages.motions else NO_DROP
                continue
            found.arrivals[row], missed = came
            if missed:
                found.missed[row] = missed
            del self._turns[row]
        return found

    def _names(self) -> dict[int, str]:
        """Bodies that share their drops have the same name of a library."""
        keys: dict[object, str] = {}
        kinds = {}
        for row in self._standing:
            setting, side = self.placing.stands[row].setting, resting_side(self.model.start.q[row])
            numbers = (setting.friction, setting.restitution, setting.rolling, tuple(np.round(side, 9).tolist()))
            same = (words_of(setting.shape), *numbers)
            if same not in keys:
                keys[same] = key_of(setting, side, 0)
            kinds[row] = keys[same]
        return kinds

    def _turn(self, row: int) -> _Turn:
        if row not in self._turns:
            stand, start = self.placing.stands[row], self.model.start
            pages, rng = self._of_kind(row), draws(self.brief.seed, "released", self.model.ids[row], self.attempt)
            place = Spot(stand.shape, start.x[row], start.q[row], self._rest(row, stand))
            self._turns[row] = _Turn(pages, place, candidates(pages, place, self.wishes.get(row), rng), rng)
        return self._turns[row]

    def _of_kind(self, row: int) -> Pages:
        kind = self._kinds[row]
        if kind not in self._pages:
            dropper = self.placing.dropper(self.placing.stands[row].setting)
            side, bodies = resting_side(self.model.start.q[row]), sum(other == kind for other in self._kinds.values())
            rest = self._rest(row, self.placing.stands[row])
            self._pages[kind] = Pages(dropper, side, rest, self.brief.seed, bodies, lambda: self.brief.tell(self._told))
        return self._pages[kind]

    def _arrival(self, row: int, rests: int, crowd: Crowd) -> tuple[Retargeted, Mapping[str, float]] | None:
        """It comes into the crowd, with the way before its release."""
        heavier = self.placing.heavier(row)
        for tried, candidate, way in self._brought(row, rests, crowd):
            came = self._coming(row, candidate, heavier, crowd)
            if came is not None:
                self._hard += LATELY * (tried - self._hard)
                crowd.add(row, *_with(way, came.states.x, came.states.q))
                return came, candidate.missed
        return None

    def _brought(self, row: int, rests: int, crowd: Crowd) -> Iterator[tuple[int, Cut, np.ndarray]]:
        """Those that meet nobody, with the number of the try and the way on which they are brought where they are let
        go. That way is free too, of all but what comes after some for which it is not."""
        spare: list[tuple[int, Cut, np.ndarray]] = []
        nowhere, looking = np.zeros((0, 3)), self.overhead is not None
        seen, start = self._turn(row).pages.seen, self.model.start
        for tried, candidate in enumerate(self._in_turn(row, rests)):
            x, q = seen(candidate.motion).through(candidate.image, candidate.cut, start.x[row], start.q[row])
            if looking and candidate.off > 0.0:
                yield from spare
                looking = False
            if not crowd.is_clear(row, x, q):
                continue
            release = rests - candidate.steps
            way = nowhere if self.overhead is None else self.overhead.way(row, release, x[0])
            if crowd.is_clear_before(row, way, np.repeat(q[:1], len(way), axis=0), release):
                yield tried, candidate, way
            elif not looking:
                yield tried, candidate, nowhere
            else:
                spare.append((tried, candidate, nowhere))
                if len(spare) >= SPARE:
                    yield from spare
                    looking = False
        if looking:
            yield from spare

    def _in_turn(self, row: int, rests: int) -> Iterator[Cut]:
        """As drawn; but of those that leave time before them, the ones so near its place that it seems to be laid
        there come last."""
        near: list[Cut] = []
        for candidate in self._as_drawn(row, rests):
            if not self._is_in_time(row, rests, candidate):
                yield from near
                near.clear()
            elif self._away(row, candidate) < float(self.model.bodies.size[row]):
                near.append(candidate)
                continue
            yield candidate
        yield from near

    def _away(self, row: int, candidate: Cut) -> float:
        """m from its place to where it is let go."""
        motion = candidate.motion
        return float(norm(self._turn(row).pages.seen(motion).x[candidate.cut] - motion.x))

    def _as_drawn(self, row: int, rests: int) -> Iterator[Cut]:
        """Whole drops, then later releases of the same, the earliest of each first, then drops from near the ground.
        All these leave time before them; what does not comes last, or where something is asked that only it fits."""
        turn, wish = self._turn(row), self.wishes.get(row)
        whole: list[Cut] = []
        late: list[Cut] = []
        wanted = WHOLE if self._hard < CROWDED else FEW
        for candidate in islice(turn.drops, DRAWN * wanted):
            if candidate.off > 0.0 and late:
                yield from late
                whole, late = whole + late, []
            if not self._is_in_time(row, rests, candidate):
                late.append(candidate)
                continue
            whole.append(candidate)
            yield candidate
            if len(whole) >= wanted:
                break
        chances = [later(turn.pages, candidate) for candidate in whole + late]
        for i in range(max(map(len, chances), default=0)):
            yield from self._in_time(row, rests, (each[i] for each in chances if i < len(each)))
        hurried: list[Cut] = []
        for candidate in low(turn.pages, turn.place, wish, turn.rng) if whole or late else ():
            if self._is_in_time(row, rests, candidate):
                yield candidate
            else:
                hurried.append(candidate)
        yield from late
        yield from hurried

    def _in_time(self, row: int, rests: int, cuts: Iterable[Cut]) -> Iterator[Cut]:
        return (each for each in cuts if self._is_in_time(row, rests, each))

    def _is_in_time(self, row: int, rests: int, candidate: Cut) -> bool:
        if self.overhead is None:
            return candidate.steps <= rests
        left = rests - candidate.steps
        return left >= self.overhead.most(row) or (left > 0 and left >= self._before(row, candidate))

    def _before(self, row: int, candidate: Cut) -> int:
        """Steps before a body is let go so."""
        if self.overhead is None:
            return 0
        turn = self._turn(row)
        away = turn.pages.seen(candidate.motion).x[candidate.cut] - candidate.motion.x
        return self.overhead.least(row, turn.place.x + times(candidate.image.world, away))

    def _rest(self, row: int, stand: Stand) -> float:
        """m of the centre of mass over the ground."""
        ground = stand.ground
        body = int(self.model.geometry.part_body[ground.part])
        up = -self.model.gravity / norm(self.model.gravity)
        surface = self.model.start.x[body] + times(rotation_matrix(self.model.start.q[body]), ground.point)
        return float(times(self.model.start.x[row] - surface, up))

    def _coming(self, row: int, candidate: Cut, heavier: float, crowd: Crowd) -> Retargeted | None:
        """The motion in the scene, unless something is in its way."""
        start, ground = self.model.start, self.placing.stands[row].ground.part
        motion = candidate.motion.after(candidate.cut) if candidate.cut else candidate.motion
        states = self.placing.flown(row, motion.turned(candidate.image.world, heavier, start.x[row], start.q[row]))
        if not (crowd.is_clear(row, states.x, states.q) and crowd.misses_static(row, ground, states.x, states.q)):
            return None
        moved = self.placing.moved(row, motion, candidate.image, heavier)
        return Retargeted(moved, states) if self.placing.lies_on_ground(row, moved, states) else None


@dataclass
class _Turn:
    """What one body chooses from."""

    pages: Pages
    place: Spot
    drops: Iterator[Cut]  # that are still to be tried
    rng: np.random.Generator


def _with(way: np.ndarray, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Poses, and before them places in which the body is turned as in the first."""
    if not len(way):
        return x, q
    return np.concatenate([way, x]), np.concatenate([np.repeat(q[:1], len(way), axis=0), q])
