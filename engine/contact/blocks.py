"""Sparse LU of 6x6 blocks on the body graph: solves (I + H^T D G) dy = f for one island.

Body space, not contact space: 6 unknowns per body however many contacts it has, and never singular, so redundant
contacts (four corners of a face) cost nothing. The pattern (pattern.py) is found once per solve and reused by its
factorisations. No pivoting between blocks (the matrix is the identity plus a monotone part).
"""

from __future__ import annotations

import numpy as np

from engine.contact.pattern import Pattern, empty_pattern
from engine.jit import inline, kernel, standalone
from engine.record import Record


class Blocks(Record):
    """Work arrays of a factorisation: up to N bodies, B off-diagonal blocks below the diagonal."""

    pattern: Pattern
    diagonal: np.ndarray  # (N, 6, 6)
    inverse: np.ndarray  # (N, 6, 6)      inverses of the pivot blocks
    lower: np.ndarray  # (B, 6, 6)
    upper: np.ndarray  # (B, 6, 6)        block of the transposed place
    permuted: np.ndarray  # (N, 6)
    wide: np.ndarray  # (6, 12)           Gauss-Jordan work
    square: np.ndarray  # (6, 6)
    da: np.ndarray  # (6, 6)              D G_a of one contact
    db: np.ndarray  # (6, 6)


def empty_blocks(bodies: int, blocks: int, contacts: int) -> Blocks:
    n, b = max(bodies, 1), max(blocks, 1)
    return Blocks(
        pattern=empty_pattern(bodies, blocks, contacts),
        diagonal=np.zeros((n, 6, 6)),
        inverse=np.zeros((n, 6, 6)),
        lower=np.zeros((b, 6, 6)),
        upper=np.zeros((b, 6, 6)),
        permuted=np.zeros((n, 6)),
        wide=np.zeros((6, 12)),
        square=np.zeros((6, 6)),
        da=np.zeros((6, 6)),
        db=np.zeros((6, 6)),
    )


@kernel
def _times_rows(d, c, width, g, out):
    """out = D_c G_c (width x 6)."""
    for k in range(width):
        s0, s1, s2, s3, s4, s5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(width):
            x = d[c, k, j]
            s0 += x * g[c, j, 0]
            s1 += x * g[c, j, 1]
            s2 += x * g[c, j, 2]
            s3 += x * g[c, j, 3]
            s4 += x * g[c, j, 4]
            s5 += x * g[c, j, 5]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4], out[k, 5] = s0, s1, s2, s3, s4, s5


@kernel
def _add_product(target, p, h, g, c, width, dg):
    """target[p] += H_c^T (D G)_c, where row 0 of H is h and the others are those of g."""
    for i in range(6):
        x = h[c, i]
        s0, s1, s2 = x * dg[0, 0], x * dg[0, 1], x * dg[0, 2]
        s3, s4, s5 = x * dg[0, 3], x * dg[0, 4], x * dg[0, 5]
        for k in range(1, width):
            x = g[c, k, i]
            s0 += x * dg[k, 0]
            s1 += x * dg[k, 1]
            s2 += x * dg[k, 2]
            s3 += x * dg[k, 3]
            s4 += x * dg[k, 4]
            s5 += x * dg[k, 5]
        target[p, i, 0] += s0
        target[p, i, 1] += s1
        target[p, i, 2] += s2
        target[p, i, 3] += s3
        target[p, i, 4] += s4
        target[p, i, 5] += s5


@standalone
def assemble(rows, width, n, d, blocks):
    """diagonal, lower, upper = I + H^T D G, with D (C, 6, 6) given per contact."""
    pattern = blocks.pattern
    for k in range(n):
        for i in range(6):
            for j in range(6):
                blocks.diagonal[k, i, j] = 1.0 if i == j else 0.0
    for p in range(pattern.start[n]):
        for i in range(6):
            for j in range(6):
                blocks.lower[p, i, j] = 0.0
                blocks.upper[p, i, j] = 0.0
    for c in range(rows.count[0]):
        idle = True
        for k in range(width):
            idle = idle and d[c, k, k] == 0.0
        if idle:
            continue
        i = pattern.place[rows.body_a[c]]
        _times_rows(d, c, width, rows.ga, blocks.da)
        _add_product(blocks.diagonal, i, rows.ha, rows.ga, c, width, blocks.da)
        if rows.body_b[c] < 0:
            continue
        j = pattern.place[rows.body_b[c]]
        p = pattern.slot[c]
        _times_rows(d, c, width, rows.gb, blocks.db)
        _add_product(blocks.diagonal, j, rows.hb, rows.gb, c, width, blocks.db)
        if i > j:
            _add_product(blocks.lower, p, rows.ha, rows.ga, c, width, blocks.db)
            _add_product(blocks.upper, p, rows.hb, rows.gb, c, width, blocks.da)
        else:
            _add_product(blocks.lower, p, rows.hb, rows.gb, c, width, blocks.da)
            _add_product(blocks.upper, p, rows.ha, rows.ga, c, width, blocks.db)


