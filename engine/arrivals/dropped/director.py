"""From a brief to a tape of drops: every body that stands alone on level ground falls into its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import norm
from engine.arrivals.brief import Brief, Stopped
from engine.arrivals.dropped.assemble import Retargeted, tape_of
from engine.arrivals.dropped.crowd import Crowd
from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.ground import Ground, ground_of, lies_within
from engine.arrivals.dropped.library import Library, key_of, library
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.retarget import Image, images, resting_side
from engine.arrivals.dropped.setting import setting_on
from engine.arrivals.dropped.splice import alone, continued, start_energy, tail
from engine.arrivals.dropped.tuning import TUNING
from engine.arrivals.ending import touching
from engine.arrivals.hints import chain_of
from engine.arrivals.strategy import Made
from engine.arrivals.times import asked_times, drawn_time, in_order
from engine.decide.chance import draws
from engine.model.arrays import CIRCLE, State
from engine.params import PREDICTED
from engine.scene.spec import Shape
from engine.vec import turned_back

INVERSE = np.array([1.0, -1.0, -1.0, -1.0])  # of a quaternion, times this
NEVER_MOVES = 0  # first step at rest
FLAT = 1e-11  # m: a pose whose contacts all have gaps within this lies as drops come to lie


@dataclass(frozen=True)
class Stand:
    """A body that stands alone on level ground."""

    shape: Shape
    setting: Setting
    ground: Ground


def unsuited(brief: Brief) -> str:
    return "joints hold bodies together, so all go back at once" if len(brief.model.joints.kind) else ""


def standing_alone(brief: Brief) -> tuple[dict[int, Stand], dict[int, str]]:
    """Bodies that a drop may bring to their place, by row, and for the others why not, in the artist's words."""
    stands: dict[int, Stand] = {}
    why: dict[int, str] = {}
    model, contacts = brief.model, touching(brief.model)
    for row, body in brief.bodies.items():
        if body.static or row in brief.staying:
            continue
        mine = np.flatnonzero((contacts.a == row) | (contacts.b == row))
        reason = _reason(brief, row, contacts.b[mine], contacts.part_b[mine], contacts.gap[mine])
        ground = None if reason else ground_of(model, row, int(contacts.part_b[mine[0]]))
        if ground is None:
            why[row] = reason or "what it stands on is not level"
        else:
            stands[row] = Stand(body.shape, setting_on(model, brief.params.dt, body, row, ground.part), ground)
    return stands, why


def _reason(brief: Brief, row: int, others: np.ndarray, parts: np.ndarray, gaps: np.ndarray) -> str:
    model = brief.model
    if chain_of(brief.scene, brief.bodies[row]):
        return "it has a hint, and drops follow none"
    if model.start.v[row].any() or model.start.l[row].any():
        return "it moves at the ending"
    if not len(others):
        return "it touches nothing at the ending"
    if len(set(parts.tolist())) > 1 or (others == row).any() or model.bodies.inverse_mass[others[0]] > 0.0:
        return "it does not stand alone on the ground or on one thing that stays"
    if not model.gravity.any():
        return "nothing falls without gravity"
    if np.abs(gaps).max() > FLAT:
        return "it does not lie flat to the last bit; settle it first"
    return ""


def drop_in(brief: Brief) -> Made:
    """A take of drops. Bodies that no drop can bring in stay at rest, and the take says why."""
    return _Search(brief).run()


class _Search:
    def __init__(self, brief: Brief) -> None:
        self.brief, self.model, self.steps, self.seed = brief, brief.model, brief.steps, brief.seed
        self.params = brief.params._replace(landing=PREDICTED)
        self.stands, self.why = standing_alone(brief)
        self.rests = self._rests()
        self._droppers: dict[str, Dropper] = {}
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
        crowd = Crowd(self.model, self.steps, self.rests)
        for done, row in enumerate(sorted(self.stands)):
            told = int(done / len(self.stands) * self.steps)
            self.brief.tell(told)
            if self.rests[row] <= 0:
                continue
            found = self._arrival(row, crowd, told, attempt)
            if found is None:
                return {}, row
            arrivals[row] = found
            crowd.add(row, found.states)
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
        dropper = self._dropper(stand.setting)
        drops = self._library(stand, row, told)
        if not drops.motions:
            return None
        rng = draws(self.seed, "dropped", self.model.ids[row], attempt)
        energy = float(np.mean([start_energy(dropper, motion) for motion in drops.motions[:8]]))
        heavier = float(self.model.bodies.mass[row] / dropper.model.bodies.mass[ROW])
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
                states = self._flown(row, longer)
                if crowd.is_clear(row, states):
                    return Retargeted(longer, states)
        return None

    def _on_the_ground(self, row: int, motion: Motion, image: Image, heavier: float) -> Motion | None:
        """An image of the motion, or of as much of its end as touches only the ground that the body stands on."""
        ground, start = self.stands[row].ground, self.model.start
        up = -self.model.gravity / norm(self.model.gravity)
        for seconds in TUNING.tails if len(ground.outline) else TUNING.tails[:1]:
            end = tail(motion, seconds, self.params.dt)
            moved = end.moved(image.world, image.body, heavier, start.x[row], start.q[row], ground)
            states = self._flown(row, moved)
            step = np.repeat(moved.step, np.diff(moved.start))
            points = states.x[step] + turned_back(states.q[step] * INVERSE, moved.contacts["point_a"])
            reach = np.where(moved.contacts["kind_a"] == CIRCLE, moved.contacts["circle_a"], 0.0)
            if lies_within(ground, up, points, reach):
                return moved
        return None

    def _is_clear(self, row: int, end: Motion, crowd: Crowd) -> bool:
        states = self._flown(row, end)
        return crowd.misses_static(row, self.stands[row].ground.part, states) and crowd.is_clear(row, states)

    def _meets_only_static(self, motion: Motion) -> bool:
        bodies = self.model.geometry.part_body[motion.contacts["part_b"]]
        return not (self.model.bodies.inverse_mass[bodies] > 0.0).any()

    def _flown(self, row: int, motion: Motion) -> State:
        return motion.flown(self.params, self.model.bodies, row)

    def _dropper(self, setting: Setting) -> Dropper:
        key = key_of(setting, None, 0)
        if key not in self._droppers:
            self._droppers[key] = Dropper(setting)
        return self._droppers[key]

    def _library(self, stand: Stand, row: int, told: int) -> Library:
        side = resting_side(self.model.start.q[row])
        key = key_of(stand.setting, side, 0)
        if key not in self._libraries:

            def heard(found: int, wanted: int) -> bool:
                self.brief.tell(told)
                return True

            self._libraries[key] = library(stand.setting, side, TUNING.drops, progress=heard)
        return self._libraries[key]
