"""The director: who decides what happened. First version: hints, arrival times, support order, random launches, and a
policy for the coefficients of collisions. (Look-ahead, statistics and sampling will stand beside these files.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from engine.contact.kick import body_speed
from engine.direct.chance import draws
from engine.direct.coefficients import Coefficients, PolicyName
from engine.direct.hints import hinted_launches
from engine.direct.launch import Launch, ask, from_the_open_side, random_launch
from engine.direct.support import CONSTRAINED, UNTOUCHED, support_of
from engine.model.arrays import State
from engine.model.compile import Model
from engine.params import Params
from engine.scene.spec import Scene
from engine.step.scratch import Scratch
from engine.step.stage_kernels import body_energy
from engine.vec import rotation_matrix

BUDGET_HEIGHTS = 4.5
"""Default energy budget of a body: m g times this many heights of its centre of mass over its lowest point."""

FIRST_REST = 0.05  # s. Nobody leaves rest later than this before the end unless asked to: the ending is seen at rest.
LAST_SHARE = 0.3  # undirected bodies arrive within this share of the take, counted from its end


@dataclass
class Options:
    """What a run may be asked besides the scene."""

    policy: PolicyName = "budget"
    launch: bool = True  # let undirected bodies leave rest
    angular_damping: float = 0.0  # 1/s, the paper's; an outside torque on every step (ASSISTED)
    budget_heights: float = BUDGET_HEIGHTS

    def __post_init__(self) -> None:
        if self.policy not in get_args(PolicyName):
            raise ValueError(f"policy must be one of {', '.join(get_args(PolicyName))}, not {self.policy!r}")


@dataclass
class Director:
    """Decides at every step of one backward run."""

    model: Model
    params: Params
    coefficients: Coefficients
    launches: dict[int, Launch]
    options: Options
    left: set[int] = field(default_factory=set)  # bodies that have left rest, or tried to
    leaving: list[int] = field(default_factory=list)  # those of the step being decided
    stuck: list[int] = field(default_factory=list)  # those whose launch moved nothing
    time: float = 0.0  # s before the end of the configuration being decided

    def due(self, t: float) -> np.ndarray:
        """Bodies that should leave rest at t seconds before the end or have been waiting to."""
        bodies = [b for b, launch in self.launches.items() if launch.time <= t + 1e-12 and b not in self.left]
        return np.array(sorted(bodies), np.int64)

    def decide(self, s: Scratch, state: State) -> None:
        """Coefficients and goals of the contacts in the scratch; `state` has the velocities after the kick."""
        self.coefficients.choose(s, state, self.time)
        self._hold_slides(s)
        c = s.contacts
        for body in self.due(self.time):
            support = support_of(body, s.count, c.a, c.b, c.normal, s.kick.hold)
            if support == CONSTRAINED:
                continue
            launch = self.launches[int(body)]
            velocity = launch.velocity
            if launch.drawn:
                velocity = from_the_open_side(s.count, c, s.kick, body, velocity, self.params.rest_speed)
            asked = ask(s.count, c, s.kick, body, velocity, launch.spin, state.x, self.params.rest_speed,
                        launch.slide, launch.roll)  # fmt: skip
            if asked or support == UNTOUCHED:
                self.left.add(int(body))
                self.leaving.append(int(body))

    def _hold_slides(self, s: Scratch) -> None:
        """A sliding body that has reached its asked-for speed slides on with the least friction it may have."""
        for body, launch in self.launches.items():
            if launch.slide and body in self.left and math.isfinite(launch.fastest):
                touches = (s.contacts.a[: s.count] == body) | (s.contacts.b[: s.count] == body)
                fast = np.linalg.norm(s.kick.slide[: s.count], axis=1) >= launch.fastest
                at = np.flatnonzero(touches & fast)
                s.kick.friction[at] = s.material.friction_low[at]

    def watch(self, before: State) -> None:
        """Note who was to leave rest in this step and did not."""
        bodies = self.model.bodies
        for body in self.leaving:
            speed = body_speed(body, bodies.size, before.q, bodies.inverse_inertia, before.v, before.l)
            if speed <= self.params.rest_speed:
                self.stuck.append(body)
        self.leaving.clear()

    def left_undone(self, seconds: float) -> tuple[str, ...]:
        """What was asked for and did not happen within a take of `seconds`, in the artist's words."""
        notes = []
        for body, launch in sorted(self.launches.items()):
            name = self.model.names[body]
            if body in self.stuck:
                notes.append(
                    f'"{name}" stays at rest: nothing like its hint can end there (a roll needs rolling friction; '
                    "a body cannot have come out of what it rests on)"
                )
            elif body not in self.left and launch.time > seconds:
                notes.append(f'"{name}" stays at rest: it arrives {launch.time:g} s before the end of {seconds:g} s')
            elif body not in self.left:
                notes.append(f'"{name}" stays at rest: something holds it in place')
        return tuple(notes)

    def outside(self, state: State) -> tuple[np.ndarray, np.ndarray] | None:
        """Outside change of velocity, added to the velocities before the kick (the paper's damping), or None."""
        if self.options.angular_damping == 0.0:
            return None
        factor = self.options.angular_damping * self.params.dt
        return np.zeros_like(state.v), -factor * state.l


