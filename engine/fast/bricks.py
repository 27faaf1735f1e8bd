"""Contacts of two bricks: fifteen separating axes, then a clipped face or a pair of edges.

A brick is given by its centre, its frame (a row of nine numbers, axes as columns) and its half edges. All points are
relative to an origin the caller chose. The normal points from brick b to brick a.
"""

from __future__ import annotations

import math

from engine.fast.candidates import keep
from engine.jit import kernel
from engine.vec import axpy, dot, scale, sub

EDGE_LEAD = 2e-4  # m: an edge pair must separate by this much more than the best face to be taken: faces are steadier
PARALLEL = 1e-4  # squared sine below which two edges have no common normal


@kernel
def axis(frames, i, k):
    """Column k of frame i."""
    return frames[i, k], frames[i, k + 3], frames[i, k + 6]


@kernel
def brick_on_brick(found, polygon, frames, ia, ca, ha, ib, cb, hb, margin):
    """Candidates nearer than `margin`; returns (count, separation). ha, hb: half edges; ca, cb: centres."""
    d = sub(cb, ca)
    a0, a1, a2 = axis(frames, ia, 0), axis(frames, ia, 1), axis(frames, ia, 2)
    b0, b1, b2 = axis(frames, ib, 0), axis(frames, ib, 1), axis(frames, ib, 2)
    t = (dot(a0, d), dot(a1, d), dot(a2, d))
    u = (dot(b0, d), dot(b1, d), dot(b2, d))
    c = (
        (dot(a0, b0), dot(a0, b1), dot(a0, b2)),
        (dot(a1, b0), dot(a1, b1), dot(a1, b2)),
        (dot(a2, b0), dot(a2, b1), dot(a2, b2)),
    )
    best, which = -math.inf, 0
    for i in range(3):
        s = abs(t[i]) - ha[i] - hb[0] * abs(c[i][0]) - hb[1] * abs(c[i][1]) - hb[2] * abs(c[i][2])
        if s > best:
            best, which = s, i
    if best > margin:
        return 0, best
    for j in range(3):
        s = abs(u[j]) - hb[j] - ha[0] * abs(c[0][j]) - ha[1] * abs(c[1][j]) - ha[2] * abs(c[2][j])
        if s > best:
            best, which = s, 3 + j
    if best > margin:
        return 0, best
    separation, edge, sine = best + EDGE_LEAD, -1, 1.0
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            square = 1.0 - c[i][j] * c[i][j]
            if square < PARALLEL:
                continue
            along = t[i2] * c[i1][j] - t[i1] * c[i2][j]
            reach = ha[i1] * abs(c[i2][j]) + ha[i2] * abs(c[i1][j]) + hb[j1] * abs(c[i][j2]) + hb[j2] * abs(c[i][j1])
            length = math.sqrt(square)
            s = (abs(along) - reach) / length
            if s > separation:
                separation, edge, sine = s, 3 * i + j, length if along < 0.0 else -length
    if edge >= 0:
        if separation > margin:
            return 0, separation
        return crossing_edges(found, frames, ia, ca, ha, ib, cb, hb, edge // 3, edge % 3, sine, separation)
    if which < 3:
        facing = (which, t[which], -1.0)
        return face_points(found, polygon, frames, (ia, ca, ha), facing, (ib, cb, hb), margin), best
    facing = (which - 3, -u[which - 3], 1.0)
    return face_points(found, polygon, frames, (ib, cb, hb), facing, (ia, ca, ha), margin), best


@kernel
def crossing_edges(found, frames, ia, ca, ha, ib, cb, hb, i, j, sine, separation):
    """The nearest points of edge i of a and edge j of b; their common normal is a_i x b_j / sine."""
    e, f = axis(frames, ia, i), axis(frames, ib, j)
    n = (
        (e[1] * f[2] - e[2] * f[1]) / sine,
        (e[2] * f[0] - e[0] * f[2]) / sine,
        (e[0] * f[1] - e[1] * f[0]) / sine,
    )
    p, q = ca, cb
    for k in range(3):
        if k != i:
            v = axis(frames, ia, k)
            p = axpy(-ha[k] if dot(n, v) > 0.0 else ha[k], v, p)
        if k != j:
            v = axis(frames, ib, k)
            q = axpy(hb[k] if dot(n, v) > 0.0 else -hb[k], v, q)
    w = sub(q, p)
    cosine = dot(e, f)
    we, wf = dot(w, e), dot(w, f)
    s = (we - cosine * wf) / (sine * sine)
    r = (cosine * we - wf) / (sine * sine)
    p = axpy(min(max(s, -ha[i]), ha[i]), e, p)
    q = axpy(min(max(r, -hb[j]), hb[j]), f, q)
    keep(found, 0, (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])), separation, n)
    return 1, separation


