"""The forward kick of a contact that is alone in its island and slips, felt out.

What is fast and small may turn several times in the step that follows, or go through a ball and open the gap on the far
side: no impulse at all obeys the law then. The gap at the end of the step is no monotonous function of the impulse, and
neither the closed form nor Newton finds the one that is meant. It is continuous. From an impulse that throws the
contact open the smaller ones are tried in turn; where they begin to leave it closed is the one that obeys the law.
"""

from __future__ import annotations

import math

from engine.contact.kick import contact_secant, push, relative_velocity
from engine.jit import kernel, standalone
from engine.kick.lone_kick import lone_system
from engine.kick.sides import bias
from engine.model.arrays import POINT
from engine.spin import midpoint_spin
from engine.vec import dot, put, quat_row, row, scale

MOST_DOUBLINGS, MOST_HALVINGS = 40, 200
PARTS = 64  # of the impulse that opens the contact, between which it is looked for


@kernel
def goes_through(s, params, c, at, found):
    """Whether a point of one body is on the far side of a point of the other after the drift that follows."""
    contacts = s.contacts
    if contacts.kind_a[c] != POINT or contacts.kind_b[c] != POINT:
        return False
    v, _ = relative_velocity(s, c, at, found)
    return contacts.gap[c] + contacts.round[c] + params.dt * dot(v, row(contacts.normal, c)) < 0.0


@standalone
def felt_kick(s, params, c, speed, at, given, found):
    """Impulse, secant and velocities after the kick of contact c. Returns the residual (relative), infinite where no
    impulse is found."""
    u, responses = lone_system(s, params, c, 1.0, at, given)
    asked = bias(s.kick, c, params)
    high = max(-u[0], 1e-3 * (1.0 + speed)) / responses[0]
    doublings = 0
    while give_normal(s, params, c, high, at, given, found) + asked < 0.0:
        high *= 2.0
        doublings += 1
        if doublings == MOST_DOUBLINGS:
            return math.inf
    low, part = high, high / PARTS
    while give_normal(s, params, c, low, at, given, found) + asked >= 0.0:
        high = low
        low -= part
        if low < 0.0:
            return stop(s, params, c, -u[0] / responses[0], at, given, found)
    for _ in range(MOST_HALVINGS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        if give_normal(s, params, c, middle, at, given, found) + asked < 0.0:
            low = middle
        else:
            high = middle
    opens = give_normal(s, params, c, high, at, given, found)
    v, _ = relative_velocity(s, c, at, found)
    s.kick.secant[c] = opens - dot(v, row(s.contacts.normal, c))
    return abs(opens + asked) / (1.0 + speed)


@kernel
def stop(s, params, c, z, at, given, found):
    """The impulse after which the bodies do not come nearer at first: the gap opens sideways, as by a restitution that
    judges find (contact/tiers.py)."""
    opens = give_normal(s, params, c, z, at, given, found)
    v, _ = relative_velocity(s, c, at, found)
    s.kick.secant[c] = opens - dot(v, row(s.contacts.normal, c))
    return 0.0


@kernel
def give_normal(s, params, c, z, at, given, found):
    """Velocities after a kick that gives contact c the normal impulse z (N s); the secant of its gap that follows."""
    bodies, kick = s.bodies, s.kick
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    p, none = scale(z, row(s.contacts.normal, c)), (0.0, 0.0, 0.0)
    put(kick.impulse, c, p)
    put(kick.torque, c, none)
    for side in range(2):
        body = s.contacts.a[c] if side == 0 else s.contacts.b[c]
        if bodies.inverse_mass[body] > 0.0:
            for k in range(3):
                found.v[body, k] = given.v[body, k] + params.dt * g[k]
                found.l[body, k] = given.l[body, k]
            arm = row(kick.ra, c) if side == 0 else row(kick.rb, c)
            push(found, body, bodies.inverse_mass, arm, p, none, 1.0 - 2.0 * side)
        spin = midpoint_spin(quat_row(at.q, body), bodies.inverse_inertia, body, row(found.l, body), params.dt)
        put(s.other_spin, body, spin)
    return contact_secant(s.contacts, c, at, found, s.other_spin, params.dt)