def make_director(scene: Scene, model: Model, params: Params, seconds: float, seed: int, options: Options) -> Director:
    height, energy = _heights_and_energies(model, params)
    gravity = float(np.linalg.norm(model.gravity))
    moving = model.bodies.inverse_mass > 0.0
    budget = np.where(moving, options.budget_heights * np.where(moving, model.bodies.mass, 0.0) * gravity * height, 0.0)
    launches = hinted_launches(scene, model, params)
    if options.launch:
        _add_random_launches(scene, model, seconds, seed, height, launches)
    return Director(
        model=model,
        params=params,
        coefficients=Coefficients(options.policy, budget, energy, {}),
        launches=launches,
        options=options,
    )


def _add_random_launches(
    scene: Scene, model: Model, seconds: float, seed: int, height: np.ndarray, launches: dict[int, Launch]
) -> None:
    """A landing for every resting body that no hint speaks of; its arrival time is the asked-for or a drawn one."""
    gravity = float(np.linalg.norm(model.gravity))
    if gravity == 0.0:
        return
    up = -model.gravity / gravity
    for body in scene.bodies:
        i = model.index(body)
        at_rest = not np.any(model.start.v[i]) and not np.any(model.start.l[i])
        if body.static or not at_rest or i in launches:
            continue
        rng = draws(seed, "launch", body.name)
        drawn = float(rng.uniform(FIRST_REST, max(FIRST_REST, LAST_SHARE * seconds)))
        time = drawn if body.arrival is None else float(body.arrival)
        energy = 0.5 * BUDGET_HEIGHTS * gravity * float(height[i])
        launches[i] = random_launch(i, time, energy, body.material.friction, float(model.bodies.size[i]), up, rng)


def _heights_and_energies(model: Model, params: Params) -> tuple[np.ndarray, np.ndarray]:
    """Height (m) of each centre of mass over the body's lowest point at the ending, and its energy (J) there."""
    n = len(model.names)
    geometry = model.geometry
    height, energy = np.zeros(n), np.zeros(n)
    gravity = np.linalg.norm(model.gravity)
    down = model.gravity / gravity if gravity > 0.0 else np.array([0.0, 0.0, -1.0])
    for part, body in enumerate(geometry.part_body):
        if model.bodies.inverse_mass[body] == 0.0:
            continue
        turn = rotation_matrix(model.start.q[body])
        verts = geometry.verts[geometry.vert_start[part] : geometry.vert_start[part + 1]]
        if len(verts):
            reach = float((verts @ turn.T @ down).max())
        else:
            axis = abs(float(turn @ geometry.part_axis[part] @ down))
            core = geometry.part_half[part] * axis
            round_ = geometry.part_radius[part]
            reach = float(turn @ geometry.part_center[part] @ down) + core + round_
        height[body] = max(height[body], reach)
    for body in np.flatnonzero(model.bodies.inverse_mass > 0.0):
        energy[body] = body_energy(model.bodies, params, body, *model.start)
    return height, energy

