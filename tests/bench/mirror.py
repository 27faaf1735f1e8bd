"""Mirror Euler beside the exact inverse: run it with the same director, and ask one forward step of each state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.options import Options
from engine.arrivals.together.plan import plan_run
from engine.collide.detect import Detector
from engine.contact.energy import measure
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene
from engine.params import Params, make_params
from engine.scene.spec import Scene
from engine.spin import spin_of
from engine.step.forward import forward_step
from engine.step.scratch import enlarge, forget, make_scratch
from engine.vec import quat_row, row
from tests.bench.mirror_euler import mirror_step

REPRODUCED = 1e-8  # m/s


@dataclass(frozen=True)
class Inversion:
    """How well a forward step from each state gives the next one."""

    steps: int
    contact_steps: int  # with a contact at either end
    reproduced: int  # of them, to REPRODUCED in every body's velocity (spin at its surface included)
    largest: float  # m/s
    summed: float  # m/s, over steps

    @property
    def share(self) -> float:
        return self.reproduced / self.contact_steps if self.contact_steps else 1.0


def mirror_run(
    scene: Scene, seconds: float, dt: float, options: Options, seed: int = 0
) -> tuple[Model, Params, list[State]]:
    """States of a backward run by mirror Euler, in forward time; it ends early where it diverges."""
    model, params = compile_scene(scene), make_params(dt, scene.gravity)
    steps = max(1, round(seconds / dt))
    plan = plan_run(Brief(scene, model, params, steps, seconds, seed, options))[0]
    s = make_scratch(model)
    states = [copy_state(model.start)]
    for k in range(steps):
        before = copy_state(states[-1])
        while status := mirror_step(s, plan, (k + 1) * dt, params, states[-1], before)[0]:
            s = enlarge(s, status)
        if measure(model.bodies, params, before)[2] > params.max_speed:
            break
        states.append(before)
    return model, params, states[::-1]


def inversion(model: Model, params: Params, states: Sequence[State]) -> Inversion:
    """Compare a cold forward step from every state with the state after it."""
    s = make_scratch(model)
    detector = Detector(model.geometry, model.bodies.inverse_mass, 4 * len(s.base))
    contact_steps = reproduced = 0
    largest = summed = 0.0
    for i in range(len(states) - 1):
        forget(s)
        came_from, after = states[max(i - 1, 0)], copy_state(states[i])
        while status := forward_step(s, params, came_from, states[i], after, False)[0]:
            s = enlarge(s, status)
        error = _velocity_error(model, after, states[i + 1])
        largest, summed = max(largest, error), summed + error
        touching = s.found > 0 or _touches(detector, params, states[i + 1], states[i])
        contact_steps += touching
        reproduced += touching and error <= REPRODUCED
    return Inversion(len(states) - 1, contact_steps, reproduced, largest, summed)


def _touches(detector: Detector, params: Params, state: State, came_from: State) -> bool:
    return detector.find(state.x, state.q, came_from.x, came_from.q, ~detector.is_static, params.slop) > 0


def _velocity_error(model: Model, found: State, expected: State) -> float:
    """Largest difference over bodies, m/s: of the centre's velocity, and of the surface's through spin."""
    worst = 0.0
    for body in np.flatnonzero(model.bodies.inverse_mass > 0.0):
        w = [
            np.array(spin_of(quat_row(state.q, body), model.bodies.inverse_inertia, body, row(state.l, body)))
            for state in (found, expected)
        ]
        turn = float(np.linalg.norm(w[0] - w[1])) * float(model.bodies.size[body])
        worst = max(worst, float(np.linalg.norm(found.v[body] - expected.v[body])) + turn)
    return worst
