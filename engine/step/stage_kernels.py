"""Small kernels of a step that are neither drift, contact detection nor kick: warm start, default decisions, free
flight, sleep, judging."""

from __future__ import annotations

import math

from engine.contact.kick import GHOST, body_speed
from engine.contact.verdict import judge_contact
from engine.jit import kernel
from engine.spin import spin_of
from engine.vec import dot, quat_row, row


@kernel
def recall_impulses(count, contacts, kick, keys, impulse, torque):
    """kick.impulse and torque of last step's contact with the same parts and feature, else zero.

    Both lists are sorted by (part a, part b, feature), so one pass over each is enough."""
    j = 0
    known = keys.shape[0]
    for c in range(count):
        while j < known and (
            keys[j, 0] < contacts.part_a[c]
            or (keys[j, 0] == contacts.part_a[c] and keys[j, 1] < contacts.part_b[c])
            or (
                keys[j, 0] == contacts.part_a[c]
                and keys[j, 1] == contacts.part_b[c]
                and keys[j, 2] < contacts.feature[c]
            )
        ):
            j += 1
        same = (
            j < known
            and keys[j, 0] == contacts.part_a[c]
            and keys[j, 1] == contacts.part_b[c]
            and keys[j, 2] == contacts.feature[c]
        )
        for k in range(3):
            kick.impulse[c, k] = impulse[j, k] if same else 0.0
            kick.torque[c, k] = torque[j, k] if same else 0.0


@kernel
def decide_as_authored(count, kick, material):
    """Every contact FREE with the authored coefficients and no goals."""
    for c in range(count):
        kick.hold[c] = 0
        kick.used[c] = 1
        kick.restitution[c] = material.restitution[c]
        kick.friction[c] = material.friction[c]
        kick.rolling[c] = material.rolling[c]
        kick.forced[c] = 0
        kick.goal_n[c] = 0.0
        for k in range(3):
            kick.goal_t[c, k] = 0.0
            kick.goal_r[c, k] = 0.0


@kernel
def drop_ghosts(count, kick):
    """Ghosts have no rows and no impulse."""
    for c in range(count):
        kick.used[c] = 0 if kick.hold[c] == GHOST else 1
        if kick.hold[c] == GHOST:
            for k in range(3):
                kick.impulse[c, k] = 0.0
                kick.torque[c, k] = 0.0


@kernel
def free_flight(sign, params, inverse_mass, asleep, v, l, v_out, l_out):
    """Velocities across a kick without contacts: gravity for awake moving bodies, nothing for the others."""
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for body in range(v.shape[0]):
        falls = sign * params.dt if inverse_mass[body] > 0.0 and not asleep[body] else 0.0
        for k in range(3):
            v_out[body, k] = v[body, k] + falls * g[k]
            l_out[body, k] = l[body, k]


@kernel
def put_to_rest(islands, number, kick, bodies, q, v_in, l_in, v_out, l_out, limit, asleep, group, next_group):
    """Islands at rest on both sides of the kick, with nothing asked of them, fall asleep: their velocities become
    exactly zero. Returns the next unused group number; bodies that fell asleep together share one."""
    for island in range(number):
        quiet = True
        for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
            c = islands.order[i]
            asked = abs(kick.goal_n[c])
            for k in range(3):
                asked += abs(kick.goal_t[c, k]) + abs(kick.goal_r[c, k])
            quiet = quiet and asked == 0.0
        for i in range(islands.body_start[island], islands.body_start[island + 1]):
            body = islands.bodies[i]
            quiet = quiet and body_speed(body, bodies.size, q, bodies.inverse_inertia, v_in, l_in) <= limit
            quiet = quiet and body_speed(body, bodies.size, q, bodies.inverse_inertia, v_out, l_out) <= limit
        if not quiet:
            continue
        for i in range(islands.body_start[island], islands.body_start[island + 1]):
            body = islands.bodies[i]
            asleep[body] = True
            group[body] = next_group
            for k in range(3):
                v_out[body, k] = 0.0
                l_out[body, k] = 0.0
        next_group += 1
    return next_group


@kernel
def judge_contacts(count, contacts, kick, q, bodies, material, params, v, l, tier, residual):
    """tier and residual (relative to 1 + speed) of every contact, from the impulses and speeds in `kick`, whose
    coefficients become those under which the law holds."""
    for c in range(count):
        fast = max(
            body_speed(contacts.a[c], bodies.size, q, bodies.inverse_inertia, v, l),
            body_speed(contacts.b[c], bodies.size, q, bodies.inverse_inertia, v, l),
        )
        fast = max(fast, abs(kick.before[c]))
        verdict, r, restitution, forced, friction, rolling = judge_contact(
            contacts, kick, c, q, bodies, material, params, 1.0 + fast
        )
        tier[c] = verdict
        residual[c] = r / (1.0 + fast)
        kick.restitution[c] = restitution
        kick.forced[c] = forced
        kick.friction[c] = friction
        kick.rolling[c] = rolling


@kernel
def fastest_body(bodies, q, v, l):
    """(body, speed m/s) of the fastest body; a body whose state is not a number counts as infinitely fast."""
    worst = -1
    most = -1.0
    for body in range(v.shape[0]):
        s = body_speed(body, bodies.size, q, bodies.inverse_inertia, v, l)
        if not math.isfinite(s):
            return body, math.inf
        if s > most:
            most = s
            worst = body
    return worst, most


@kernel
def total_energy(bodies, params, x, q, v, l):
    """Kinetic plus potential energy of the moving bodies, J; potential zero at the origin."""
    energy = 0.0
    for body in range(v.shape[0]):
        if bodies.inverse_mass[body] > 0.0:
            energy += body_energy(bodies, params, body, x, q, v, l)
    return energy


@kernel
def body_energy(bodies, params, body, x, q, v, l):
    """Kinetic (spin included) plus potential energy of one moving body, J.

    The velocity of a state is half a step older than its position, so m g.v dt/2 is added: this energy is constant to
    rounding in free flight and across elastic bounces (without spin), and at rest it is the potential."""
    w = spin_of(quat_row(q, body), bodies.inverse_inertia, body, row(l, body))
    u = row(v, body)
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    m = bodies.mass[body]
    return 0.5 * m * dot(u, u) + 0.5 * dot(w, row(l, body)) - m * dot(g, row(x, body)) + 0.5 * m * params.dt * dot(g, u)
