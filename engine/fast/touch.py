"""Narrow phase: the manifold of every pair that may touch during the step.

A manifold is kept while the two bodies have moved less than REUSE since it was found; a pair known to be far apart is
left alone until the bodies' path lengths could have closed the distance.
"""

from __future__ import annotations

import math

from engine.fast.bricks import brick_on_brick
from engine.fast.candidates import GAP, POINT, candidate, choose_four
from engine.fast.candidates import NORMAL as FOUND_NORMAL
from engine.fast.frames import turned, turned_back
from engine.fast.movers import AWAKE, STEP, V, begin_bodies
from engine.fast.pairs import CURRENT, LISTED, NORMAL, ON_A, ON_B, POINT_WIDTH, PUSH, RUB
from engine.fast.parts import BALL, BRICK, FLAT, OTHER
from engine.fast.simple import ball_on_ball, ball_on_brick, ball_on_flat, brick_on_flat
from engine.fast.sleep import list_awake
from engine.jit import kernel
from engine.vec import add, axpy, dot, row, scale, sub

MARGIN = 2e-3  # m: contacts are seen this early, more at speed
REUSE = 1e-4  # m
TOUCH = 1e-4  # m: what is nearer than this wakes a sleeper and links an island
SAME_POINT = 0.1  # of the smaller size: points of two successive manifolds nearer than this are one


