"""Contacts of shapes without quick kernels, through the engine's exact narrow phase."""

from __future__ import annotations

from engine.collide.manifold import GAP, NORMAL, PLACE, keep_touching, vector
from engine.collide.narrow import touch
from engine.fast.candidates import MOST, choose_four, keep
from engine.fast.movers import STEP
from engine.fast.pairs import CURRENT, LISTED
from engine.fast.parts import FLAT, OTHER
from engine.fast.touch import contact_margin, remember, rests, smaller_size
from engine.jit import kernel
from engine.vec import dot, norm, row, scale, sub


@kernel
def touch_others(pairs, parts, narrow, candidates, m, dt):
    """Bring the manifolds up to date that touch_pairs left alone (engine/fast/touch.py)."""
    step, current, slots, kinds = m.counts[STEP], pairs.counts[CURRENT], pairs.slots, parts.kind
    for k in range(pairs.counts[LISTED]):
        slot = slots[current, k]
        a, b, p, o = pairs.a[slot], pairs.b[slot], pairs.part[slot, 0], pairs.part[slot, 1]
        if kinds[p] != OTHER and kinds[o] != OTHER:
            continue
        if not (m.awake[a] or m.awake[b]) or pairs.done[slot] == step:
            continue
        pairs.done[slot] = step
        now, margin = m.travel[a] + m.travel[b], contact_margin(m.motion, m.spin_reach, a, b, dt)
        if rests(pairs.points[slot], pairs.separation[slot], now - pairs.seen[slot], margin):
            continue
        apart, count = least_distance(m.center, m.part_frame, parts.bound, kinds[o] == FLAT, p, o), 0
        if apart <= margin:
            count = general_contacts(narrow, p, o, m.x, m.q, margin, candidates.found)
        pairs.seen[slot] = now
        pairs.separation[slot] = apart
        if count > 0:
            count = choose_four(candidates.found, count, candidates.chosen)
            remember(
                pairs.point, slot, pairs.points[slot], candidates.found, count, candidates.chosen, candidates.before,
                m.frame, m.x, a, b, smaller_size(m.mass, a, b),
            )  # fmt: skip
        pairs.points[slot] = count


@kernel
def least_distance(centers, frames, bound, on_plane, p, o):
    """Lower bound of the distance of two parts from the balls around them."""
    d = sub(row(centers, p), row(centers, o))
    if on_plane:
        return dot((frames[o, 2], frames[o, 5], frames[o, 8]), d) - bound[p]
    return norm(d) - bound[p] - bound[o]


@kernel
def general_contacts(narrow, part_a, part_b, x, q, margin, candidates):
    """Candidates (origin: body a) of any pair nearer than `margin`; returns how many."""
    found = narrow.found
    flipped = touch(narrow, part_a, part_b, x, q, x, q, margin)
    count = min(keep_touching(found, margin), MOST)
    for i in range(count):
        n = scale(-1.0 if flipped else 1.0, vector(found.values, i, NORMAL))
        keep(candidates, i, vector(found.values, i, PLACE), found.values[i, GAP], n)
    return count
