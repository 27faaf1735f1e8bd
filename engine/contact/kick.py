"""What both kicks share: contact frames, rows, speeds before and after, secants, and applying impulses.

A kick changes velocities at the configuration x_k and moves nothing:

    u+ = u- + g dt + M^-1 J^T lambda        forward, lambda from u-
    u- = u+ - g dt - M^-1 J^T lambda        backward, lambda from u+
"""

from __future__ import annotations

import math

import numpy as np

from engine.collide.features import gap_rate
from engine.jit import inline, kernel, standalone
from engine.params import PREDICTED
from engine.record import Record
from engine.spin import midpoint_spin, spin_of, velocity_at
from engine.vec import add, any_perpendicular, cross, dot, put, quat_row, rotate, row, scale, sub

# Scratch.counts (step/scratch.py): contacts, islands, and so on; contacts ahead (step/ahead.py)
CONTACTS, ISLANDS, WARM, ROOM_BODIES, ROOM_CONTACTS, JOINED_BODIES, JOINED_CONTACTS, AHEAD = range(8)

# Kick.hold: what a contact may do in the solve.
FREE, PASSIVE, GHOST, APART = range(4)
"""FREE obeys the law; PASSIVE is held at zero impulse and must obey the law all the same; GHOST is ignored; APART, of
predicted contacts, comes near in this step and is not met: no rows, and the law all the same."""


class Kick(Record):
    """Per-contact quantities of one kick, capacity C."""

    hold: np.ndarray  # (C,) int64     FREE, PASSIVE, GHOST
    used: np.ndarray  # (C,) int64     1 when the contact has rows (FREE)
    ra: np.ndarray  # (C, 3) m         contact point from the centre of mass of a
    rb: np.ndarray  # (C, 3) m
    t1: np.ndarray  # (C, 3)           tangents: (normal, t1, t2) right-handed
    t2: np.ndarray  # (C, 3)
    length: np.ndarray  # (C,) m       turns rolling rows (rad/s) into m/s
    before: np.ndarray  # (C,) m/s     v_n-: secant of the gap over the step before the kick
    after: np.ndarray  # (C,) m/s      V_n+: secant of the gap over the step after the kick
    closing: np.ndarray  # (C,) m/s    gap/dt where the landing is predicted, else 0 (law.py)
    pull: np.ndarray  # (C,) m/s       what gravity adds to V_n+ where the landing is predicted, else 0
    slide: np.ndarray  # (C, 3) m/s    tangential velocity after the kick
    roll: np.ndarray  # (C, 3) rad/s   relative spin after the kick
    restitution: np.ndarray  # (C,)    decisions: coefficient applied to this collision
    friction: np.ndarray  # (C,)
    rolling: np.ndarray  # (C,) m
    forced: np.ndarray  # (C,) int64   1: restitution applies below the bounce speed too
    goal_n: np.ndarray  # (C,) m/s     backward: approach speed asked of a resting contact
    goal_t: np.ndarray  # (C, 3) m/s   backward: tangential velocity before the kick asked of a sticking contact
    goal_r: np.ndarray  # (C, 3) rad/s backward: relative spin asked
    secant: np.ndarray  # (C,) m/s     secant minus plain normal velocity, found by the outer loop
    impulse: np.ndarray  # (C, 3) N s  answer, world, on body a
    torque: np.ndarray  # (C, 3) N m s answer, rolling friction, world, on body a


def empty_kick(capacity: int) -> Kick:
    whole = {"hold", "used", "forced"}
    vectors = {"ra", "rb", "t1", "t2", "slide", "roll", "goal_t", "goal_r", "impulse", "torque"}

    def column(name: str) -> np.ndarray:
        if name in whole:
            return np.zeros(capacity, np.int64)
        return np.zeros((capacity, 3) if name in vectors else capacity)

    return Kick(*(column(name) for name in Kick._fields))


