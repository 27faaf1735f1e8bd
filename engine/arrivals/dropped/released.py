"""Drops that are let go: every body that stands alone on level ground comes in by a drop of its own length.

Nothing is put before a drop. Its first state is where a hand let go; before that the body is not there, so bodies are
in each other's way only while they fly and once they lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

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
from engine.decide.chance import draws
from engine.scene.fingerprint import words_of
from engine.shapes.turns import rotation_matrix

WHOLE, FEW = 30, 2  # drops to try from their start on, and where bodies lie so close that most run into others
CROWDED, LATELY = 3.0, 0.1  # tries that tell so, and how much the last body counts
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
    """Drops for bodies `rows` that rest from step rests[row] on, one after another, each clear of all before.

    rests may know others who come in some other way: they are in the way from their rest on. Whoever is not in it is
    there all the time. The same brief and attempt give the same bits."""
    return _Search(brief, placing or Placing(brief), rests, wishes or {}, attempt).run(sorted(rows))


class _Search:
    def __init__(
        self, brief: Brief, placing: Placing, rests: Mapping[int, int], wishes: Mapping[int, Wish], attempt: int
    ) -> None:
        self.brief, self.placing, self.rests, self.wishes, self.attempt = brief, placing, rests, wishes, attempt
        self.model = brief.model
        times = EARLY * np.sqrt(brief.model.bodies.size / max(norm(brief.model.gravity), 1e-300))
        self.crowd = Crowd(brief.model, rests, {row: int(times[row] / brief.params.dt) for row in rests})
        self._pages: dict[str, Pages] = {}
        self._told = 0
        self._hard = 0.0  # tries that bodies have needed lately

    def run(self, rows: list[int]) -> Released:
        found = Released()
        for row in rows:
            if row not in self.placing.stands:
                found.why[row] = self.placing.why.get(row, "it stays where it is")
        rows = [row for row in rows if row in self.placing.stands]
        kinds = self._kinds(rows)
        for done, row in enumerate(rows):
            self._told = int(done / len(rows) * self.brief.steps)
            self.brief.tell(self._told)
            pages = self._of_kind(row, kinds)
            came = self._arrival(row, pages)
            if came is None:
                found.why[row] = NO_WAY if pages.motions else NO_DROP
                continue
            found.arrivals[row], missed = came
            if missed:
                found.missed[row] = missed
            self.crowd.add(row, found.arrivals[row].states)
        return found

    def _kinds(self, rows: list[int]) -> dict[int, str]:
        """Bodies that share their drops have the same name of a library."""
        keys: dict[object, str] = {}
        kinds = {}
        for row in rows:
            setting, side = self.placing.stands[row].setting, resting_side(self.model.start.q[row])
            numbers = (setting.friction, setting.restitution, setting.rolling, tuple(np.round(side, 9).tolist()))
            same = (words_of(setting.shape), *numbers)
            if same not in keys:
                keys[same] = key_of(setting, side, 0)
            kinds[row] = keys[same]
        return kinds

    def _of_kind(self, row: int, kinds: Mapping[int, str]) -> Pages:
        kind = kinds[row]
        if kind not in self._pages:
            dropper = self.placing.dropper(self.placing.stands[row].setting)
            side, bodies = resting_side(self.model.start.q[row]), sum(other == kind for other in kinds.values())
            rest = self._rest(row, self.placing.stands[row])
            self._pages[kind] = Pages(dropper, side, rest, self.brief.seed, bodies, lambda: self.brief.tell(self._told))
        return self._pages[kind]

    def _arrival(self, row: int, pages: Pages) -> tuple[Retargeted, Mapping[str, float]] | None:
        stand, start = self.placing.stands[row], self.model.start
        rng = draws(self.brief.seed, "released", self.model.ids[row], self.attempt)
        place = Spot(stand.shape, start.x[row], start.q[row], self._rest(row, stand))
        heavier = self.placing.heavier(row)
        for tried, candidate in enumerate(self._in_turn(pages, place, self.wishes.get(row), rng)):
            came = self._coming(row, candidate, heavier)
            if came is not None:
                self._hard += LATELY * (tried - self._hard)
                return came, candidate.missed
        return None

    def _in_turn(self, pages: Pages, place: Spot, wish: Wish | None, rng: np.random.Generator) -> Iterator[Cut]:
        """Whole drops, then later releases of the same, the earliest of each first, then drops from near the ground."""
        tried: list[Cut] = []
        whole = WHOLE if self._hard < CROWDED else FEW
        for candidate in islice(candidates(pages, place, wish, rng), whole):
            tried.append(candidate)
            yield candidate
        chances = [later(pages, candidate) for candidate in tried]
        for i in range(max(map(len, chances), default=0)):
            yield from (each[i] for each in chances if i < len(each))
        if tried:
            yield from low(pages, place, wish, rng)

    def _rest(self, row: int, stand: Stand) -> float:
        """m of the centre of mass over the ground."""
        ground = stand.ground
        body = int(self.model.geometry.part_body[ground.part])
        up = -self.model.gravity / norm(self.model.gravity)
        surface = self.model.start.x[body] + times(rotation_matrix(self.model.start.q[body]), ground.point)
        return float(times(self.model.start.x[row] - surface, up))

    def _coming(self, row: int, candidate: Cut, heavier: float) -> Retargeted | None:
        """The motion in the scene, unless something is in its way."""
        motion = candidate.motion.after(candidate.cut) if candidate.cut else candidate.motion
        start = self.model.start
        turned = motion.turned(candidate.image.world, heavier, start.x[row], start.q[row])
        states = self.placing.flown(row, turned)
        ground = self.placing.stands[row].ground.part
        if not (self.crowd.is_clear(row, states) and self.crowd.misses_static(row, ground, states)):
            return None  # most often: contacts need not be moved for that
        moved = self.placing.moved(row, motion, candidate.image, heavier)
        return Retargeted(moved, states) if self.placing.lies_on_ground(row, moved, states) else None
