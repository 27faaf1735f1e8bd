"""From a brief to a tape with bodies that meet: times to arrive, attempts, and in words what could not be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

import numpy as np

from engine.arrivals.brief import Brief, Stopped
from engine.arrivals.meeting.past import LEAVE, NEVER
from engine.arrivals.meeting.population import Population
from engine.arrivals.meeting.search import Search
from engine.arrivals.meeting.stepping import tape_of
from engine.arrivals.meeting.tuning import TUNING
from engine.arrivals.strategy import Made
from engine.arrivals.times import asked_times, drawn_time, in_order
from engine.arrivals.wished import left_undone
from engine.contact.energy import measure
from engine.decide.chance import draws
from engine.decide.launch import Launch
from engine.decide.plan import BUDGET, Plan, make_plan
from engine.model.compile import Model


def meet(brief: Brief) -> Made:
    return met(brief)[0]


def met(brief: Brief, most_jumps: int = TUNING.most_jumps) -> tuple[Made, Population]:
    """The take and the searches that found it. most_jumps 0: one attempt without going back, kept as far as it got."""
    model, params, particles = brief.model, brief.params, brief.options.particles
    asked = {row: round(time / params.dt) for row, time in asked_times(brief.scene, model).items()}
    asked = {row: step for row, step in asked.items() if row not in brief.launches}
    stacked = _stacked(brief) - set(brief.launches) - brief.staying
    population = Population(brief, len(brief.launches) + len(stacked))
    staying = set(brief.staying)
    notes: list[str] = []
    stopped = None

    def planned(number: int) -> tuple[dict[int, Launch], dict[int, float]]:
        """The launches of an attempt, and the times of all."""
        times = _times(brief, number, stacked, asked, staying | set(brief.launches))
        launches = brief.launches | _stack_launches(brief, number, stacked, times)
        return {row: launch for row, launch in launches.items() if row not in staying}, times

    def way(number: int) -> tuple[Plan, dict[int, int]]:
        mine, times = planned(number)
        rests = staying | set(mine)
        releases = {row: NEVER if row in rests else round(time / params.dt) for row, time in times.items()}
        return make_plan(BUDGET, 0.0, mine, brief.budget, brief.ending_energy), releases

    try:
        while True:
            numbers = range(particles * population.attempts, particles * (population.attempts + 1))
            if population.attempt([way(number) for number in numbers], most_jumps):
                break
            if most_jumps == 0:
                stopped = _cut_short(population.searches[population.leader])
                break
            if _patience_is_over(population.attempts):
                staying |= _most_blamed(model, population.blamed, staying, notes)
    except Stopped:
        stopped = brief.stopped_after(population.searches[population.leader].reached)
    search = population.searches[population.leader]
    assert search.plan is not None
    first = float(measure(model.bodies, params, model.start)[0])
    tape = tape_of(model, params, search.past, search.reel, search.reached, first)
    launches = planned(population.drawn[population.leader])[0]
    notes += [*_late(search, asked), *brief.notes, *left_undone(brief, search.plan, launches, tape.steps)]
    return Made(tape, tuple(notes), stopped), population


def _stacked(brief: Brief) -> set[int]:
    """Bodies that touch another moving one at the ending."""
    ending, moves = brief.ending, brief.moves
    both = moves[ending.a] & moves[ending.b]
    return {int(i) for i in (*ending.a[both], *ending.b[both])}


def _stack_launches(brief: Brief, number: int, stacked: Set[int], times: Mapping[int, float]) -> dict[int, Launch]:
    """Landings for bodies that rest on others: asked of the plan, because what they land on has to carry them."""
    launches = {}
    for row in brief.bodies:
        if row in stacked:
            rng = draws(brief.seed, "stacked", brief.model.ids[row], number)
            drawn_time(rng, _latest(brief))  # its time: dealt out already
            energy = 0.5 * float(brief.budget[row] / brief.model.bodies.mass[row])
            launches[row] = brief.landing(row, times[row], energy, rng)
    return launches


def _times(
    brief: Brief, number: int, stacked: Set[int], asked: Mapping[int, int], settled: Set[int]
) -> dict[int, float]:
    """When each body comes to rest, or may, s before the end: drawn anew for every attempt unless the artist named it.
    settled: bodies whose times do not matter any more."""
    drawn = {}
    for row in np.flatnonzero(brief.moves):
        purpose = "stacked" if row in stacked else "release"
        drawn[int(row)] = drawn_time(draws(brief.seed, purpose, brief.model.ids[row], number), _latest(brief))
    known = {row: step * brief.params.dt for row, step in asked.items()}
    open_to_all = {row: time for row, time in drawn.items() if row not in known.keys() | settled}
    return drawn | in_order(brief.scene, brief.model, open_to_all) | known


def _latest(brief: Brief) -> float:
    return TUNING.last_share * brief.steps * brief.params.dt


def _patience_is_over(attempts: int) -> bool:
    return attempts >= TUNING.patience and (attempts - TUNING.patience) % TUNING.less_patience == 0


def _most_blamed(model: Model, blamed: Counter[int], staying: set[int], notes: list[str]) -> set[int]:
    """Bodies that were in most conflicts, and are put to rest for good."""
    wanted = max(1, round(TUNING.staying_share * len(blamed)))
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
