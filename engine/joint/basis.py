"""Joints of one island taken out of its contact problem.

In scaled velocities (contact/rows.py) the equations of the joints are rows g_i, and Gram-Schmidt gives g = lower basis
with orthonormal rows. Whatever the contacts do, the joints answer along g^T such that every g_i.y + lag_i = 0:

    y = P (y_0 + H^T z) - basis^T lower^-1 lag,     P = 1 - basis^T basis

so the contacts see the same law with projected rows. Equations that follow from others (closed loops have some) are
left out: their impulse is zero.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inline, kernel, standalone
from engine.record import Record
from engine.vec import quat_row, rotate_back

DEPENDENT = 1e-8  # share of a row's length that must be new


class Basis(Record):
    """Room for D = 6 bodies' velocities and R equations."""

    equations: np.ndarray  # (R, D)     g
    rows: np.ndarray  # (R, D)          orthonormal; zero where an equation is dependent
    lower: np.ndarray  # (R, R)
    counted: np.ndarray  # (R,) bool    not dependent
    joint: np.ndarray  # (R,) int64     whose equation it is
    number: np.ndarray  # (R,) int64    which of that joint
    solved: np.ndarray  # (R,)          work
    free: np.ndarray  # (D,)            velocities before any contact impulse, joints closed
    start: np.ndarray  # (D,)           y_0
    count: np.ndarray  # (1,) int64     equations of the island


def empty_basis(bodies: int, equations: int) -> Basis:
    d, r = 6 * max(bodies, 1), max(equations, 1)
    return Basis(
        equations=np.zeros((r, d)),
        rows=np.zeros((r, d)),
        lower=np.zeros((r, r)),
        counted=np.zeros(r, bool),
        joint=np.zeros(r, np.int64),
        number=np.zeros(r, np.int64),
        solved=np.zeros(r),
        free=np.zeros(d),
        start=np.zeros(d),
        count=np.zeros(1, np.int64),
    )


@kernel
def inner(a, i, b, j, d):
    """Row i of a times row j of b."""
    s = 0.0
    for k in range(d):
        s += a[i, k] * b[j, k]
    return s


@inline
def _scaled_part(world, j, k, body, at, q, root, root_mass, out, i):
    """Add one body's part of an equation, in scaled velocities, to row i of `out`."""
    m = rotate_back(quat_row(q, body), (world[j, k, 3], world[j, k, 4], world[j, k, 5]))
    for c in range(3):
        out[i, at + c] += root_mass[body] * world[j, k, c]
        out[i, at + 3 + c] += root[body, 0, c] * m[0] + root[body, 1, c] * m[1] + root[body, 2, c] * m[2]


@standalone
def find_basis(s, island, q):
    """Equations of the island's joints, whose world rows are placed, and their orthonormal rows."""
    linkage, islands, basis = s.linkage, s.islands, s.joint_work.basis
    joints, inverse_mass, root, root_mass = linkage.joints, s.bodies.inverse_mass, s.root, s.root_mass
    d = 6 * (islands.body_start[island + 1] - islands.body_start[island])
    count = 0
    for i in range(linkage.start[island], linkage.start[island + 1]):
        j = linkage.order[i]
        for k in range(joints.rows[j]):
            for c in range(d):
                basis.equations[count, c] = 0.0
            for side in range(2):
                body = joints.a[j] if side == 0 else joints.b[j]
                if inverse_mass[body] > 0.0:
                    world = linkage.row_a if side == 0 else linkage.row_b
                    _scaled_part(world, j, k, body, 6 * islands.local[body], q, root, root_mass, basis.equations, count)
            basis.joint[count] = j
            basis.number[count] = k
            _orthonormalise(basis, count, d)
            count += 1
    basis.count[0] = count


