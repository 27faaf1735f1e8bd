"""Broad phase: which parts may touch.

Every moving part has a *fat* box with room for the next few steps. Pairs of parts whose fat boxes meet are kept from
step to step; only a part that may have left its fat box gets a new one and asks the trees again. Parts of static bodies
stand in a tree of their own, built once.

A kept pair is not looked at in every step either: once its parts are found to be some room apart, it is due again only
when the ways that both have made since could have used that room up. `find_pairs` returns every pair that touches,
whatever was kept, and few that do not.
"""

from __future__ import annotations

import math

import numpy as np

from engine.collide.dismiss import height_over_plane, height_over_polytope, part_centre
from engine.collide.order import group_keys, key_first, key_second, merge_keys, pair_key, sort_keys
from engine.collide.part_boxes import fit_box
from engine.collide.tree import Tree, build_tree, make_room, make_tree, overlap
from engine.jit import inline, kernel, standalone
from engine.model.arrays import PLANE, POLYTOPE, SPHERE
from engine.record import Record
from engine.status import PAIRS_FULL
from engine.vec import norm, row, sub

STEPS_AHEAD = 16.0  # a fat box holds this many steps at the present speed ...
LEAST_ROOM = 1.0  # ... and at least this share of the part's radius
REBUILD = 1  # times the number of parts: after so many new fat boxes the tree is built anew
WARY = 1.0 - 1e-9  # share of a distance that rounding leaves certain

# Near.counts
READY, KEPT, PLANES, MOVED_SINCE, CALL = range(5)


class Near(Record):
    """What the broad phase keeps from step to step: P parts, room for K pairs. Pairs are see pair_key."""

    moving: Tree  # over fat boxes
    fixed: Tree  # over tight boxes
    tight: np.ndarray  # (P, 6) m     as of the call `fitted`; always right for static parts
    fitted: np.ndarray  # (P,) int64
    fat: np.ndarray  # (P, 6) m
    reach: np.ndarray  # (P,) m       how far a turn of the body can move a point of the part, per unit of chord
    seen_x: np.ndarray  # (P, 3) m    pose of the part's body in the last call
    seen_q: np.ndarray  # (P, 4)
    way: np.ndarray  # (P,) m         at least as far as any point of the part has moved since all began
    way_out: np.ndarray  # (P,) m      way at which the part may leave its fat box
    planes: np.ndarray  # (P,) int64
    left: np.ndarray  # (P,) bool     parts that left their fat box in this step
    kept: np.ndarray  # (K,) int64    pairs whose fat boxes meet, sorted
    due: np.ndarray  # (K,) m         sum of both ways at which a kept pair may touch
    fresh: np.ndarray  # (K,) int64
    pairs: np.ndarray  # (K,) int64   the answer, sorted
    start: np.ndarray  # (P + 1,) int64
    counts: np.ndarray  # (5,) int64


def make_near(parts: int, pair_capacity: int) -> Near:
    return Near(
        moving=make_tree(parts),
        fixed=make_tree(parts),
        tight=np.zeros((parts, 6)),
        fitted=np.zeros(parts, np.int64),
        fat=np.zeros((parts, 6)),
        reach=np.zeros(parts),
        seen_x=np.zeros((parts, 3)),
        seen_q=np.zeros((parts, 4)),
        way=np.zeros(parts),
        way_out=np.zeros(parts),
        planes=np.zeros(parts, np.int64),
        left=np.zeros(parts, bool),
        kept=np.zeros(pair_capacity, np.int64),
        due=np.zeros(pair_capacity),
        fresh=np.zeros(pair_capacity, np.int64),
        pairs=np.zeros(pair_capacity, np.int64),
        start=np.zeros(parts + 1, np.int64),
        counts=np.zeros(5, np.int64),
    )


