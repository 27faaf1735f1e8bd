"""Narrow phase: the manifold of every pair that may touch during the step.

A manifold is kept while the two bodies have moved less than REUSE since it was found; a pair known to be far apart is
left alone until the bodies' path lengths could have closed the distance.
"""

from __future__ import annotations

import math

from engine.fast.bricks import brick_on_brick
from engine.fast.candidates import choose_four
from engine.fast.frames import turned, turned_back
from engine.fast.general import general_contacts
from engine.fast.movers import STEP, V
from engine.fast.pairs import CURRENT, LISTED, NORMAL, ON_A, ON_B, POINT_WIDTH, PUSH, RUB
from engine.fast.parts import BALL, BRICK, FLAT, OTHER
from engine.fast.simple import ball_on_ball, ball_on_brick, ball_on_flat, brick_on_flat
from engine.fast.sleep import wake
from engine.jit import kernel
from engine.vec import add, axpy, dot, norm, row, scale, sub

MARGIN = 2e-3  # m: contacts are seen this early, more at speed
REUSE = 1e-4  # m
TOUCH = 1e-4  # m: what is nearer than this wakes a sleeper and links an island
SAME_POINT = 0.1  # of the smaller size: points of two successive manifolds nearer than this are one


@kernel
def touch_pairs(pairs, parts, narrow, found, m, dt):
    """Look at all pairs with an awake body; again while sleepers are woken."""
    woken = True
    step = m.counts[STEP]
    while woken:
        woken = False
        current = pairs.counts[CURRENT]
        for k in range(pairs.counts[LISTED]):
            slot = pairs.slots[current, k]
            a, b = pairs.a[slot], pairs.b[slot]
            if pairs.done[slot] == step or not (m.awake[a] or m.awake[b]):
                continue
            pairs.done[slot] = step
            look(pairs, slot, parts, narrow, found, m, dt)
            if pairs.points[slot] > 0 and m.awake[a] != m.awake[b] and m.mass[b, 0] > 0.0:
                if meets(pairs, slot, m, dt):
                    wake(m, parts, b if m.awake[a] else a, dt)
                    woken = True


