"""From a brief to a tape of drops: every body that stands alone on level ground falls into its place."""

from __future__ import annotations

import numpy as np

from engine.arrivals.brief import Brief, Stopped
from engine.arrivals.dropped.assemble import Retargeted, tape_of
from engine.arrivals.dropped.crowd import Crowd
from engine.arrivals.dropped.library import Library, key_of, library
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.placing import Placing
from engine.arrivals.dropped.retarget import Image, images, resting_side
from engine.arrivals.dropped.splice import alone, continued, start_energy, tail
from engine.arrivals.dropped.stands import Stand
from engine.arrivals.dropped.tuning import TUNING
from engine.arrivals.strategy import Made
from engine.arrivals.times import asked_times, drawn_time, in_order
from engine.decide.chance import draws

NEVER_MOVES = 0  # first step at rest


def unsuited(brief: Brief) -> str:
    return "joints hold bodies together, so all go back at once" if len(brief.model.joints.kind) else ""


def drop_in(brief: Brief) -> Made:
    """A take of drops. Bodies that no drop can bring in stay at rest, and the take says why."""
    return _Search(brief).run()


class _Search:
    def __init__(self, brief: Brief) -> None:
        self.brief, self.model, self.steps, self.seed = brief, brief.model, brief.steps, brief.seed
        self.placing = Placing(brief)
        self.params, self.stands, self.why = self.placing.params, self.placing.stands, self.placing.why
        self.rests = self._rests()
        self._libraries: dict[str, Library] = {}

    def run(self) -> Made:
        notes = [f'"{self.model.names[row]}" stays at rest: {why}' for row, why in sorted(self.why.items())]
        stopped = None
        arrivals: dict[int, Retargeted] = {}
        try:
            for attempt in range(TUNING.attempts * len(self.stands) + 1):
                arrivals, stuck = self._place_all(attempt)
                if stuck is None:
                    break
                if (attempt + 1) % TUNING.attempts == 0:
                    notes.append(f'"{self.model.names[stuck]}" stays at rest: no drop finds a way to it')
                    self.rests[stuck] = NEVER_MOVES
        except Stopped:
            arrivals, stopped = {}, self.brief.stopped_after(0)
        tape = tape_of(self.model, self.params, self.steps, arrivals, self.rests)
        return Made(tape, tuple(notes), stopped)

    def _place_all(self, attempt: int) -> tuple[dict[int, Retargeted], int | None]:
        """An arrival for every body in turn, and the body that finds none, where they have to be placed anew."""
        arrivals: dict[int, Retargeted] = {}
        crowd = Crowd(self.model, self.rests)
        for done, row in enumerate(sorted(self.stands)):
            told = int(done / len(self.stands) * self.steps)
            self.brief.tell(told)
            if self.rests[row] <= 0:
                continue
            found = self._arrival(row, crowd, told, attempt)
            if found is None:
                return {}, row
            arrivals[row] = found
            crowd.add(row, found.states.x, found.states.q)
        return arrivals, None

    def _rests(self) -> dict[int, int]:
        """First step at rest, by row."""
        scene, ids = self.brief.scene, self.model.ids
        times = {row: time for row, time in asked_times(scene, self.model).items() if row in self.stands}
        within = TUNING.last_share * self.steps * self.params.dt
        drawn = {row: drawn_time(draws(self.seed, "rest", ids[row]), within) for row in self.stands if row not in times}
        times |= in_order(scene, self.model, drawn)
        return {row: min(self.steps - 1, self.steps - round(time / self.params.dt)) for row, time in times.items()}

    def _arrival(self, row: int, crowd: Crowd, told: int, attempt: int) -> Retargeted | None:
        stand, rest = self.stands[row], self.rests[row]
        dropper = self.placing.dropper(stand.setting)
        drops = self._library(stand, row, told)
        if not drops.motions:
            return None
        rng = draws(self.seed, "dropped", self.model.ids[row], attempt)
        energy = float(np.mean([start_energy(dropper, motion) for motion in drops.motions[:8]]))
        heavier = self.placing.heavier(row)
        held = alone(self.model, row)
        for tried in range(TUNING.tries):
            motion = drops.motions[int(rng.integers(len(drops.motions)))]
            found = images(stand.shape, motion, self.model.start.q[row], float(rng.uniform(0.0, 2.0 * np.pi)))
            image = found[int(rng.integers(len(found)))]
            moved = self._on_the_ground(row, motion, image, heavier)
            if moved is None or not self._is_clear(row, moved, crowd):
                continue  # no need to look at what came before
            tuned = tried >= TUNING.exact_tries
            longer = continued(held, self.params, row, moved, rest, heavier * energy, tuned)
            if longer is not None and self._meets_only_static(longer):
                states = self.placing.flown(row, longer)
                if crowd.is_clear(row, states.x, states.q):
                    return Retargeted(longer, states)
        return None

    def _on_the_ground(self, row: int, motion: Motion, image: Image, heavier: float) -> Motion | None:
        """An image of the motion, or of as much of its end as touches only the ground that the body stands on."""
        bounded = len(self.stands[row].ground.outline) > 0
        for seconds in TUNING.tails if bounded else TUNING.tails[:1]:
            moved = self.placing.moved(row, tail(motion, seconds, self.params.dt), image, heavier)
            if self.placing.lies_on_ground(row, moved, self.placing.flown(row, moved)):
                return moved
        return None

    def _is_clear(self, row: int, end: Motion, crowd: Crowd) -> bool:
        states, ground = self.placing.flown(row, end), self.stands[row].ground.part
        return crowd.misses_static(row, ground, states.x, states.q) and crowd.is_clear(row, states.x, states.q)

    def _meets_only_static(self, motion: Motion) -> bool:
        bodies = self.model.geometry.part_body[motion.contacts["part_b"]]
        return not (self.model.bodies.inverse_mass[bodies] > 0.0).any()

    def _library(self, stand: Stand, row: int, told: int) -> Library:
        side = resting_side(self.model.start.q[row])
        key = key_of(stand.setting, side, 0)
        if key not in self._libraries:

            def heard(found: int, wanted: int) -> bool:
                self.brief.tell(told)
                return True

            self._libraries[key] = library(stand.setting, side, TUNING.drops, progress=heard)
        return self._libraries[key]
