"""Where landings are predicted (contact/law.py): which contacts can be met within the step."""

from __future__ import annotations

import math

from engine.collide.broad import READY
from engine.collide.features import rim_point
from engine.jit import inline, standalone
from engine.joint.linkage import copy_contact
from engine.model.arrays import CIRCLE, FACE, POINT
from engine.vec import cross, norm, put, quat_row, rotate, rotate_back, row, scale

FASTER = 4.0
"""A corner may go on this much faster than any did in the step beside: a hit at one end of a rod throws the other end
down (3.7 times for a brick of 1:2:4), and seen backward a bounce came in faster by 1/restitution."""

LEAST_MARGIN = 1e-4  # m; margins are this times a power of two, so that they seldom change


@standalone
def foresee(size, params, x, q, x_from, q_from, reach):
    """reach (m): no point of a body is expected to come farther in a step; (x_from, q_from) is one step away."""
    fall = params.dt**2 * math.sqrt(params.gravity_x**2 + params.gravity_y**2 + params.gravity_z**2)
    for body in range(size.shape[0]):
        way, turn = 0.0, 0.0
        same = 0.0
        for k in range(4):
            same += q[body, k] * q_from[body, k]
        sign = 1.0 if same >= 0.0 else -1.0
        for k in range(3):
            way += (x[body, k] - x_from[body, k]) ** 2
        for k in range(4):
            turn += (q[body, k] - sign * q_from[body, k]) ** 2
        moved = math.sqrt(way) + 2.0 * math.sqrt(turn) * size[body]
        reach[body] = FASTER * (moved + fall) if size[body] > 0.0 else 0.0


@inline
def rounded_up(reach, margin, near_counts):
    """Margin (m) for contact detection that holds for every pair. Where it grows, or could be much less, the broad
    phase starts anew: what it keeps is right for one margin only."""
    first, second = 0.0, 0.0
    for body in range(reach.shape[0]):
        if reach[body] > first:
            second = first
            first = reach[body]
        elif reach[body] > second:
            second = reach[body]
    wanted = first + second
    if wanted > margin[0] or 8.0 * wanted < margin[0]:
        margin[0] = LEAST_MARGIN
        while margin[0] < wanted:
            margin[0] *= 2.0
        near_counts[READY] = 0
    return margin[0]


@standalone
def keep_reachable(count, contacts, reach, slop):
    """Leave out contacts that their bodies cannot meet in this step; returns how many are left."""
    kept = 0
    for c in range(count):
        if contacts.gap[c] > slop + reach[contacts.a[c]] + reach[contacts.b[c]]:
            continue
        if kept < c:
            copy_contact(contacts, c, contacts, kept)
        kept += 1
    return kept


@standalone
def hold_rims(count, contacts, q, reach):
    """A rim that may lie flat at the end of the step touches with its lowest point of now: the gap of the whole circle
    has a kink there, and no solver finds the speed at which it comes to lie."""
    for c in range(count):
        if contacts.kind_a[c] != CIRCLE or contacts.kind_b[c] != FACE:
            continue
        turn, n = quat_row(q, contacts.a[c]), row(contacts.normal, c)
        axis = rotate(turn, row(contacts.dir_a, c))
        if contacts.circle_a[c] * norm(cross(n, axis)) > reach[contacts.a[c]]:
            continue
        low = rim_point(row(contacts.point_a, c), row(contacts.dir_a, c), contacts.circle_a[c],
                        rotate_back(turn, scale(-1.0, n)))  # fmt: skip
        put(contacts.point_a, c, low)
        put(contacts.dir_a, c, (0.0, 0.0, 0.0))
        contacts.circle_a[c] = 0.0
        contacts.kind_a[c] = POINT
