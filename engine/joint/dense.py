"""Solve the contact law of an articulation: contact/newton.py with dense rows, because behind joints every contact
moves every body. Few bodies, so plain elimination does."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.contact.law import ball_factor, law_residual, project
from engine.contact.newton import INNER_SHARE, LARGEST_SIGMA, MOST_HALVINGS, MOST_INNER, SMALLEST_SIGMA
from engine.jit import kernel, standalone

WARM, SWEPT, LONG_SWEPT = range(3)
WARM_LIMIT = 3e-3  # relative residual above which last step's impulses are worth less than a cold start
MOST_OUTER = 200
MOST_FACTORISATIONS = 400


class Dense(NamedTuple):
    """Room for D velocities and C contacts."""

    matrix: np.ndarray  # (D, D)
    y: np.ndarray  # (D,)
    dy: np.ndarray  # (D,)
    trial: np.ndarray  # (D,)
    force: np.ndarray  # (D,)
    trial_force: np.ndarray  # (D,)
    direction: np.ndarray  # (D,)
    w0: np.ndarray  # (C, 6)
    w: np.ndarray  # (C, 6)
    projected: np.ndarray  # (C, 6)
    best: np.ndarray  # (C, 6)
    kept: np.ndarray  # (C, 6)
    round: np.ndarray  # (C, 6)
    derivative: np.ndarray  # (C, 6, 6)


def empty_dense(bodies: int, contacts: int) -> Dense:
    d, c = 6 * max(bodies, 1), max(contacts, 1)
    shapes = {"matrix": (d, d), "derivative": (c, 6, 6)}
    shapes |= {name: (c, 6) for name in ("w0", "w", "projected", "best", "kept", "round")}
    return Dense(*(np.zeros(shapes.get(name, (d,))) for name in Dense._fields))


@kernel
def _times(row, y, d):
    s = 0.0
    for k in range(d):
        s += row[k] * y[k]
    return s


@kernel
def _add(row, factor, y, d):
    for k in range(d):
        y[k] += factor * row[k]


@kernel
def _push(gp, hp, c, k, impulse, y, d):
    """y += H_k^T impulse of contact c."""
    if impulse != 0.0:
        _add(hp[c] if k == 0 else gp[c, k], impulse, y, d)


@standalone
def dense_residual(rows, width, gp, hp, d, z, y, w):
    """Law residual of z from scratch: y = H^T z, w = G y + rhs."""
    for k in range(d):
        y[k] = 0.0
    for c in range(rows.body_a.shape[0]):
        for k in range(width):
            _push(gp, hp, c, k, z[c, k], y, d)
    for c in range(rows.body_a.shape[0]):
        for k in range(width):
            w[c, k] = rows.rhs[c, k] + _times(gp[c, k], y, d)
    return law_residual(rows, width, z, w)


@standalone
def _force(rows, width, gp, hp, d, z, dy, sigma, work, force):
    """force = dy - H^T (Pi(z - S (w0 + G dy)) - z) and its length; leaves Pi in work.projected, D in derivative."""
    m = rows.body_a.shape[0]
    for c in range(m):
        for k in range(width):
            work.w[c, k] = work.w0[c, k] + _times(gp[c, k], dy, d)
    project(rows, width, z, work.w, sigma, work.projected, work.derivative)
    for k in range(d):
        force[k] = dy[k]
    for c in range(m):
        for k in range(width):
            _push(gp, hp, c, k, z[c, k] - work.projected[c, k], force, d)
    square = 0.0
    for k in range(d):
        square += force[k] * force[k]
    return math.sqrt(square)


@standalone
def _assemble(rows, width, gp, hp, d, derivative, matrix, line):
    """matrix = 1 + H^T D G."""
    for i in range(d):
        for k in range(d):
            matrix[i, k] = 1.0 if i == k else 0.0
    for c in range(rows.body_a.shape[0]):
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
def _inner(rows, width, gp, hp, d, z, sigma, target, work):
    """Newton on the force to `target`. Returns (its length, Newton steps); the answer is in work.projected."""
    for k in range(d):
        work.dy[k] = 0.0
    size = _force(rows, width, gp, hp, d, z, work.dy, sigma, work, work.force)
    for step in range(MOST_INNER):
        if size <= target:
            return size, step
        _assemble(rows, width, gp, hp, d, work.derivative, work.matrix, work.trial)
        eliminate(work.matrix, work.force, work.direction, d)
        t = 1.0
        accepted = False
        trial_size = size
        for _ in range(MOST_HALVINGS):
            for k in range(d):
                work.trial[k] = work.dy[k] - t * work.direction[k]
            trial_size = _force(rows, width, gp, hp, d, z, work.trial, sigma, work, work.trial_force)
            if trial_size <= (1.0 - 0.1 * t) * size:
                accepted = True
                break
            t *= 0.5
        for k in range(d):
            work.dy[k] = work.trial[k]
            work.force[k] = work.trial_force[k]
        size = trial_size
        if not accepted:
            return size, step + 1
    return size, MOST_INNER


@standalone
def _newton(rows, width, gp, hp, d, tolerance, sigma, growth, most_outer, z, work):
    """Drive the law's residual of z below `tolerance` (m/s). Returns the residual reached; z keeps the best iterate."""
    m = rows.body_a.shape[0]
    largest = 0.0
    for c in range(m):
        largest = max(largest, rows.an[c])
    inner_scale = INNER_SHARE / math.sqrt(largest)
    best = math.inf
    spent, failures = 0, 0
    r = dense_residual(rows, width, gp, hp, d, z, work.y, work.w0)
    for _ in range(most_outer):
        if r < best:
            best = r
            copy_rows(z, work.best, m)
        if r <= tolerance or not math.isfinite(r) or spent >= MOST_FACTORISATIONS:
            break
        target = inner_scale * r
        size, steps = _inner(rows, width, gp, hp, d, z, sigma, target, work)
        spent += steps
        solved = size <= 10.0 * target
        if solved or size < 1e3 * target:
            copy_rows(work.projected, z, m)
            for c in range(m):
                for k in range(width, 6):
                    z[c, k] = 0.0
        if solved:
            failures = 0
            sigma = min(sigma * (growth if steps <= 6 else math.sqrt(growth)), LARGEST_SIGMA)
        else:
            failures += 1
            sigma = max(sigma * (0.1 if failures < 2 else 0.03), SMALLEST_SIGMA)
            growth = max(2.0, 0.6 * growth)
        r = dense_residual(rows, width, gp, hp, d, z, work.y, work.w0)
    if r < best:
        return r
    copy_rows(work.best, z, m)
    return best


