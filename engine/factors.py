"""Larger questions of linear algebra, as kernels: singular vectors, and fits by weights that are not negative.

LAPACK answers them too, with other bits on every processor (algebra.py).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.jit import kernel, standalone

SWEEPS = 40
ALIGNED = 1e-16  # cosine, or turn in radians: two images are at right angles
VANISHED = 1e-30  # share of the largest square: images as short as this have no direction
INDEPENDENT = 1e-10  # share of a column that must stand outside those already taken
DOWNHILL = 1e-14  # cosine between a column and what is left over: closer to a right angle it does not help


class Singular(NamedTuple):
    """A matrix turns and stretches: it maps n orthonormal axes to n images at right angles."""

    values: np.ndarray  # (n,) lengths of the images, from long to short
    axes: np.ndarray  # (n, n) rows
    images: np.ndarray  # (n, m) rows


def singular(matrix: np.ndarray) -> Singular:
    """Singular values and vectors of a matrix (m, n), all n of them, by one-sided Jacobi turns (Hestenes)."""
    images, axes = np.array(matrix.T, float, order="C"), np.eye(matrix.shape[1])
    turn_apart(images, axes)
    values = np.sqrt(np.add.reduce(images * images, axis=1))
    order = np.argsort(-values, kind="stable")
    return Singular(values[order], axes[order], images[order])


@standalone
def turn_apart(images, axes):
    """Turn pairs of axes until all images are at right angles."""
    n, m = images.shape
    largest = 0.0
    for i in range(n):
        square = 0.0
        for k in range(m):
            square += images[i, k] * images[i, k]
        largest = max(largest, square)
    for _ in range(SWEEPS):
        turned = False
        for i in range(n - 1):
            for j in range(i + 1, n):
                turned = _turn_pair(images, axes, i, j, VANISHED * largest) or turned
        if not turned:
            break


@kernel
def _turn_pair(images, axes, i, j, vanished):
    a, b, c = 0.0, 0.0, 0.0
    for k in range(images.shape[1]):
        a += images[i, k] * images[i, k]
        b += images[j, k] * images[j, k]
        c += images[i, k] * images[j, k]
    if abs(c) <= vanished or abs(c) <= ALIGNED * abs(a - b) or abs(c) <= ALIGNED * math.sqrt(a * b):
        return False
    slope = 0.5 * (b - a) / c
    t = 1.0 / (abs(slope) + math.sqrt(1.0 + slope * slope))
    if slope < 0.0:
        t = -t
    cosine = 1.0 / math.sqrt(1.0 + t * t)
    _mix(images, i, j, cosine, cosine * t)
    _mix(axes, i, j, cosine, cosine * t)
    return True


@kernel
def _mix(rows, i, j, cosine, sine):
    for k in range(rows.shape[1]):
        a, b = rows[i, k], rows[j, k]
        rows[i, k] = cosine * a - sine * b
        rows[j, k] = sine * a + cosine * b


OUT, TAKEN, BARRED = 0, 1, 2


class Fitted(NamedTuple):
    weights: np.ndarray  # (n,)
    missed: float  # length of what they do not give
    settled: bool  # False: there may be better weights, the rounds were not enough


ROUNDS = 50  # per column


def nonnegative(columns: np.ndarray, right: np.ndarray, rounds: int | None = None) -> Fitted:
    """Weights >= 0 of the columns (m, n) whose sum comes nearest to `right` (Lawson and Hanson)."""
    m, n = columns.shape
    p = min(m, n)
    weights, left, most = np.zeros(n), np.zeros(m), ROUNDS * n if rounds is None else rounds
    settled = fit(
        np.ascontiguousarray(columns), np.ascontiguousarray(right), most, weights, np.zeros(n), np.zeros(n),
        np.zeros(n, np.int8), np.zeros(p, np.int64), np.zeros((p, m)), np.zeros((p, p)), np.zeros(p), left,
    )  # fmt: skip
    return Fitted(weights, math.sqrt(np.add.reduce(left * left)), settled)


def triangular(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows q (p, m) of an orthonormal basis of independent columns (m, p), and the upper triangle r (p, p) of the
    columns in it."""
    m, p = columns.shape
    q, r = np.zeros((p, m)), np.zeros((p, p))
    columns = np.ascontiguousarray(columns)
    for j in range(p):
        append(columns, j, j, q, r)
    return q, r