@standalone
def find_pairs(geometry, cores, near, x, q, x_from, awake, is_static, slop):
    """Fill near.pairs, sorted; returns (count, status). Part a is of the moving body of lower index.

    x_from, one step away, tells how fast bodies are. Bodies that are not awake must not have moved since they were."""
    near.counts[CALL] += 1
    if near.counts[READY] == 0:
        sort_out(geometry, cores, near, x, q, is_static, slop)
    go_along(near.moving.items, near.moving.size[0], geometry.part_body, awake, x, q, near.reach, near.seen_x,
             near.seen_q, near.way)  # fmt: skip
    keep_up(geometry, cores, near, x, q, x_from, is_static, slop)
    if near.counts[KEPT] > near.kept.shape[0]:
        near.counts[READY] = 0
        return 0, PAIRS_FULL
    part_body, part_kind, way, due = geometry.part_body, geometry.part_kind, near.way, near.due
    count = 0
    for k in range(near.counts[KEPT]):
        key = near.kept[k]
        p, other = key_first(key), key_second(key)
        ways = way[p] + way[other]
        if ways < due[k]:
            continue
        a, b = part_body[p], part_body[other]
        if not awake[a] and (is_static[b] or not awake[b]):
            continue
        ball, kind, room = part_kind[p] == SPHERE, part_kind[other], 0.0
        if kind == PLANE or (ball and (kind == SPHERE or kind == POLYTOPE)):
            room = room_about_ball(geometry, cores, p, other, x, q) - slop
        if room <= 0.0 and kind != PLANE and not (ball and kind == SPHERE):
            for part in (p, other):
                if near.fitted[part] != near.counts[CALL] and near.way_out[part] < math.inf:
                    fit_box(geometry, cores, part, x, q, slop, near.tight)
                    near.fitted[part] = near.counts[CALL]
            room = room_between_boxes(near.tight, p, other)
        if room > 0.0:
            due[k] = ways + WARY * room
        else:
            near.pairs[count] = key
            count += 1
    return count, 0


@inline
def room_about_ball(geometry, cores, p, other, x, q):
    """At most the gap (m) between the ball p, or a ball about part p, and a plane, ball or polytope."""
    b, kind = geometry.part_body[other], geometry.part_kind[other]
    centre, radius = geometry.part_center, geometry.part_radius
    c = part_centre(p, geometry.part_body[p], centre, x, q)
    if kind == PLANE:
        around = radius[p] if geometry.part_kind[p] == SPHERE else geometry.part_bound[p]
        return WARY * height_over_plane(other, b, centre, geometry.part_axis, x, q, c) - around
    if kind == SPHERE:
        return WARY * norm(sub(c, part_centre(other, b, centre, x, q))) - radius[p] - radius[other]
    return WARY * height_over_polytope(other, b, cores.face_start, cores.normals, cores.offsets, x, q, c) - radius[p]


@kernel
def room_between_boxes(boxes, i, j):
    """How far apart two boxes are along the axis on which they are farthest apart; below 0 when they meet."""
    room = -math.inf
    for k in range(3):
        room = max(room, boxes[i, k] - boxes[j, k + 3], boxes[j, k] - boxes[i, k + 3])
    return room


@standalone
def sort_out(geometry, cores, near, x, q, is_static, slop):
    """Start anew: planes, static parts with their tree, and moving parts without any fat box yet."""
    planes, fixed, moving = 0, 0, 0
    for p in range(geometry.part_body.shape[0]):
        body = geometry.part_body[p]
        near.way[p] = 0.0
        near.way_out[p] = math.inf
        if geometry.part_kind[p] == PLANE:
            near.planes[planes] = p
            planes += 1
            continue
        fit_box(geometry, cores, p, x, q, slop, near.tight)
        if is_static[body]:
            near.fixed.items[fixed] = p
            fixed += 1
            continue
        near.moving.items[moving] = p
        moving += 1
        near.way_out[p] = -1.0  # at once
        near.reach[p] = norm(row(geometry.part_center, p))
        if geometry.part_kind[p] != SPHERE:  # a ball that turns about its centre stays where it is
            near.reach[p] += geometry.part_bound[p]
        for i in range(3):
            near.seen_x[p, i] = x[body, i]
        for i in range(4):
            near.seen_q[p, i] = q[body, i]
    near.fixed.size[0] = fixed
    near.moving.size[0] = moving
    build_tree(near.fixed, near.tight)
    near.counts[PLANES] = planes
    near.counts[KEPT] = 0
    near.counts[MOVED_SINCE] = REBUILD * moving  # the moving tree is still to be built
    near.counts[READY] = 1


