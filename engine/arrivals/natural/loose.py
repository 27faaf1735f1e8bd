"""Articulations that come in loosely: flops are drawn, run back for a short time and let go as soon as they are under
way; of those whose joints turn and whose bodies are all well away from their places the shortest is taken."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine.algebra import dots, norm, norms
from engine.arrivals.brief import Brief
from engine.arrivals.natural.flop import Flop, Flops
from engine.arrivals.natural.later import energy_of, free_groups, let_go_at, let_go_together, released, touched_steps
from engine.arrivals.natural.tuning import (
    COSINE_OF_HALF,
    ENOUGH,
    FLOPS,
    FOLLOWING,
    GROWTH,
    LONGEST,
    MOST_ENERGY,
    TO_THE_EYE,
    TURNED,
    UNDER_WAY,
)
from engine.arrivals.scale import scale_of
from engine.arrivals.strategy import Made
from engine.arrivals.together import director as together
from engine.arrivals.together.plan import plan_run
from engine.arrivals.wished import left_undone
from engine.contact.tiers import GHOSTED
from engine.decide.launch import Launch
from engine.decide.plan import Plan
from engine.model.articulations import joints_of
from engine.rest import REST_OF_FLOP
from engine.tape.drive import ON_REQUEST
from engine.tape.tape import Tape

Worth = tuple[bool, float, bool, float]


@dataclass(frozen=True)
class Let:
    """Where an articulation is let go; the larger, the better."""

    turns: bool  # enough of its joints, visibly
    came: float  # share of its bodies that are under way long enough, and far enough
    follows: bool  # most of the limbs come to rest after the trunk, to the eye
    lasts: float  # s of usual bodies from here to its rest
    step: int

    @property
    def worth(self) -> Worth:
        return self.turns, self.came, self.follows, -self.lasts


def come_loosely(brief: Brief) -> Made:
    """All bodies together; whoever can be let go is. Articulations with hints come as these say."""
    flops = Flops(brief)
    found: list[tuple[Worth, int, Made, np.ndarray]] = []
    for draw in range(FLOPS if brief.options.searches else 0):
        planned = _plan(brief, flops, draw)
        loose = [flop for flop in flops.flops if flop.rows <= set(planned.launches) - set(brief.launches)]
        if not loose:
            break
        made = _run_back(brief, flops, planned)
        if made.stopped is not None and made.stopped.startswith(ON_REQUEST):
            return made
        lets = [_let_go(brief, made.tape, flop) for flop in loose]
        known = [let for let in lets if let is not None]
        if len(known) == len(lets):
            step = np.zeros(len(brief.model.names), np.int64)
            for flop, let in zip(loose, known, strict=True):
                step[flop.articulation.rows] = let.step
            found.append((min(let.worth for let in known), draw, made, step))
        if sum(worth[:3] == (True, 1.0, True) for worth, *_ in found) >= ENOUGH:
            break
    if not found:
        return let_go_together(brief, together.go_back(brief))
    _, draw, made, step = max(found, key=lambda each: each[0])
    return _released(brief, flops, draw, made, step)


class Planned(NamedTuple):
    plan: Plan
    launches: Mapping[int, Launch]
    notes: tuple[str, ...]


def _plan(brief: Brief, flops: Flops, draw: int) -> Planned:
    """Of one draw. What flops may gain goes by the energy of their ending."""
    budget, mass = brief.budget.copy(), brief.model.bodies.mass
    for flop in flops.flops:
        rows = flop.articulation.rows
        if not flop.rows & set(brief.launches):
            budget[rows] = GROWTH * energy_of(brief, brief.model.start, rows) * mass[rows] / mass[rows].sum()
    return Planned(*plan_run(brief, draw, flops.motion, budget))


def _run_back(brief: Brief, flops: Flops, planned: Planned) -> Made:
    """A little longer than until everybody has left. What goes wrong before the release is nobody's concern."""
    longest = max(_scale(brief, flop.articulation.rows) for flop in flops.flops) * LONGEST
    last = max(launch.time for launch in planned.launches.values())
    steps = min(brief.steps, math.ceil((last + longest) / brief.params.dt))
    made = together.run(replace(brief, steps=steps), *planned)
    undone = left_undone(brief, planned.plan, planned.launches, made.tape.steps)
    return replace(made, notes=(*planned.notes, *undone))


