"""From a scene to a tape by look-ahead: schedule, search, assembly; and in words what could not be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from engine.arrivals.ahead.assemble import Assembly
from engine.arrivals.ahead.manner import MANNERS
from engine.arrivals.ahead.order import Schedule, schedule
from engine.arrivals.ahead.search import Search
from engine.arrivals.ahead.standing import Remainders
from engine.arrivals.ahead.structure import Structure, structure_of
from engine.arrivals.ahead.wishes import Wishes, wishes_of
from engine.arrivals.together import Options, plan_bodies
from engine.decide.chance import draws
from engine.decide.launch import Launch
from engine.model.compile import Model
from engine.params import Params
from engine.scene.spec import Scene
from engine.tape.tape import Tape

MOST_BODIES = 200
"""Beyond this the bodies are run together (run.py): a search that looks at everybody for everybody takes too long.
"""
MOST_STACKED = 64  # bodies that rest on others: 45 take half a minute, and the time grows faster than their number
ATTEMPTS = 3  # orders of arrival to try before a body that finds no way, or no time, stays at rest
SAME_TIME = 2  # steps by which an arrival may miss its time unsaid: bodies leave one after another
SEEDS = 1 << 32  # between the random numbers of two attempts
STACK_HEIGHTS = 12.0
"""Energy budget of bodies in a structure: m g times this many mean heights of its bodies over the ground."""


@dataclass(frozen=True)
class Found:
    tape: Tape
    notes: tuple[str, ...]
    stopped: str | None


@dataclass(frozen=True)
class _Try:
    """A finished search, and what it was asked."""

    search: Search
    times: Schedule
    wishes: Wishes
    told: tuple[str, ...]


def suits(scene: Scene, model: Model, launches: Mapping[int, Launch]) -> bool:
    """Whether a look-ahead is what the scene needs: it ends at rest, everybody touches something, and bodies are
    stacked or left to the director."""
    moves = model.bodies.inverse_mass > 0.0
    if len(model.joints.kind):
        return False  # articulations leave rest as one: the bodies are run together
    if not 0 < int(moves.sum()) <= MOST_BODIES or not model.gravity.any():
        return False
    if model.start.v[moves].any() or model.start.l[moves].any():
        return False
    structure = structure_of(model)
    if any(len(structure.rows_of[i]) == 0 for i in np.flatnonzero(moves)):
        return False
    stacked = sum(bool(structure.below[i]) for i in np.flatnonzero(moves))
    return stacked <= MOST_STACKED and (stacked > 0 or any(int(i) not in launches for i in np.flatnonzero(moves)))


def look_ahead(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    seed: int,
    options: Options,
    progress: Callable[[int, int], bool | None] | None,
) -> Found:
    structure = structure_of(model)
    budget, energy, launches, notes = plan_bodies(scene, model, params, seed, options)
    budget = _stack_budget(structure, budget)
    wishes, unkept = wishes_of(scene, model, structure, launches)
    remainders = Remainders(structure, params)
    told = [*notes, *unkept]
    staying = _with_carriers(structure, wishes.staying, wishes.free)
    attempt, stopped = 0, False
    best: _Try | None = None
    while best is None or (best.search.too_late and attempt < ATTEMPTS):
        times, wishes = _standing_schedule(
            structure, remainders, steps, params.dt, (seed, attempt), wishes, staying, told
        )
        search = Search(
            structure, params, steps, times, MANNERS[options.manner], budget, energy, seed + SEEDS * attempt, launches,
            remainders,
        )  # fmt: skip
        asked_to_stop, stuck = search.run(progress)
        attempt += 1
        if asked_to_stop:
            stopped = best is None  # an earlier attempt is whole
            best = best or _Try(search, times, wishes, tuple(told))
            break
        if not stuck:
            if best is None or len(search.too_late) < len(best.search.too_late):
                best = _Try(search, times, wishes, tuple(told))
        elif attempt % ATTEMPTS == 0:
            for row in stuck:
                told.append(f'"{model.names[row]}" stays at rest: {search.why_not(row)}')
            staying |= _with_carriers(structure, set(stuck), wishes.free)
    tape = Assembly(best.search).tape()
    words = f"stopped on request after {tape.steps} of {steps} steps" if stopped else None
    told = [
        *best.told,
        *_left_out(structure, best.times, best.wishes, steps * params.dt),
        *_postponed(structure, best.times, best.wishes, params.dt),
        *best.search.notes,
    ]
    return Found(tape, tuple(dict.fromkeys(told)), words)


def _stack_budget(structure: Structure, budget: np.ndarray) -> np.ndarray:
    """Bodies that carry or are carried share what their structure's height affords."""
    model = structure.model
    stacked = [int(i) for i in np.flatnonzero(structure.moves) if structure.below[i] or structure.above[i]]
    if not stacked:
        return budget
    height = model.start.x @ structure.up
    resting = structure.contacts.point @ structure.up
    mean = float(height[stacked].mean() - resting.min())
    room = STACK_HEIGHTS * float(np.linalg.norm(model.gravity)) * mean
    budget = budget.copy()
    budget[stacked] = np.maximum(budget[stacked], room * model.bodies.mass[stacked])
    return budget


