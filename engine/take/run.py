"""Runs: a scene becomes a take, backward from its ending or forward from its start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from engine.direct.director import Director, Options, make_director
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene
from engine.params import DEFAULT_DT, Params, make_params
from engine.scene.spec import Scene
from engine.step.backward import backward_step
from engine.step.fast import fast_step
from engine.step.forward import forward_step
from engine.step.scratch import Scratch, make_scratch
from engine.step.stage_kernels import fastest_body, total_energy
from engine.take.take import Take
from engine.take.tape import Recorder

STATE_BYTES = 13 * 8  # of one body in one state
LARGEST_TAPE = 8_000_000_000  # bytes of states

Progress = Callable[[int, int], bool | None]
"""Called with (steps done, steps in all); returning False stops the run and keeps what it has."""


def backward(
    scene: Scene,
    seconds: float = 2.0,
    dt: float = DEFAULT_DT,
    seed: int = 0,
    options: Options | None = None,
    progress: Progress | None = None,
    sleep: bool = True,
) -> Take:
    """A take that ends in the scene's poses and velocities."""
    model, params, steps = _prepare(scene, seconds, dt)
    director = make_director(scene, model, params, seconds, seed, options or Options())
    return run_backward(scene, model, params, steps, director, seed, progress, sleep)


def run_backward(
    scene: Scene,
    model: Model,
    params: Params,
    steps: int,
    director: Director,
    seed: int = 0,
    progress: Progress | None = None,
    sleep: bool = True,
) -> Take:
    """Backward with a given director."""
    s = make_scratch(model, params)
    state = copy_state(model.start)
    recorder = Recorder(params, steps, state, backward=True)
    recorder.state(state, _energy(s, state))
    stopped = None
    for k in range(steps):
        director.time = (k + 1) * params.dt
        if not sleep:
            s.asleep[:] = False
        s.wake(director.due(director.time))
        before, _ = backward_step(s, state, director.decide)
        director.watch(before)
        slept = s.asleep & (state.v == 0.0).all(1) & (state.l == 0.0).all(1) & _untouched(s)
        outside = director.outside(before)
        if outside is not None:
            before = State(before.x, before.q, before.v + outside[0], before.l + outside[1])
            outside = (-outside[0], -outside[1])
        when = f"{(k + 1) * params.dt:.3f} s before the end (step {k + 1} of {steps})"
        stopped = _divergence(s, before, when, "after")
        if stopped:
            break
        recorder.step(s, slept, outside)
        state = before
        recorder.state(state, _energy(s, state))
        if progress is not None and progress(k + 1, steps) is False:
            stopped = f"stopped on request after {k + 1} of {steps} steps"
            break
    seconds = steps * params.dt
    notes = director.left_undone(recorder.done * params.dt)
    return Take(scene, model, recorder.finish(), seconds, seed, backward=True, stopped=stopped, notes=notes)


def forward(
    scene: Scene,
    seconds: float = 2.0,
    dt: float = DEFAULT_DT,
    accuracy: Literal["exact", "fast"] = "exact",
    progress: Progress | None = None,
    sleep: bool = True,
) -> Take:
    """A take that starts in the scene's poses and velocities. "fast" settles and previews: it may correct positions
    and carries no certificate."""
    if accuracy not in ("exact", "fast"):
        raise ValueError(f'accuracy must be "exact" or "fast", not {accuracy!r}')
    model, params, steps = _prepare(scene, seconds, dt)
    s = make_scratch(model, params)
    state = copy_state(model.start)
    came_from = state
    recorder = Recorder(params, steps, state, backward=False)
    recorder.state(state, _energy(s, state))
    stopped = None
    for k in range(steps):
        if not sleep:
            s.asleep[:] = False
        if accuracy == "fast":
            after = fast_step(s, state, came_from)
        else:
            after, _ = forward_step(s, state, came_from, _as_authored)
        stopped = _divergence(s, after, f"{k * params.dt:.3f} s (step {k + 1} of {steps})", "before")
        if stopped:
            break
        slept = s.asleep & (state.v == 0.0).all(1) & (state.l == 0.0).all(1) & _untouched(s)
        recorder.step(s, slept)
        state, came_from = after, state
        recorder.state(state, _energy(s, state))
        if progress is not None and progress(k + 1, steps) is False:
            stopped = f"stopped on request after {k + 1} of {steps} steps"
            break
    return Take(scene, model, recorder.finish(), seconds, 0, backward=False, stopped=stopped)


def _as_authored(s: Scratch, state: State) -> None:
    """Forward in time the authored materials decide."""


def _prepare(scene: Scene, seconds: float, dt: float) -> tuple[Model, Params, int]:
    if not isinstance(scene, Scene):
        raise TypeError(f"a Scene is needed (Scene.load reads one from a file), not {type(scene).__name__}")
    if not (isinstance(seconds, (int, float)) and np.isfinite(seconds) and seconds > 0.0):
        raise ValueError(f"seconds must be a positive number, not {seconds!r}")
    if not (isinstance(dt, (int, float)) and np.isfinite(dt) and 0.0 < dt <= 0.1):
        raise ValueError(f"dt must be between 0 and 0.1 s, not {dt!r}")
    model = compile_scene(scene)
    steps = max(1, round(seconds / dt))
    size = steps * len(model.names) * STATE_BYTES
    if size > LARGEST_TAPE:
        raise ValueError(
            f"{seconds:g} s at {dt:g} s per step are {steps} steps, too long for one take: its states alone would need "
            f"{size / 1e9:.0f} GB"
        )
    return model, make_params(dt, scene.gravity), steps


def _untouched(s: Scratch) -> np.ndarray:
    """(n,) bool: bodies without a contact in this step's list (sleepers are not looked at)."""
    untouched = np.ones(len(s.asleep), bool)
    untouched[s.contacts.a[: s.count]] = False
    untouched[s.contacts.b[: s.count]] = False
    return untouched


def _energy(s: Scratch, state: State) -> float:
    return float(total_energy(s.model.bodies, s.params, *state))


def _divergence(s: Scratch, state: State, when: str, side: str) -> str | None:
    body, speed = fastest_body(s.model.bodies, state.q, state.v, state.l)
    if speed <= s.params.max_speed:
        return None
    fast = f"reached {speed:.3g} m/s" if np.isfinite(speed) else "has no finite speed any more"
    return f'"{s.model.names[body]}" {fast} {when}: the motion diverges there; the part {side} it is kept'