@standalone
def frames(s, x):
    """Arms, tangents and the length of the rolling rows of every contact, with centres of mass at x."""
    contacts, kick = s.contacts, s.kick
    for c in range(s.counts[CONTACTS]):
        p = row(contacts.point, c)
        n = row(contacts.normal, c)
        t = any_perpendicular(n)
        put(kick.ra, c, sub(p, row(x, contacts.a[c])))
        put(kick.rb, c, sub(p, row(x, contacts.b[c])))
        put(kick.t1, c, t)
        put(kick.t2, c, cross(n, t))
        kick.length[c] = s.bodies.size[contacts.a[c]]


@standalone
def predict(s, params):
    """kick.closing and pull of contacts that are placed: all there is to the landing law (law.py). Where landings are
    caught those are predicted that are met ahead (step/ahead.py): nothing touches there yet."""
    contacts, kick = s.contacts, s.kick
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for c in range(s.counts[CONTACTS]):
        predicted = params.landing == PREDICTED or contacts.gap[c] > 2.0 * params.slop
        falls = predicted and s.bodies.inverse_mass[contacts.b[c]] == 0.0  # two bodies that both fall do so together
        kick.closing[c] = contacts.gap[c] / params.dt if predicted else 0.0
        kick.pull[c] = params.dt * dot(g, row(contacts.normal, c)) if falls else 0.0


@kernel
def relative_velocity(s, c, at, side):
    """(velocity of a's material point minus b's, spin of a minus b's) at contact c, with the velocities of `side`."""
    a, b, inverse_inertia = s.contacts.a[c], s.contacts.b[c], s.bodies.inverse_inertia
    wa = spin_of(quat_row(at.q, a), inverse_inertia, a, row(side.l, a))
    wb = spin_of(quat_row(at.q, b), inverse_inertia, b, row(side.l, b))
    va = velocity_at(row(side.v, a), wa, row(s.kick.ra, c))
    vb = velocity_at(row(side.v, b), wb, row(s.kick.rb, c))
    return sub(va, vb), sub(wa, wb)


@kernel
def contact_secant(contacts, c, at, side, spin, h):
    """(gap after the drift - gap)/h of contact c, m/s, for a drift of signed length h with midpoint spins `spin`."""
    a, b, v = contacts.a[c], contacts.b[c], side.v
    qa, qb = quat_row(at.q, a), quat_row(at.q, b)
    xa, xb = row(at.x, a), row(at.x, b)
    point_a, dir_a = add(xa, rotate(qa, row(contacts.point_a, c))), rotate(qa, row(contacts.dir_a, c))
    point_b, dir_b = add(xb, rotate(qb, row(contacts.point_b, c))), rotate(qb, row(contacts.dir_b, c))
    return gap_rate(
        ((contacts.kind_a[c], point_a, dir_a, contacts.circle_a[c]), (xa, row(v, a), row(spin, a))),
        ((contacts.kind_b[c], point_b, dir_b, contacts.circle_b[c]), (xb, row(v, b), row(spin, b))),
        row(contacts.normal, c),
        h,
    )


@standalone
def speeds_before(s, params, at, side):
    """kick.before of every contact: the secant of its gap over the drift that led to `at` with the velocities of
    `side`, m/s. Writes that drift's spins to other_spin.

    Secants on both sides make the law symmetric in time: an elastic bounce of a spinning corner neither gains nor
    loses energy, and a bounce that was open one step after the kick is open one step before it."""
    contacts, inverse_inertia, spin, h = s.contacts, s.bodies.inverse_inertia, s.other_spin, -params.dt
    for c in range(s.counts[CONTACTS]):
        a, b = contacts.a[c], contacts.b[c]
        if c == 0 or a != contacts.a[c - 1] or b != contacts.b[c - 1]:  # contacts of a pair stand together
            put(spin, a, midpoint_spin(quat_row(at.q, a), inverse_inertia, a, row(side.l, a), h))
            put(spin, b, midpoint_spin(quat_row(at.q, b), inverse_inertia, b, row(side.l, b), h))
        s.kick.before[c] = contact_secant(contacts, c, at, side, spin, h)