@kernel
def copy_rows(source, target, m):
    for c in range(m):
        for k in range(6):
            target[c, k] = source[c, k]


@kernel
def _sweep(rows, gp, hp, d, c, z, y):
    """Project one contact, keeping y = H^T z."""
    new = max(0.0, z[c, 0] - (rows.rhs[c, 0] + _times(gp[c, 0], y, d)) / rows.an[c])
    _push(gp, hp, c, 0, new - z[c, 0], y, d)
    z[c, 0] = new
    if rows.mu[c] > 0.0:
        p1 = z[c, 1] - (rows.rhs[c, 1] + _times(gp[c, 1], y, d)) / rows.at[c]
        p2 = z[c, 2] - (rows.rhs[c, 2] + _times(gp[c, 2], y, d)) / rows.at[c]
        f = ball_factor(math.sqrt(p1 * p1 + p2 * p2), rows.mu[c] * z[c, 0])
        _push(gp, hp, c, 1, f * p1 - z[c, 1], y, d)
        _push(gp, hp, c, 2, f * p2 - z[c, 2], y, d)
        z[c, 1] = f * p1
        z[c, 2] = f * p2


@kernel
def _sweeps(rows, gp, hp, d, count, z, work):
    """Gauss-Seidel from zero, normals and friction only."""
    m = rows.body_a.shape[0]
    for c in range(m):
        for k in range(6):
            z[c, k] = 0.0
    for k in range(d):
        work.y[k] = 0.0
    for k in range(count):
        for i in range(m):
            _sweep(rows, gp, hp, d, i if k % 2 == 0 else m - 1 - i, z, work.y)


@standalone
def solve_dense(rows, width, gp, hp, d, speed, tolerance, work):
    """Impulses rows.z (in: last step's, or zero) that obey the law to tolerance * (1 + speed). Returns the residual
    relative to 1 + speed."""
    m = rows.body_a.shape[0]
    scale = 1.0 + speed
    target = tolerance * scale
    best = dense_residual(rows, width, gp, hp, d, rows.z, work.y, work.w0)
    if best <= target:
        return best / scale
    copy_rows(rows.z, work.kept, m)
    for stage in range(3):
        sigma, growth, outer = 10.0, 10.0, MOST_OUTER
        if stage == WARM:
            if not best <= WARM_LIMIT * scale:
                continue
            sigma, outer = 1e3, 30
        elif stage == SWEPT:
            _sweeps(rows, gp, hp, d, 20 if m <= 16 else 60, rows.z, work)
            outer = 60
        else:
            _sweeps(rows, gp, hp, d, 400, rows.z, work)
            growth = 3.0
        r = _newton(rows, width, gp, hp, d, target, sigma, growth, outer, rows.z, work)
        if r < best or not math.isfinite(best):
            best = r
            copy_rows(rows.z, work.kept, m)
        if best <= target:
            break
    copy_rows(work.kept, rows.z, m)
    return best / scale