def _standing_schedule(
    structure: Structure,
    remainders: Remainders,
    steps: int,
    dt: float,
    seed: tuple[int, int],
    wishes: Wishes,
    staying: set[int],
    told: list[str],
) -> tuple[Schedule, Wishes]:
    """A schedule of which every remainder stands by itself; bodies that are needed as weights join those who stay, and
    those without which others would fall wait for them, whatever was wished."""
    names = structure.model.names
    while True:
        times = schedule(structure, steps, dt, draws(seed[0], "order", seed[1]), wishes, staying)
        weight, falls = _first_fall(structure, remainders, times)
        if not falls:
            return times, wishes
        if weight < 0:
            for each in falls:
                told.append(f'"{names[each]}" does not stand where it is: it would have slid or tipped')
            together = structure.neighbours(set(falls), structure.moves)
            if len(together) > len(falls):
                told.append(f"what touches {_quoted(names, falls)} stays at rest, too")
            staying |= _with_carriers(structure, together, wishes.free)
            remainders.excuse(together)
            continue
        others = _quoted(names, falls)
        if weight in wishes.free and structure.above[weight]:
            told.append(f'"{names[weight]}" cannot come after what stands on it: without it {others} would not stand')
            wishes = wishes.bound(structure, {weight})
            continue
        told.append(f'{others} stands only because "{names[weight]}" weighs it down: they stay at rest')
        staying |= _with_carriers(structure, {weight, *falls}, wishes.free)


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


def _left_out(structure: Structure, times: Schedule, wishes: Wishes, seconds: float) -> list[str]:
    """Why bodies that the artist spoke of do not move."""
    names, notes = structure.model.names, []
    for body in sorted(set(wishes.times) - set(times.order) - wishes.staying):
        above = " and ".join(f'"{names[each]}"' for each in sorted(structure.above[body]) if each not in times.order)
        if wishes.times[body] >= seconds:
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
    held_by, waits = wishes.held_by(structure), wishes.waits_for(structure, frozenset())
    for body in sorted(set(wishes.times) & set(times.order)):
        late = int(times.leaves[body]) - round(wishes.times[body] / dt)
        if late <= SAME_TIME:
            continue
        above = sorted(held_by[body], key=lambda each: (-int(times.leaves[each]), each))
        why = f'"{names[above[0]]}" stands on it' if above else "others leave at that time"
        if not above and waits[body]:
            why = f'"{names[min(waits[body])]}" comes after it'
        came = f"{times.leaves[body] * dt:.2f} s before the end, not {wishes.times[body]:.2f} s"
        notes.append(f'"{names[body]}" comes to rest {came}: {why}')
    return notes


def _with_carriers(structure: Structure, bodies: Set[int], free: Set[int]) -> set[int]:
    """The bodies and everything that must be there to carry them. The free may be missing; whether the rest then stands
    is asked later."""
    found, pending = set(bodies), list(bodies)
    while pending:
        more = structure.below[pending.pop()] - found - free
        found |= more
        pending += more
    return found