@standalone
def speeds_after(s, params, at, side):
    """kick.after, slide, roll from the velocities after the kick and the drift that follows it, whose spins are in
    s.spin."""
    kick = s.kick
    for c in range(s.counts[CONTACTS]):
        n = row(s.contacts.normal, c)
        u, w = relative_velocity(s, c, at, side)
        put(kick.slide, c, sub(u, scale(dot(u, n), n)))
        put(kick.roll, c, w)
        kick.after[c] = contact_secant(s.contacts, c, at, side, s.spin, params.dt)


@kernel
def _turn(q, root, body, torque):
    """Angular part of a row: root^T R^T torque, with I^-1 = (R root)(R root)^T."""
    m = rotate((q[0], -q[1], -q[2], -q[3]), torque)
    return (
        root[body, 0, 0] * m[0] + root[body, 1, 0] * m[1] + root[body, 2, 0] * m[2],
        root[body, 0, 1] * m[0] + root[body, 1, 1] * m[1] + root[body, 2, 1] * m[2],
        root[body, 0, 2] * m[0] + root[body, 1, 2] * m[1] + root[body, 2, 2] * m[2],
    )


@kernel
def _put_row(g, i, k, linear, angular):
    for j in range(3):
        g[i, k, j] = linear[j]
        g[i, k, 3 + j] = angular[j]


@kernel
def _body_rows(s, g, i, c, body, sign, r, q, width):
    """Rows of one body of contact c: normal, tangents, and rolling rows when width is 6."""
    kick, root, light = s.kick, s.root, sign * s.root_mass[body]
    n, t1, t2 = row(s.contacts.normal, c), row(kick.t1, c), row(kick.t2, c)
    _put_row(g, i, 0, scale(light, n), scale(sign, _turn(q, root, body, cross(r, n))))
    _put_row(g, i, 1, scale(light, t1), scale(sign, _turn(q, root, body, cross(r, t1))))
    _put_row(g, i, 2, scale(light, t2), scale(sign, _turn(q, root, body, cross(r, t2))))
    if width == 6:
        for k in range(3):
            axis = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            _put_row(g, i, 3 + k, (0.0, 0.0, 0.0), scale(sign * kick.length[c], _turn(q, root, body, axis)))


@inline
def place_rows(s, island, width, at):
    """G, H = G, mu and rolling of one island's contacts, in the order of the island."""
    contacts, kick, islands, rows = s.contacts, s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(islands.contact_start[island + 1] - first):
        c = islands.order[first + i]
        a, b = contacts.a[c], contacts.b[c]
        rows.body_a[i] = islands.local[a]
        _body_rows(s, rows.ga, i, c, a, 1.0, row(kick.ra, c), quat_row(at.q, a), width)
        if s.bodies.inverse_mass[b] > 0.0:
            rows.body_b[i] = islands.local[b]
            _body_rows(s, rows.gb, i, c, b, -1.0, row(kick.rb, c), quat_row(at.q, b), width)
        else:
            rows.body_b[i] = -1
            for k in range(width):
                for j in range(6):
                    rows.gb[i, k, j] = 0.0
        for j in range(6):
            rows.ha[i, j] = rows.ga[i, 0, j]
            rows.hb[i, j] = rows.gb[i, 0, j]
        rows.mu[i] = kick.friction[c]
        rows.rolling[i] = kick.rolling[c] / kick.length[c]


@inline
def impulses_to_rows(s, island):
    """rows.z from kick.impulse and kick.torque (the warm start)."""
    contacts, kick, islands, rows = s.contacts, s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(islands.contact_start[island + 1] - first):
        c = islands.order[first + i]
        p = row(kick.impulse, c)
        rows.z[i, 0] = dot(p, row(contacts.normal, c))
        rows.z[i, 1] = dot(p, row(kick.t1, c))
        rows.z[i, 2] = dot(p, row(kick.t2, c))
        for k in range(3):
            rows.z[i, 3 + k] = kick.torque[c, k] / kick.length[c]


@inline
def island_width(kick, islands, island):
    """6 when any contact of the island has rolling friction, else 3."""
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        if kick.rolling[islands.order[i]] > 0.0:
            return 6
    return 3