@inline
def _invert(matrix, k, out, wide):
    """out[k] = matrix[k]^-1, Gauss-Jordan with row pivoting."""
    for i in range(6):
        for j in range(6):
            wide[i, j] = matrix[k, i, j]
            wide[i, 6 + j] = 1.0 if i == j else 0.0
    for col in range(6):
        best = col
        for i in range(col + 1, 6):
            if abs(wide[i, col]) > abs(wide[best, col]):
                best = i
        if best != col:
            for j in range(12):
                t = wide[col, j]
                wide[col, j] = wide[best, j]
                wide[best, j] = t
        s = 1.0 / wide[col, col]
        for j in range(col, 12):
            wide[col, j] *= s
        for i in range(6):
            f = wide[i, col]
            if i != col and f != 0.0:
                for j in range(col, 12):
                    wide[i, j] -= f * wide[col, j]
    for i in range(6):
        for j in range(6):
            out[k, i, j] = wide[i, 6 + j]


@kernel
def _row_product(left, q, i, right, r, j):
    """Entry (i, j) of left[q] right[r]. Written out: summed in registers it is several times as fast as a loop that
    stores every term, and factorisations are what large islands cost."""
    return (
        left[q, i, 0] * right[r, 0, j]
        + left[q, i, 1] * right[r, 1, j]
        + left[q, i, 2] * right[r, 2, j]
        + left[q, i, 3] * right[r, 3, j]
        + left[q, i, 4] * right[r, 4, j]
        + left[q, i, 5] * right[r, 5, j]
    )


@kernel
def _subtract_product(target, p, left, q, right, r):
    """target[p] -= left[q] right[r]."""
    for i in range(6):
        s0, s1 = _row_product(left, q, i, right, r, 0), _row_product(left, q, i, right, r, 1)
        s2, s3 = _row_product(left, q, i, right, r, 2), _row_product(left, q, i, right, r, 3)
        s4, s5 = _row_product(left, q, i, right, r, 4), _row_product(left, q, i, right, r, 5)
        target[p, i, 0] -= s0
        target[p, i, 1] -= s1
        target[p, i, 2] -= s2
        target[p, i, 3] -= s3
        target[p, i, 4] -= s4
        target[p, i, 5] -= s5


@inline
def _factor(n, start, below, diagonal, inverse, lower, upper, wide, square):
    for k in range(n):
        _invert(diagonal, k, inverse, wide)
        first = start[k]
        last = start[k + 1]
        for p in range(first, last):
            for i in range(6):
                for j in range(6):
                    square[i, j] = _row_product(lower, p, i, inverse, k, j)
            for i in range(6):
                for j in range(6):
                    lower[p, i, j] = square[i, j]
        for q in range(first, last):
            column = below[q]
            _subtract_product(diagonal, column, lower, q, upper, q)
            target = start[column]
            for p in range(q + 1, last):
                while below[target] != below[p]:
                    target += 1
                _subtract_product(lower, target, lower, p, upper, q)
                _subtract_product(upper, target, lower, q, upper, p)


@standalone
def factor(n, blocks):
    """LU in place: lower becomes L (unit diagonal), upper stays U, inverse holds the inverted pivots."""
    _factor(n, blocks.pattern.start, blocks.pattern.below, blocks.diagonal, blocks.inverse, blocks.lower, blocks.upper,
            blocks.wide, blocks.square)  # fmt: skip


@kernel
def _dot_row(matrix, p, i, y, k):
    """Row i of matrix[p] times y[k]."""
    return (
        matrix[p, i, 0] * y[k, 0]
        + matrix[p, i, 1] * y[k, 1]
        + matrix[p, i, 2] * y[k, 2]
        + matrix[p, i, 3] * y[k, 3]
        + matrix[p, i, 4] * y[k, 4]
        + matrix[p, i, 5] * y[k, 5]
    )


@inline
def _solve(n, body_at, start, below, inverse, lower, upper, permuted, f, out):
    for k in range(n):
        for i in range(6):
            permuted[k, i] = f[body_at[k], i]
    for k in range(n):
        for p in range(start[k], start[k + 1]):
            for i in range(6):
                permuted[below[p], i] -= _dot_row(lower, p, i, permuted, k)
    for k in range(n - 1, -1, -1):
        for p in range(start[k], start[k + 1]):
            for i in range(6):
                permuted[k, i] -= _dot_row(upper, p, i, permuted, below[p])
        body = body_at[k]
        for i in range(6):
            out[body, i] = _dot_row(inverse, k, i, permuted, k)
        for i in range(6):
            permuted[k, i] = out[body, i]


@standalone
def solve(n, blocks, f, out):
    """out = (I + H^T D G)^-1 f, both (n, 6) in the island's body order; `factor` came before."""
    pattern = blocks.pattern
    _solve(n, pattern.body_at, pattern.start, pattern.below, blocks.inverse, blocks.lower, blocks.upper,
           blocks.permuted, f, out)  # fmt: skip
