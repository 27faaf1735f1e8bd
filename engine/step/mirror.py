"""Mirror Euler, the scheme of paper 001 (sec. 3.3), kept for comparison.

Its forward scheme mirrored in time: contacts where the bodies *are*, velocities back through the contact problem, then
positions back with the new velocities,

    u_k = K^-1(x_{k+1}) u_{k+1}        v_n+ is the plain normal velocity, no secant of the gap
    x_k = x_{k+1} - dt v_k             q_k = exp(-dt I(q_{k+1})^-1 L_k) q_{k+1}

while a forward step kicks at x_k: the two see a collision at different places. It undoes drift-then-kick exactly, and
misses every collision of kick-then-drift, which is what engines do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.kick import relative_velocity, speeds_before
from engine.jit import kernel
from engine.model.arrays import State
from engine.spin import spin_of
from engine.step.scratch import Scratch
from engine.step.stage_kernels import free_flight
from engine.step.stages import certify, detect, link, remember
from engine.vec import axpy, dot, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale, sub


@kernel
def plain_speeds_after(count, contacts, kick, q, inverse_inertia, v, l):
    """kick.after, slide, roll of every contact from the velocities alone."""
    for c in range(count):
        n = row(contacts.normal, c)
        u, w = relative_velocity(contacts, kick, c, q, inverse_inertia, v, l)
        kick.after[c] = dot(u, n)
        put(kick.slide, c, sub(u, scale(dot(u, n), n)))
        put(kick.roll, c, w)


@kernel
def euler_drift(x, q, v, l, inverse_inertia, h, x_out, q_out):
    """x + h v and exp(h w) q with the spin w of the start: explicit Lie-Euler."""
    for body in range(x.shape[0]):
        put(x_out, body, axpy(h, row(v, body), row(x, body)))
        start = quat_row(q, body)
        w = spin_of(start, inverse_inertia, body, row(l, body))
        if w[0] == 0.0 and w[1] == 0.0 and w[2] == 0.0:
            quat_put(q_out, body, start)
        else:
            quat_put(q_out, body, quat_unit(quat_mul(quat_exp(scale(h, w)), start)))


def mirror_step(s: Scratch, state: State, decide: Callable[[Scratch, State], None]) -> State:
    """The state one step earlier by mirror Euler. Nobody sleeps. The kick is left in the scratch."""
    bodies, dt = s.model.bodies, s.params.dt
    before = State(*(np.empty_like(part) for part in state))
    s.asleep[:] = False

    detect(s, state.x, state.q, np.ascontiguousarray(state.x + dt * state.v), state.q)

    plain_speeds_after(s.count, s.contacts, s.kick, state.q, bodies.inverse_inertia, state.v, state.l)
    mark_unexplained(s.count, s.contacts, s.kick, state.q, bodies, state.v, state.l, s.params)
    decide(s, state)

    link(s)
    free_flight(-1.0, s.params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    backward_kick(
        s.contacts, s.kick, s.islands, s.number, state.x, state.q, state.v, state.l, bodies, s.root, s.root_mass,
        s.rows, s.solver, s.choice, s.material, s.params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    speeds_before(s.count, s.contacts, s.kick, state.x, state.q, bodies.inverse_inertia, before.v, before.l, dt,
                  s.other_spin)  # fmt: skip
    certify(s, state.q, before.v, before.l)
    remember(s)

    euler_drift(state.x, state.q, before.v, before.l, bodies.inverse_inertia, -dt, before.x, before.q)
    return before
