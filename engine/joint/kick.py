"""What both kicks of an island with joints share: rows of limits, impulses of joints, secants and lags, and the outer
loop that finds them all.

Impulses of joints act along their rows at x_k, with the size that closes them one step on (SHAKE in momentum form):

    forward    u+ = u- + g dt + M^-1 (J^T lam + ...),   lam from C(D(dt)(x_k, u+)) = 0
    backward   u- = u+ - g dt - M^-1 (J^T lam + ...),   lam from C(D(-dt)(x_k, u-)) = 0

The whole closure C is driven to zero, not its change, so nothing adds up and no drift is ever corrected. Its secant
minus its plain rate is the joint's `lag`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.contact.backward_kick import clear_folded, unfold
from engine.contact.kick import PASSIVE, apply_impulses, contact_secant, relative_velocity, rows_to_impulses
from engine.contact.rows import own_responses, velocities_of_impulses
from engine.contact.secants import FIRST_TOLERANCE, MOST_SECANT_ROUNDS, next_share, next_tolerance, wanted_tolerance
from engine.jit import kernel, standalone
from engine.joint.basis import Basis, empty_basis, find_free, joint_impulses
from engine.joint.closure import closure, drifted, equation_rate
from engine.joint.dense import Dense, empty_dense, solve_dense
from engine.joint.limits import limit_impulse, limit_rate, limit_secant, set_limit_impulse
from engine.joint.linkage import FIRST_LIMIT
from engine.model.joints import HINGE
from engine.spin import midpoint_spin
from engine.vec import dot, put, quat_row, rotate_back, row

ROUNDING = 8.0 * 2.3e-16  # of a place: closures are no better than this share of the coordinates


class JointWork(NamedTuple):
    """Room to solve islands with joints."""

    basis: Basis
    dense: Dense
    y: np.ndarray  # (N, 6) scaled velocities
    extra: np.ndarray  # (C, 6) m/s   right-hand sides beyond the velocities


def empty_joint_work(bodies: int, equations: int, contacts: int) -> JointWork:
    n, c = max(bodies, 1), max(contacts, 1)
    return JointWork(empty_basis(n, equations, c), empty_dense(n, c), np.zeros((n, 6)), np.zeros((c, 6)))


@standalone
def joint_room(islands, number, work):
    """(bodies, contacts) that `work` must be enlarged to for the islands with joints; (0, 0) when all fit."""
    bodies, contacts = 0, 0
    for island in range(number):
        if islands.joined[island]:
            bodies = max(bodies, islands.body_start[island + 1] - islands.body_start[island])
            contacts = max(contacts, islands.contact_start[island + 1] - islands.contact_start[island])
    if bodies <= work.y.shape[0] and contacts <= work.extra.shape[0]:
        return 0, 0
    return bodies, contacts


@kernel
def open_limits(contacts, kick, linkage, islands, island, inverse_mass, q, root, rows):
    """Rows of hinge limits are torques: overwrite what place_rows made of them; no tangents at any limit."""
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        if c < linkage.counts[FIRST_LIMIT]:
            continue
        j = linkage.owner[c - linkage.counts[FIRST_LIMIT]]
        for k in range(1, 6):
            for m in range(6):
                rows.ga[i, k, m] = 0.0
                rows.gb[i, k, m] = 0.0
        rows.z[i, 0] = limit_impulse(contacts, kick, linkage, j)
        for k in range(1, 6):
            rows.z[i, k] = 0.0
        if linkage.joints.kind[j] == HINGE:
            for side in range(2):
                body = contacts.a[c] if side == 0 else contacts.b[c]
                part = rows.ga if side == 0 else rows.gb
                sign = linkage.joints.length[j] * (1.0 if side == 0 else -1.0)
                moves = inverse_mass[body] > 0.0
                _torque_row(part, i, sign if moves else 0.0, row(contacts.normal, c), quat_row(q, body), root, body)
        for m in range(6):
            rows.ha[i, m] = rows.ga[i, 0, m]
            rows.hb[i, m] = rows.gb[i, 0, m]
        rows.mu[i] = 0.0
        rows.rolling[i] = 0.0


@kernel
def _torque_row(part, i, sign, axis, turn, root, body):
    """Row 0 of contact i: a torque along `axis` in scaled velocities."""
    m = rotate_back(turn, axis)
    for k in range(3):
        part[i, 0, k] = 0.0
        part[i, 0, 3 + k] = sign * (root[body, 0, k] * m[0] + root[body, 1, k] * m[1] + root[body, 2, k] * m[2])


@kernel
def row_scales(kick, linkage, islands, island, width, rows, painleve_share):
    """Scales of the rows; of those without tangents or held PASSIVE any positive number."""
    own_responses(rows, width, painleve_share)
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            rows.an[i] = 1.0
        if kick.hold[c] == PASSIVE or c >= linkage.counts[FIRST_LIMIT]:
            rows.at[i] = 1.0
            rows.ar[i] = 1.0


@kernel
def apply_all(contacts, kick, linkage, islands, island, inverse_mass, sign, params, v, l, v_out, l_out):
    """Velocities across the kick: gravity, contacts, limits and joints."""
    apply_impulses(contacts, kick, islands, island, inverse_mass, sign, params, v, l, v_out, l_out)
    for i in range(linkage.start[island], linkage.start[island + 1]):
        push_joint(linkage, linkage.order[i], inverse_mass, sign, v_out, l_out)


@kernel
def push_joint(linkage, j, inverse_mass, sign, v, l):
    """Give both bodies of joint j its impulses."""
    joints = linkage.joints
    for side in range(2):
        body = joints.a[j] if side == 0 else joints.b[j]
        part = linkage.row_a if side == 0 else linkage.row_b
        if inverse_mass[body] > 0.0:
            for k in range(joints.rows[j]):
                z = sign * linkage.impulse[j, k]
                for c in range(3):
                    v[body, c] += z * inverse_mass[body] * part[j, k, c]
                    l[body, c] += z * part[j, k, 3 + c]


@kernel
def closure_after(joints, j, x, q, inverse_inertia, v, l, h):
    """Closure of joint j after a drift of signed length h, six numbers in m."""
    xa, qa = drifted(x, q, v, l, inverse_inertia, joints.a[j], h)
    xb, qb = drifted(x, q, v, l, inverse_inertia, joints.b[j], h)
    return closure(joints, j, xa, qa, xb, qb)


@standalone
def follow(contacts, kick, linkage, islands, island, x, q, inverse_inertia, v, l, h, share, spin):
    """Secants of contacts and limits and lags of joints move by `share` of the way to those of the drift of signed
    length h that follows. Returns the largest whole changes of (secants, lags), m/s."""
    for i in range(islands.body_start[island], islands.body_start[island + 1]):
        body = islands.bodies[i]
        put(spin, body, midpoint_spin(quat_row(q, body), inverse_inertia, body, row(l, body), h))
    change, opened = 0.0, 0.0
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        c = islands.order[i]
        if c < linkage.counts[FIRST_LIMIT]:
            u, _ = relative_velocity(contacts, kick, c, q, inverse_inertia, v, l)
            step = contact_secant(contacts, c, x, q, v, spin, h) - dot(u, row(contacts.normal, c)) - kick.secant[c]
        else:
            j = linkage.owner[c - linkage.counts[FIRST_LIMIT]]
            plain = limit_rate(contacts, kick, linkage, j, q, inverse_inertia, v, l)
            step = limit_secant(linkage, j, x, q, inverse_inertia, v, l, h) - plain - kick.secant[c]
        change = max(change, abs(step))
        kick.secant[c] += share * step
    for i in range(linkage.start[island], linkage.start[island + 1]):
        j = linkage.order[i]
        error = closure_after(linkage.joints, j, x, q, inverse_inertia, v, l, h)
        for k in range(linkage.joints.rows[j]):
            plain = equation_rate(linkage.joints, j, k, linkage.row_a, linkage.row_b, q, inverse_inertia, v, l)
            step = error[k] / h - plain - linkage.lag[j, k]
            opened = max(opened, abs(step))
            linkage.lag[j, k] += share * step
    return change, opened


@kernel
def _right_hand_sides(kick, islands, island, width, sign, rows, basis, extra):
    """rows.rhs = sign * (G free + secant) + extra; rows of PASSIVE contacts stay as they are."""
    first = islands.contact_start[island]
    for i in range(rows.body_a.shape[0]):
        c = islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            continue
        for k in range(width):
            s = 0.0
            for m in range(6):
                s += rows.ga[i, k, m] * basis.free[6 * rows.body_a[i] + m]
            if rows.body_b[i] >= 0:
                for m in range(6):
                    s += rows.gb[i, k, m] * basis.free[6 * rows.body_b[i] + m]
            rows.rhs[i, k] = sign * s + extra[i, k]
        rows.rhs[i, 0] += sign * kick.secant[c]


@kernel
def _write_impulses(contacts, kick, linkage, islands, island, width, all_rows):
    """kick.impulse and torque from the rows; limits in their own form."""
    rows_to_impulses(contacts, kick, islands, island, width, all_rows)
    first = islands.contact_start[island]
    for i in range(islands.contact_start[island + 1] - first):
        c = islands.order[first + i]
        if c >= linkage.counts[FIRST_LIMIT]:
            set_limit_impulse(contacts, kick, linkage, linkage.owner[c - linkage.counts[FIRST_LIMIT]], all_rows.z[i, 0])


@kernel
def _close_joints(linkage, width, sign, rows, work, count, n):
    """Impulses of the joints for the contact impulses in rows.z."""
    for i in range(n):
        for k in range(6):
            work.y[i, k] = 0.0
    velocities_of_impulses(rows, width, rows.z, work.y)
    for i in range(n):
        for k in range(6):
            work.y[i, k] = work.basis.start[6 * i + k] + sign * work.y[i, k]
    joint_impulses(linkage, work.basis, count, 6 * n, sign, work.y)


@kernel
def rounding_of(islands, island, x, dt):
    """Speed (m/s) below which closures over a step are rounding."""
    farthest = 0.0
    for i in range(islands.body_start[island], islands.body_start[island + 1]):
        for k in range(3):
            farthest = max(farthest, abs(x[islands.bodies[i], k]))
    return ROUNDING * (1.0 + farthest) / dt


@kernel
def forget_lags(kick, linkage, islands, island):
    """Secants and lags are those of the instant: the loop starts from the linear answer."""
    for i in range(islands.contact_start[island], islands.contact_start[island + 1]):
        kick.secant[islands.order[i]] = 0.0
    for i in range(linkage.start[island], linkage.start[island + 1]):
        for k in range(6):
            linkage.lag[linkage.order[i], k] = 0.0


@standalone
def find_all(contacts, kick, linkage, islands, island, count, width, sign, x, q, v, l, inverse_mass, inverse_inertia,
             rows, all_rows, work, params, speed, at_rest, v_out, l_out, spin):  # fmt: skip
    """The outer loop: impulses of contacts, limits and the `count` equations of joints, and the velocities on the far
    side (sign 1: after, -1: before). Rows, basis and work.extra are set. Returns the residual (relative)."""
    n = islands.body_start[island + 1] - islands.body_start[island]
    m = rows.body_a.shape[0]
    scale = 1.0 + speed
    wanted = wanted_tolerance(params.solver_tolerance, speed, at_rest)
    closed = max(wanted, rounding_of(islands, island, x, params.dt) / scale)
    tolerance = FIRST_TOLERANCE
    residual, change, opened, last_change = 0.0, 0.0, 0.0, math.inf
    share = 1.0
    strikes = 0
    polished = False
    forget_lags(kick, linkage, islands, island)
    for _ in range(MOST_SECANT_ROUNDS):
        find_free(linkage, work.basis, count, 6 * n)
        if m > 0:
            _right_hand_sides(kick, islands, island, width, sign, rows, work.basis, work.extra)
            if sign < 0.0:
                clear_folded(kick, islands, island, width, rows)
            residual = solve_dense(rows, width, work.basis.gp, work.basis.hp, 6 * n, speed, tolerance, work.dense)
        _close_joints(linkage, width, sign, rows, work, count, n)
        if sign < 0.0:
            unfold(kick, islands, island, width, params, rows)
        _write_impulses(contacts, kick, linkage, islands, island, width, all_rows)
        apply_all(contacts, kick, linkage, islands, island, inverse_mass, sign, params, v, l, v_out, l_out)
        change, opened = follow(contacts, kick, linkage, islands, island, x, q, inverse_inertia, v_out, l_out,
                                sign * params.dt, share, spin)  # fmt: skip
        change, opened = change / scale, opened / scale
        if change <= wanted and opened <= closed and (m == 0 or residual <= wanted or tolerance <= wanted):
            if polished or opened <= wanted:
                break
            polished = True  # rounding hides how near it is: one round more makes sure of the last digits
        if not math.isfinite(change + opened):
            return math.inf
        largest = max(change, opened)
        share, strikes = next_share(share, strikes, largest, last_change)
        tolerance = next_tolerance(tolerance, wanted, largest)
        last_change = largest
    return max(residual, change, 0.0 if opened <= closed else opened)
