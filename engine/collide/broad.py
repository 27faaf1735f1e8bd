"""Broad phase: which parts may touch.

Every moving part has a *tight* box and a *fat* one around it, with room for the next few steps. Pairs of parts whose
fat boxes meet are kept from step to step; only a part that has left its fat box gets a new one and asks the trees
again. Parts of static bodies stand in a tree of their own, built once. What `find_pairs` returns depends on the tight
boxes alone, so it does not depend on what was kept.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.collide.order import group_keys, key_first, key_second, merge_keys, pair_key, sort_keys
from engine.collide.part_boxes import fit_ball, fit_box, near_plane
from engine.collide.tree import Tree, build_tree, make_room, make_tree, overlap
from engine.jit import kernel, standalone
from engine.model.arrays import PLANE, SPHERE
from engine.status import PAIRS_FULL
from engine.vec import norm, quat_row, row, sub

STEPS_AHEAD = 8.0  # a fat box holds this many steps at the present speed ...
LEAST_ROOM = 0.5  # ... and at least this share of the part's radius
REBUILD = 4  # times the number of parts: after so many moves the tree is built anew

# Near.counts
READY, KEPT, PLANES, MOVED_SINCE = range(4)


class Near(NamedTuple):
    """What the broad phase keeps from step to step: P parts, room for K pairs. Pairs are see pair_key."""

    moving: Tree  # over fat boxes
    fixed: Tree  # over tight boxes
    tight: np.ndarray  # (P, 6) m
    fat: np.ndarray  # (P, 6) m
    planes: np.ndarray  # (P,) int64
    left: np.ndarray  # (P,) bool     parts that left their fat box in this step
    kept: np.ndarray  # (K,) int64    pairs whose fat boxes meet, sorted
    fresh: np.ndarray  # (K,) int64
    pairs: np.ndarray  # (K,) int64   the answer, sorted
    start: np.ndarray  # (P + 1,) int64
    counts: np.ndarray  # (4,) int64


def make_near(parts: int, pair_capacity: int) -> Near:
    return Near(
        moving=make_tree(parts),
        fixed=make_tree(parts),
        tight=np.zeros((parts, 6)),
        fat=np.zeros((parts, 6)),
        planes=np.zeros(parts, np.int64),
        left=np.zeros(parts, bool),
        kept=np.zeros(pair_capacity, np.int64),
        fresh=np.zeros(pair_capacity, np.int64),
        pairs=np.zeros(pair_capacity, np.int64),
        start=np.zeros(parts + 1, np.int64),
        counts=np.zeros(4, np.int64),
    )


@standalone
def find_pairs(geometry, cores, near, x, q, x_from, awake, is_static, slop):
    """Fill near.pairs, sorted; returns (count, status). Part a is of the moving body of lower index.

    x_from, one step away, tells how fast bodies are. Bodies that are not awake must not have moved since they were."""
    if near.counts[READY] == 0:
        sort_out(geometry, cores, near, x, q, is_static, slop)
    keep_up(geometry, cores, near, x, q, x_from, awake, is_static, slop)
    if near.counts[KEPT] > near.kept.shape[0]:
        near.counts[READY] = 0
        return 0, PAIRS_FULL
    count = 0
    for k in range(near.counts[KEPT]):
        key = near.kept[k]
        p, other = key_first(key), key_second(key)
        a, b = geometry.part_body[p], geometry.part_body[other]
        if not awake[a] and (is_static[b] or not awake[b]):
            continue
        if geometry.part_kind[other] == PLANE:
            meets = near_plane(p, other, geometry.part_body, geometry.part_center, geometry.part_axis,
                               geometry.part_bound, x, q, slop)  # fmt: skip
        else:
            meets = overlap(near.tight, p, near.tight, other)
        if meets:
            near.pairs[count] = key
            count += 1
    return count, 0


@standalone
def sort_out(geometry, cores, near, x, q, is_static, slop):
    """Start anew: planes, static parts with their tree, and moving parts without any fat box yet."""
    planes, fixed, moving = 0, 0, 0
    for p in range(geometry.part_body.shape[0]):
        if geometry.part_kind[p] == PLANE:
            near.planes[planes] = p
            planes += 1
            continue
        fit_box(geometry, cores, p, x, q, slop, near.tight)
        if is_static[geometry.part_body[p]]:
            near.fixed.items[fixed] = p
            fixed += 1
        else:
            near.moving.items[moving] = p
            moving += 1
            near.fat[p, 0] = math.inf  # nothing fits into it
    near.fixed.size[0] = fixed
    near.moving.size[0] = moving
    build_tree(near.fixed, near.tight)
    near.counts[PLANES] = planes
    near.counts[MOVED_SINCE] = REBUILD * moving + 1  # the moving tree is still to be built
    near.counts[READY] = 1


@standalone
def keep_up(geometry, cores, near, x, q, x_from, awake, is_static, slop):
    """Tight boxes of awake parts; new fat boxes and pairs for those that left theirs."""
    moving = near.moving.size[0]
    leavers = 0
    for k in range(moving):
        p = near.moving.items[k]
        body = geometry.part_body[p]
        if awake[body] and geometry.part_kind[p] == SPHERE:
            fit_ball(p, row(x, body), quat_row(q, body), geometry.part_center, geometry.part_radius, slop, near.tight)
        elif awake[body]:
            fit_box(geometry, cores, p, x, q, slop, near.tight)
        if near.fat[p, 0] == math.inf or (awake[body] and not inside(near.tight, p, near.fat)):
            pace = norm(sub(row(x, body), row(x_from, body)))
            room = max(STEPS_AHEAD * pace, LEAST_ROOM * geometry.part_bound[p])
            for i in range(3):
                near.fat[p, i] = near.tight[p, i] - room
                near.fat[p, i + 3] = near.tight[p, i + 3] + room
            near.left[p] = True
            leavers += 1
    if leavers == 0:
        return
    near.counts[MOVED_SINCE] += leavers
    anew = near.counts[MOVED_SINCE] > REBUILD * moving
    if anew:
        build_tree(near.moving, near.fat)
        near.counts[MOVED_SINCE] = 0
        near.counts[KEPT] = 0
        for k in range(moving):
            near.left[near.moving.items[k]] = True
    else:
        for k in range(moving):
            if near.left[near.moving.items[k]]:
                make_room(near.moving, near.fat, near.moving.items[k])
        near.counts[KEPT] = drop_pairs(near.kept, near.counts[KEPT], near.left)
    fresh = 0
    for k in range(moving):
        p = near.moving.items[k]
        if near.left[p]:
            fresh = ask(near.moving, near.fat, near.fat, near.left, near.fresh, geometry.part_body, is_static, p, fresh)
            fresh = ask(
                near.fixed, near.tight, near.fat, near.left, near.fresh, geometry.part_body, is_static, p, fresh
            )
            for plane in range(near.counts[PLANES]):
                if geometry.part_body[near.planes[plane]] != geometry.part_body[p]:
                    fresh = add_pair(near.fresh, fresh, pair_key(p, near.planes[plane]))
    if near.counts[KEPT] + fresh <= near.kept.shape[0]:
        if anew:
            group_keys(near.fresh, fresh, geometry.part_body.shape[0], near.start, near.kept)
        else:
            sort_keys(near.fresh, fresh)
            merge_keys(near.kept, near.counts[KEPT], near.fresh, fresh)
    near.counts[KEPT] += fresh
    for k in range(moving):
        near.left[near.moving.items[k]] = False


@kernel
def inside(boxes, i, others):
    """Is box i within box i of `others`?"""
    for k in range(3):
        if boxes[i, k] < others[i, k] or boxes[i, k + 3] > others[i, k + 3]:
            return False
    return True


@kernel
def drop_pairs(kept, count, left):
    """Drop the pairs of parts that left their fat box; returns how many remain."""
    remain = 0
    for k in range(count):
        if not left[key_first(kept[k])] and not left[key_second(kept[k])]:
            kept[remain] = kept[k]
            remain += 1
    return remain


@kernel
def add_pair(pairs, count, key):
    """Append; past the end only the count goes on."""
    if count < pairs.shape[0]:
        pairs[count] = key
    return count + 1


@standalone
def ask(tree, boxes, fat, left, fresh, part_body, is_static, p, count):
    """Append to `fresh` the pairs of part p with the boxes of a tree; two that both left only once."""
    body = part_body[p]
    tree.open[0] = 0
    waiting = 1 if tree.size[0] > 0 else 0
    while waiting > 0:
        waiting -= 1
        node = tree.open[waiting]
        if not overlap(fat, p, tree.node_box, node):
            continue
        if tree.node_span[node, 2] >= 0:
            tree.open[waiting] = tree.node_span[node, 2]
            tree.open[waiting + 1] = tree.node_span[node, 3]
            waiting += 2
            continue
        for k in range(tree.node_span[node, 0], tree.node_span[node, 1]):
            other = tree.items[k]
            other_body = part_body[other]
            twice = left[other] and other < p
            if other_body == body or twice or not overlap(fat, p, boxes, other):
                continue
            flip = not is_static[other_body] and other_body < body
            count = add_pair(fresh, count, pair_key(other, p) if flip else pair_key(p, other))
    return count