def _released(brief: Brief, flops: Flops, draw: int, made: Made, step: np.ndarray) -> Made:
    """A draw with its releases, as long as the take."""
    groups = free_groups(brief)
    for rows in groups:
        if not step[rows].any():
            step[rows] = released(brief, made.tape, rows)
    if step[brief.moves].all():
        let = let_go_at(brief, replace(made, stopped=None), groups, step, brief.steps - made.tape.steps)
        if let.tape.steps == brief.steps:
            return let
    whole = together.run(brief, *_plan(brief, flops, draw))  # somebody is under way from the first frame
    return let_go_at(brief, whole, groups, np.where(step > 0, step + whole.tape.steps - made.tape.steps, 0))


def _let_go(brief: Brief, tape: Tape, flop: Flop) -> Let | None:
    """The latest of the best states to let go in: nothing touches the bodies, and all is lawful from there on."""
    rows = flop.articulation.rows
    if tape.steps < 2:
        return None
    dt, size = brief.params.dt, brief.model.bodies.size[rows]
    scale = _scale(brief, rows)
    most = MOST_ENERGY * max(energy_of(brief, brief.model.start, rows), 1e-12)
    away = norms(tape.x[:, rows] - tape.x[-1, rows])
    moved = away > REST_OF_FLOP
    rests = np.where(moved.any(axis=0), tape.steps - np.argmax(moved[::-1], axis=0) + 1, 0)
    turns, follows = _turned(brief, tape, rows), _limbs_follow(away / size, rows == flop.trunk)
    touched, lawful = touched_steps(tape, rows), _lawful_from(tape)
    best: Let | None = None
    for k in range(tape.steps - 1, lawful - 1, -1):
        if touched[k] or not moved[k].all() or energy_of(brief, tape.state(k), rows) > most:
            continue
        under_way = ((rests - k) * dt >= UNDER_WAY * scale) & (away[k] >= size)
        let = Let(bool(turns[k] >= TURNED), float(under_way.mean()), follows, (int(rests.max()) - k) * dt / scale, k)
        if best is None or let.worth > best.worth:
            best = let
        if best.turns and best.came == 1.0:
            break
    return best


def _limbs_follow(away: np.ndarray, trunk: np.ndarray) -> bool:
    """Whether most limbs come to rest, to the eye, after the trunk, where there is one. away: (k, m) sizes from their
    places; trunk: (m,) bool."""
    rests = len(away) - np.argmax((away > TO_THE_EYE)[::-1], axis=0)
    return not trunk.any() or bool((rests[~trunk] > rests[trunk]).mean() >= FOLLOWING)


def _lawful_from(tape: Tape) -> int:
    """The first state from which on nothing was ignored or assisted."""
    bad = np.flatnonzero(tape.residual > tape.params.certificate_tolerance)
    step = np.repeat(np.arange(tape.steps), np.diff(tape.start))
    contacts = step[tape.contact_column("tier") >= GHOSTED]
    limits = np.flatnonzero((tape.joint_column("limit_tier") >= GHOSTED).any(axis=1))
    return int(max(each.max(initial=-1) for each in (bad, contacts, limits))) + 1


def _turned(brief: Brief, tape: Tape, rows: np.ndarray) -> np.ndarray:
    """(k,) share of the joints that turn visibly from each state on."""
    joints, own = brief.model.joints, joints_of(brief.model, rows)
    share = np.zeros(tape.steps + 1)
    for j in own:
        between = _between(tape.q[:, joints.a[j]], tape.q[:, joints.b[j]])
        turned = np.abs(dots(between, between[-1])) <= COSINE_OF_HALF
        share += np.logical_or.accumulate(turned[::-1])[::-1] / len(own)
    return share


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(k, 4): orientation of b as a sees it."""
    w, u, s, v = a[:, :1], -a[:, 1:], b[:, :1], b[:, 1:]
    return np.hstack([w * s - dots(u, v)[:, None], w * v + s * u + np.cross(u, v)])


def _scale(brief: Brief, rows: np.ndarray) -> float:
    return scale_of(float(brief.model.bodies.size[rows].max()), norm(brief.model.gravity)).time
