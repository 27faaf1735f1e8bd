"""Contact rows of one island: the data of a Coulomb complementarity problem in scaled body space.

Scaled velocities. With M^-1 = S S^T (S from inverse masses and roots of inverse inertias) we use y = S^-1 u, so that
the mass matrix is the identity and bodies of very different mass are on one footing. A contact has `width` rows,
3 (normal, two tangents) or 6 (and three rolling rows, multiplied by a length so that all rows are m/s):

    w = G y + rhs,      y = H^T z,      law(z, w)

H = G except for the normal column of contacts known to slide (backward kick), where friction is folded in:
H_n = G_n - mu d.G_t; then mu = 0 there. The forward and the backward kick differ only in H_n and rhs.
"""

from __future__ import annotations

import numpy as np

from engine.jit import inline, kernel
from engine.record import Record


class Rows(Record):
    """Rows of one island of up to C contacts. Units: scaled velocities are sqrt(kg) m/s."""

    count: np.ndarray  # (1,) int64    contacts of the island
    body_a: np.ndarray  # (C,) int64   body's number inside the island
    body_b: np.ndarray  # (C,) int64   the same, -1 for a static body
    ga: np.ndarray  # (C, 6, 6)        rows of G for body a: [row, column]
    gb: np.ndarray  # (C, 6, 6)        rows of G for body b (zero when static)
    ha: np.ndarray  # (C, 6)           normal column of H, body a
    hb: np.ndarray  # (C, 6)
    rhs: np.ndarray  # (C, 6) m/s
    mu: np.ndarray  # (C,)             radius of the friction disc per normal impulse
    rolling: np.ndarray  # (C,)        radius of the rolling ball per normal impulse (rolling friction / length)
    an: np.ndarray  # (C,) 1/kg        response of the normal row to its own impulse
    at: np.ndarray  # (C,) 1/kg        largest response of the tangent rows
    ar: np.ndarray  # (C,) 1/kg        largest response of the rolling rows
    z: np.ndarray  # (C, 6) N s        impulses: in, the start; out, the answer


def empty_rows(capacity: int) -> Rows:
    shape = {
        "count": (1,),
        "body_a": (capacity,),
        "body_b": (capacity,),
        "ga": (capacity, 6, 6),
        "gb": (capacity, 6, 6),
        **{name: (capacity, 6) for name in ("ha", "hb", "rhs", "z")},
        **{name: (capacity,) for name in ("mu", "rolling", "an", "at", "ar")},
    }
    kinds = {"count": np.int64, "body_a": np.int64, "body_b": np.int64}
    return Rows(*(np.zeros(shape[name], kinds.get(name, np.float64)) for name in Rows._fields))


@kernel
def row_velocity(rows, c, k, y):
    """Row k of contact c: (G y)_ck in m/s."""
    a = rows.body_a[c]
    b = rows.body_b[c]
    s = 0.0
    for i in range(6):
        s += rows.ga[c, k, i] * y[a, i]
    if b >= 0:
        for i in range(6):
            s += rows.gb[c, k, i] * y[b, i]
    return s


@kernel
def add_normal_impulse(rows, c, impulse, y):
    """y += H_n^T impulse for contact c."""
    a = rows.body_a[c]
    b = rows.body_b[c]
    for i in range(6):
        y[a, i] += rows.ha[c, i] * impulse
    if b >= 0:
        for i in range(6):
            y[b, i] += rows.hb[c, i] * impulse


@kernel
def add_row_impulse(rows, c, k, impulse, y):
    """y += G_k^T impulse for contact c, row k >= 1."""
    a = rows.body_a[c]
    b = rows.body_b[c]
    for i in range(6):
        y[a, i] += rows.ga[c, k, i] * impulse
    if b >= 0:
        for i in range(6):
            y[b, i] += rows.gb[c, k, i] * impulse


@kernel
def velocities_of_impulses(rows, width, z, y):
    """y += H^T z."""
    for c in range(rows.count[0]):
        if z[c, 0] != 0.0:
            add_normal_impulse(rows, c, z[c, 0], y)
        for k in range(1, width):
            if z[c, k] != 0.0:
                add_row_impulse(rows, c, k, z[c, k], y)


@inline
def contact_velocities(rows, width, y, w):
    """w = G y + rhs."""
    for c in range(rows.count[0]):
        for k in range(width):
            w[c, k] = rows.rhs[c, k] + row_velocity(rows, c, k, y)


@kernel
def own_responses(rows, width, painleve_share):
    """an, at, ar: how a contact's rows respond to its own impulses (scales of the natural map)."""
    for c in range(rows.count[0]):
        normal = 0.0
        folded = 0.0
        for i in range(6):
            normal += rows.ga[c, 0, i] ** 2 + rows.gb[c, 0, i] ** 2
            folded += rows.ga[c, 0, i] * rows.ha[c, i] + rows.gb[c, 0, i] * rows.hb[c, i]
        rows.an[c] = max(folded, painleve_share * normal)
        t11 = 0.0
        t12 = 0.0
        t22 = 0.0
        for i in range(6):
            t11 += rows.ga[c, 1, i] ** 2 + rows.gb[c, 1, i] ** 2
            t12 += rows.ga[c, 1, i] * rows.ga[c, 2, i] + rows.gb[c, 1, i] * rows.gb[c, 2, i]
            t22 += rows.ga[c, 2, i] ** 2 + rows.gb[c, 2, i] ** 2
        rows.at[c] = 0.5 * (t11 + t22) + np.sqrt(0.25 * (t11 - t22) ** 2 + t12 * t12)
        # The trace bounds the largest eigenvalue of the 3x3 rolling block; exact to a factor of three.
        trace = 0.0
        if width == 6:
            for k in range(3, 6):
                for i in range(6):
                    trace += rows.ga[c, k, i] ** 2 + rows.gb[c, k, i] ** 2
        rows.ar[c] = trace if trace > 0.0 else 1.0