@standalone
def go_along(parts, count, part_body, awake, x, q, reach, seen_x, seen_q, way):
    """Lengthen the ways of awake parts by what their bodies moved and turned since the last call.

    A turn by an angle t moves a point at distance r by 2 r sin(t/2) <= 2 r |q - q'|, as |q - q'| = 2 sin(t/4)."""
    for k in range(count):
        p = parts[k]
        body = part_body[p]
        if not awake[body]:
            continue
        square = 0.0
        for i in range(3):
            step = x[body, i] - seen_x[p, i]
            square += step * step
            seen_x[p, i] = x[body, i]
        further = math.sqrt(square)
        if reach[p] > 0.0:
            same, opposite = 0.0, 0.0
            for i in range(4):
                same += (q[body, i] - seen_q[p, i]) ** 2
                opposite += (q[body, i] + seen_q[p, i]) ** 2
                seen_q[p, i] = q[body, i]
            further += 2.0 * reach[p] * math.sqrt(min(same, opposite))
        way[p] += further


@standalone
def keep_up(geometry, cores, near, x, q, x_from, is_static, slop):
    """New fat boxes and pairs for the parts that may have left theirs."""
    moving = near.moving.size[0]
    leavers = 0
    for k in range(moving):
        p = near.moving.items[k]
        if near.way[p] <= near.way_out[p]:
            continue
        body = geometry.part_body[p]
        fit_box(geometry, cores, p, x, q, slop, near.tight)
        near.fitted[p] = near.counts[CALL]
        room = max(STEPS_AHEAD * norm(sub(row(x, body), row(x_from, body))), LEAST_ROOM * geometry.part_bound[p])
        for i in range(3):
            near.fat[p, i] = near.tight[p, i] - room
            near.fat[p, i + 3] = near.tight[p, i + 3] + room
        near.way_out[p] = near.way[p] + WARY * room
        near.left[p] = True
        leavers += 1
    if leavers == 0:
        return
    near.counts[MOVED_SINCE] += leavers
    if near.counts[MOVED_SINCE] > REBUILD * moving:
        build_tree(near.moving, near.fat)
        near.counts[MOVED_SINCE] = 0
    else:
        for k in range(moving):
            if near.left[near.moving.items[k]]:
                make_room(near.moving, near.fat, near.moving.items[k])
    near.counts[KEPT] = drop_pairs(near.kept, near.due, near.counts[KEPT], near.left)
    fresh = ask_anew(geometry, near, x, q, is_static, slop)
    if near.counts[KEPT] + fresh <= near.kept.shape[0]:
        if near.counts[KEPT] == 0:
            group_keys(near.fresh, fresh, geometry.part_body.shape[0], near.start, near.kept)
            for k in range(fresh):
                near.due[k] = 0.0
        else:
            sort_keys(near.fresh, fresh)
            merge_keys(near.kept, near.due, near.counts[KEPT], near.fresh, fresh)
    near.counts[KEPT] += fresh
    for k in range(moving):
        near.left[near.moving.items[k]] = False


@standalone
def ask_anew(geometry, near, x, q, is_static, slop):
    """Fill near.fresh with the pairs of all parts that left; returns how many."""
    fresh = 0
    part_body = geometry.part_body
    for k in range(near.moving.size[0]):
        p = near.moving.items[k]
        if not near.left[p]:
            continue
        fresh = ask(near.moving, near.fat, near.fat, near.left, near.fresh, part_body, is_static, p, fresh)
        fresh = ask(near.fixed, near.tight, near.fat, near.left, near.fresh, part_body, is_static, p, fresh)
        if near.counts[PLANES] == 0:
            continue
        c = part_centre(p, part_body[p], geometry.part_center, x, q)
        reach = geometry.part_bound[p] + abs(slop) + (near.way_out[p] - near.way[p]) / WARY
        for j in range(near.counts[PLANES]):
            plane = near.planes[j]
            ground = part_body[plane]
            high = height_over_plane(plane, ground, geometry.part_center, geometry.part_axis, x, q, c)
            if ground != part_body[p] and WARY * high <= reach:
                fresh = add_pair(near.fresh, fresh, pair_key(p, plane))
    return fresh


@inline
def drop_pairs(kept, due, count, left):
    """Drop the pairs of parts that left their fat box; returns how many remain."""
    remain = 0
    for k in range(count):
        if not left[key_first(kept[k])] and not left[key_second(kept[k])]:
            kept[remain] = kept[k]
            due[remain] = due[k]
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
