"""Secants of the gaps over the drift beside a kick, found together with the impulses by an outer loop.

The loop starts without secants and solves the first rounds loosely. Redundant contacts of one body (corners of a face,
ends of an edge) are nearly consistent at the answer, but not with the secants of another motion: then the law holds
only with internal stresses at the bounds of friction, which take hundreds of factorisations to find and are thrown away
in the next round.
"""

from __future__ import annotations

from engine.contact.kick import contact_secant, relative_velocity
from engine.jit import kernel
from engine.spin import midpoint_spin
from engine.vec import dot, put, quat_row, row

MOST_SECANT_ROUNDS = 40  # contraction ~ dt |w|: 1e-13 in about ten rounds at 60 rad/s
FIRST_TOLERANCE = 1e-5  # relative residual to which the first round is solved
LEAST_SHARE = 0.25  # of a change of the secants that is followed
AT_REST = 0.05  # share of the tolerance for islands without momentum
INEXACT = 0.02  # later rounds: to this share of the last change of the secants, and to the full tolerance in the end


@kernel
def strict_tolerance(solver_tolerance, speed):
    """Relative tolerance of a solve in an island whose fastest body has `speed` (m/s): tighter in a fast one, so that
    its slow bodies too obey the law to the solver's tolerance; rounding grows with the speed, hence the hundredth."""
    return 0.3 * solver_tolerance * (1.0 + min(speed, 2.0 + 0.01 * speed)) / (1.0 + speed)


@kernel
def wanted_tolerance(solver_tolerance, speed, at_rest):
    """strict_tolerance, and much tighter for an island without momentum: it falls asleep, and what speed the solve
    leaves is taken away."""
    return strict_tolerance(solver_tolerance, speed) * (AT_REST if at_rest else 1.0)


@kernel
def forget_secants(kick, islands, island):
    """kick.secant = 0 for an island: normal velocities after the kick are those of the instant."""
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        kick.secant[islands.order[i]] = 0.0


@kernel
def update_secants(contacts, kick, islands, island, x, q, inverse_inertia, v, l, h, share, spin):
    """kick.secant moves by `share` of the way to that of the drift of length h that follows. Returns the largest
    whole change, m/s. Writes midpoint spins."""
    for i in range(islands.body_start[island], islands.body_start[island + 1]):
        body = islands.bodies[i]
        put(spin, body, midpoint_spin(quat_row(q, body), inverse_inertia, body, row(l, body), h))
    change = 0.0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        u, w = relative_velocity(contacts, kick, c, q, inverse_inertia, v, l)
        step = contact_secant(contacts, c, x, q, v, spin, h) - dot(u, row(contacts.normal, c)) - kick.secant[c]
        change = max(change, abs(step))
        kick.secant[c] += share * step
    return change


@kernel
def next_share(share, strikes, change, last_change):
    """(share, strikes): how far to follow the secants next. Less where the rounds go to and fro between two answers,
    that is where the change twice did not shrink as it should when `share` of it was followed."""
    if change <= (1.0 - 0.5 * share) * last_change:
        return min(1.0, 2.0 * share), 0
    if strikes < 1:
        return share, strikes + 1
    return max(0.5 * share, LEAST_SHARE), 0


@kernel
def next_tolerance(tolerance, wanted, change):
    """Tolerance of the next round: never looser than before, and all that is `wanted` once the secants stand still."""
    return max(wanted, min(INEXACT * change, tolerance))
