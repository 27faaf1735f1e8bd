"""From a brief to a tape by look-ahead: schedule, search, assembly; and in words what could not be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.beside import fine_slop
from engine.arrivals.ahead.enter import enter
from engine.arrivals.ahead.order import NEVER, Schedule, schedule
from engine.arrivals.ahead.refused import refused
from engine.arrivals.ahead.search import Search
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ahead.tuning import TUNING
from engine.arrivals.ahead.ways import Ways, flights, releases
from engine.arrivals.ahead.wishes import Wishes, wishes_of
from engine.arrivals.brief import Brief
from engine.arrivals.strategy import Made
from engine.arrivals.structure import Structure
from engine.decide.chance import draws

HINTED = "hints say of each how it arrived, and none rests on another"
"""Then nothing is left to look for, and nothing was refused."""
SEEDS = 1 << 32  # between the random numbers of two attempts


@dataclass(frozen=True)
class _Try:
    """A finished search, and what it was asked."""

    search: Search
    times: Schedule
    wishes: Wishes
    told: tuple[str, ...]


def unsuited(brief: Brief) -> str:
    """A look-ahead is for endings at rest in which everybody touches something, and bodies are stacked or left to the
    director."""
    bodies = [int(row) for row in np.flatnonzero(brief.moves)]
    why = brief.unsettled or ("" if bodies else "nothing in it moves")
    if why:
        return why
    if not brief.lets_go and len(bodies) > TUNING.most_bodies:
        return f"flights from the start take too long to find for more than {TUNING.most_bodies} bodies"
    structure = brief.structure
    if any(len(structure.rows_of[row]) == 0 for row in bodies):
        return "some touch nothing at the ending"
    stacked = sum(bool(structure.carriers[row]) for row in bodies)
    if not brief.lets_go and stacked > TUNING.most_stacked:
        return f"flights from the start take too long to find where more than {TUNING.most_stacked} rest on others"
    if not stacked and brief.directed[0] is brief.scene and all(row in brief.hinted[0] for row in bodies):
        return HINTED
    return ""


def look_ahead(brief: Brief) -> Made:
    slop = fine_slop(brief.structure, brief.params) if brief.lets_go else brief.params.slop
    if slop < brief.params.slop:
        brief = replace(brief, params=brief.params._replace(slop=slop))
    structure, params = brief.structure, brief.params
    wishes, unkept = wishes_of(brief)
    remainders = Remainders(structure, params, by_hand=brief.lets_go)
    told = [*brief.notes, *unkept]
    staying = structure.with_carriers(wishes.staying, wishes.free)
    budget = _stack_budget(structure, brief.budget)
    if brief.lets_go:
        return _let_go(brief, wishes, staying, remainders, budget, told)
    ways = flights(brief)
    attempt, stopped = 0, False
    best: _Try | None = None
    while best is None or (best.search.too_late and attempt < TUNING.attempts):
        times, wishes = _standing_schedule(brief, remainders, attempt, wishes, staying, told)
        search = Search(brief, times, ways, budget, remainders, SEEDS * attempt)
        asked_to_stop, stuck = search.run()
        attempt += 1
        if asked_to_stop:
            stopped = best is None  # an earlier attempt is whole
            best = best or _Try(search, times, wishes, tuple(told))
            break
        if not stuck:
            if best is None or len(search.too_late) < len(best.search.too_late):
                best = _Try(search, times, wishes, tuple(told))
        elif attempt % TUNING.attempts == 0:
            for row in stuck:
                told.append(f'"{brief.model.names[row]}" stays at rest: {search.why_not(row)}')
            staying |= structure.with_carriers(set(stuck), wishes.free)
    tape = Assembly(best.search).tape()
    told = [
        *best.told,
        *_left_out(brief, best.times, best.wishes),
        *_postponed(structure, best.times, best.wishes, params.dt),
        *best.search.notes,
    ]
    ended = brief.stopped_after(tape.steps) if stopped else None
    return Made(tape, tuple(dict.fromkeys(told)), ended, _why_not_asked(best.search))


def _let_go(
    brief: Brief, wishes: Wishes, staying: set[int], remainders: Remainders, budget: np.ndarray, told: list[str]
) -> Made:
    """Everybody comes in: by a flight from where it is let go, or laid by a hand where no flight is found."""
    ways = releases(brief)
    times = _held_schedule(brief, remainders, wishes, staying, ways, told)
    search = Search(brief, times, ways, budget, remainders)
    asked_to_stop, _ = search.run()
    while True:
        assembly = Assembly(search)
        tape, by_hands = enter(brief, search, assembly)
        more = set() if asked_to_stop else refused(brief, assembly, tape)
        if not more:
            break
        for body in sorted(more):
            search.lay(body)
    left_out = _left_out(brief, times, wishes)
    late = _postponed(brief.structure, times, wishes, brief.params.dt)
    there = {int(row) for row in np.flatnonzero(brief.moves)} - set(times.order) - staying - set(wishes.times)
    names = brief.model.names
    short = [f'"{names[row]}" is there from the start: the take is too short' for row in sorted(there)]
    notes = [*told, *left_out, *short, *late, *_by_hand(search), *by_hands]
    ended = brief.stopped_after(tape.steps) if asked_to_stop else None
    return Made(tape, tuple(dict.fromkeys(notes)), ended, _why_not_asked(search))


def _why_not_asked(search: Search) -> dict[int, str]:
    found = {body: search.why_not_asked(body) for body in search.found}
    return {body: why for body, why in found.items() if why is not None}


def _by_hand(search: Search) -> list[str]:
    """Who was laid by a hand, and why."""
    names, found = search.structure.model.names, []
    for body, each in sorted(search.found.items()):
        if each.is_placed and search.held_from[body] < NEVER:
            found.append(f'"{names[body]}" is held until what it needs is there')
        elif each.is_placed:
            found.append(f'"{names[body]}" is laid by a hand: {search.why_not(body)}')
    return found


def _held_schedule(
    brief: Brief, remainders: Remainders, wishes: Wishes, staying: set[int], ways: Ways, told: list[str]
) -> Schedule:
    """A schedule; whoever does not stand by itself once others have left, seen backward, is held from then on."""
    structure, names = brief.structure, brief.model.names
    times = schedule(
        structure, brief.steps, brief.params.dt, draws(brief.seed, "order", 0), wishes, staying, ways.letting
    )
    held_from, resting = times.held_from, structure.moves.copy()
    for gone, body in enumerate((-1, *times.order)):
        if body >= 0:
            resting[body] = False
        while falls := remainders.standing(resting, resting & (held_from <= gone)).falls:
            held_from[list(falls)] = gone
            if gone == 0:
                told += [f'"{names[each]}" does not stand where it is: a hand holds it to the end' for each in falls]
    return times


def _stack_budget(structure: Structure, budget: np.ndarray) -> np.ndarray:
    """Bodies that carry or are carried share what their structure's height affords."""
    model = structure.model
    stacked = [int(i) for i in np.flatnonzero(structure.moves) if structure.carriers[i] or structure.carried[i]]
    if not stacked:
        return budget
    height = times(model.start.x, structure.up)
    resting = times(structure.contacts.point, structure.up)
    mean = float(height[stacked].mean() - resting.min())
    room = TUNING.stack_heights * norm(model.gravity) * mean
    budget = budget.copy()
    budget[stacked] = np.maximum(budget[stacked], room * model.bodies.mass[stacked])
    return budget


