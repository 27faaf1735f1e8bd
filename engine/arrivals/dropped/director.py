"""From a scene to a tape of drops: every body that stands alone on level ground falls into its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.arrivals.dropped.assemble import Arrival, tape_of
from engine.arrivals.dropped.crowd import Crowd
from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.ground import Ground, ground_of, lies_within
from engine.arrivals.dropped.library import Library, key_of, library
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.retarget import Image, images, resting_side
from engine.arrivals.dropped.setting import setting_on
from engine.arrivals.dropped.splice import alone, continued, start_energy, tail
from engine.arrivals.ending import touching
from engine.arrivals.hints import chain_of
from engine.arrivals.together import FIRST_REST, LAST_SHARE
from engine.arrivals.turns import in_turn
from engine.decide.chance import draws
from engine.model.arrays import CIRCLE, State
from engine.model.compile import Model
from engine.params import PREDICTED, Params
from engine.scene.spec import Body, Scene, Shape
from engine.tape.tape import Tape
from engine.vec import turned_back

TAILS = (np.inf, 0.5, 0.3, 0.2)  # s: the whole drop, or its end where the ground is not wide enough
INVERSE = np.array([1.0, -1.0, -1.0, -1.0])  # of a quaternion, times this
COUNT = 100  # drops of a side to choose from; with so many the eye sees no difference to all there are
TRIES, EXACT_TRIES = 60, 40  # images of drops until a body gives up; the first ones with authored coefficients only
ATTEMPTS = 3  # to place all bodies before one that finds no way stays at rest
NEVER_MOVES = 0  # first step at rest
FLAT = 1e-11  # m: a pose whose contacts all have gaps within this lies as drops come to lie


@dataclass(frozen=True)
class Stand:
    """A body that stands alone on level ground."""

    shape: Shape
    setting: Setting
    ground: Ground


@dataclass(frozen=True)
class Dropped:
    tape: Tape
    notes: tuple[str, ...]
    stopped: str | None


def standing_alone(scene: Scene, model: Model, params: Params) -> tuple[dict[int, Stand], dict[int, str]]:
    """Bodies that a drop may bring to their place, by row, and for the others why not, in the artist's words."""
    stands: dict[int, Stand] = {}
    why: dict[int, str] = {}
    contacts = touching(model)
    for body, row in zip(scene.bodies, model.row_of, strict=True):
        if body.static or body.leaves == "never":
            continue
        mine = np.flatnonzero((contacts.a == row) | (contacts.b == row))
        reason = _reason(scene, model, body, int(row), contacts.b[mine], contacts.part_b[mine], contacts.gap[mine])
        ground = None if reason else ground_of(model, int(row), int(contacts.part_b[mine[0]]))
        if ground is None:
            why[int(row)] = reason or "what it stands on is not level"
        else:
            setting = setting_on(model, params.dt, body, int(row), ground.part)
            stands[int(row)] = Stand(body.shape, setting, ground)
    return stands, why


def _reason(
    scene: Scene, model: Model, body: Body, row: int, others: np.ndarray, parts: np.ndarray, gaps: np.ndarray
) -> str:
    if chain_of(scene, body):
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


class Stopped(Exception):
    """The artist does not want to wait."""


def drop_in(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    seed: int,
    progress: Callable[[int, int], bool | None] | None,
) -> Dropped:
    """A take of drops. Bodies that no drop can bring in stay at rest, and the take says why."""
    return _Search(scene, model, params._replace(landing=PREDICTED), steps, seed, progress).run()


