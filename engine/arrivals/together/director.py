"""From a brief to a tape of all bodies together; where joints hold some, the best of several draws."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.strategy import Made
from engine.arrivals.together.plan import plan_run
from engine.arrivals.together.tuning import TUNING
from engine.arrivals.wished import left_undone
from engine.contact.energy import measure
from engine.contact.tiers import GHOSTED
from engine.decide.launch import Launch
from engine.decide.plan import Plan
from engine.model.arrays import copy_state
from engine.papers.remedies import LINEAR_DAMPING, is_remedied, remedied_steps, slowed_steps
from engine.status import FATAL, OVERTURNED
from engine.step.admissible import admissible
from engine.step.scratch import Scratch, make_scratch
from engine.tape.drive import ON_REQUEST, drive
from engine.tape.ends import unsolved, why_it_ends
from engine.tape.recorder import Recorder
from engine.tape.stepping import backward_steps


def go_back(brief: Brief, budget: np.ndarray | None = None) -> Made:
    """Articulations are drawn anew until nothing had to be ignored on their way, and calmly. budget: (n,) J, of the
    brief without it."""
    several = len(brief.model.joints.kind) > 0 and brief.options.searches
    every: list[Made] = []
    launches: Mapping[int, Launch] = {}
    for draw in range(TUNING.draws if several else 1):
        plan, drawn, notes = plan_run(brief, draw, budget=budget)
        if every and drawn == launches:
            break  # nothing is left to chance
        launches = drawn
        made = run(brief, plan, launches, notes)
        every.append(made)
        on_request = made.stopped is not None and made.stopped.startswith(ON_REQUEST)
        if on_request or not several or (_faults(brief, made) == (0, 0) and _is_calm(brief, made)):
            return made
    return min(every, key=lambda made: _faults(brief, made))


def _faults(brief: Brief, made: Made) -> tuple[int, int]:
    """(steps that are missing, contacts and limits that had to be ignored or assisted)."""
    tape = made.tape
    missing = max(0, brief.steps - tape.steps)
    dishonest = int((tape.contact_column("tier") >= GHOSTED).sum() + (tape.joint_column("limit_tier") >= GHOSTED).sum())
    return missing, dishonest + int((tape.residual > tape.params.certificate_tolerance).sum())


def _is_calm(brief: Brief, made: Made) -> bool:
    """Whether its energy stays near the budget (J): joints that turn into their limits may carry it beyond."""
    budget, energy = float(brief.budget.sum()), made.tape.energy
    return budget <= 0.0 or float(energy.max() - energy[-1]) <= TUNING.calm * budget


def run(brief: Brief, plan: Plan, launches: Mapping[int, Launch], notes: tuple[str, ...]) -> Made:
    """By a plan, and what it was made from."""
    model, params, steps = brief.model, brief.params, brief.steps
    state = admissible(model, params, model.start)
    before = copy_state(state)
    ending = float(measure(model.bodies, params, state)[0])
    recorder = Recorder(model, params, state, ending, backward=True)
    budget = float(plan.budget.sum())
    limit = ending + brief.explodes_at * budget if brief.explodes_at is not None and budget > 0.0 else np.inf

    slowed = brief.options.linear_damping
    kernel = slowed_steps if slowed else remedied_steps if is_remedied(plan) else backward_steps

    def advance(s: Scratch, recorder: Recorder, first: int, last: int, pending: bool) -> tuple[int, int]:
        return kernel(
            s, plan, params, recorder.reel, first, last, pending, recorder.done, brief.sleep, state, before
        )  # fmt: skip

    stopped, status = drive(make_scratch(model, brief.clock), recorder, steps, advance, state, brief.progress, limit)
    if status & FATAL:
        k = recorder.done + 1
        when = f"{k * params.dt:.3f} s before the end (step {k} of {steps})"
        stopped = why_it_ends(status, model, params, before, when, "after")
    tape = recorder.finish(state, plan.damping, LINEAR_DAMPING if slowed else 0.0)
    notes += left_undone(brief, plan, launches, tape.steps) + unsolved(tape.residual, params)
    if stopped is not None and status & OVERTURNED:
        notes += (stopped,)
    return Made(tape, notes, stopped)
