"""Contacts of balls, and of bricks on planes: closed forms. Normals point from b to a; points are relative to the
caller's origin; every kernel returns (count, separation)."""

from __future__ import annotations

import math

from engine.fast.bricks import axis
from engine.fast.candidates import keep
from engine.jit import kernel
from engine.vec import axpy, dot, norm, scale, sub


@kernel
def ball_on_ball(found, ca, ra, cb, rb, margin):
    d = sub(ca, cb)
    distance = norm(d)
    gap = distance - ra - rb
    n = scale(1.0 / distance, d) if distance > 0.0 else (0.0, 0.0, 1.0)
    if gap > margin:
        return 0, gap
    keep(found, 0, axpy(rb + 0.5 * gap, n, cb), gap, n)
    return 1, gap


@kernel
def ball_on_flat(found, ca, ra, base, n, margin):
    gap = dot(n, sub(ca, base)) - ra
    if gap > margin:
        return 0, gap
    keep(found, 0, axpy(-ra - 0.5 * gap, n, ca), gap, n)
    return 1, gap


@kernel
def ball_on_brick(found, ca, ra, frames, ib, cb, hb, margin):
    d = sub(ca, cb)
    p = (dot(d, axis(frames, ib, 0)), dot(d, axis(frames, ib, 1)), dot(d, axis(frames, ib, 2)))
    inside = (
        min(max(p[0], -hb[0]), hb[0]),
        min(max(p[1], -hb[1]), hb[1]),
        min(max(p[2], -hb[2]), hb[2]),
    )
    out = sub(p, inside)
    distance = norm(out)
    if distance - ra > margin:
        return 0, distance - ra
    if distance > 0.0:
        m = scale(1.0 / distance, out)
    else:  # the centre is inside: leave through the nearest face
        k, depth = 0, math.inf
        for i in range(3):
            if hb[i] - abs(p[i]) < depth:
                k, depth = i, hb[i] - abs(p[i])
        s = 1.0 if p[k] > 0.0 else -1.0
        m = (s if k == 0 else 0.0, s if k == 1 else 0.0, s if k == 2 else 0.0)
        distance = -depth
    n = axpy(m[0], axis(frames, ib, 0), axpy(m[1], axis(frames, ib, 1), scale(m[2], axis(frames, ib, 2))))
    gap = distance - ra
    keep(found, 0, axpy(-ra - 0.5 * gap, n, ca), gap, n)
    return 1, gap


@kernel
def brick_on_flat(found, frames, ia, ca, ha, base, n, margin):
    """The four lowest corners: those of the face across the axis along which the brick reaches down most."""
    x, y, z = axis(frames, ia, 0), axis(frames, ia, 1), axis(frames, ia, 2)
    e, f, g = scale(ha[0], x), scale(ha[1], y), scale(ha[2], z)
    p, q, r = dot(n, e), dot(n, f), dot(n, g)
    height = dot(n, sub(ca, base))
    lowest = height - abs(p) - abs(q) - abs(r)
    if lowest > margin:
        return 0, lowest
    if abs(p) > abs(q) and abs(p) > abs(r):
        e, f, g, p, q, r = f, g, e, q, r, p
    elif abs(q) > abs(r):
        e, f, g, p, q, r = g, e, f, r, p, q
    down = -1.0 if r > 0.0 else 1.0
    foot = axpy(down, g, ca)
    height += down * r
    count = 0
    for v in range(4):
        s = 1.0 if v == 0 or v == 3 else -1.0
        t = 1.0 if v < 2 else -1.0
        gap = height + s * p + t * q
        if gap <= margin:
            keep(found, count, axpy(-0.5 * gap, n, axpy(s, e, axpy(t, f, foot))), gap, n)
            count += 1
    return count, lowest
