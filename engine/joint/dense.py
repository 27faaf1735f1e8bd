"""The contact law of an articulation: contact/newton.py with dense rows, because behind joints every contact moves
every body. Few bodies, so plain elimination does."""

from __future__ import annotations

import math

import numpy as np

from engine.contact.island_solver import copy_impulses
from engine.contact.law import ball_factor
from engine.contact.newton import descend, force_of, newton, residual_of
from engine.jit import bound, inline, kernel, standalone
from engine.record import Record

WARM, SWEPT, LONG_SWEPT = range(3)
WARM_LIMIT = 3e-3  # relative residual above which last step's impulses are worth less than a cold start
MOST_OUTER = 200
MOST_FACTORISATIONS = 400


class Dense(Record):
    """Rows of C contacts behind joints, and room to solve for D = 6 bodies' velocities."""

    gp: np.ndarray  # (C, 6, D)   projected rows of the contacts (basis.py)
    hp: np.ndarray  # (C, D)      projected normal columns
    matrix: np.ndarray  # (D, D)
    line: np.ndarray  # (D,)
    answer: np.ndarray  # (D,)


def empty_dense(bodies: int, contacts: int) -> Dense:
    d, c = 6 * max(bodies, 1), max(contacts, 1)
    return Dense(np.zeros((c, 6, d)), np.zeros((c, d)), np.zeros((d, d)), np.zeros(d), np.zeros(d))


@kernel
def dense_times(rows, dense, n, c, k, y):
    """Row k of contact c: (G y)_ck in m/s."""
    s = 0.0
    for i in range(n):
        for j in range(6):
            s += dense.gp[c, k, 6 * i + j] * y[i, j]
    return s


@kernel
def _push(dense, n, c, k, impulse, y):
    """y += H_k^T impulse of contact c."""
    if impulse == 0.0:
        return
    column = dense.hp[c] if k == 0 else dense.gp[c, k]
    for i in range(n):
        for j in range(6):
            y[i, j] += impulse * column[6 * i + j]


@kernel
def add_dense(rows, dense, width, n, z, y):
    """y += H^T z."""
    for c in range(rows.count[0]):
        for k in range(width):
            _push(dense, n, c, k, z[c, k], y)


@kernel
def _add(row, factor, y, d):
    for k in range(d):
        y[k] += factor * row[k]


@inline
def _assemble(rows, dense, width, d, derivative):
    """matrix = 1 + H^T D G."""
    matrix, line, gp, hp = dense.matrix, dense.line, dense.gp, dense.hp
    for i in range(d):
        for k in range(d):
            matrix[i, k] = 1.0 if i == k else 0.0
    for c in range(rows.count[0]):
        for i in range(width):
            used = False
            for k in range(d):
                line[k] = 0.0
            for j in range(width):
                if derivative[c, i, j] != 0.0:
                    used = True
                    _add(gp[c, j], derivative[c, i, j], line, d)
            if used:
                column = hp[c] if i == 0 else gp[c, i]
                for r in range(d):
                    if column[r] != 0.0:
                        _add(line, column[r], matrix[r], d)


@standalone
def eliminate(matrix, right, out, d):
    """out = matrix^-1 right by elimination with pivoting; the matrix is used up."""
    for k in range(d):
        out[k] = right[k]
    for k in range(d):
        best = k
        for r in range(k + 1, d):
            if abs(matrix[r, k]) > abs(matrix[best, k]):
                best = r
        if best != k:
            for c in range(d):
                matrix[k, c], matrix[best, c] = matrix[best, c], matrix[k, c]
            out[k], out[best] = out[best], out[k]
        for r in range(k + 1, d):
            if matrix[r, k] != 0.0:
                f = matrix[r, k] / matrix[k, k]
                for c in range(k + 1, d):
                    matrix[r, c] -= f * matrix[k, c]
                out[r] -= f * out[k]
    for k in range(d - 1, -1, -1):
        s = out[k]
        for c in range(k + 1, d):
            s -= matrix[k, c] * out[c]
        out[k] = s / matrix[k, k]