@kernel
def face_points(found, polygon, frames, reference, face, incident, margin):
    """Clip the facing side of the incident brick to a face of the other, the one towards it; returns how many points
    remain.

    Bricks: number, centre, half edges. face: its axis, on which side, 1 when its outward normal points to brick a, else
    -1."""
    (ir, cr, hr), (k, side, toward_a), (ii, ci, hi) = reference, face, incident
    sign = 1.0 if side > 0.0 else -1.0
    m = scale(sign, axis(frames, ir, k))
    e, f = axis(frames, ir, (k + 1) % 3), axis(frames, ir, (k + 2) % 3)
    he, hf = hr[(k + 1) % 3], hr[(k + 2) % 3]
    facing, most = 0, -1.0
    for j in range(3):
        cosine = dot(m, axis(frames, ii, j))
        if abs(cosine) > most:
            facing, most = j, abs(cosine)
    out = axis(frames, ii, facing)
    centre = axpy(-hi[facing] if dot(m, out) > 0.0 else hi[facing], out, sub(ci, cr))
    j1, j2 = (facing + 1) % 3, (facing + 2) % 3
    g, h = scale(hi[j1], axis(frames, ii, j1)), scale(hi[j2], axis(frames, ii, j2))
    # The facing side in coordinates (e, f, m) of the face: centre and two half edges.
    x, y, z = dot(e, centre), dot(f, centre), dot(m, centre) - hr[k]
    gx, gy, gz = dot(e, g), dot(f, g), dot(m, g)
    hx, hy, hz = dot(e, h), dot(f, h), dot(m, h)
    for v in range(4):
        s = 1.0 if v == 0 or v == 3 else -1.0
        r = 1.0 if v < 2 else -1.0
        polygon[0, v, 0] = x + s * gx + r * hx
        polygon[0, v, 1] = y + s * gy + r * hy
        polygon[0, v, 2] = z + s * gz + r * hz
    size, now = 4, 0
    if abs(x) + abs(gx) + abs(hx) > he:
        size, now = clip(polygon, now, size, 0, 1.0, he)
        size, now = clip(polygon, now, size, 0, -1.0, he)
    if abs(y) + abs(gy) + abs(hy) > hf:
        size, now = clip(polygon, now, size, 1, 1.0, hf)
        size, now = clip(polygon, now, size, 1, -1.0, hf)
    count = 0
    n = scale(toward_a, m)
    for v in range(size):
        gap = polygon[now, v, 2]
        if gap <= margin:
            midway = axpy(hr[k] + 0.5 * gap, m, cr)
            keep(found, count, axpy(polygon[now, v, 0], e, axpy(polygon[now, v, 1], f, midway)), gap, n)
            count += 1
    return count


@kernel
def clip(polygon, now, size, k, sign, limit):
    """Keep what has sign * coordinate k <= limit (Sutherland and Hodgman); returns (size, buffer)."""
    other = 1 - now
    kept = 0
    for v in range(size):
        w = v + 1 if v + 1 < size else 0
        s, r = limit - sign * polygon[now, v, k], limit - sign * polygon[now, w, k]
        if s >= 0.0:
            for i in range(3):
                polygon[other, kept, i] = polygon[now, v, i]
            kept += 1
        if (s >= 0.0) != (r >= 0.0):
            share = s / (s - r)
            for i in range(3):
                polygon[other, kept, i] = polygon[now, v, i] + share * (polygon[now, w, i] - polygon[now, v, i])
            kept += 1
    return kept, other
