"""Islands with joints: the kicks of forward.py and backward.py with some of their stages replaced.

Impulses of joints act along their rows at x_k, with the size that closes them one step on (SHAKE in momentum form):

    forward    u+ = u- + g dt + M^-1 (J^T lam + ...),   lam from C(D(dt)(x_k, u+)) = 0
    backward   u- = u+ - g dt - M^-1 (J^T lam + ...),   lam from C(D(-dt)(x_k, u-)) = 0

The whole closure C is driven to zero, not its change, so nothing adds up and no drift is ever corrected. Its secant
minus its plain rate is the joint's `lag`. The joints are taken out by a basis of their rows, and contacts and limits
are solved behind it (joint/basis.py, joint/dense.py).
"""

from __future__ import annotations

import math

import numpy as np

from engine.contact.kick import (
    PASSIVE,
    apply_impulses,
    contact_secant,
    island_speed,
    open_island,
    relative_velocity,
    rows_to_impulses,
    scaled_velocities,
)
from engine.contact.law import law_residual
from engine.contact.rows import own_responses, row_velocity, velocities_of_impulses
from engine.contact.verdict import judge_contact
from engine.jit import bound, inline, kernel, standalone
from engine.joint.basis import Basis, empty_basis, find_basis, find_free, joint_impulses, project_contacts
from engine.joint.closure import closure_after, equation_rate, place_equations
from engine.joint.dense import Dense, empty_dense, solve_dense
from engine.joint.limits import judge_limit, limit_impulse, limit_rate, limit_secant, set_limit_impulse
from engine.joint.linkage import FIRST_LIMIT, copy_joint_impulses, push_joint
from engine.kick.backward import backward_kick, explain, keep, offence, restore
from engine.kick.rounds import find_impulses, forget, spins_of_drift
from engine.kick.sides import fold_and_ask, law_sides
from engine.model.joints import HINGE
from engine.params import CAUGHT
from engine.record import Record
from engine.vec import dot, quat_row, rotate_back, row

ROUNDING = 8.0 * 2.3e-16  # of a place: closures are no better than this share of the coordinates
MOST_ATTEMPTS = 120  # of one island in one kick
UNSOLVED = 1e9  # added to the score of an answer that is none


class JointWork(Record):
    """Room to solve islands with joints."""

    basis: Basis
    dense: Dense
    y: np.ndarray  # (N, 6) scaled velocities
    extra: np.ndarray  # (C, 6) m/s   right-hand sides beyond the velocities


def empty_joint_work(bodies: int, equations: int, contacts: int) -> JointWork:
    n, c = max(bodies, 1), max(contacts, 1)
    return JointWork(empty_basis(n, equations), empty_dense(n, c), np.zeros((n, 6)), np.zeros((c, 6)))


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


@inline
def open_limits(s, island, at):
    """Rows of hinge limits are torques: overwrite what place_rows made of them; no tangents at any limit."""
    contacts, kick, linkage, islands, rows = s.contacts, s.kick, s.linkage, s.islands, s.rows
    first = islands.contact_start[island]
    for i in range(rows.count[0]):
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
                sign = sign if s.bodies.inverse_mass[body] > 0.0 else 0.0
                _torque_row(part, i, sign, row(contacts.normal, c), quat_row(at.q, body), s.root, body)
        for m in range(6):
            rows.ha[i, m] = rows.ga[i, 0, m]
            rows.hb[i, m] = rows.gb[i, 0, m]
        rows.mu[i] = 0.0
        rows.rolling[i] = 0.0


@inline
def _torque_row(part, i, sign, axis, turn, root, body):
    """Row 0 of contact i: a torque along `axis` in scaled velocities."""
    m = rotate_back(turn, axis)
    for k in range(3):
        part[i, 0, k] = 0.0
        part[i, 0, 3 + k] = sign * (root[body, 0, k] * m[0] + root[body, 1, k] * m[1] + root[body, 2, k] * m[2])