class _Search:
    def __init__(
        self, scene: Scene, model: Model, params: Params, steps: int, seed: int,
        progress: Callable[[int, int], bool | None] | None,
    ) -> None:  # fmt: skip
        self.scene, self.model, self.params, self.steps, self.seed = scene, model, params, steps, seed
        self.stands, self.why = standing_alone(scene, model, params)
        self.rests = self._rests()
        self.progress = progress
        self._droppers: dict[str, Dropper] = {}
        self._libraries: dict[str, Library] = {}

    def run(self) -> Dropped:
        notes = [f'"{self.model.names[row]}" stays at rest: {why}' for row, why in sorted(self.why.items())]
        stopped = None
        arrivals: dict[int, Arrival] = {}
        try:
            for attempt in range(ATTEMPTS * len(self.stands) + 1):
                arrivals, stuck = self._place_all(attempt)
                if stuck is None:
                    break
                if (attempt + 1) % ATTEMPTS == 0:
                    notes.append(f'"{self.model.names[stuck]}" stays at rest: no drop finds a way to it')
                    self.rests[stuck] = NEVER_MOVES
        except Stopped:
            arrivals, stopped = {}, f"stopped on request after 0 of {self.steps} steps"
        tape = tape_of(self.model, self.params, self.steps, arrivals, self.rests)
        return Dropped(tape, tuple(notes), stopped)

    def _place_all(self, attempt: int) -> tuple[dict[int, Arrival], int | None]:
        """An arrival for every body in turn, and the body that finds none, where they have to be placed anew."""
        arrivals: dict[int, Arrival] = {}
        crowd = Crowd(self.model, self.steps, self.rests)
        for done, row in enumerate(sorted(self.stands)):
            share = done / len(self.stands)
            self._tell(share)
            if self.rests[row] <= 0:
                continue
            found = self._arrival(row, crowd, share, attempt)
            if found is None:
                return {}, row
            arrivals[row] = found
            crowd.add(row, found.states)
        return arrivals, None

    def _tell(self, share: float) -> None:
        if self.progress is not None and self.progress(int(share * self.steps), self.steps) is False:
            raise Stopped

    def _rests(self) -> dict[int, int]:
        """First step at rest, by row."""
        bodies = {int(row): body for body, row in zip(self.scene.bodies, self.model.row_of, strict=True)}
        last = max(FIRST_REST, LAST_SHARE * self.steps * self.params.dt)
        drawn = {
            row: float(draws(self.seed, "rest", bodies[row].id).uniform(FIRST_REST, last))
            for row in self.stands
            if bodies[row].arrival is None
        }
        times = {row: float(bodies[row].arrival or 0.0) for row in self.stands}
        times |= in_turn(self.scene, self.model, drawn)
        return {row: min(self.steps - 1, self.steps - round(time / self.params.dt)) for row, time in times.items()}

    def _arrival(self, row: int, crowd: Crowd, share: float, attempt: int) -> Arrival | None:
        stand, rest = self.stands[row], self.rests[row]
        dropper = self._dropper(stand.setting)
        drops = self._library(stand, row, share)
        if not drops.motions:
            return None
        rng = draws(self.seed, "dropped", self.model.ids[row], attempt)
        energy = float(np.mean([start_energy(dropper, motion) for motion in drops.motions[:8]]))
        heavier = float(self.model.bodies.mass[row] / dropper.model.bodies.mass[ROW])
        held = alone(self.model, row)
        for tried in range(TRIES):
            motion = drops.motions[int(rng.integers(len(drops.motions)))]
            found = images(stand.shape, motion, self.model.start.q[row], float(rng.uniform(0.0, 2.0 * np.pi)))
            image = found[int(rng.integers(len(found)))]
            moved = self._on_the_ground(row, motion, image, heavier)
            if moved is None or not self._is_clear(row, moved, crowd):
                continue  # no need to look at what came before
            tuned = tried >= EXACT_TRIES
            longer = continued(held, self.params, row, moved, rest, heavier * energy, tuned)
            if longer is not None and self._meets_only_static(longer):
                states = self._flown(row, longer)
                if crowd.is_clear(row, states):
                    return Arrival(longer, states)
        return None

    def _on_the_ground(self, row: int, motion: Motion, image: Image, heavier: float) -> Motion | None:
        """An image of the motion, or of as much of its end as touches only the ground that the body stands on."""
        ground, start = self.stands[row].ground, self.model.start
        up = -self.model.gravity / np.linalg.norm(self.model.gravity)
        for seconds in TAILS if len(ground.outline) else TAILS[:1]:
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

    def _library(self, stand: Stand, row: int, share: float) -> Library:
        side = resting_side(self.model.start.q[row])
        key = key_of(stand.setting, side, 0)
        if key not in self._libraries:

            def heard(found: int, wanted: int) -> bool:
                self._tell(share)
                return True

            self._libraries[key] = library(stand.setting, side, COUNT, progress=heard)
        return self._libraries[key]
