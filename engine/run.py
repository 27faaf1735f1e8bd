"""Runs: a scene becomes a take, backward from its ending or forward from its start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from engine.arrivals.ahead.director import Found, look_ahead, suits
from engine.arrivals.disorder import disordered, untouched
from engine.arrivals.dropped.director import Dropped, drop_in
from engine.arrivals.hints import hinted_launches
from engine.arrivals.meeting.director import Met, meet, unsuited
from engine.arrivals.together import Directions, LandingName, Options, left_undone, plan_run
from engine.arrivals.wished import unkept
from engine.contact.energy import measure
from engine.contact.tiers import GHOSTED
from engine.decide.launch import Launch
from engine.decide.plan import Plan
from engine.fast.world import FastWorld
from engine.joint.health import joint_health
from engine.joint.linkage import make_linkage
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene
from engine.papers.remedies import is_remedied, roll_remedied
from engine.params import DEFAULT_DT, Params, make_params
from engine.scene.spec import Scene
from engine.status import DIVERGED, FATAL, OVERTURNED
from engine.step.admissible import admissible
from engine.step.scratch import Scratch, make_scratch
from engine.tape.block import block_of_states
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS
from engine.tape.roll import roll_backward, roll_forward
from engine.tape.rolling import ON_REQUEST, Progress, roll_on
from engine.tape.take import Take

MOST_STEPS = 10_000_000
CALM = 1.4  # energy budgets that a take with joints may need
DRAWS = 6  # launches of articulations to try, until one leads nowhere that cannot be explained


def backward(
    scene: Scene,
    seconds: float = 2.0,
    dt: float = DEFAULT_DT,
    seed: int = 0,
    options: Options | None = None,
    progress: Progress | None = None,
    sleep: bool = True,
    clock: np.ndarray | None = None,
    explodes_at: float | None = None,
) -> Take:
    """A take that ends in the scene's poses and velocities (with Options.disorder: in those of take.scene, which is a
    little off). `clock` collects CPU ticks by stage (profile.py), of a run of all bodies together. Such a run is given
    up when its energy rises above that of the ending by `explodes_at` energy budgets; arrivals that are searched for
    keep within them by themselves."""
    options = options or Options()
    if options.disorder:
        moved = disordered(scene, options.disorder, seed)
        options = replace(options, disorder=0.0)
        take = backward(moved, seconds, dt, seed, options, progress, sleep, clock, explodes_at)
        return replace(take, notes=(*take.notes, *untouched(scene, moved)))
    model, params, steps = _prepare(scene, seconds, dt, options.landing)
    if clock is None and options.searches:
        found = _search(scene, model, params, steps, seed, options, progress)
        if found is not None:
            take = Take(scene, model, found.tape, steps * params.dt, seed, True, found.stopped, found.notes)
            return take if isinstance(found, Found) else _honest(take)
    draws = DRAWS if len(model.joints.kind) and options.searches else 1
    takes: list[Take] = []
    launches: Mapping[int, Launch] = {}
    for draw in range(draws):
        plan, directions = plan_run(scene, model, params, seconds, seed, options, draw)
        if takes and directions.launches == launches:
            break  # nothing is left to chance
        launches = directions.launches
        if options.arrivals == "meeting" and unsuited(model):
            directions = replace(directions, notes=(*directions.notes, f"nobody is let meet others: {unsuited(model)}"))
        if options.arrivals == "dropped":
            told = "nobody is dropped into place: joints hold bodies together, so all go back at once"
            directions = replace(directions, notes=(*directions.notes, told))
        takes.append(
            run_backward(scene, model, params, steps, plan, directions, seed, progress, sleep, clock, explodes_at)
        )
        only = draws == 1 or _was_stopped(takes[-1])
        if only or (_faults(takes[-1]) == (0, 0) and _is_calm(takes[-1], float(plan.budget.sum()))):
            return _honest(takes[-1])
    return _honest(min(takes, key=_faults))


def _honest(take: Take) -> Take:
    """A take that was not made one body after another says itself which wishes it did not keep."""
    notes = unkept(take)
    return replace(take, notes=(*take.notes, *notes)) if notes else take


def _faults(take: Take) -> tuple[int, int]:
    """(steps that are missing, contacts and limits that had to be ignored or assisted) of a take with joints."""
    tape = take.tape
    missing = max(0, round(take.seconds / tape.params.dt) - tape.steps)
    dishonest = int((tape.contact_column("tier") >= GHOSTED).sum() + (tape.joint_column("limit_tier") >= GHOSTED).sum())
    return missing, dishonest + int((tape.residual > tape.params.certificate_tolerance).sum())


def _is_calm(take: Take, budget: float) -> bool:
    """Whether its energy stays near the budget (J): joints that turn into their limits may carry it beyond."""
    return budget <= 0.0 or float(take.energy.max() - take.energy[-1]) <= CALM * budget


def _was_stopped(take: Take) -> bool:
    return take.stopped is not None and take.stopped.startswith(ON_REQUEST)


def _search(
    scene: Scene, model: Model, params: Params, steps: int, seed: int, options: Options, progress: Progress | None
) -> Found | Met | Dropped | None:
    """Arrivals that were searched for; None for scenes whose bodies are better run together."""
    if len(model.joints.kind):
        return None
    if options.arrivals == "dropped":
        return drop_in(scene, model, params, steps, seed, progress)
    if options.arrivals == "meeting":
        return None if unsuited(model) else meet(scene, model, params, steps, seed, options, progress)
    if not suits(scene, model, hinted_launches(scene, model, params, seed)[0]):
        return None
    return look_ahead(scene, model, params, steps, seed, options, progress)


def run_backward(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    plan: Plan,
    directions: Directions,
    seed: int = 0,
    progress: Progress | None = None,
    sleep: bool = True,
    clock: np.ndarray | None = None,
    explodes_at: float | None = None,
) -> Take:
    """Backward by a given plan."""
    state = admissible(model, params, model.start)
    before = copy_state(state)
    ending = _energy(model, params, state)
    recorder = Recorder(model, params, state, ending, backward=True)
    budget = float(plan.budget.sum())
    limit = ending + explodes_at * budget if explodes_at is not None and budget > 0.0 else np.inf

    step_by_step = roll_remedied if is_remedied(plan) else roll_backward

    def roll(s: Scratch, recorder: Recorder, first: int, last: int, pending: bool) -> tuple[int, int]:
        return step_by_step(
            s, plan, params, recorder.reel, first, last, pending, recorder.done, sleep, state, before
        )  # fmt: skip

    stopped, status = roll_on(make_scratch(model, clock), recorder, steps, roll, state, progress, limit)
    if status & FATAL:
        k = recorder.done + 1
        when = f"{k * params.dt:.3f} s before the end (step {k} of {steps})"
        stopped = _why_it_ends(status, model, params, before, when, "after")
    tape = recorder.finish(state, plan.damping)
    notes = left_undone(plan, directions, model, tape.steps * params.dt) + _unsolved(tape.residual, params)
    if stopped is not None and status & OVERTURNED:
        notes += (stopped,)
    return Take(scene, model, tape, steps * params.dt, seed, backward=True, stopped=stopped, notes=notes)


def forward(
    scene: Scene,
    seconds: float = 2.0,
    dt: float = DEFAULT_DT,
    accuracy: Literal["exact", "fast"] = "exact",
    progress: Progress | None = None,
    sleep: bool = True,
    clock: np.ndarray | None = None,
    landing: LandingName = "caught",
    contacts: Literal["points", "patches"] = "points",
) -> Take:
    """A take that starts in the scene's poses and velocities. "fast" settles and previews: it may correct positions
    and carries no certificate. "patches": planar contacts of two bodies are solved as one wrench each
    (step/patches.py)."""
    if accuracy not in ("exact", "fast"):
        raise ValueError(f'accuracy must be "exact" or "fast", not {accuracy!r}')
    if contacts not in ("points", "patches"):
        raise ValueError(f'contacts must be "points" or "patches", not {contacts!r}')
    model, params, steps = _prepare(scene, seconds, dt, landing)
    patched = contacts == "patches"
    if patched and (accuracy == "fast" or landing != "caught" or len(model.joints.kind)):
        raise ValueError("patches are for exact runs without joints whose landings are caught")
    if accuracy == "fast" and len(model.joints.kind):
        raise ValueError('a fast run does not know joints; use accuracy="exact"')
    if accuracy == "fast":
        return _forward_fast(scene, model, params, steps, seconds, progress)
    state = admissible(model, params, model.start)
    after, came_from = copy_state(state), copy_state(state)
    recorder = Recorder(model, params, state, _energy(model, params, state), backward=False)

    def roll(s: Scratch, recorder: Recorder, first: int, last: int, pending: bool) -> tuple[int, int]:
        return roll_forward(s, params, recorder.reel, first, last, pending, sleep, patched, came_from, state, after)

    stopped, status = roll_on(make_scratch(model, clock), recorder, steps, roll, state, progress)
    if status & FATAL:
        when = f"{recorder.done * params.dt:.3f} s (step {recorder.done + 1} of {steps})"
        stopped = _why_it_ends(status, model, params, after, when, "before")
    tape = recorder.finish(state)
    return Take(scene, model, tape, seconds, 0, False, stopped, _unsolved(tape.residual, params))


def _forward_fast(
    scene: Scene, model: Model, params: Params, steps: int, seconds: float, progress: Progress | None
) -> Take:
    world = FastWorld(model, params.dt)
    n = len(model.names)
    recorder = Recorder(model, params, model.start, _energy(model, params, model.start), backward=False)
    stopped = None
    while recorder.done < steps and stopped is None:
        count = min(BLOCK_STEPS, steps - recorder.done)
        states = State(*(np.empty((count + 1, n, part.shape[1])) for part in model.start))
        for part, now in zip(states, world.state, strict=True):
            part[0] = now
        world.run(count, State(*(part[1:] for part in states)))
        energy = np.zeros(count)
        for j in range(count):
            after = State(*(part[j + 1] for part in states))
            energy[j], _, fastest = measure(model.bodies, params, after)
            if not fastest <= params.max_speed:
                when = f"{(recorder.done + j) * params.dt:.3f} s (step {recorder.done + j + 1} of {steps})"
                stopped = _divergence(model, params, after, when, "before")
                states, energy = State(*(part[: j + 1] for part in states)), energy[:j]
                break
        recorder.add(block_of_states(states, energy))
        if stopped is None and progress is not None and progress(recorder.done, steps) is False:
            stopped = f"{ON_REQUEST} after {recorder.done} of {steps} steps"
    return Take(scene, model, recorder.finish(world.state), seconds, 0, backward=False, stopped=stopped)


def _prepare(scene: Scene, seconds: float, dt: float, landing: LandingName) -> tuple[Model, Params, int]:
    if not isinstance(scene, Scene):
        raise TypeError(f"a Scene is needed (Scene.load reads one from a file), not {type(scene).__name__}")
    if not (isinstance(seconds, (int, float)) and np.isfinite(seconds) and seconds > 0.0):
        raise ValueError(f"seconds must be a positive number, not {seconds!r}")
    if not (isinstance(dt, (int, float)) and np.isfinite(dt) and 0.0 < dt <= 0.1):
        raise ValueError(f"dt must be between 0 and 0.1 s, not {dt!r}")
    model = compile_scene(scene)
    steps = max(1, round(seconds / dt))
    if steps > MOST_STEPS:
        raise ValueError(f"{seconds:g} s at {dt:g} s per step are {steps} steps, too long for one take")
    law = float(get_args(LandingName).index(landing))
    return model, make_params(dt, scene.gravity, law), steps


def _energy(model: Model, params: Params, state: State) -> float:
    return float(measure(model.bodies, params, state)[0])


def _unsolved(residual: np.ndarray, params: Params) -> tuple[str, ...]:
    """A note when the contact solver did not reach its tolerance everywhere; the certificate judges what it reached."""
    missed = residual[~(residual <= params.solver_tolerance)]
    if not len(missed):
        return ()
    return (
        f"in {len(missed)} of {len(residual)} steps the contact forces were found only to {missed.max():.0e} "
        f"(asked: {params.solver_tolerance:.0e}); the certificate shows what that means",
    )


def _why_it_ends(status: int, model: Model, params: Params, state: State, when: str, side: str) -> str:
    if status & DIVERGED:
        return _divergence(model, params, state, when, side)
    linkage = make_linkage(model.joints, len(model.names))
    body, turn, opened = joint_health(linkage, model.bodies.inverse_inertia, state, 0.0, params.dt)
    if status & OVERTURNED:
        turns = f"turns by {turn:.2g} rad in one step, {when}: too fast for its joints to be followed"
        return f'"{model.names[body]}" {turns}; the part {side} it is kept'
    name = f'"{model.joint_names[opened]}"' if opened >= 0 else "A joint"
    return f"{name} could not be closed {when}; the part {side} it is kept"


def _divergence(model: Model, params: Params, state: State, when: str, side: str) -> str:
    _, body, speed = measure(model.bodies, params, state)
    fast = f"reached {speed:.3g} m/s" if np.isfinite(speed) else "has no finite speed any more"
    return f'"{model.names[body]}" {fast} {when}: the motion diverges there; the part {side} it is kept'