@inline
def _orthonormalise(basis, i, d):
    """Row i of the basis and of `lower`; twice, because once loses digits."""
    whole = np.sqrt(inner(basis.equations, i, basis.equations, i, d))
    for k in range(d):
        basis.rows[i, k] = basis.equations[i, k]
    for other in range(i):
        basis.lower[i, other] = 0.0
    for _ in range(2):
        for other in range(i):
            if basis.counted[other]:
                share = inner(basis.rows, other, basis.rows, i, d)
                basis.lower[i, other] += share
                for k in range(d):
                    basis.rows[i, k] -= share * basis.rows[other, k]
    left = np.sqrt(inner(basis.rows, i, basis.rows, i, d))
    basis.counted[i] = left > DEPENDENT * whole
    basis.lower[i, i] = left
    for k in range(d):
        basis.rows[i, k] = basis.rows[i, k] / left if basis.counted[i] else 0.0


@kernel
def solve_lower(basis, count):
    """basis.solved = lower^-1 basis.solved, dependent equations zero."""
    for i in range(count):
        if not basis.counted[i]:
            basis.solved[i] = 0.0
            continue
        s = basis.solved[i]
        for other in range(i):
            s -= basis.lower[i, other] * basis.solved[other]
        basis.solved[i] = s / basis.lower[i, i]


@inline
def solve_upper(basis, count):
    """basis.solved = lower^-T basis.solved, dependent equations zero."""
    for i in range(count - 1, -1, -1):
        if not basis.counted[i]:
            basis.solved[i] = 0.0
            continue
        s = basis.solved[i]
        for other in range(i + 1, count):
            if basis.counted[other]:
                s -= basis.lower[other, i] * basis.solved[other]
        basis.solved[i] = s / basis.lower[i, i]


@standalone
def find_free(linkage, basis, d):
    """basis.free: the start with the joints closed, given their lag."""
    count = basis.count[0]
    for i in range(count):
        basis.solved[i] = linkage.lag[basis.joint[i], basis.number[i]]
    solve_lower(basis, count)
    for k in range(d):
        basis.free[k] = basis.start[k]
    for i in range(count):
        if basis.counted[i]:
            s = basis.solved[i]
            for k in range(d):
                s += basis.rows[i, k] * basis.start[k]
            for k in range(d):
                basis.free[k] -= s * basis.rows[i, k]


@kernel
def _project(basis, count, d, out):
    for i in range(count):
        if basis.counted[i]:
            s = 0.0
            for k in range(d):
                s += basis.rows[i, k] * out[k]
            for k in range(d):
                out[k] -= s * basis.rows[i, k]


@kernel
def _spread(d, a, b, part_a, part_b, out):
    """A row of two bodies as one of the whole island."""
    for k in range(d):
        out[k] = 0.0
    for k in range(6):
        out[6 * a + k] += part_a[k]
        if b >= 0:
            out[6 * b + k] += part_b[k]


@standalone
def project_contacts(rows, width, basis, d, gp, hp):
    """Rows gp and normal columns hp of every contact of the island, behind the joints."""
    count = basis.count[0]
    for c in range(rows.count[0]):
        for k in range(width):
            _spread(d, rows.body_a[c], rows.body_b[c], rows.ga[c, k], rows.gb[c, k], gp[c, k])
            _project(basis, count, d, gp[c, k])
        _spread(d, rows.body_a[c], rows.body_b[c], rows.ha[c], rows.hb[c], hp[c])
        _project(basis, count, d, hp[c])


@standalone
def joint_impulses(linkage, basis, d, sign, y):
    """linkage.impulse: what closes the joints when gravity and contacts alone would leave the island with y (n, 6)."""
    count = basis.count[0]
    for i in range(count):
        s = linkage.lag[basis.joint[i], basis.number[i]]
        for k in range(d):
            s += basis.equations[i, k] * y[k // 6, k % 6]
        basis.solved[i] = s
    solve_lower(basis, count)
    for i in range(count):
        basis.solved[i] *= -sign
    solve_upper(basis, count)
    for i in range(count):
        linkage.impulse[basis.joint[i], basis.number[i]] = basis.solved[i]
