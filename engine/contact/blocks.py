"""Sparse LU of 6x6 blocks on the body graph: solves (I + H^T D G) dy = f for one island.

Body space, not contact space: 6 unknowns per body however many contacts it has, and never singular, so redundant
contacts (four corners of a face) cost nothing. Minimum degree order; the pattern is found once per island and reused
by every factorisation of a solve. No pivoting between blocks (the matrix is the identity plus a monotone part).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.jit import kernel, standalone


class Blocks(NamedTuple):
    """Work arrays of a factorisation: up to N bodies, B off-diagonal blocks below the diagonal, C contacts."""

    touch: np.ndarray  # (N, N) uint8     body graph while eliminating
    degree: np.ndarray  # (N,) int64
    body_at: np.ndarray  # (N,) int64     body eliminated k-th
    place: np.ndarray  # (N,) int64       inverse of body_at
    start: np.ndarray  # (N+1,) int64     blocks of column k: start[k] .. start[k+1]
    below: np.ndarray  # (B,) int64       row (place) of a block, ascending within a column
    slot: np.ndarray  # (C,) int64        block a two-body contact adds to, -1 for one body
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
    n = max(bodies, 1)
    return Blocks(
        touch=np.zeros((n, n), np.uint8),
        degree=np.zeros(n, np.int64),
        body_at=np.zeros(n, np.int64),
        place=np.zeros(n, np.int64),
        start=np.zeros(n + 1, np.int64),
        below=np.zeros(max(blocks, 1), np.int64),
        slot=np.zeros(max(contacts, 1), np.int64),
        diagonal=np.zeros((n, 6, 6)),
        inverse=np.zeros((n, 6, 6)),
        lower=np.zeros((max(blocks, 1), 6, 6)),
        upper=np.zeros((max(blocks, 1), 6, 6)),
        permuted=np.zeros((n, 6)),
        wide=np.zeros((6, 12)),
        square=np.zeros((6, 6)),
        da=np.zeros((6, 6)),
        db=np.zeros((6, 6)),
    )


@standalone
def find_pattern(n, body_a, body_b, touch, degree, body_at, place, start, below, slot):
    """Order of elimination and fill of an island of n bodies. False when `below` is too short."""
    for i in range(n):
        degree[i] = 0
        place[i] = -1
        for j in range(n):
            touch[i, j] = 0
    for c in range(body_a.shape[0]):
        a = body_a[c]
        b = body_b[c]
        if b >= 0 and touch[a, b] == 0:
            touch[a, b] = 1
            touch[b, a] = 1
            degree[a] += 1
            degree[b] += 1
    used = 0
    start[0] = 0
    for k in range(n):
        best = -1
        for i in range(n):
            if place[i] < 0 and (best < 0 or degree[i] < degree[best]):
                best = i
        place[best] = k
        body_at[k] = best
        first = used
        for j in range(n):
            if touch[best, j] == 1 and place[j] < 0:
                if used == below.shape[0]:
                    return False
                below[used] = j
                used += 1
        start[k + 1] = used
        for p in range(first, used):
            i = below[p]
            degree[i] -= 1
            for q in range(first, p):
                j = below[q]
                if touch[i, j] == 0:
                    touch[i, j] = 1
                    touch[j, i] = 1
                    degree[i] += 1
                    degree[j] += 1
    for k in range(n):  # bodies to places, then ascending (insertion sort: columns are short)
        for p in range(start[k], start[k + 1]):
            value = place[below[p]]
            q = p
            while q > start[k] and below[q - 1] > value:
                below[q] = below[q - 1]
                q -= 1
            below[q] = value
    for c in range(body_a.shape[0]):
        slot[c] = -1
        if body_b[c] >= 0:
            i = place[body_a[c]]
            j = place[body_b[c]]
            p = start[min(i, j)]
            while below[p] != max(i, j):
                p += 1
            slot[c] = p
    return True


@kernel
def _times_rows(d, c, width, g, out):
    """out = D_c G_c (width x 6)."""
    for k in range(width):
        for i in range(6):
            s = 0.0
            for j in range(width):
                s += d[c, k, j] * g[c, j, i]
            out[k, i] = s


@kernel
def _add_product(target, p, h, g, c, width, dg):
    """target[p] += H_c^T (D G)_c, where row 0 of H is h and the others are those of g."""
    for i in range(6):
        for j in range(6):
            s = h[c, i] * dg[0, j]
            for k in range(1, width):
                s += g[c, k, i] * dg[k, j]
            target[p, i, j] += s


@standalone
def assemble(rows, width, n, d, blocks):
    """diagonal, lower, upper = I + H^T D G, with D (C, 6, 6) given per contact."""
    for k in range(n):
        for i in range(6):
            for j in range(6):
                blocks.diagonal[k, i, j] = 1.0 if i == j else 0.0
    for p in range(blocks.start[n]):
        for i in range(6):
            for j in range(6):
                blocks.lower[p, i, j] = 0.0
                blocks.upper[p, i, j] = 0.0
    for c in range(rows.body_a.shape[0]):
        idle = True
        for k in range(width):
            idle = idle and d[c, k, k] == 0.0
        if idle:
            continue
        i = blocks.place[rows.body_a[c]]
        _times_rows(d, c, width, rows.ga, blocks.da)
        _add_product(blocks.diagonal, i, rows.ha, rows.ga, c, width, blocks.da)
        if rows.body_b[c] < 0:
            continue
        j = blocks.place[rows.body_b[c]]
        p = blocks.slot[c]
        _times_rows(d, c, width, rows.gb, blocks.db)
        _add_product(blocks.diagonal, j, rows.hb, rows.gb, c, width, blocks.db)
        if i > j:
            _add_product(blocks.lower, p, rows.ha, rows.ga, c, width, blocks.db)
            _add_product(blocks.upper, p, rows.hb, rows.gb, c, width, blocks.da)
        else:
            _add_product(blocks.lower, p, rows.hb, rows.gb, c, width, blocks.da)
            _add_product(blocks.upper, p, rows.ha, rows.ga, c, width, blocks.db)


@kernel
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
def _subtract_product(target, p, left, q, right, r):
    """target[p] -= left[q] right[r]."""
    for i in range(6):
        for k in range(6):
            f = left[q, i, k]
            for j in range(6):
                target[p, i, j] -= f * right[r, k, j]


@standalone
def factor(n, start, below, diagonal, inverse, lower, upper, wide, square):
    """LU in place: lower becomes L (unit diagonal), upper stays U, inverse holds the inverted pivots."""
    for k in range(n):
        _invert(diagonal, k, inverse, wide)
        first = start[k]
        last = start[k + 1]
        for p in range(first, last):
            for i in range(6):
                for j in range(6):
                    s = 0.0
                    for m in range(6):
                        s += lower[p, i, m] * inverse[k, m, j]
                    square[i, j] = s
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
def solve(n, body_at, start, below, inverse, lower, upper, permuted, f, out):
    """out = (I + H^T D G)^-1 f, both (n, 6) in the island's body order."""
    for k in range(n):
        for i in range(6):
            permuted[k, i] = f[body_at[k], i]
    for k in range(n):
        for p in range(start[k], start[k + 1]):
            for i in range(6):
                s = 0.0
                for j in range(6):
                    s += lower[p, i, j] * permuted[k, j]
                permuted[below[p], i] -= s
    for k in range(n - 1, -1, -1):
        for p in range(start[k], start[k + 1]):
            for i in range(6):
                s = 0.0
                for j in range(6):
                    s += upper[p, i, j] * permuted[below[p], j]
                permuted[k, i] -= s
        body = body_at[k]
        for i in range(6):
            s = 0.0
            for j in range(6):
                s += inverse[k, i, j] * permuted[k, j]
            out[body, i] = s
        for i in range(6):
            permuted[k, i] = out[body, i]
