"""Secants of the gaps over the drift beside a kick, found together with the impulses by an outer loop."""

from __future__ import annotations

from engine.contact.kick import contact_secant, relative_velocity
from engine.jit import kernel
from engine.spin import midpoint_spin
from engine.vec import dot, put, quat_row, row

MOST_SECANT_ROUNDS = 40  # contraction ~ dt |w|: 1e-13 in about ten rounds at 60 rad/s


@kernel
def update_secants(contacts, kick, islands, island, x, q, inverse_inertia, v, l, h, spin):
    """kick.secant from the drift of length h that follows; returns the largest change, m/s. Writes midpoint spins."""
    for i in range(islands.body_start[island], islands.body_start[island + 1]):
        body = islands.bodies[i]
        put(spin, body, midpoint_spin(quat_row(q, body), inverse_inertia, body, row(l, body), h))
    change = 0.0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        u, w = relative_velocity(contacts, kick, c, q, inverse_inertia, v, l)
        secant = contact_secant(contacts, c, x, q, v, spin, h) - dot(u, row(contacts.normal, c))
        change = max(change, abs(secant - kick.secant[c]))
        kick.secant[c] = secant
    return change
