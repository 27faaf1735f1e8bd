"""Drops: one body let go over a level plane, forward, under the law that predicts landings, until it rests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.dropped.motion import Motion, motion_of
from engine.arrivals.dropped.tuning import TUNING
from engine.certificate.audit import Report, certify
from engine.decide.chance import draws, normals
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene
from engine.params import PREDICTED, Params, make_params
from engine.scene.spec import Body, Material, Scene, Shape
from engine.shapes.turns import rotation_matrix
from engine.status import DIVERGED, REEL_FULL
from engine.step.scratch import enlarge, forget, make_scratch
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS
from engine.tape.stepping import forward_steps
from engine.tape.take import Take

ROW = 0  # of the body; the ground is the other one


@dataclass(frozen=True)
class Setting:
    """What drops depend on: the body, what it falls on, gravity and the step."""

    shape: Shape
    friction: float
    restitution: float
    rolling: float  # m
    gravity: float  # m/s^2
    dt: float
    friction_range: tuple[float, float] | None = None  # for what comes before a drop: it may be tuned
    restitution_range: tuple[float, float] | None = None

    def scene(self) -> Scene:
        material = Material(
            friction=self.friction,
            restitution=self.restitution,
            rolling_friction=self.rolling,
            friction_range=self.friction_range,
            restitution_range=self.restitution_range,
        )
        return Scene([Body("it", self.shape, material=material, id="it")], gravity=(0.0, 0.0, -self.gravity))

    def params(self) -> Params:
        return make_params(self.dt, (0.0, 0.0, -self.gravity), PREDICTED)


@dataclass(frozen=True)
class Dropped:
    """A run and its verdict; no motion when the body did not come to rest."""

    take: Take
    report: Report
    motion: Motion | None

    @property
    def is_sound(self) -> bool:
        """It came to rest, and every contact step obeys the authored law."""
        return self.motion is not None and self.report.exact_fraction == 1.0 and self.report.assist == 0.0


class Dropper:
    """Lets one body fall again and again; what a step needs is made once."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.params, self.scene = setting, setting.params(), setting.scene()
        self.model: Model = compile_scene(self.scene)
        self._scratch = make_scratch(self.model)

    @property
    def _longest(self) -> float:
        """s"""
        size = float(self.model.bodies.size[ROW])
        return max(TUNING.longest, TUNING.longest_large * float(np.sqrt(size / self.setting.gravity)))

    def start(self, seed: int, number: int) -> State:
        """A random start: any orientation, heights and speeds in proportion to the body."""
        rng = draws(seed, "drop", number)
        size, g = float(self.model.bodies.size[ROW]), self.setting.gravity
        state = copy_state(self.model.start)
        turn = normals(rng, 4)
        state.q[ROW] = turn / norm(turn)
        state.x[ROW] = 0.0, 0.0, size * rng.uniform(TUNING.lowest, TUNING.highest)
        state.v[ROW] = normals(rng, 3) * np.sqrt(g * size) * TUNING.speed
        spin = normals(rng, 3) * TUNING.spin * np.sqrt(g / size)
        axes = rotation_matrix(state.q[ROW])
        state.l[ROW] = times(axes, times(self.model.bodies.inertia[ROW], times(axes.T, spin)))
        return state

    def run(self, start: State) -> Dropped:
        """Let go in `start`, and certify what happened."""
        take = self._fall(start)
        return Dropped(take, certify(take), motion_of(take.tape, take.model, ROW))

    def sound_motion(self, start: State, wanted: Callable[[np.ndarray], bool]) -> Motion | None:
        """The motion from `start`, if it ends in a wanted orientation and every step of it is certified EXACT."""
        take = self._fall(start)
        if not wanted(take.tape.state(take.tape.steps).q[ROW]):
            return None
        found = Dropped(take, certify(take), motion_of(take.tape, take.model, ROW))
        return found.motion if found.is_sound else None

    def _fall(self, start: State) -> Take:
        model, params = replace(self.model, start=start), self.params
        forget(self._scratch)
        state, after, came_from = copy_state(start), copy_state(start), copy_state(start)
        recorder = Recorder(model, params, state, 0.0, backward=False)
        pending = False
        while recorder.done + recorder.in_block < round(self._longest / params.dt):
            recorder.in_block, status = forward_steps(
                self._scratch, params, recorder.reel, recorder.in_block, BLOCK_STEPS, pending, True, False, came_from,
                state, after,
            )  # fmt: skip
            pending = status == REEL_FULL
            if status == DIVERGED:
                break
            if pending:
                recorder.enlarge()
            elif status:
                self._scratch = enlarge(self._scratch, status)
            else:
                recorder.close_block(state)
                if self._scratch.asleep[ROW]:
                    break
        tape = recorder.finish(state)
        return Take(self.scene, model, tape, tape.steps * params.dt, 0, backward=False)
