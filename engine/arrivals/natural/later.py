"""Letting go later: a run of all bodies together, of which each begins where it has little more energy than at its end.

Going back energy only grows, so what joints hold together, or what moves at the ending, is let go some moments before
its rest: as early as its energy allows, where nothing touches it."""

from __future__ import annotations

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.brief import Brief
from engine.arrivals.drawn import drawn_starts
from engine.arrivals.entering import Coming, entered
from engine.arrivals.natural.tuning import LATEST, MOST_ENERGY, SOONEST
from engine.arrivals.scale import scale_of
from engine.arrivals.strategy import Made
from engine.contact.energy import own_energies
from engine.model.arrays import State
from engine.model.articulations import groups_of, is_anchored
from engine.tape.cut import can_be_cut, cut, lengthened
from engine.tape.tape import Tape


def let_go_together(brief: Brief, made: Made) -> Made:
    """The same motion with releases; as it is where nobody can be let go later."""
    if made.stopped is not None or not brief.model.gravity.any() or made.tape.steps < 2:
        return made
    groups, step = free_groups(brief), np.zeros(len(brief.model.names), np.int64)
    for rows in groups:
        step[rows] = released(brief, made.tape, rows)
    return let_go_at(brief, made, groups, step)


def richer(brief: Brief, share: float) -> np.ndarray:
    """(n,) J that bodies may have had over their ending's: at least this share of it, over its lowest point."""
    start, moves = brief.model.start, brief.moves
    own = [energy_of(brief, start, np.array([row])) if moves[row] else 0.0 for row in range(len(moves))]
    return np.maximum(brief.budget, share * np.maximum(own, 0.0))


def free_groups(brief: Brief) -> list[np.ndarray]:
    """Rows of bodies that can be let go only as one: articulations that nothing holds to the world, single bodies."""
    model = brief.model
    groups = [np.array(rows) for rows in groups_of(model) if not is_anchored(model, rows)]
    joined = {int(row) for rows in groups_of(model) for row in rows}
    return groups + [np.array([row]) for row in np.flatnonzero(brief.moves) if int(row) not in joined]


def let_go_at(brief: Brief, made: Made, groups: list[np.ndarray], step: np.ndarray, earlier: int = 0) -> Made:
    """The same motion, in which bodies are let go in states `step` (n,), 0: under way from the start; as it is where
    nobody is. earlier: steps that the take begins before the motion, where everybody is in a hand."""
    tape = made.tape
    if not step.any():
        return made
    if not can_be_cut(tape, step):  # somebody met one who was not there yet: all are let go at once
        step[brief.moves] = step.max()
    if not can_be_cut(tape, step):
        return made
    shorter = lengthened(cut(tape, step), earlier)
    comings = []
    for number, rows in enumerate(groups):
        for row in map(int, rows):
            if step[row] > 0:
                together, first = number if len(rows) > 1 else -1, int(step[row])
                comings.append(Coming(row, first + earlier, _states(tape, row, first), "drop", -1, together))
    entering, notes = entered(brief, shorter, comings)
    return Made(entering, (*made.notes, *notes), None)


def let_go_as_drawn(brief: Brief, made: Made) -> Made:
    """The same motion, in which bodies with hints are let go where these were drawn from. Hints that say nothing of it
    have their bodies under way from the first frame."""
    tape, starts = made.tape, drawn_starts(brief)
    step = np.zeros(len(brief.model.names), np.int64)
    for row, drawn in starts.items():
        back = tape.x[::-1, row]
        rests = int(np.flatnonzero((back != back[0]).any(axis=1))[0]) - 1 if (back != back[0]).any() else len(back)
        touched = np.flatnonzero(touched_steps(tape, np.array([row]))[::-1]) - rests
        hits = np.array([k for k in touched if k - 1 not in touched and 0 < k < len(back) - rests], np.int64)
        begun = drawn.begun_at(back[rests:], hits, brief.structure.up) if rests < len(back) else None
        if begun:
            step[row] = max(tape.steps - rests - begun, 0)
    if made.stopped is not None or not step.any() or not can_be_cut(tape, step):
        return made
    shorter = cut(tape, step)
    comings = [
        Coming(int(row), int(step[row]), _states(tape, int(row), int(step[row])), "toss")
        for row in np.flatnonzero(step)
    ]
    entering, notes = entered(brief, shorter, comings)
    return Made(entering, (*made.notes, *notes), None)


def _states(tape: Tape, row: int, first: int) -> State:
    return State(*(np.ascontiguousarray(part[first:, row]) for part in (tape.x, tape.q, tape.v, tape.l)))


def released(brief: Brief, tape: Tape, rows: np.ndarray) -> int:
    """The state in which to let go of bodies that move as one; 0: of those that have too little time, or never rest."""
    model, dt = brief.model, brief.params.dt
    scale = scale_of(float(model.bodies.size[rows].max()), norm(model.gravity)).time
    still = (tape.x[:, rows] == tape.x[-1:, rows]).all(axis=(1, 2))
    rests = tape.steps if not still[-2] else int(np.flatnonzero(~still)[-1]) + 1 if (~still).any() else 0
    if rests == 0:
        return 0
    first = max(rests - round(LATEST * scale / dt), 0)
    energy = [energy_of(brief, tape.state(k), rows) for k in range(first, rests)]
    most = MOST_ENERGY * max(energy_of(brief, tape.state(tape.steps), rows), 1e-12)
    touched = touched_steps(tape, rows)
    good = [
        k for k in range(first, rests - round(SOONEST * scale / dt))
        if energy[k - first] <= most and not touched[k]
    ]  # fmt: skip
    return good[0] if good else 0


def touched_steps(tape: Tape, rows: np.ndarray) -> np.ndarray:
    """(k,) bool: steps in which something touches the bodies."""
    found = np.zeros(tape.steps + 1, bool)
    for opened in tape.opened():
        when = opened.first + np.repeat(np.arange(opened.block.steps), np.diff(opened.start))
        own = np.isin(opened.contacts.a, rows) | np.isin(opened.contacts.b, rows)
        found[when[own]] = True
    return found


def energy_of(brief: Brief, state: State, rows: np.ndarray) -> float:
    """J over that of lying on the lowest point of the ending."""
    own = np.zeros(len(brief.model.names))
    own_energies(brief.model.bodies, brief.params, state, own)
    g = brief.model.gravity
    x = brief.model.start.x
    lowest = float((times(x, -g)[rows] / norm(g) - brief.heights[rows]).min())
    return float((own[rows] - brief.model.bodies.mass[rows] * norm(g) * lowest).sum())
