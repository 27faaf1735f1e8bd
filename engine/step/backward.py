"""One step backward: B = K^-1(x_k) . D(-dt). Read beside forward.py: the same stages in the other order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.kick import speeds_after, speeds_before
from engine.model.arrays import State
from engine.step.drift import drift
from engine.step.scratch import Scratch
from engine.step.stage_kernels import free_flight
from engine.step.stages import certify, detect, link, remember, rest


def backward_step(s: Scratch, state: State, decide: Callable[[Scratch, State], None]) -> tuple[State, float]:
    """The state one step earlier, and the kick's residual (relative).

    Contacts, impulses, tiers of the kick at the earlier configuration are left in the scratch."""
    bodies = s.model.bodies
    before = State(*(np.empty_like(part) for part in state))

    drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, -s.params.dt, before.x, before.q, s.spin)

    detect(s, before.x, before.q, state.x, state.q)

    speeds_after(s.count, s.contacts, s.kick, before.x, before.q, bodies.inverse_inertia, state.v, state.l, s.spin,
                 s.params.dt)  # fmt: skip
    mark_unexplained(s.count, s.contacts, s.kick, before.q, bodies, state.v, state.l, s.params)
    decide(s, State(before.x, before.q, state.v, state.l))

    link(s)
    free_flight(-1.0, s.params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    residual, unsolved = backward_kick(
        s.contacts, s.kick, s.islands, s.number, before.x, before.q, state.v, state.l, bodies, s.root, s.root_mass,
        s.rows, s.solver, s.choice, s.material, s.params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    rest(s, before.q, state.v, state.l, before.v, before.l)

    speeds_before(s.count, s.contacts, s.kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l,
                  s.params.dt, s.other_spin)  # fmt: skip
    certify(s, before.q, before.v, before.l)
    remember(s)
    return before, float(residual)
