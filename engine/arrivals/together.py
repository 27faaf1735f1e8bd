"""The director: who decides what happened. First version: hints, arrival times, support order, random launches, and a
policy for the coefficients of collisions. (Look-ahead, statistics and sampling will stand beside these files.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from engine.arrivals.articulated import launch_articulations
from engine.arrivals.ending import ending_of, holders_of
from engine.arrivals.hints import hinted_launches
from engine.arrivals.turns import in_turn, staying
from engine.contact.energy import own_energies
from engine.decide.chance import draws
from engine.decide.launch import Launch, level_axes, random_launch, vector
from engine.decide.plan import LEFT, STUCK, Plan, make_plan
from engine.hints.lift import up_of
from engine.model.articulations import articulations
from engine.model.compile import Model
from engine.params import Params
from engine.scene.spec import Scene
from engine.vec import turned_back

PolicyName = Literal["constant", "blend", "budget"]  # in the order of plan.CONSTANT ...
ArrivalsName = Literal["ahead", "together", "meeting", "dropped"]
MannerName = Literal["preview", "natural"]
LandingName = Literal["caught", "predicted"]  # in the order of params.CAUGHT, PREDICTED

BUDGET_HEIGHTS = 4.0
"""Default energy budget of a body: m g times this many heights of its centre of mass over its lowest point."""

FIRST_REST = 0.05  # s. Nobody leaves rest later than this before the end unless asked to: the ending is seen at rest.
LAST_SHARE = 0.3  # undirected bodies arrive within this share of the take, counted from its end


@dataclass
class Options:
    """What a run may be asked besides the scene."""

    policy: PolicyName = "budget"
    arrivals: ArrivalsName = "ahead"
    """One body after another with look-ahead, all "together", "meeting" on the way, or "dropped": those who stand alone
    fall into their places."""
    particles: int = 1  # of a meeting: searches that go back side by side (arrivals/meeting/population.py)
    manner: MannerName = "natural"  # of a look-ahead: the first arrival that works, or the best of several
    launch: bool = True  # let undirected bodies leave rest
    angular_damping: float = 0.0  # 1/s, the paper's; an outside torque on every step (ASSISTED)
    budget_heights: float = BUDGET_HEIGHTS
    landing: LandingName = "caught"  # the landing law of runs together; drops always land as predicted
    unit_links: bool = False  # the paper's rule for joints: nothing is lost between bodies held together by them
    attraction: bool = False  # the paper's rule for stacks: what holds a body may also pull it (ASSISTED)
    disorder: float = 0.0  # m by which bodies of the ending may be off their places, by chance (disorder.py)

    def __post_init__(self) -> None:
        names = {"policy": PolicyName, "arrivals": ArrivalsName, "manner": MannerName, "landing": LandingName}
        for field, known in names.items():
            if getattr(self, field) not in get_args(known):
                raise ValueError(f"{field} must be one of {', '.join(get_args(known))}, not {getattr(self, field)!r}")
        if not (isinstance(self.particles, int) and self.particles >= 1):
            raise ValueError(f"particles must be a whole number from 1, not {self.particles!r}")

    @property
    def searches(self) -> bool:
        """Whether arrivals are searched for. The paper's remedies act on whole runs; so does a run that is to leave
        everybody at rest."""
        remedied = self.policy != "budget" or self.angular_damping != 0.0 or self.attraction
        return self.arrivals != "together" and self.launch and self.landing == "caught" and not remedied


@dataclass(frozen=True)
class Directions:
    """What a plan was made from."""

    launches: Mapping[int, Launch]  # by body row
    notes: tuple[str, ...] = ()  # hints that had to be changed or left out


def plan_run(
    scene: Scene, model: Model, params: Params, seconds: float, seed: int, options: Options, draw: int = 0
) -> tuple[Plan, Directions]:
    """The plan of a backward run, and what it was made from. `draw`: of the random launches of articulations."""
    budget, energy, launches, notes = plan_bodies(scene, model, params, seed, options)
    group = articulations(model.joints, model.bodies.inverse_mass > 0.0)
    if len(model.joints.kind):
        moving = model.bodies.inverse_mass > 0.0
        per_mass = np.where(moving, budget / np.where(moving, model.bodies.mass, 1.0), 0.0)
        notes += launch_articulations(scene, model, seconds, seed, draw, per_mass, launches, options.launch)
    if options.launch:
        height = _heights_and_energies(model, params)[0]
        _add_random_launches(scene, model, seconds, seed, height, launches, group)
    policy = get_args(PolicyName).index(options.policy)
    remedies = options.unit_links, options.attraction
    plan = make_plan(policy, options.angular_damping, launches, budget, energy, group, *remedies)
    return plan, Directions(launches, notes)


def plan_bodies(
    scene: Scene, model: Model, params: Params, seed: int, options: Options
) -> tuple[np.ndarray, np.ndarray, dict[int, Launch], tuple[str, ...]]:
    """Energy budgets (J) and energies at the ending (J) by body row, launches that hints ask for, and notes."""
    height, energy = _heights_and_energies(model, params)
    gravity = float(np.linalg.norm(model.gravity))
    moving = model.bodies.inverse_mass > 0.0
    budget = np.where(moving, options.budget_heights * np.where(moving, model.bodies.mass, 0.0) * gravity * height, 0.0)
    launches, notes = hinted_launches(scene, model, params, seed)
    for row in staying(scene, model) & set(launches):
        del launches[row]
        notes += (f'"{model.names[row]}" stays at rest, as asked: its hint is left out',)
    for row, launch in launches.items():
        budget[row] = max(budget[row], 2.0 * model.bodies.mass[row] * _asked_energy(launch))
    return budget, energy, launches, notes


def left_undone(plan: Plan, directions: Directions, model: Model, seconds: float) -> tuple[str, ...]:
    """What was asked for and did not happen within a take of `seconds`, in the artist's words."""
    notes = list(directions.notes)
    for body, launch in sorted(directions.launches.items()):
        name = model.names[body]
        if plan.stage[body] > 0 or plan.mark[body] == LEFT:
            if plan.next[body] >= 0 or plan.mark[body] != LEFT:
                notes.append(f'"{name}": the take is too short for all of its hints')
            continue
        if plan.mark[body] == STUCK:
            notes.append(
                f'"{name}" stays at rest: nothing like its hint can end there (a roll needs rolling friction; '
                "a body cannot have come out of what it rests on)"
            )
        elif launch.time > seconds:
            notes.append(f'"{name}" stays at rest: it arrives {launch.time:g} s before the end of {seconds:g} s')
        else:
            held = [model.names[row] for row in holders_of(ending_of(model), body, up_of(vector(model.gravity)))]
            by = " and ".join(f'"{holder}"' for holder in held) or "something"
            notes.append(f'"{name}" stays at rest: {by} holds it in place')
    return tuple(notes)