@kernel
def speed_apart(m, a, b):
    """Relative speed of the centres."""
    x = m.motion[a, V] - m.motion[b, V]
    y = m.motion[a, V + 1] - m.motion[b, V + 1]
    z = m.motion[a, V + 2] - m.motion[b, V + 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def look(pairs, slot, parts, narrow, found, m, dt):
    """Bring the manifold of a pair up to date."""
    a, b = pairs.a[slot], pairs.b[slot]
    margin = MARGIN + speed_apart(m, a, b) * dt + m.spin_reach[a] + m.spin_reach[b]
    now = m.travel[a] + m.travel[b]
    moved = now - pairs.seen[slot]
    if pairs.points[slot] == 0:
        if pairs.separation[slot] - moved > margin:
            return
    elif moved < REUSE:
        return
    count, separation = find(pairs.part[slot, 0], pairs.part[slot, 1], parts, narrow, found, m, margin)
    pairs.seen[slot] = now
    pairs.separation[slot] = separation
    if count == 0:
        pairs.points[slot] = 0
        return
    remember(pairs, slot, choose_four(found, count), found, m)


@kernel
def find(p, o, parts, narrow, found, m, margin):
    """Candidates of parts p and o with the origin at body a: (count, lower bound of the distance)."""
    a = parts.body[p]
    kind, other = parts.kind[p], parts.kind[o]
    origin = row(m.x, a)
    c, d = sub(row(m.center, p), origin), sub(row(m.center, o), origin)
    h, g = row(parts.half, p), row(parts.half, o)
    if kind == OTHER or other == OTHER:
        if other != FLAT:
            apart = norm(sub(c, d)) - parts.bound[p] - parts.bound[o]
        else:
            apart = dot((m.part_frame[o, 2], m.part_frame[o, 5], m.part_frame[o, 8]), sub(c, d)) - parts.bound[p]
        if apart > margin:
            return 0, apart
        return general_contacts(narrow, p, o, m.x, m.q, margin, found), apart
    if other == FLAT:
        n = (m.part_frame[o, 2], m.part_frame[o, 5], m.part_frame[o, 8])
        if kind == BALL:
            return ball_on_flat(found, c, h[0], d, n, margin)
        return brick_on_flat(found, m.part_frame, p, c, h, d, n, margin)
    if kind == BRICK and other == BRICK:
        return brick_on_brick(found, m.part_frame, p, c, h, o, d, g, margin)
    if kind == BALL and other == BALL:
        return ball_on_ball(found, c, h[0], d, g[0], margin)
    if kind == BALL:
        return ball_on_brick(found, c, h[0], m.part_frame, o, d, g, margin)
    count, separation = ball_on_brick(found, d, g[0], m.part_frame, p, c, h, margin)
    for k in range(3):
        found.normal[0, k] = -found.normal[0, k]
    return count, separation


@kernel
def remember(pairs, slot, count, found, m):
    """Write the chosen candidates into the pair's slot, each with the impulses of the old point it continues."""
    a, b = pairs.a[slot], pairs.b[slot]
    old, point = pairs.points[slot], pairs.point
    for j in range(old):
        for k in range(POINT_WIDTH):
            found.before[j, k] = point[slot, j, k]
    size = m.mass[a, 1]
    if m.mass[b, 0] > 0.0:
        size = min(size, m.mass[b, 1])
    near = (SAME_POINT * size) ** 2
    shift = sub(row(m.x, a), row(m.x, b))
    for j in range(count):
        i = found.chosen[j]
        n, middle, gap = row(found.normal, i), row(found.point, i), found.gap[i]
        on_a = turned_back(m.frame, a, axpy(0.5 * gap, n, middle))
        on_b = turned_back(m.frame, b, add(shift, axpy(-0.5 * gap, n, middle)))
        normal = turned_back(m.frame, b, n)
        for k in range(3):
            point[slot, j, ON_A + k] = on_a[k]
            point[slot, j, ON_B + k] = on_b[k]
            point[slot, j, NORMAL + k] = normal[k]
        best, closest = -1, near
        for o in range(old):
            d = distance_to_old(found.before, o, on_a, on_b)
            if d < closest or (old == 1 and count == 1):
                best, closest = o, d
        for k in range(PUSH, RUB + 3):
            point[slot, j, k] = found.before[best, k] if best >= 0 else 0.0
        if best >= 0:
            found.before[best, ON_A] = math.inf
            found.before[best, ON_B] = math.inf
    pairs.points[slot] = count


@kernel
def distance_to_old(before, o, on_a, on_b):
    """Squared distance of a new point to old point o, in the frame in which it moved less."""
    x = on_a[0] - before[o, ON_A], on_a[1] - before[o, ON_A + 1], on_a[2] - before[o, ON_A + 2]
    y = on_b[0] - before[o, ON_B], on_b[1] - before[o, ON_B + 1], on_b[2] - before[o, ON_B + 2]
    return min(dot(x, x), dot(y, y))


@kernel
def place_point(pairs, slot, j, m):
    """Arms from both centres to the middle of point j, the normal and the gap, now."""
    a, b, point = pairs.a[slot], pairs.b[slot], pairs.point
    p = turned(m.frame, a, (point[slot, j, ON_A], point[slot, j, ON_A + 1], point[slot, j, ON_A + 2]))
    q = turned(m.frame, b, (point[slot, j, ON_B], point[slot, j, ON_B + 1], point[slot, j, ON_B + 2]))
    n = turned(m.frame, b, (point[slot, j, NORMAL], point[slot, j, NORMAL + 1], point[slot, j, NORMAL + 2]))
    shift = sub(row(m.x, b), row(m.x, a))
    q = add(q, shift)
    gap = dot(n, sub(p, q))
    arm_a = scale(0.5, add(p, q))
    return arm_a, sub(arm_a, shift), n, gap


@kernel
def meets(pairs, slot, m, dt):
    """Does the awake body of a pair touch the sleeper, or will it during the step?"""
    closing = speed_apart(m, pairs.a[slot], pairs.b[slot]) * dt
    for j in range(pairs.points[slot]):
        _, _, _, gap = place_point(pairs, slot, j, m)
        if gap <= TOUCH + closing:
            return True
    return False
