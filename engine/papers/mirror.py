"""Mirror Euler, the scheme of paper 001 (sec. 3.3), kept for comparison.

Its forward scheme mirrored in time: contacts where the bodies *are*, velocities back through the contact problem, then
positions back with the new velocities,

    u_k = K^-1(x_{k+1}) u_{k+1}        v_n+ is the plain normal velocity, no secant of the gap
    x_k = x_{k+1} - dt v_k             q_k = exp(-dt I(q_{k+1})^-1 L_k) q_{k+1}

while a forward step kicks at x_k: the two see a collision at different places. It undoes drift-then-kick exactly, and
misses every collision of kick-then-drift, which is what engines do.
"""

from __future__ import annotations

from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.kick import relative_velocity, speeds_before
from engine.decide.decide import call_up, decide, see_off
from engine.jit import kernel
from engine.spin import spin_of
from engine.step.scratch import CONTACTS, ISLANDS
from engine.step.stages import find_contacts, free_flight, group_by_body, judge_contacts, link, remember
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


@kernel
def mirror_step(s, plan, time, params, state, before):
    """`before`, the state one step earlier by mirror Euler. Nobody sleeps. The kick is left in the scratch.

    Returns a status; other than 0: make room and do it again."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    call_up(plan, time)
    for body in range(s.asleep.shape[0]):
        s.asleep[body] = False
        put(before.x, body, axpy(params.dt, row(state.v, body), row(state.x, body)))  # where it is a step later

    status = find_contacts(s, params, state.x, state.q, before.x, state.q)
    if status != 0:
        return status
    count = s.counts[CONTACTS]
    plain_speeds_after(count, contacts, kick, state.q, bodies.inverse_inertia, state.v, state.l)
    mark_unexplained(count, contacts, kick, state.q, bodies, state.v, state.l, params)
    status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                  s.joint_work)  # fmt: skip
    if status != 0:
        return status

    group_by_body(count, contacts.a, contacts.b, s.touching)
    decide(plan, time, count, contacts, kick, s.material, s.touching, bodies, params, state.x, state.q, state.v,
           state.l)  # fmt: skip

    free_flight(-1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    backward_kick(
        contacts, kick, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, bodies, s.root, s.root_mass,
        s.rows, s.solver, s.choice, s.material, params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    see_off(plan, bodies, params.rest_speed, state.q, before.v, before.l)
    speeds_before(count, contacts, kick, state.x, state.q, bodies.inverse_inertia, before.v, before.l, params.dt,
                  s.other_spin)  # fmt: skip
    judge_contacts(count, contacts, kick, state.q, bodies, s.material, params, before.v, before.l, s.tier, s.residual)
    remember(count, contacts, kick, s.counts, s.warm)

    euler_drift(state.x, state.q, before.v, before.l, bodies.inverse_inertia, -params.dt, before.x, before.q)
    return 0