@kernel
def eliminate_direction(rows, dense, width, n, work):
    """work.direction = (1 + H^T D G)^-1 work.force."""
    _assemble(rows, dense, width, 6 * n, work.derivative)
    for i in range(n):
        for k in range(6):
            dense.line[6 * i + k] = work.force[i, k]
    eliminate(dense.matrix, dense.line, dense.answer, 6 * n)
    for i in range(n):
        for k in range(6):
            work.direction[i, k] = dense.answer[6 * i + k]


dense_residual = bound(residual_of, "dense_residual", times=dense_times, add_impulses=add_dense)
dense_force = bound(force_of, "dense_force", times=dense_times, add_impulses=add_dense)
dense_descent = bound(descend, "dense_descent", force_of=dense_force, find_direction=eliminate_direction)
dense_newton = bound(newton, "dense_newton", residual_of=dense_residual, descend=dense_descent)


@inline
def _sweep(rows, dense, n, c, z, y):
    """Project one contact, keeping y = H^T z."""
    new = max(0.0, z[c, 0] - (rows.rhs[c, 0] + dense_times(rows, dense, n, c, 0, y)) / rows.an[c])
    _push(dense, n, c, 0, new - z[c, 0], y)
    z[c, 0] = new
    if rows.mu[c] > 0.0:
        p1 = z[c, 1] - (rows.rhs[c, 1] + dense_times(rows, dense, n, c, 1, y)) / rows.at[c]
        p2 = z[c, 2] - (rows.rhs[c, 2] + dense_times(rows, dense, n, c, 2, y)) / rows.at[c]
        f = ball_factor(math.sqrt(p1 * p1 + p2 * p2), rows.mu[c] * z[c, 0])
        _push(dense, n, c, 1, f * p1 - z[c, 1], y)
        _push(dense, n, c, 2, f * p2 - z[c, 2], y)
        z[c, 1] = f * p1
        z[c, 2] = f * p2


@kernel
def _sweeps(rows, dense, n, count, y):
    """Gauss-Seidel from zero, normals and friction only."""
    m = rows.count[0]
    for c in range(m):
        for k in range(6):
            rows.z[c, k] = 0.0
    for i in range(n):
        for k in range(6):
            y[i, k] = 0.0
    for k in range(count):
        for i in range(m):
            _sweep(rows, dense, n, i if k % 2 == 0 else m - 1 - i, rows.z, y)


@standalone
def solve_dense(rows, dense, width, n, speed, tolerance, work):
    """Impulses rows.z (in: last step's, or zero) that obey the law to tolerance * (1 + speed). work: that of
    contact/island_solver.py. Returns the residual relative to 1 + speed."""
    m, scale = rows.count[0], 1.0 + speed
    target = tolerance * scale
    best = dense_residual(rows, dense, width, n, rows.z, work.newton)
    if best <= target:
        return best / scale
    copy_impulses(rows.z, work.kept, m)
    for stage in range(3):
        sigma, growth, outer = 10.0, 10.0, MOST_OUTER
        if stage == WARM:
            if not best <= WARM_LIMIT * scale:
                continue
            sigma, outer = 1e3, 30
        elif stage == SWEPT:
            _sweeps(rows, dense, n, 20 if m <= 16 else 60, work.newton.y)
            outer = 60
        else:
            _sweeps(rows, dense, n, 400, work.newton.y)
            growth = 3.0
        r, _ = dense_newton(rows, dense, width, n, target, sigma, growth, outer, MOST_FACTORISATIONS, work.newton)
        if r < best or not math.isfinite(best):
            best = r
            copy_impulses(rows.z, work.kept, m)
        if best <= target:
            break
    copy_impulses(work.kept, rows.z, m)
    return best / scale