@kernel
def append(columns, j, p, q, r):
    """Make column j vector p of the basis: what of it is at right angles to those before (Gram and Schmidt, twice).
    False where that is nothing."""
    m = columns.shape[0]
    whole, rest = 0.0, 0.0
    for k in range(m):
        q[p, k] = columns[k, j]
        whole += q[p, k] * q[p, k]
    for i in range(p):
        r[i, p] = 0.0
    for _ in range(2):
        for i in range(p):
            along = 0.0
            for k in range(m):
                along += q[i, k] * q[p, k]
            for k in range(m):
                q[p, k] -= along * q[i, k]
            r[i, p] += along
    for k in range(m):
        rest += q[p, k] * q[p, k]
    r[p, p] = math.sqrt(rest)
    if r[p, p] <= INDEPENDENT * math.sqrt(whole):
        return False
    for k in range(m):
        q[p, k] /= r[p, p]
    return True


@kernel
def combine(q, r, p, right, z):
    """z: the weights of the first p columns whose sum comes nearest to `right`."""
    for i in range(p - 1, -1, -1):
        total = 0.0
        for k in range(right.shape[0]):
            total += q[i, k] * right[k]
        for j in range(i + 1, p):
            total -= r[i, j] * z[j]
        z[i] = total / r[i, i]


@standalone
def fit(columns, right, rounds, weights, size, slope, state, taken, q, r, z, left):
    """One column after the other is taken; where its weight would make others negative, those go. False when there are
    not rounds enough.

    Given as zeros, of n columns: weights (the answer), size (lengths), slope (along what is left), state. Of the p that
    are taken, in the order of the basis: taken (which), q and r (see `triangular`), z (weights, if any sign were
    allowed). left (m,): what the weights do not give."""
    n = columns.shape[1]
    whole = 0.0
    for k in range(right.shape[0]):
        whole += right[k] * right[k]
        for j in range(n):
            size[j] += columns[k, j] * columns[k, j]
    for j in range(n):
        size[j] = math.sqrt(size[j])
    floor, p = DOWNHILL * math.sqrt(whole), 0
    _leave(columns, right, p, taken, weights, left)
    for _ in range(rounds):
        j = _steepest(columns, floor, size, state, left, slope)
        if j < 0 or p == taken.shape[0]:
            return True
        if not append(columns, j, p, q, r):
            state[j] = BARRED
            continue
        combine(q, r, p + 1, right, z)
        if z[p] <= 0.0:
            state[j] = BARRED
            continue
        state[j], taken[p] = TAKEN, j
        p += 1
        while _step(p, taken, z, weights):
            p = _drop(columns, p, taken, weights, state, q, r)
            combine(q, r, p, right, z)
        for j in range(n):
            if state[j] == BARRED:
                state[j] = OUT
        _leave(columns, right, p, taken, weights, left)
    return False


@kernel
def _leave(columns, right, p, taken, weights, left):
    for k in range(right.shape[0]):
        left[k] = right[k]
    for i in range(p):
        j = taken[i]
        for k in range(right.shape[0]):
            left[k] -= weights[j] * columns[k, j]


@kernel
def _steepest(columns, floor, size, state, left, slope):
    """The column that leads down most, -1 when none does."""
    n = columns.shape[1]
    for j in range(n):
        slope[j] = 0.0
    for k in range(columns.shape[0]):
        for j in range(n):
            slope[j] += columns[k, j] * left[k]
    best, chosen = 0.0, -1
    for j in range(n):
        if state[j] == OUT and slope[j] > floor * size[j] and slope[j] > best:
            best, chosen = slope[j], j
    return chosen


@kernel
def _step(p, taken, z, weights):
    """Go from the weights toward z until one of them would be negative; was there one?"""
    share, first = 1.0, -1
    for i in range(p):
        if z[i] <= 0.0:
            w = weights[taken[i]]
            if first < 0 or w < share * (w - z[i]):
                share, first = w / (w - z[i]) if w > 0.0 else 0.0, i
    for i in range(p):
        j = taken[i]
        weights[j] = z[i] if first < 0 else weights[j] + share * (z[i] - weights[j])
    if first >= 0:
        weights[taken[first]] = 0.0
    return first >= 0


@kernel
def _drop(columns, p, taken, weights, state, q, r):
    """Take out the columns without weight; how many are left."""
    kept, same = 0, True
    for i in range(p):
        j = taken[i]
        if weights[j] > 0.0:
            taken[kept] = j
            if same or append(columns, j, kept, q, r):
                kept += 1
                continue
        weights[j] = 0.0
        state[j] = OUT
        same = False
    return kept