def _standing_schedule(
    brief: Brief, remainders: Remainders, attempt: int, wishes: Wishes, staying: set[int], told: list[str]
) -> tuple[Schedule, Wishes]:
    """A schedule of which every remainder stands by itself; bodies that are needed as weights join those who stay, and
    those without which others would fall wait for them, whatever was wished."""
    structure, names = brief.structure, brief.model.names
    while True:
        rng = draws(brief.seed, "order", attempt)
        times = schedule(structure, brief.steps, brief.params.dt, rng, wishes, staying)
        weight, falls = _first_fall(structure, remainders, times)
        if not falls:
            return times, wishes
        if weight < 0:
            for each in falls:
                told.append(f'"{names[each]}" does not stand where it is: it would have slid or tipped')
            together = structure.neighbours(set(falls), structure.moves)
            if len(together) > len(falls):
                told.append(f"what touches {_quoted(names, falls)} stays at rest, too")
            staying |= structure.with_carriers(together, wishes.free)
            remainders.excuse(together)
            continue
        others = _quoted(names, falls)
        if weight in wishes.free and structure.carried[weight]:
            told.append(f'"{names[weight]}" cannot come after what stands on it: without it {others} would not stand')
            wishes = wishes.bound(structure, {weight})
            continue
        told.append(f'{others} stands only because "{names[weight]}" weighs it down: they stay at rest')
        staying |= structure.with_carriers({weight, *falls}, wishes.free)


def _quoted(names: Sequence[str], bodies: Iterable[int]) -> str:
    return " and ".join(f'"{names[body]}"' for body in bodies)


def _first_fall(structure: Structure, remainders: Remainders, times: Schedule) -> tuple[int, tuple[int, ...]]:
    """The first body after whose leaving others do not stand, and these; -1 when they do not even before."""
    resting = structure.moves.copy()
    for body in (-1, *times.order):
        if body >= 0:
            resting[body] = False
        falls = remainders.standing(resting).falls
        if falls:
            return body, falls
    return -1, ()


def _left_out(brief: Brief, times: Schedule, wishes: Wishes) -> list[str]:
    """Why bodies that the artist spoke of do not move."""
    structure, seconds = brief.structure, brief.steps * brief.params.dt
    names, notes = structure.model.names, []
    for body in sorted({*wishes.times, *brief.launches} - set(times.order) - wishes.staying):
        above = " and ".join(f'"{names[each]}"' for each in sorted(structure.carried[body]) if each not in times.order)
        if wishes.times.get(body, 0.0) >= seconds:
            why = f"it arrives {wishes.times[body]:g} s before the end of {seconds:g} s"
        elif above:
            why = f"{above} holds it in place"
        else:
            continue
        notes.append(f'"{names[body]}" stays at rest: {why}')
    return notes


def _postponed(structure: Structure, times: Schedule, wishes: Wishes, dt: float) -> list[str]:
    """Whose arrival is not when the artist asked for it, and who stands in the way."""
    names, notes = structure.model.names, []
    carried, waits = wishes.carried(structure), wishes.waits_for(structure, frozenset())
    for body in sorted(wishes.given & set(times.order)):
        late = int(times.leaves_at[body]) - round(wishes.times[body] / dt)
        if late <= TUNING.same_time:
            continue
        above = sorted(carried[body], key=lambda each: (-int(times.leaves_at[each]), each))
        why = f'"{names[above[0]]}" stands on it' if above else "others leave at that time"
        if not above and waits[body]:
            why = f'"{names[min(waits[body])]}" comes after it'
        came = f"{times.leaves_at[body] * dt:.2f} s before the end, not {wishes.times[body]:.2f} s"
        notes.append(f'"{names[body]}" comes to rest {came}: {why}')
    return notes
