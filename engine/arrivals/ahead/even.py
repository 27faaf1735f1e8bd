"""Even shares: the same push of a lone body on what it touches, spread over its contacts as evenly as the law allows.

A face that comes down flat touches at more points than its motion can tell apart, and a solver loads any few of them,
with friction that pulls one against the other. For the body that is all the same; for what must carry it, it is not.
"""

from __future__ import annotations

import math

import numpy as np

from engine.contact.kick import APART, FREE
from engine.jit import inline, kernel, standalone
from engine.record import Record
from engine.vec import add, cross, dot, norm, put, row, scale, sub

BINDING = 1e-10  # of 1 + speed, m/s: a bounce that keeps its law this closely may bear any part of the push
DAMPING = 1e-12  # of the largest entry: shares are not unique
REFINEMENTS = 6
MISSED = 1e-13  # share of the push that may be left over
DROPS = 4  # rounds of taking out contacts that would pull


class Evening(Record):
    """Work of the shares of up to C contacts."""

    bears: np.ndarray  # (C,) bool
    impulse: np.ndarray  # (C, 3) N s on the body
    matrix: np.ndarray  # (6, 6)
    lower: np.ndarray  # (6, 6)
    dual: np.ndarray  # (6,)
    left: np.ndarray  # (6,)


def make_evening(contacts: int) -> Evening:
    return Evening(
        np.zeros(contacts, bool), np.zeros((contacts, 3)), np.zeros((6, 6)), np.zeros((6, 6)), np.zeros(6), np.zeros(6)
    )


@standalone
def share_again(count, contacts, kick, body, size, x, speed, params, work):
    """Replace the impulses of a body's contacts by the evenest that push it the same way; leave them where there are
    none in the cones. kick.before and kick.after are those of the step."""
    if count < 2 or count > work.bears.shape[0]:
        return
    place = row(x, body)
    force, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for c in range(count):
        if kick.hold[c] == APART:
            work.bears[c] = False
            continue
        t = row(kick.torque, c)
        if kick.hold[c] != FREE or t[0] != 0.0 or t[1] != 0.0 or t[2] != 0.0:
            return
        p = scale(1.0 if contacts.a[c] == body else -1.0, row(kick.impulse, c))
        force = add(force, p)
        turn = add(turn, cross(sub(row(contacts.point, c), place), p))
        rests = kick.after[c] <= params.rest_speed
        missed = abs(kick.after[c] + kick.restitution[c] * kick.before[c])
        work.bears[c] = rests or missed <= BINDING * (1.0 + speed)
        if not work.bears[c] and norm(p) > 0.0:
            return
    for _ in range(DROPS):
        if not spread(count, contacts, kick, body, size[body], place, force, turn, params, work):
            return
        pulled = False
        for c in range(count):
            n = scale(1.0 if contacts.a[c] == body else -1.0, row(contacts.normal, c))
            p = row(work.impulse, c)
            up = dot(n, p)
            if work.bears[c] and up < 0.0:
                work.bears[c] = False
                pulled = True
            elif not slides(kick, c, params) and norm(sub(p, scale(up, n))) > kick.friction[c] * max(up, 0.0):
                return
        if not pulled:
            for c in range(count):
                put(kick.impulse, c, scale(1.0 if contacts.a[c] == body else -1.0, row(work.impulse, c)))
            return


@kernel
def slides(kick, c, params):
    return norm(row(kick.slide, c)) > params.rest_speed and kick.friction[c] > 0.0


@kernel
def direction(contacts, kick, c, k, body, params):
    """The k-th way (of three) in which contact c may push the body, scaled by what it may; zero where it has fewer."""
    sign = 1.0 if contacts.a[c] == body else -1.0
    n = scale(sign, row(contacts.normal, c))
    mu = kick.friction[c]
    if slides(kick, c, params):
        if k > 0:
            return (0.0, 0.0, 0.0)
        s = row(kick.slide, c)
        return sub(n, scale(sign * mu / norm(s), s))
    if k == 0:
        return n
    return scale(mu, row(kick.t1, c) if k == 1 else row(kick.t2, c))


@inline
def spread(count, contacts, kick, body, size, place, force, turn, params, work):
    """The least impulses of the contacts that bear, with this force and turn. False where the equations are not met."""
    wanted = (force[0], force[1], force[2], turn[0] / size, turn[1] / size, turn[2] / size)
    work.matrix[:] = 0.0
    for c in range(count):
        if work.bears[c]:
            arm = sub(row(contacts.point, c), place)
            for k in range(3):
                d = direction(contacts, kick, c, k, body, params)
                t = cross(arm, d)
                w = (d[0], d[1], d[2], t[0] / size, t[1] / size, t[2] / size)
                for i in range(6):
                    for j in range(6):
                        work.matrix[i, j] += w[i] * w[j]
    most, total = 0.0, 0.0
    for i in range(6):
        most = max(most, work.matrix[i, i])
        total += wanted[i] ** 2
        work.dual[i] = 0.0
        work.left[i] = wanted[i]
    if not factorise(work.matrix, DAMPING * most, work.lower):
        return False
    for _ in range(REFINEMENTS):
        improve(work.lower, work.left, work.dual)
        reached = share_out(count, contacts, kick, body, size, place, params, work)
        worst = 0.0
        for i in range(6):
            work.left[i] = wanted[i] - reached[i]
            worst += work.left[i] ** 2
        if worst <= MISSED**2 * total:
            return True
    return False


@inline
def share_out(count, contacts, kick, body, size, place, params, work):
    """Impulses from the dual; returns what they push in all."""
    s = work.dual
    force, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for c in range(count):
        put(work.impulse, c, (0.0, 0.0, 0.0))
        if work.bears[c]:
            arm = sub(row(contacts.point, c), place)
            p = (0.0, 0.0, 0.0)
            for k in range(3):
                d = direction(contacts, kick, c, k, body, params)
                t = cross(arm, d)
                weight = d[0] * s[0] + d[1] * s[1] + d[2] * s[2] + (t[0] * s[3] + t[1] * s[4] + t[2] * s[5]) / size
                p = add(p, scale(weight, d))
            put(work.impulse, c, p)
            force = add(force, p)
            turn = add(turn, cross(arm, p))
    return force[0], force[1], force[2], turn[0] / size, turn[1] / size, turn[2] / size


@inline
def factorise(matrix, damping, lower):
    """Cholesky of matrix + damping."""
    for i in range(6):
        for j in range(i + 1):
            value = matrix[i, j] + (damping if i == j else 0.0)
            for k in range(j):
                value -= lower[i, k] * lower[j, k]
            if i == j:
                if value <= 0.0:
                    return False
                lower[i, i] = math.sqrt(value)
            else:
                lower[i, j] = value / lower[j, j]
    return True


@inline
def improve(lower, left, dual):
    """dual += (L L^T)^-1 left; `left` is used up."""
    for i in range(6):
        for k in range(i):
            left[i] -= lower[i, k] * left[k]
        left[i] /= lower[i, i]
    for back in range(6):
        i = 5 - back
        for k in range(i + 1, 6):
            left[i] -= lower[k, i] * left[k]
        left[i] /= lower[i, i]
    for i in range(6):
        dual[i] += left[i]