@kernel
def open_island(s, island, at):
    """Rows of one island with the warm start, over those of the one before; returns their width."""
    width = island_width(s.kick, s.islands, island)
    place_rows(s, island, width, at)
    impulses_to_rows(s, island)
    s.rows.count[0] = s.islands.contact_start[island + 1] - s.islands.contact_start[island]
    return width


@kernel
def rows_to_impulses(s, island, width):
    """kick.impulse and kick.torque from rows.z."""
    contacts, kick, islands, rows = s.contacts, s.kick, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(islands.contact_start[island + 1] - first):
        c = islands.order[first + i]
        p = scale(rows.z[i, 0], row(contacts.normal, c))
        p = add(p, scale(rows.z[i, 1], row(kick.t1, c)))
        p = add(p, scale(rows.z[i, 2], row(kick.t2, c)))
        put(kick.impulse, c, p)
        for k in range(3):
            kick.torque[c, k] = rows.z[i, 3 + k] * kick.length[c] if width == 6 else 0.0


@kernel
def body_speed(bodies, body, at, side):
    """|v| + |w| size, m/s: no point of the body is faster."""
    w = spin_of(quat_row(at.q, body), bodies.inverse_inertia, body, row(side.l, body))
    u = row(side.v, body)
    return math.sqrt(dot(u, u)) + math.sqrt(dot(w, w)) * bodies.size[body]


@kernel
def pair_speed(s, c, at, side):
    """Speed of the faster body of contact c, m/s."""
    return max(body_speed(s.bodies, s.contacts.a[c], at, side), body_speed(s.bodies, s.contacts.b[c], at, side))


@kernel
def island_speed(s, island, at, side):
    """Speed of an island's fastest body, m/s: the scale of relative tolerances."""
    fastest = 0.0
    for i in range(s.islands.body_start[island], s.islands.body_start[island + 1]):
        fastest = max(fastest, body_speed(s.bodies, s.islands.bodies[i], at, side))
    return fastest


@kernel
def apply_impulses(s, params, island, sign, given, found):
    """Velocities across the kick for an island: sign +1 from before to after, -1 from after to before."""
    contacts, kick, islands, inverse_mass = s.contacts, s.kick, s.islands, s.bodies.inverse_mass
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for i in range(islands.body_start[island], islands.body_start[island + 1]):
        body = islands.bodies[i]
        for k in range(3):
            found.v[body, k] = given.v[body, k] + sign * params.dt * g[k]
            found.l[body, k] = given.l[body, k]
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        p = scale(sign, row(kick.impulse, c))
        t = scale(sign, row(kick.torque, c))
        push(found, contacts.a[c], inverse_mass, row(kick.ra, c), p, t, 1.0)
        push(found, contacts.b[c], inverse_mass, row(kick.rb, c), p, t, -1.0)


@kernel
def push(found, body, inverse_mass, r, p, t, sign):
    """Give `body` the impulse sign*p at offset r and the angular impulse sign*t (nothing when it is static)."""
    if inverse_mass[body] == 0.0:
        return
    m = cross(r, p)
    for k in range(3):
        found.v[body, k] += sign * inverse_mass[body] * p[k]
        found.l[body, k] += sign * (m[k] + t[k])


@kernel
def scaled_velocities(s, params, island, gravity_sign, at, side, y):
    """y = S^-1 (u + gravity_sign g dt) of an island's bodies: (sqrt(m) v, root^T R^T L)."""
    islands, root, q, v = s.islands, s.root, at.q, side.v
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    first = islands.body_start[island]
    for i in range(first, islands.body_start[island + 1]):
        body = islands.bodies[i]
        m = rotate((q[body, 0], -q[body, 1], -q[body, 2], -q[body, 3]), row(side.l, body))
        weight = math.sqrt(s.bodies.mass[body])
        for k in range(3):
            y[i - first, k] = weight * (v[body, k] + gravity_sign * params.dt * g[k])
            y[i - first, 3 + k] = root[body, 0, k] * m[0] + root[body, 1, k] * m[1] + root[body, 2, k] * m[2]
