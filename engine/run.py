"""Runs: a scene becomes a take, backward from its ending or forward from its start."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from engine.arrivals.brief import Brief
from engine.arrivals.disorder import disordered, untouched
from engine.arrivals.options import LandingName, Options
from engine.arrivals.strategies import chosen
from engine.arrivals.unkept import unkept
from engine.contact.energy import measure, measure_path
from engine.fast.world import FastWorld
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene
from engine.params import DEFAULT_DT, Params, make_params
from engine.scene.spec import Scene
from engine.status import FATAL
from engine.step.admissible import admissible
from engine.step.scratch import Scratch, make_scratch
from engine.tape.block import block_of_states
from engine.tape.drive import ON_REQUEST, Progress, drive
from engine.tape.ends import divergence, unsolved, why_it_ends
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS
from engine.tape.stepping import forward_steps
from engine.tape.take import Take

MOST_STEPS = 10_000_000


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
    placed, scene = scene, disordered(scene, options.disorder, seed)
    model, params, steps = _prepare(scene, seconds, dt, options.landing)
    brief = Brief(scene, model, params, steps, seconds, seed, options, progress, sleep, clock, explodes_at)
    made = chosen(brief).make(brief)
    take = Take(scene, model, made.tape, steps * params.dt, seed, True, made.stopped, made.notes)
    notes = (*made.notes, *brief.told, *unkept(brief, take, made.notes, made.why))
    if options.disorder:
        notes += untouched(placed, scene)
    return replace(take, notes=tuple(dict.fromkeys(notes)))


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

    def advance(s: Scratch, recorder: Recorder, first: int, last: int, pending: bool) -> tuple[int, int]:
        return forward_steps(s, params, recorder.reel, first, last, pending, sleep, patched, came_from, state, after)

    stopped, status = drive(make_scratch(model, clock), recorder, steps, advance, state, progress)
    if status & FATAL:
        when = f"{recorder.done * params.dt:.3f} s (step {recorder.done + 1} of {steps})"
        stopped = why_it_ends(status, model, params, after, when, "before")
    tape = recorder.finish(state)
    return Take(scene, model, tape, seconds, 0, False, stopped, unsolved(tape.residual, params))


def _forward_fast(
    scene: Scene, model: Model, params: Params, steps: int, seconds: float, progress: Progress | None
) -> Take:
    world = FastWorld(model, params.dt)
    n, after = len(model.names), copy_state(model.start)
    recorder = Recorder(model, params, model.start, _energy(model, params, model.start), backward=False)
    stopped = None
    while recorder.done < steps and stopped is None:
        count = min(BLOCK_STEPS, steps - recorder.done)
        states = State(*(np.empty((count + 1, n, part.shape[1])) for part in model.start))
        for part, now in zip(states, world.state, strict=True):
            part[0] = now
        world.run(count, State(*(part[1:] for part in states)))
        energy = np.zeros(count)
        sane = measure_path(model.bodies, params, states, after, energy)
        if sane < count:
            when = f"{(recorder.done + sane) * params.dt:.3f} s (step {recorder.done + sane + 1} of {steps})"
            stopped = divergence(model, params, after, when, "before")
            states, energy = State(*(part[: sane + 1] for part in states)), energy[:sane]
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
