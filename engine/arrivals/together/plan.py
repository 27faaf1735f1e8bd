"""The plan of a run together: what hints ask, random landings for everybody else, policy and remedies."""

from __future__ import annotations

from typing import get_args

import numpy as np

from engine.algebra import norm
from engine.arrivals.brief import Brief
from engine.arrivals.options import PolicyName
from engine.arrivals.times import drawn_time, in_order
from engine.arrivals.together.articulated import Preferred, launch_articulations
from engine.arrivals.together.tuning import TUNING
from engine.decide.chance import draws
from engine.decide.launch import Launch
from engine.decide.plan import Plan, make_plan
from engine.model.articulations import articulations


def plan_run(
    brief: Brief,
    draw: int = 0,
    preferred: Preferred | None = None,
    budget: np.ndarray | None = None,
) -> tuple[Plan, dict[int, Launch], tuple[str, ...]]:
    """The plan of a backward run, the launches it was made from, and notes on what had to be changed or left out.
    `draw`: of the random launches of articulations, `preferred` where there are such; budget: (n,) J, of the brief
    without it."""
    options, launches, notes = brief.options, dict(brief.launches), brief.notes
    group = articulations(brief.model.joints, brief.moves)
    if len(brief.model.joints.kind):
        notes += launch_articulations(brief, draw, launches, preferred)
    if options.launch:
        _add_random_launches(brief, launches, group)
    policy = get_args(PolicyName).index(options.policy)
    remedies = options.unit_links, options.attraction
    budget = brief.budget if budget is None else budget
    plan = make_plan(policy, options.angular_damping, launches, budget, brief.ending_energy, group, *remedies)
    return plan, launches, (*notes, *brief.told)


def _add_random_launches(brief: Brief, launches: dict[int, Launch], group: np.ndarray) -> None:
    """A landing for every resting body without joints that no hint speaks of; its arrival time is the asked-for or a
    drawn one."""
    model = brief.model
    gravity = norm(model.gravity)
    if gravity == 0.0:
        return
    moves = np.any(model.start.v != 0.0, axis=1) | np.any(model.start.l != 0.0, axis=1)
    left_open = {
        i: body
        for i, body in brief.bodies.items()
        if not (body.static or moves[i] or i in launches or group[i] >= 0 or i in brief.staying)
    }
    chances = {i: draws(brief.seed, "launch", body.name) for i, body in left_open.items()}
    drawn = {i: drawn_time(rng, TUNING.last_share * brief.seconds) for i, rng in chances.items()}
    times = in_order(brief.scene, model, {i: time for i, time in drawn.items() if left_open[i].arrival is None})
    for i, body in left_open.items():
        time = times[i] if i in times else float(body.arrival or 0.0)
        energy = TUNING.landing_heights * gravity * float(brief.heights[i])
        launches[i] = brief.landing(i, time, energy, chances[i])
