"""The contacts of one pair of parts while they are being collected.

Narrow-phase kernels see two parts, "first" and "second"; normals point from the second to the first. Features are
in world axes with the pair's own origin. `emit` only notes a pair of features; `keep_touching` works out the gaps,
keeps what touches and merges points that coincide.
"""

from __future__ import annotations

import numpy as np

from engine.collide.axes import FIRST
from engine.collide.features import feature_gap
from engine.jit import inline, kernel, standalone
from engine.model.arrays import CIRCLE, FACE, LINE, POINT
from engine.record import Record
from engine.status import MANIFOLD_FULL

MERGE = 1e-7  # m: contact points of one pair closer than this are one
ZERO = (0.0, 0.0, 0.0)

# NumPy numbers here and below: a plain constant as an argument would compile the callee anew for each value.
NO_CORNERS = np.int64(0)  # first and last of an empty loop

# Kinds of the two features of a contact, first then second.
POINT_POINT, POINT_LINE, POINT_FACE, POINT_CIRCLE = (np.int64(4 * POINT + other) for other in range(4))
LINE_POINT, LINE_LINE, _, LINE_CIRCLE = (np.int64(4 * LINE + other) for other in range(4))
FACE_POINT, _, _, FACE_CIRCLE = (np.int64(4 * FACE + other) for other in range(4))
CIRCLE_POINT, CIRCLE_LINE, CIRCLE_FACE, CIRCLE_CIRCLE = (np.int64(4 * CIRCLE + other) for other in range(4))

# Feature numbers: what kind of pair of features, and up to three indices below 65536 (<< 32, << 16 and << 0).
CORNER_ON_FACE, FACE_OVER_CORNER, EDGE_OVER_SIDE, EDGES, EDGE_ENDS, CORNERS, RIM_ON_FACE = (
    np.int64(kind << 48) for kind in range(7)
)
RIM_POINT, EDGE_ON_RIM, CORNER_ON_RIM, RIMS, EDGE_ON_SIDE, CORNER_ON_SIDE = (
    np.int64(kind << 48) for kind in range(7, 13)
)

# Columns of Manifold.values.
P_FIRST, D_FIRST, R_FIRST, P_SECOND, D_SECOND, R_SECOND, ROUND, GAP, NORMAL, PLACE = (
    np.int64(column) for column in (0, 3, 6, 7, 10, 13, 14, 15, 16, 19)
)
# Columns of Manifold.names.
KIND_FIRST, KIND_SECOND, FEATURE, ORDER = range(4)


class Manifold(Record):
    values: np.ndarray  # (M, 22)       m and unit vectors, see the columns above
    names: np.ndarray  # (M, 4) int64
    state: np.ndarray  # (3,) int64     settled contacts, all rows, status bits


def make_manifold(capacity: int) -> Manifold:
    return Manifold(np.zeros((capacity, 22)), np.zeros((capacity, 4), np.int64), np.zeros(3, np.int64))


@kernel
def vector(values, i, column):
    return values[i, column], values[i, column + 1], values[i, column + 2]


@kernel
def put_vector(values, i, column, a):
    values[i, column] = a[0]
    values[i, column + 1] = a[1]
    values[i, column + 2] = a[2]


@kernel
def emit(found, feature, kinds, pa, da, ra, pb, db, rb, n_guess):
    """Note a pair of features (r: circle or rounding radius; n_guess: about where the normal points)."""
    i = found.state[1]
    if i >= found.names.shape[0]:
        found.state[2] |= MANIFOLD_FULL
        return
    found.names[i, KIND_FIRST] = kinds // 4
    found.names[i, KIND_SECOND] = kinds % 4
    found.names[i, FEATURE] = feature
    values = found.values
    put_vector(values, i, P_FIRST, pa)
    put_vector(values, i, D_FIRST, da)
    values[i, R_FIRST] = ra
    put_vector(values, i, P_SECOND, pb)
    put_vector(values, i, D_SECOND, db)
    values[i, R_SECOND] = rb
    put_vector(values, i, NORMAL, n_guess)
    found.state[1] = i + 1


@kernel
def emit_point_face(found, feature, owner, p, radius, face_point, face_normal):
    """A point with its rounding radius over a face; owner: whose the face is."""
    if owner == FIRST:
        n = (-face_normal[0], -face_normal[1], -face_normal[2])
        emit(found, feature, FACE_POINT, face_point, face_normal, 0.0, p, ZERO, radius, n)
    else:
        emit(found, feature, POINT_FACE, p, ZERO, radius, face_point, face_normal, 0.0, face_normal)


@standalone
def keep_touching(found, slop):
    """Turn noted feature pairs into contacts: those with gap <= slop, one per point; returns how many there are."""
    values, names = found.values, found.names
    kept = found.state[0]
    for i in range(kept, found.state[1]):
        kind_a, kind_b = names[i, KIND_FIRST], names[i, KIND_SECOND]
        ra, rb = values[i, R_FIRST], values[i, R_SECOND]
        round = (ra if kind_a <= LINE else 0.0) + (rb if kind_b <= LINE else 0.0)  # POINT and LINE are rounded
        gap, n, p = feature_gap(
            kind_a, vector(values, i, P_FIRST), vector(values, i, D_FIRST), ra,
            kind_b, vector(values, i, P_SECOND), vector(values, i, D_SECOND), rb,
            round, vector(values, i, NORMAL),
        )  # fmt: skip
        if not gap <= slop or seen(values, kept, p):
            continue
        values[i, ROUND] = round
        values[i, GAP] = gap
        put_vector(values, i, NORMAL, n)
        put_vector(values, i, PLACE, p)
        for column in range(values.shape[1]):
            values[kept, column] = values[i, column]
        for column in range(3):
            names[kept, column] = names[i, column]
        kept += 1
    found.state[0] = kept
    found.state[1] = kept
    return kept


@inline
def seen(values, count, p):
    """Is one of the first `count` contacts at p?"""
    for i in range(count):
        q = vector(values, i, PLACE)
        if abs(p[0] - q[0]) < MERGE and abs(p[1] - q[1]) < MERGE and abs(p[2] - q[2]) < MERGE:
            return True
    return False


@inline
def sort_by_feature(names, count):
    """Column ORDER becomes the order of the contacts by feature number (insertion sort: they are few)."""
    for i in range(count):
        j = i
        while j > 0 and names[names[j - 1, ORDER], FEATURE] > names[i, FEATURE]:
            names[j, ORDER] = names[j - 1, ORDER]
            j -= 1
        names[j, ORDER] = i
