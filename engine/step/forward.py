"""One step forward: F = D(dt) . K(x_k). Read beside backward.py: the same stages in the other order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.contact.forward_kick import forward_kick
from engine.contact.kick import speeds_after, speeds_before
from engine.model.arrays import State
from engine.step.drift import drift
from engine.step.scratch import Scratch
from engine.step.stage_kernels import free_flight
from engine.step.stages import certify, detect, link, remember, rest


def forward_step(
    s: Scratch, state: State, came_from: State, decide: Callable[[Scratch, State], None]
) -> tuple[State, float]:
    """The state one step later, and the kick's residual (relative). `came_from` is the state one step earlier.

    Contacts, impulses, tiers of the kick at `state` are left in the scratch."""
    model, bodies = s.model, s.model.bodies
    after = State(*(np.empty_like(part) for part in state))

    detect(s, state.x, state.q, came_from.x, came_from.q)

    speeds_before(s.count, s.contacts, s.kick, state.x, state.q, bodies.inverse_inertia, state.v, state.l, s.params.dt,
                  s.other_spin)  # fmt: skip
    decide(s, state)

    link(s)
    free_flight(1.0, s.params, bodies.inverse_mass, s.asleep, state.v, state.l, after.v, after.l)
    residual, unsolved = forward_kick(
        s.contacts, s.kick, s.islands, s.number, state.x, state.q, state.v, state.l, bodies, s.root, s.root_mass,
        s.rows, s.solver, s.base, s.params, 0.0, after.v, after.l, s.other_spin,
    )  # fmt: skip
    rest(s, state.q, state.v, state.l, after.v, after.l)

    drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, s.params.dt, after.x, after.q, s.spin)

    speeds_after(s.count, s.contacts, s.kick, state.x, state.q, model.bodies.inverse_inertia, after.v, after.l, s.spin,
                 s.params.dt)  # fmt: skip
    certify(s, state.q, state.v, state.l)
    remember(s)
    return after, float(residual)