@kernel
def open_joined(s, params, island, at):
    """Rows of an island: contacts and limits, and the equations of its joints. Returns the width."""
    linkage = s.linkage
    for i in range(linkage.start[island], linkage.start[island + 1]):
        place_equations(linkage.joints, linkage.order[i], at.x, at.q, linkage.row_a, linkage.row_b)
    width = open_island(s, island, at)
    open_limits(s, island, at)
    return width


@kernel
def row_scales(s, params, island, width):
    """Scales of the rows; of those without tangents or held PASSIVE any positive number."""
    rows, kick = s.rows, s.kick
    own_responses(rows, width, params.painleve_share)
    first = s.islands.contact_start[island]
    for i in range(rows.count[0]):
        c = s.islands.order[first + i]
        if kick.hold[c] == PASSIVE:
            rows.an[i] = 1.0
        if kick.hold[c] == PASSIVE or c >= s.linkage.counts[FIRST_LIMIT]:
            rows.at[i] = 1.0
            rows.ar[i] = 1.0


@kernel
def nothing_moves(s):
    """work.y = 0: right-hand sides without velocities."""
    y = s.joint_work.y
    for i in range(y.shape[0]):
        for k in range(6):
            y[i, k] = 0.0


@kernel
def start_behind(s, params, island, width, sign, at, given):
    """Everything behind the joints: projected rows, and where the velocities start from."""
    work, d = s.joint_work, 6 * (s.islands.body_start[island + 1] - s.islands.body_start[island])
    find_basis(s, island, at.q)
    project_contacts(s.rows, width, work.basis, d, work.dense.gp, work.dense.hp)
    scaled_velocities(s, params, island, sign, at, given, work.y)
    for k in range(d):
        work.basis.start[k] = work.y[k // 6, k % 6]


@kernel
def forget_lags(s, island):
    """Secants and lags are those of the instant: the loop starts from the linear answer."""
    forget(s, island)
    linkage = s.linkage
    for i in range(linkage.start[island], linkage.start[island + 1]):
        for k in range(6):
            linkage.lag[linkage.order[i], k] = 0.0


@inline
def rounding(s, params, island, wanted, scale, at):
    """Relative speed below which closures over a step are rounding."""
    farthest = 0.0
    for i in range(s.islands.body_start[island], s.islands.body_start[island + 1]):
        for k in range(3):
            farthest = max(farthest, abs(at.x[s.islands.bodies[i], k]))
    return max(wanted, ROUNDING * (1.0 + farthest) / params.dt / scale)


@inline
def sides_behind(s, island, width, sign):
    """rows.rhs = sign * (G free + secant) + extra; rows of PASSIVE contacts stay as they are."""
    rows, basis, extra = s.rows, s.joint_work.basis, s.joint_work.extra
    find_free(s.linkage, basis, 6 * (s.islands.body_start[island + 1] - s.islands.body_start[island]))
    first = s.islands.contact_start[island]
    for i in range(rows.count[0]):
        c = s.islands.order[first + i]
        if s.kick.hold[c] == PASSIVE:
            continue
        for k in range(width):
            moves = 0.0
            for m in range(6):
                moves += rows.ga[i, k, m] * basis.free[6 * rows.body_a[i] + m]
            if rows.body_b[i] >= 0:
                for m in range(6):
                    moves += rows.gb[i, k, m] * basis.free[6 * rows.body_b[i] + m]
            rows.rhs[i, k] = sign * moves + extra[i, k]
        rows.rhs[i, 0] += sign * s.kick.secant[c]


@inline
def solve_behind(s, island, width, sign, speed, tolerance, accepted):
    """(residual, 0) of contacts and limits; then the impulses of the joints for theirs."""
    rows, work, linkage = s.rows, s.joint_work, s.linkage
    n = s.islands.body_start[island + 1] - s.islands.body_start[island]
    residual = 0.0
    if rows.count[0] > 0:
        residual = solve_dense(rows, work.dense, width, n, speed, tolerance, s.solver)
    for i in range(n):
        for k in range(6):
            work.y[i, k] = 0.0
    velocities_of_impulses(rows, width, rows.z, work.y)
    for i in range(n):
        for k in range(6):
            work.y[i, k] = work.basis.start[6 * i + k] + sign * work.y[i, k]
    joint_impulses(linkage, work.basis, 6 * n, sign, work.y)
    return residual, 0


@kernel
def apply_all(s, params, island, sign, given, found):
    """Velocities across the kick: gravity, contacts, limits and joints."""
    apply_impulses(s, params, island, sign, given, found)
    for i in range(s.linkage.start[island], s.linkage.start[island + 1]):
        push_joint(s.linkage, s.linkage.order[i], s.bodies.inverse_mass, sign, found)


@inline
def give_all(s, params, island, width, sign, given, found):
    """Impulses from the rows, limits in their own form, and the velocities they and the joints lead to."""
    rows_to_impulses(s, island, width)
    first, linkage = s.islands.contact_start[island], s.linkage
    for i in range(s.rows.count[0]):
        c = s.islands.order[first + i]
        if c >= linkage.counts[FIRST_LIMIT]:
            j = linkage.owner[c - linkage.counts[FIRST_LIMIT]]
            set_limit_impulse(s.contacts, s.kick, linkage, j, s.rows.z[i, 0])
    apply_all(s, params, island, sign, given, found)


@standalone
def follow_all(s, island, h, share, at, found):
    """Secants of contacts and limits and lags of joints move by `share` of the way to those of the drift of signed
    length h that follows. Returns the largest whole changes of (secants, lags), m/s."""
    contacts, kick, linkage, inverse_inertia = s.contacts, s.kick, s.linkage, s.bodies.inverse_inertia
    spins_of_drift(s, island, h, at, found)
    change, opened = 0.0, 0.0
    for i in range(s.islands.contact_start[island], s.islands.contact_start[island + 1]):
        c = s.islands.order[i]
        if c < linkage.counts[FIRST_LIMIT]:
            u, _ = relative_velocity(s, c, at, found)
            secant = contact_secant(contacts, c, at, found, s.other_spin, h)
            step = secant - dot(u, row(contacts.normal, c)) - kick.secant[c]
        else:
            j = linkage.owner[c - linkage.counts[FIRST_LIMIT]]
            plain = limit_rate(contacts, kick, linkage, j, at.q, inverse_inertia, found.v, found.l)
            secant = limit_secant(linkage, j, at.x, at.q, inverse_inertia, found.v, found.l, h)
            step = secant - plain - kick.secant[c]
        change = max(change, abs(step))
        kick.secant[c] += share * step
    for i in range(linkage.start[island], linkage.start[island + 1]):
        j = linkage.order[i]
        error = closure_after(linkage.joints, j, at.x, at.q, inverse_inertia, found.v, found.l, h)
        for k in range(linkage.joints.rows[j]):
            plain = equation_rate(
                linkage.joints, j, k, linkage.row_a, linkage.row_b, at.q, inverse_inertia, found.v, found.l
            )
            step = error[k] / h - plain - linkage.lag[j, k]
            opened = max(opened, abs(step))
            linkage.lag[j, k] += share * step
    return change, opened


find_all = bound(
    find_impulses,
    "find_all",
    forget=forget_lags,
    loosest=rounding,
    set_sides=sides_behind,
    solve=solve_behind,
    give=give_all,
    follow=follow_all,
    KEEPS_BEST=False,
)


@inline
def recorded_is_lawful(s, params, island, width, speed, accepted, at, given, found):
    """Apply the impulses as they are; whether they obey the law and close the joints to accepted * (1 + speed)."""
    rows, work, linkage = s.rows, s.joint_work, s.linkage
    apply_all(s, params, island, 1.0, given, found)
    forget_lags(s, island)
    follow_all(s, island, params.dt, 1.0, at, found)
    scaled_velocities(s, params, island, 0.0, at, found, work.y)
    first = s.islands.contact_start[island]
    for i in range(rows.count[0]):
        for k in range(width):
            rows.rhs[i, k] = work.extra[i, k] + row_velocity(rows, i, k, work.y)
        rows.rhs[i, 0] += s.kick.secant[s.islands.order[first + i]]
    worst = law_residual(rows, width, rows.z, rows.rhs)
    for i in range(linkage.start[island], linkage.start[island + 1]):
        j = linkage.order[i]
        error = closure_after(linkage.joints, j, at.x, at.q, s.bodies.inverse_inertia, found.v, found.l, params.dt)
        for k in range(6):
            worst = max(worst, abs(error[k]) / params.dt)
    return worst <= accepted * (1.0 + speed)


@standalone
def forward_joined(s, params, island, accepted, at, given, found):
    """Forward kick of an island with joints; returns its residual (relative)."""
    width = open_joined(s, params, island, at)
    row_scales(s, params, island, width)
    speed = island_speed(s, island, at, given)
    nothing_moves(s)
    law_sides(s, params, island, width, s.joint_work.y)
    first = s.islands.contact_start[island]
    for i in range(s.rows.count[0]):
        for k in range(6):
            s.joint_work.extra[i, k] = 0.0
        s.joint_work.extra[i, 0] = s.base[s.islands.order[first + i]]
    if accepted > 0.0 and recorded_is_lawful(s, params, island, width, speed, accepted, at, given, found):
        return 0.0
    start_behind(s, params, island, width, 1.0, at, given)
    return find_all(s, params, island, width, 1.0, speed, speed == 0.0, 0.0, at, given, found)[0]


@inline
def solve_joined(s, params, island, at, given, found):
    """backward.solve of an island with joints."""
    work = s.joint_work
    width = open_joined(s, params, island, at)
    speed = island_speed(s, island, at, given)
    nothing_moves(s)
    fold_and_ask(s, params, island, width, work.y)
    first, largest = s.islands.contact_start[island], 0.0
    for i in range(s.rows.count[0]):
        for k in range(6):
            work.extra[i, k] = s.rows.rhs[i, k] if k < width else 0.0
        work.extra[i, 0] = s.base[s.islands.order[first + i]]
        largest = max(largest, abs(work.extra[i, 0]))
    speed = max(speed, largest)
    at_rest = speed == 0.0
    row_scales(s, params, island, width)
    start_behind(s, params, island, width, -1.0, at, given)
    residual, _ = find_all(s, params, island, width, -1.0, speed, at_rest, 0.0, at, given, found)
    return residual, speed, 0


@inline
def never_alone(s, params, island, at, given, found):
    return math.inf, 0.0


@inline
def tier_joined(s, params, c, at, found, speed):
    """backward.tier_of, of limits too."""
    contacts, kick, linkage = s.contacts, s.kick, s.linkage
    if c < linkage.counts[FIRST_LIMIT]:
        u, _ = relative_velocity(s, c, at, found)
        kick.before[c] = dot(u, row(contacts.normal, c)) + kick.secant[c]
        return judge_contact(s, c, params, at, 1.0 + speed)[0]
    j = linkage.owner[c - linkage.counts[FIRST_LIMIT]]
    plain = limit_rate(contacts, kick, linkage, j, at.q, s.bodies.inverse_inertia, found.v, found.l)
    kick.before[c] = plain + kick.secant[c]
    return judge_limit(contacts, kick, linkage, j, at.q, s.bodies, params, speed)[0]


@inline
def contact_is_predicted(s, params, c):
    """Limits are caught where they are passed, whatever the landing law."""
    return (params.landing != CAUGHT or s.kick.closing[c] != 0.0) and c < s.linkage.counts[FIRST_LIMIT]


@inline
def keep_joined(s, island):
    keep(s, island)
    copy_joint_impulses(s.linkage, island, s.linkage.impulse, s.linkage.kept)


@inline
def restore_joined(s, island):
    restore(s, island)
    copy_joint_impulses(s.linkage, island, s.linkage.kept, s.linkage.impulse)


explain_joined = bound(
    explain,
    "explain_joined",
    solve=solve_joined,
    solve_alone=never_alone,
    offence=bound(offence, "offence_joined", tier_of=tier_joined, is_predicted=contact_is_predicted),
    keep=keep_joined,
    restore=restore_joined,
    apply_impulses=apply_all,
    MOST_ATTEMPTS=MOST_ATTEMPTS,
    UNSOLVED=UNSOLVED,
    JOINTED=True,
)

kick_back = bound(backward_kick, "kick_back", explain_joined=explain_joined)
"""Backward kick of all islands, those with joints included."""
