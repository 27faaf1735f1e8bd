"""Separating axes of two polyhedral cores: which face or pair of edges holds them apart, and by how much."""

from __future__ import annotations

import math

import numpy as np

from engine.jit import inline, kernel
from engine.vec import cross, dot, norm, row, scale, sub

# Whose feature. (NumPy numbers: a plain constant as an argument would compile the callee anew for each value.)
FIRST, SECOND = np.int64(0), np.int64(1)

FIRST_FACE, SECOND_FACE, EDGE_PAIR, NO_AXIS = range(4)
NEAR_TIE = 1e-9  # of the size: an axis must be better by more than this to go before an earlier one
EXTREME = 1e-9  # m: a feature within this of a core's extreme point along a normal is at the extreme
PARALLEL = 1e-6  # sine of the angle below which two edges have no axis of their own


@kernel
def support(verts, n):
    """Largest n.v over the corners."""
    best = -math.inf
    for i in range(verts.shape[0]):
        best = max(best, verts[i, 0] * n[0] + verts[i, 1] * n[1] + verts[i, 2] * n[2])
    return best


@kernel
def lowest(verts, n):
    """Smallest n.v over the corners."""
    best = math.inf
    for i in range(verts.shape[0]):
        best = min(best, verts[i, 0] * n[0] + verts[i, 1] * n[1] + verts[i, 2] * n[2])
    return best


@kernel
def best_face(normals, offsets, verts, tie):
    """Face over which the corners stand highest: its separation and number (-1 without faces)."""
    best, number = -math.inf, -1
    for f in range(normals.shape[0]):
        s = lowest(verts, row(normals, f)) - offsets[f]
        if s > best + tie:
            best, number = s, f
    return best, number


@inline
def face_axis(first, second, leader, tie):
    """Best face axis: separation, FIRST_FACE or SECOND_FACE (the leader's on a tie), face number."""
    sa, fa = best_face(first.normals, first.offsets, second.verts, tie)
    sb, fb = best_face(second.normals, second.offsets, first.verts, tie)
    if fa < 0 and fb < 0:
        return -math.inf, NO_AXIS, -1
    lead = tie if leader == SECOND else -tie
    if sb + lead > sa:
        return sb, SECOND_FACE, fb
    return sa, FIRST_FACE, fa


@inline
def arcs_cross(a, b, ba, c, d, dc):
    """Do the arcs a-b and c-d on the unit sphere cross? ba and dc are directions of b x a and d x c."""
    cba, dba = dot(c, ba), dot(d, ba)
    adc, bdc = dot(a, dc), dot(b, dc)
    return cba * dba < 0.0 and adc * bdc < 0.0 and cba * bdc > 0.0


@inline
def edge_axis(first, second, tie):
    """Best edge pair: separation, edge of first, edge of second, normal (second to first)."""
    if first.normals.shape[0] > 1 and second.normals.shape[0] > 1:
        return solid_edge_axis(first, second, tie)
    return thin_edge_axis(first, second, tie)


@inline
def solid_edge_axis(first, second, tie):
    """Edge pairs of two solids; only those whose arcs cross on the Gauss map can be touching features."""
    best, bi, bj, bn = -math.inf, -1, -1, (0.0, 0.0, 0.0)
    for i in range(first.edges.shape[0]):
        a, b = row(first.normals, first.edge_faces[i, 0]), row(first.normals, first.edge_faces[i, 1])
        pa = row(first.verts, first.edges[i, 0])
        ea = sub(row(first.verts, first.edges[i, 1]), pa)  # along a x b
        ba = scale(-1.0, ea)
        out = (a[0] + b[0], a[1] + b[1], a[2] + b[2])
        la = norm(ea)
        for j in range(second.edges.shape[0]):
            c = scale(-1.0, row(second.normals, second.edge_faces[j, 0]))
            d = scale(-1.0, row(second.normals, second.edge_faces[j, 1]))
            pb = row(second.verts, second.edges[j, 0])
            eb = sub(row(second.verts, second.edges[j, 1]), pb)
            if not arcs_cross(a, b, ba, c, d, scale(-1.0, eb)):
                continue
            n = cross(ea, eb)
            length = norm(n)
            if length <= PARALLEL * la * norm(eb):
                continue
            n = scale(-1.0 / length if dot(n, out) > 0.0 else 1.0 / length, n)
            s = dot(n, sub(pa, pb))
            if s > best + tie:
                best, bi, bj, bn = s, i, j, n
    return best, bi, bj, bn


@inline
def thin_edge_axis(first, second, tie):
    """Edge pairs when a core is a segment or a triangle: every pair, with the true separation along its normal."""
    best, bi, bj, bn = -math.inf, -1, -1, (0.0, 0.0, 0.0)
    for i in range(first.edges.shape[0]):
        ea = sub(row(first.verts, first.edges[i, 1]), row(first.verts, first.edges[i, 0]))
        for j in range(second.edges.shape[0]):
            eb = sub(row(second.verts, second.edges[j, 1]), row(second.verts, second.edges[j, 0]))
            n = cross(ea, eb)
            length = norm(n)
            if length <= PARALLEL * norm(ea) * norm(eb):
                continue
            n = scale(1.0 / length, n)
            for sign in (1.0, -1.0):
                m = scale(sign, n)
                low, top = lowest(first.verts, m), support(second.verts, m)
                # Of parallel edges only those at the bottom and at the top are the touching ones.
                if dot(m, row(first.verts, first.edges[i, 0])) > low + EXTREME:
                    continue
                if dot(m, row(second.verts, second.edges[j, 0])) < top - EXTREME:
                    continue
                if low - top > best + tie:
                    best, bi, bj, bn = low - top, i, j, m
    return best, bi, bj, bn
