"""Mirror Euler, the scheme of Twigg and James 2008 (sec. 3.3), kept for comparison.

Its forward scheme mirrored in time: contacts where the bodies *are*, velocities back through the contact problem, then
positions back with the new velocities,

    u_k = K^-1(x_{k+1}) u_{k+1}        v_n+ is the plain normal velocity, no secant of the gap
    x_k = x_{k+1} - dt v_k             q_k = exp(-dt I(q_{k+1})^-1 L_k) q_{k+1}

while a forward step kicks at x_k: the two see a collision at different places. It undoes drift-then-kick exactly, and
misses every collision of kick-then-drift, which is what engines do.
"""

from __future__ import annotations

from engine.contact.kick import CONTACTS, relative_velocity
from engine.jit import bound, inline
from engine.spin import spin_of
from engine.step.backward import LAWFUL, backward_step
from engine.vec import axpy, dot, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale, sub


@inline
def stay(s, params, state, before):
    """Contacts are looked for where the bodies are."""
    for body in range(state.x.shape[0]):
        put(before.x, body, row(state.x, body))
        quat_put(before.q, body, quat_row(state.q, body))


@inline
def plain_speeds(s, params, state, before):
    """kick.after, slide, roll of every contact from the velocities alone."""
    for c in range(s.counts[CONTACTS]):
        n = row(s.contacts.normal, c)
        u, w = relative_velocity(s, c, state, state)
        s.kick.after[c] = dot(u, n)
        put(s.kick.slide, c, sub(u, scale(dot(u, n), n)))
        put(s.kick.roll, c, w)


@inline
def nobody_sleeps(s, params, state, before):
    return


@inline
def drift_now(s, plan, params, state, before, residual):
    """x - dt v and exp(-dt w) q with the velocities before the kick: explicit Lie-Euler."""
    h, inverse_inertia = -params.dt, s.bodies.inverse_inertia
    for body in range(state.x.shape[0]):
        put(before.x, body, axpy(h, row(before.v, body), row(state.x, body)))
        start = quat_row(state.q, body)
        w = spin_of(start, inverse_inertia, body, row(before.l, body))
        if w[0] == 0.0 and w[1] == 0.0 and w[2] == 0.0:
            quat_put(before.q, body, start)
        else:
            quat_put(before.q, body, quat_unit(quat_mul(quat_exp(scale(h, w)), start)))
    return LAWFUL


mirror_step = bound(
    backward_step, "mirror_step", come_from=stay, measure=plain_speeds, rest=nobody_sleeps, close=drift_now
)
