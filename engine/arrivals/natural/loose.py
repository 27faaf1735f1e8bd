"""Articulations that come in loosely: flops are drawn, run back for a short time and let go as soon as they are under
way; of those whose joints turn and whose bodies are all well away from their places the shortest is taken."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import dots, norm, norms
from engine.arrivals.brief import Brief
from engine.arrivals.natural.flop import Flops
from engine.arrivals.natural.later import energy_of, free_groups, let_go_at, let_go_together, released, touched_steps
from engine.arrivals.natural.tuning import (
    COSINE_OF_HALF,
    ENOUGH,
    FLOPS,
    GROWTH,
    LATEST,
    MOST_ENERGY,
    TURNED,
    UNDER_WAY,
)
from engine.arrivals.scale import scale_of
from engine.arrivals.strategy import Made
from engine.arrivals.together import director as together
from engine.arrivals.together.plan import plan_run
from engine.contact.tiers import GHOSTED
from engine.decide.launch import Launch
from engine.model.articulations import joints_of
from engine.tape.cut import lengthened
from engine.tape.drive import ON_REQUEST
from engine.tape.tape import Tape

IN_PLACE = 1e-9  # m: what is nearer to its place rests there


@dataclass(frozen=True)
class Let:
    """Where an articulation is let go; the larger, the better."""

    turns: bool  # enough of its joints, visibly
    came: float  # share of its bodies that are under way long enough, and far enough
    lasts: float  # s of usual bodies from here to its rest
    step: int

    @property
    def worth(self) -> tuple[bool, float, float]:
        return self.turns, self.came, -self.lasts


def come_loosely(brief: Brief) -> Made:
    """All bodies together; whoever can be let go is."""
    flops = Flops(brief)
    found: list[tuple[tuple[bool, float, float], int, Made, np.ndarray]] = []
    for draw in range(FLOPS if flops.flops and brief.options.searches else 0):
        made, launches = _run(brief, flops, draw, short=True)
        if made.stopped is not None and made.stopped.startswith(ON_REQUEST):
            return made
        loose = [flop.articulation.rows for flop in flops.flops if set(flop.articulation.at) <= set(launches)]
        if not loose:
            break
        lets = [_let_go(brief, made.tape, rows) for rows in loose]
        whole = [let for let in lets if let is not None]
        if len(whole) == len(lets):
            worst = min(let.worth for let in whole)
            step = np.zeros(len(brief.model.names), np.int64)
            for rows, let in zip(loose, whole, strict=True):
                step[rows] = let.step
            found.append((worst, draw, made, step))
        if sum(worth[0] and worth[1] == 1.0 for worth, *_ in found) >= ENOUGH:
            break
    if not found:
        return let_go_together(brief, together.go_back(brief))
    _, draw, made, step = max(found, key=lambda each: each[0])
    return _released(brief, flops, draw, made, step)


def _run(brief: Brief, flops: Flops, draw: int, short: bool) -> tuple[Made, dict[int, Launch]]:
    """One draw: to the start of the take, or a little longer than until everybody has left."""
    budget = brief.budget.copy()
    for flop in flops.flops:
        rows = flop.articulation.rows
        ending = energy_of(brief, brief.model.start, rows)
        budget[rows] = GROWTH * ending * brief.model.bodies.mass[rows] / brief.model.bodies.mass[rows].sum()
    plan, launches, notes = plan_run(brief, draw, flops.motion, budget)
    steps = brief.steps
    if short and launches:
        longest = max(_scale(brief, flop.articulation.rows) for flop in flops.flops) * LATEST
        last = max(launch.time for launch in launches.values())
        steps = min(steps, math.ceil((last + longest) / brief.params.dt))
    return together.run(replace(brief, steps=steps), plan, launches, notes), launches


def _released(brief: Brief, flops: Flops, draw: int, made: Made, step: np.ndarray) -> Made:
    """The draw with its releases, as long as the take."""
    groups, first = free_groups(brief), step
    for rows in groups:
        if not step[rows].any():
            first[rows] = released(brief, made.tape, rows)
    missing = brief.steps - made.tape.steps
    if missing and not first[brief.moves].all():  # somebody is under way from the first frame: so far is to be run
        whole, _ = _run(brief, flops, draw, short=False)
        first = np.where(first > 0, first + whole.tape.steps - made.tape.steps, 0)
        made, missing = whole, brief.steps - whole.tape.steps
    let = let_go_at(brief, replace(made, stopped=None), groups, first, missing)
    return let if first[brief.moves].all() or made.stopped is None else replace(let, stopped=made.stopped)


def _let_go(brief: Brief, tape: Tape, rows: np.ndarray) -> Let | None:
    """The latest of the best states to let go in: nothing touches the bodies, and all is lawful from there on."""
    if tape.steps < 2:
        return None
    dt, size = brief.params.dt, brief.model.bodies.size[rows]
    scale = _scale(brief, rows)
    most = MOST_ENERGY * max(energy_of(brief, brief.model.start, rows), 1e-12)
    away = norms(tape.x[:, rows] - tape.x[-1, rows])
    moved = away > IN_PLACE
    rests = np.where(moved.any(axis=0), tape.steps - np.argmax(moved[::-1], axis=0) + 1, 0)
    turns = _turned(brief, tape, rows)
    touched, lawful = touched_steps(tape, rows), _lawful_from(tape)
    best: Let | None = None
    for k in range(tape.steps - 1, lawful - 1, -1):
        if touched[k] or not moved[k].all() or energy_of(brief, tape.state(k), rows) > most:
            continue
        under_way = ((rests - k) * dt >= UNDER_WAY * scale) & (away[k] >= size)
        let = Let(bool(turns[k] >= TURNED), float(under_way.mean()), (int(rests.max()) - k) * dt / scale, k)
        if best is None or let.worth > best.worth:
            best = let
        if best.turns and best.came == 1.0:
            break
    return best


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
