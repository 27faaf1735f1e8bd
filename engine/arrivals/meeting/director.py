"""From a scene to a tape with bodies that meet: times to arrive, attempts, and in words what could not be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.arrivals.ending import ending_of
from engine.arrivals.meeting.past import LEAVE, NEVER
from engine.arrivals.meeting.population import Population
from engine.arrivals.meeting.roll import tape_of
from engine.arrivals.meeting.search import MOST_JUMPS, Progress, Search, Stopped
from engine.arrivals.together import FIRST_REST, Directions, Options, left_undone, plan_bodies
from engine.arrivals.turns import in_turn
from engine.arrivals.turns import staying as staying_bodies
from engine.contact.energy import measure
from engine.decide.chance import draws
from engine.decide.launch import Launch, level_axes, random_launch
from engine.decide.plan import BUDGET, Plan, make_plan
from engine.model.compile import Model
from engine.params import Params
from engine.scene.spec import Scene
from engine.tape.tape import Tape

LAST_SHARE = 0.67  # bodies arrive within this share of the take, counted from its end: the more at once, the harder
PATIENCE = 24  # attempts before those stay at rest who are in the way most often
LESS_PATIENCE = 8  # further attempts before more of them do
STAYING_SHARE = 0.1  # of the bodies, each time


@dataclass(frozen=True)
class Met:
    tape: Tape
    notes: tuple[str, ...]
    stopped: str | None
    jumps: int  # times the search went back to an earlier decision
    attempts: int


def unsuited(model: Model) -> str:
    """Why the bodies of a scene cannot be let meet, "" when they can."""
    moves = model.bodies.inverse_mass > 0.0
    if len(model.joints.kind):
        return "some are held together by joints"
    if not model.gravity.any():
        return "there is no gravity to bring them to rest"
    if model.start.v[moves].any() or model.start.l[moves].any():
        return "the ending is in motion"
    return ""


def meet(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    seed: int,
    options: Options,
    progress: Progress | None,
    most_jumps: int = MOST_JUMPS,
) -> Met:
    """most_jumps 0: one attempt without going back, kept as far as it got."""
    budget, energy, launches, asked_notes = plan_bodies(scene, model, params, seed, options)
    asked = {row: step for row, step in _asked_steps(scene, model, params.dt).items() if row not in launches}
    resting = staying_bodies(scene, model)
    stacked = _stacked(model) - set(launches) - resting
    population = Population(model, params, steps, seed, len(launches) + len(stacked), options.particles)
    staying = set(resting)
    notes: list[str] = []
    stopped = None

    def planned(number: int) -> tuple[dict[int, Launch], dict[int, float]]:
        """The launches of an attempt, and the times of all."""
        times = _times(scene, model, params, steps, (seed, number), stacked, asked, staying | set(launches))
        drawn = _stack_launches(scene, model, params, steps, budget, (seed, number), stacked, times)
        return {row: launch for row, launch in (launches | drawn).items() if row not in staying}, times

    def way(number: int) -> tuple[Plan, dict[int, int]]:
        mine, times = planned(number)
        rests = staying | set(mine)
        releases = {row: NEVER if row in rests else round(time / params.dt) for row, time in times.items()}
        return make_plan(BUDGET, 0.0, mine, budget, energy), releases

    try:
        while True:
            numbers = range(options.particles * population.attempts, options.particles * (population.attempts + 1))
            if population.attempt([way(number) for number in numbers], progress, most_jumps):
                break
            if most_jumps == 0:
                stopped = _cut_short(population.searches[population.leader])
                break
            if _patience_is_over(population.attempts):
                staying |= _most_blamed(model, population.blamed, staying, notes)
    except Stopped:
        stopped = f"stopped on request after {population.searches[population.leader].reached} of {steps} steps"
    search = population.searches[population.leader]
    assert search.plan is not None
    first = float(measure(model.bodies, params, model.start)[0])
    tape = tape_of(model, params, search.past, search.reel, search.reached, first)
    notes += _late(search, asked)
    directions = Directions(planned(population.drawn[population.leader])[0], asked_notes)
    notes += left_undone(search.plan, directions, model, tape.steps * params.dt)
    return Met(tape, tuple(notes), stopped, population.jumps, population.attempts)


def _asked_steps(scene: Scene, model: Model, dt: float) -> dict[int, int]:
    """Steps before the end at which the artist wants bodies to come to rest."""
    return {
        int(row): round(float(body.arrival) / dt)
        for body, row in zip(scene.bodies, model.row_of, strict=True)
        if body.arrival is not None and not body.static
    }


def _stacked(model: Model) -> set[int]:
    """Bodies that touch another moving one at the ending."""
    ending = ending_of(model)
    moves = model.bodies.inverse_mass > 0.0
    both = moves[ending.a] & moves[ending.b]
    return {int(i) for i in (*ending.a[both], *ending.b[both])}


def _stack_launches(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    budget: np.ndarray,
    seed: tuple[int, int],
    stacked: set[int],
    times: Mapping[int, float],
) -> dict[int, Launch]:
    """Landings for bodies that rest on others: asked of the plan, because what they land on has to carry them."""
    up = -model.gravity / np.linalg.norm(model.gravity)
    axes = (up, *level_axes(up))
    last = max(LAST_SHARE * steps * params.dt, FIRST_REST)
    launches = {}
    for body, row in zip(scene.bodies, model.row_of, strict=True):
        if row not in stacked:
            continue
        rng = draws(seed[0], "stacked", model.ids[row], seed[1])
        rng.uniform(FIRST_REST, last)  # its time: dealt out already
        energy = 0.5 * float(budget[row] / model.bodies.mass[row])
        size = float(model.bodies.size[row])
        launches[int(row)] = random_launch(int(row), times[int(row)], energy, body.material.friction, size, axes, rng)
    return launches


def _times(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    seed: tuple[int, int],
    stacked: set[int],
    asked: Mapping[int, int],
    settled: set[int],
) -> dict[int, float]:
    """When each body comes to rest, or may, s before the end: drawn anew for every attempt unless the artist named it.
    settled: bodies whose times do not matter any more."""
    last = max(LAST_SHARE * steps * params.dt, FIRST_REST)
    drawn = {}
    for row in np.flatnonzero(model.bodies.inverse_mass > 0.0):
        purpose = "stacked" if row in stacked else "release"
        drawn[int(row)] = float(draws(seed[0], purpose, model.ids[row], seed[1]).uniform(FIRST_REST, last))
    known = {row: step * params.dt for row, step in asked.items()}
    dealt = in_turn(scene, model, {row: time for row, time in drawn.items() if row not in known.keys() | settled})
    return drawn | dealt | known


def _patience_is_over(attempts: int) -> bool:
    return attempts >= PATIENCE and (attempts - PATIENCE) % LESS_PATIENCE == 0


def _most_blamed(model: Model, blamed: Counter[int], staying: set[int], notes: list[str]) -> set[int]:
    """Bodies that were in most conflicts, and are put to rest for good."""
    wanted = max(1, round(STAYING_SHARE * len(blamed)))
    ranked = [row for row, _ in sorted(blamed.items(), key=lambda each: (-each[1], each[0]))]
    found = [row for row in ranked if row not in staying][:wanted]
    found = found or [int(i) for i in np.flatnonzero(model.bodies.inverse_mass > 0.0) if i not in staying]
    notes += [f'"{model.names[row]}" stays at rest: too often nothing explained how it met others' for row in found]
    return set(found)


def _late(search: Search, asked: Mapping[int, int]) -> list[str]:
    """Bodies that did not come to rest when they should have."""
    notes, dt = [], search.params.dt
    for row, step in sorted(asked.items()):
        left = np.flatnonzero(search.past.decision[: search.reached, row] == LEAVE)
        if len(left) and abs(int(left[0]) - step) > 1:
            notes.append(
                f'"{search.model.names[row]}" comes to rest {left[0] * dt:.2f} s before the end, '
                f"not {step * dt:.2f} s: others were in its way"
            )
        elif not len(left) and step < search.reached:
            notes.append(f'"{search.model.names[row]}" stays at rest: others were in its way')
    return notes


def _cut_short(search: Search) -> str:
    return (
        f"{search.reached * search.params.dt:.3f} s before the end nothing explains how bodies met "
        f"(step {search.reached} of {search.steps}); the part after it is kept"
    )