def _asked_energy(launch: Launch) -> float:
    """J/kg, the most that a chain of hints asks for."""
    own = max(launch.energy, 0.0 if launch.slide or launch.roll else 0.5 * math.hypot(*launch.velocity) ** 2)
    return own if launch.then is None else max(own, _asked_energy(launch.then))


def _add_random_launches(
    scene: Scene,
    model: Model,
    seconds: float,
    seed: int,
    height: np.ndarray,
    launches: dict[int, Launch],
    group: np.ndarray,
) -> None:
    """A landing for every resting body without joints that no hint speaks of; its arrival time is the asked-for or a
    drawn one."""
    gravity = float(np.linalg.norm(model.gravity))
    if gravity == 0.0:
        return
    up = -model.gravity / gravity
    axes = (up, *level_axes(up))
    moves = np.any(model.start.v != 0.0, axis=1) | np.any(model.start.l != 0.0, axis=1)
    bodies = {int(i): body for body, i in zip(scene.bodies, model.row_of, strict=True)}
    left_open = [
        i
        for i, body in bodies.items()
        if not (body.static or moves[i] or i in launches or group[i] >= 0 or body.leaves == "never")
    ]
    chances = {i: draws(seed, "launch", bodies[i].name) for i in left_open}
    last = max(FIRST_REST, LAST_SHARE * seconds)
    drawn = {i: float(rng.uniform(FIRST_REST, last)) for i, rng in chances.items()}
    times = in_turn(scene, model, {i: time for i, time in drawn.items() if bodies[i].arrival is None})
    for i, rng in chances.items():
        body = bodies[i]
        time = times[i] if i in times else float(body.arrival or 0.0)
        energy = 0.5 * BUDGET_HEIGHTS * gravity * float(height[i])
        size = float(model.bodies.size[i])
        launches[i] = random_launch(i, time, energy, body.material.friction, size, axes, rng)


def _heights_and_energies(model: Model, params: Params) -> tuple[np.ndarray, np.ndarray]:
    """Height (m) of each centre of mass over the body's lowest point at the ending, and its energy (J) there."""
    geometry, start = model.geometry, model.start
    n = len(model.names)
    height, energy = np.zeros(n), np.zeros(n)
    gravity = np.linalg.norm(model.gravity)
    down = model.gravity / gravity if gravity > 0.0 else np.array([0.0, 0.0, -1.0])
    body = geometry.part_body
    seen = turned_back(start.q, down)[body]  # downward as the body of each part sees it
    axis = np.abs((geometry.part_axis * seen).sum(1))
    reach = (geometry.part_center * seen).sum(1) + geometry.part_half * axis + geometry.part_radius
    corners = np.diff(geometry.vert_start)
    owner = np.repeat(np.arange(len(body)), corners)
    lowest = np.full(len(body), -np.inf)
    np.maximum.at(lowest, owner, (geometry.verts * seen[owner]).sum(1))
    np.maximum.at(height, body, np.where(corners > 0, lowest, reach))
    moving = model.bodies.inverse_mass > 0.0
    height[~moving] = 0.0
    own_energies(model.bodies, params, start, energy)
    return height, energy