@kernel
def speed_apart(motion, a, b):
    """Relative speed of the centres."""
    x = motion[a, V] - motion[b, V]
    y = motion[a, V + 1] - motion[b, V + 1]
    z = motion[a, V + 2] - motion[b, V + 2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def contact_margin(motion, spin_reach, a, b, dt):
    """Contacts nearer than this could act during the step."""
    return MARGIN + speed_apart(motion, a, b) * dt + spin_reach[a] + spin_reach[b]


@kernel
def rests(points, separation, moved, margin):
    """May a pair's manifold stay as it is? moved: path lengths since it was found (nan: never)."""
    return moved < REUSE if points > 0 else separation - moved > margin


@kernel
def smaller_size(mass, a, b):
    """Size of the smaller body, m; b may be static."""
    return mass[a, 1] if mass[b, 0] == 0.0 else min(mass[a, 1], mass[b, 1])


@kernel
def touch_pairs(pairs, parts, candidates, m, dt):
    """Bring the manifolds of pairs with an awake body up to date, those not yet done in this step.

    Shapes without a quick kernel are left to touch_others."""
    step, current, slots = m.counts[STEP], pairs.counts[CURRENT], pairs.slots
    body_a, body_b, done, part = pairs.a, pairs.b, pairs.done, pairs.part
    points, separation, seen, point = pairs.points, pairs.separation, pairs.seen, pairs.point
    awake, motion, travel, spin_reach, frame, x, mass = m.awake, m.motion, m.travel, m.spin_reach, m.frame, m.x, m.mass
    kinds, halves, frames, centers = parts.kind, parts.half, m.part_frame, m.center
    found, chosen, before, polygon = candidates.found, candidates.chosen, candidates.before, candidates.polygon
    for k in range(pairs.counts[LISTED]):
        slot = slots[current, k]
        a, b = body_a[slot], body_b[slot]
        p, o = part[slot, 0], part[slot, 1]
        if not (awake[a] or awake[b]) or done[slot] == step or kinds[p] == OTHER or kinds[o] == OTHER:
            continue
        done[slot] = step
        now = travel[a] + travel[b]
        margin = contact_margin(motion, spin_reach, a, b, dt)
        if rests(points[slot], separation[slot], now - seen[slot], margin):
            continue
        count, apart = quick_contacts(found, polygon, frames, centers, halves, kinds, row(x, a), p, o, margin)
        seen[slot] = now
        separation[slot] = apart
        if count > 0:
            count = choose_four(found, count, chosen)
            size = smaller_size(mass, a, b)
            remember(point, slot, points[slot], found, count, chosen, before, frame, x, a, b, size)
        points[slot] = count


@kernel
def wake_touched(pairs, parts, m, dt):
    """Wake sleepers that an awake body touches or will touch during the step; says whether there were any.

    Called until there are none, so that whatever hangs together wakes together."""
    slots, current, point = pairs.slots, pairs.counts[CURRENT], pairs.point
    body_a, body_b, points = pairs.a, pairs.b, pairs.points
    awake, mass, motion, frame, x = m.awake, m.mass, m.motion, m.frame, m.x
    before = m.counts[AWAKE]
    for k in range(pairs.counts[LISTED]):
        slot = slots[current, k]
        a, b = body_a[slot], body_b[slot]
        if points[slot] == 0 or awake[a] == awake[b] or mass[b, 0] == 0.0:
            continue
        reach = TOUCH + speed_apart(motion, a, b) * dt
        for j in range(points[slot]):
            if place_point(point, slot, j, frame, x, a, b)[3] <= reach:
                sleeper = b if awake[a] else a
                awake[sleeper] = True
                m.quiet[sleeper] = 0.0
                m.list[m.counts[AWAKE]] = sleeper
                m.counts[AWAKE] += 1
                break
    if m.counts[AWAKE] == before:
        return False
    begin_bodies(m, parts, before, dt)
    list_awake(m)
    return True


@kernel
def quick_contacts(found, polygon, frames, centers, halves, kinds, origin, p, o, margin):
    """Candidates of two balls, bricks or planes: (count, lower bound of the distance)."""
    c, d = sub(row(centers, p), origin), sub(row(centers, o), origin)
    h, g = row(halves, p), row(halves, o)
    if kinds[o] == FLAT:
        n = (frames[o, 2], frames[o, 5], frames[o, 8])
        if kinds[p] == BALL:
            return ball_on_flat(found, c, h[0], d, n, margin)
        return brick_on_flat(found, frames, p, c, h, d, n, margin)
    if kinds[p] == BRICK:
        if kinds[o] == BRICK:
            return brick_on_brick(found, polygon, frames, p, c, h, o, d, g, margin)
        count, apart = ball_on_brick(found, d, g[0], frames, p, c, h, margin)
        for k in range(FOUND_NORMAL, FOUND_NORMAL + 3):
            found[0, k] = -found[0, k]
        return count, apart
    if kinds[o] == BRICK:
        return ball_on_brick(found, c, h[0], frames, o, d, g, margin)
    return ball_on_ball(found, c, h[0], d, g[0], margin)


@kernel
def remember(point, slot, old, found, count, chosen, before, frame, x, a, b, size):
    """Write the chosen candidates into the pair's slot, each with the impulses of the old point it continues.

    Points continue when they are nearer than SAME_POINT * size in the frame of either body."""
    for j in range(old):
        for k in range(POINT_WIDTH):
            before[j, k] = point[slot, j, k]
    shift = sub(row(x, a), row(x, b))
    for j in range(count):
        i = chosen[j]
        n, middle, gap = candidate(found, i, FOUND_NORMAL), candidate(found, i, POINT), found[i, GAP]
        on_a = turned_back(frame, a, axpy(0.5 * gap, n, middle))
        on_b = turned_back(frame, b, add(shift, axpy(-0.5 * gap, n, middle)))
        normal = turned_back(frame, b, n)
        for k in range(3):
            point[slot, j, ON_A + k] = on_a[k]
            point[slot, j, ON_B + k] = on_b[k]
            point[slot, j, NORMAL + k] = normal[k]
        best, closest = -1, (SAME_POINT * size) ** 2
        for o in range(old):
            d = distance_to_old(before, o, on_a, on_b)
            if d < closest or (old == 1 and count == 1):
                best, closest = o, d
        for k in range(PUSH, RUB + 3):
            point[slot, j, k] = before[best, k] if best >= 0 else 0.0
        if best >= 0:
            before[best, ON_A] = math.inf
            before[best, ON_B] = math.inf


@kernel
def distance_to_old(before, o, on_a, on_b):
    """Squared distance of a new point to old point o, in the frame in which it moved less."""
    x = on_a[0] - before[o, ON_A], on_a[1] - before[o, ON_A + 1], on_a[2] - before[o, ON_A + 2]
    y = on_b[0] - before[o, ON_B], on_b[1] - before[o, ON_B + 1], on_b[2] - before[o, ON_B + 2]
    return min(dot(x, x), dot(y, y))


@kernel
def place_point(point, slot, j, frame, x, a, b):
    """Arms from both centres to the middle of point j, the normal and the gap, now."""
    p = turned(frame, a, (point[slot, j, ON_A], point[slot, j, ON_A + 1], point[slot, j, ON_A + 2]))
    q = turned(frame, b, (point[slot, j, ON_B], point[slot, j, ON_B + 1], point[slot, j, ON_B + 2]))
    n = turned(frame, b, (point[slot, j, NORMAL], point[slot, j, NORMAL + 1], point[slot, j, NORMAL + 2]))
    shift = sub(row(x, b), row(x, a))
    q = add(q, shift)
    gap = dot(n, sub(p, q))
    arm_a = scale(0.5, add(p, q))
    return arm_a, sub(arm_a, shift), n, gap
