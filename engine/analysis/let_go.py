"""Bodies at rest, let go: where forces that hold them exist, the engine's own forward run says whether they act.

That forces exist which hold a body does not mean that it stays: a block between two walls could be held by a squeeze of
any strength, and is let go without one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.speeds import motion_of
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.params import DEFAULT_DT, make_params
from engine.step.forward import forward_step
from engine.step.scratch import enlarge, make_scratch

SECONDS = 0.5  # of the run
MOVED = 0.01  # of its own size, by which a body has moved that does not stay
AT_ONCE = 8  # steps between two looks
WITH_IT = 0.3  # of the way of whoever moves most, in its own size: others that go this far go, too


@dataclass(frozen=True)
class Loosened:
    """Where bodies are when the first of them has moved, or at the end."""

    moved: tuple[int, ...]  # rows of those that did not stay
    way: np.ndarray  # (n, 3) m
    turn: np.ndarray  # (n, 3) rad
    acceleration: np.ndarray  # (n, 6) of the first step: m/s^2, rad/s^2


def let_go(model: Model, bodies: np.ndarray, look_up: LookUp = go_on) -> Loosened:
    """Of these bodies (rows), from rest where they start, everything else held."""
    held = np.ones(len(model.names), bool)
    held[bodies] = False
    model = _holding(model, held)
    start, s = _at_rest(model), make_scratch(model)
    state, came_from, after = copy_state(start), copy_state(start), copy_state(start)
    x, y, z = model.gravity.tolist()
    params = make_params(DEFAULT_DT, (x, y, z))
    size = np.where(held, np.inf, np.maximum(model.bodies.size, 1e-9))
    step, steps = 0, round(SECONDS / DEFAULT_DT)
    acceleration = np.zeros((len(held), 6))
    while step < steps and not s.asleep[bodies].all():
        status, _ = forward_step(s, params, came_from, state, after, False)
        if status != 0:
            s = enlarge(s, status)
            continue
        came_from, state, after = state, after, came_from
        step += 1
        if step == 1:
            acceleration = np.hstack(motion_of(model, state)) / DEFAULT_DT
        if step % AT_ONCE == 0:
            look_up()
            if (_far(start, state, size) > MOVED).any():
                break
    far = _far(start, state, size)
    least = max(MOVED, WITH_IT * float(far.max(initial=0.0)))
    return Loosened(
        tuple(int(row) for row in np.flatnonzero(far > least)), state.x - start.x, _turns(start, state), acceleration
    )


def _holding(model: Model, held: np.ndarray) -> Model:
    """The same with bodies that nothing moves."""
    bodies = model.bodies
    return replace(
        model,
        bodies=bodies._replace(
            inverse_mass=np.where(held, 0.0, bodies.inverse_mass),
            inverse_inertia=np.where(held[:, None, None], 0.0, bodies.inverse_inertia),
        ),
    )


def _at_rest(model: Model) -> State:
    start = copy_state(model.start)
    start.v[:], start.l[:] = 0.0, 0.0
    return start


def _far(before: State, after: State, size: np.ndarray) -> np.ndarray:
    """(n,) how far bodies came, in their own sizes."""
    return np.asarray(np.linalg.norm(after.x - before.x, axis=1) / size) + np.where(
        np.isinf(size), 0.0, np.linalg.norm(_turns(before, after), axis=1)
    )


def _turns(before: State, after: State) -> np.ndarray:
    """(n, 3) rad, small turns."""
    p, q = before.q * np.array([1.0, -1.0, -1.0, -1.0]), after.q
    w = q[:, 0] * p[:, 0] - (q[:, 1:] * p[:, 1:]).sum(1)
    axis = q[:, :1] * p[:, 1:] + p[:, :1] * q[:, 1:] + np.cross(q[:, 1:], p[:, 1:])
    return np.asarray(2.0 * np.sign(w)[:, None] * axis)
