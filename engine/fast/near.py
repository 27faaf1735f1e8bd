"""Broad phase: fat boxes around moving parts, two trees of boxes (static parts once, moving parts when needed).

A body's boxes cover its straight path over the next PATH_STEPS steps and a margin around it. As long as every awake
body stays within the margin of its path the list of pairs holds; when one strays, all boxes and the list are made anew.
"""

from __future__ import annotations

import numpy as np

from engine.collide.cores import Cores
from engine.collide.part_boxes import fit_box
from engine.collide.tree import Tree, build_tree, make_tree, overlap
from engine.contact.material import pair_materials
from engine.fast.pairs import CURRENT, USED, adopt_list
from engine.fast.parts import BRICK, FLAT, Parts
from engine.jit import kernel
from engine.model.arrays import Geometry
from engine.record import Record
from engine.status import PAIRS_FULL
from engine.vec import axpy, dot, norm, row, sub

PATH_STEPS = 4.0
LEAST_MARGIN = 4e-3  # m
SIZE_MARGIN = 0.06  # of a body's size


class FastNear(Record):
    """P parts, n bodies."""

    boxes: np.ndarray  # (P, 6) m           low corner, high corner
    still: Tree  # static parts
    moving: Tree  # the others
    planes: np.ndarray  # (planes,) int64   parts
    movers: np.ndarray  # (m,) int64        parts of moving bodies, upward
    partners: np.ndarray  # (P,) int64
    origin: np.ndarray  # (n, 3) m          where the path starts
    path: np.ndarray  # (n, 3) m
    margin: np.ndarray  # (n,) m
    spun: np.ndarray  # (n,) m              turning path length when the boxes were made


def make_near(
    geometry: Geometry, cores: Cores, parts: Parts, moves: np.ndarray, x: np.ndarray, q: np.ndarray
) -> FastNear:
    count, n = len(parts.kind), len(moves)
    still, moving, boxes = make_tree(count), make_tree(count), np.zeros((count, 6))
    solid = parts.kind != FLAT
    fixed = np.flatnonzero(solid & ~moves[parts.body])
    movers = np.flatnonzero(solid & moves[parts.body])
    still.items[: len(fixed)] = fixed
    still.size[0] = len(fixed)
    for p in fixed:
        fit_box(geometry, cores, p, x, q, 0.0, boxes)
    build_tree(still, boxes)
    moving.items[: len(movers)] = movers
    moving.size[0] = len(movers)
    return FastNear(
        boxes=boxes,
        still=still,
        moving=moving,
        planes=np.flatnonzero(~solid),
        movers=movers,
        partners=np.zeros(count + 1, np.int64),
        origin=np.zeros((n, 3)),
        path=np.zeros((n, 3)),
        margin=np.full(n, -1.0),
        spun=np.zeros(n),
    )


@kernel
def any_strays(origin, paths, margin, spun, x, v, spin_travel, spin_reach, awake, count, dt):
    """Does an awake body leave the margin around its path during the step?"""
    for k in range(count):
        i = awake[k]
        path = row(paths, i)
        d = sub(axpy(dt, row(v, i), row(x, i)), row(origin, i))
        square = dot(path, path)
        share = min(max(dot(d, path) / square, 0.0), 1.0) if square > 0.0 else 0.0
        if not norm(axpy(-share, path, d)) + spin_travel[i] + spin_reach[i] - spun[i] <= margin[i]:
            return True
    return False


@kernel
def find_near(near, parts, pairs, bodies, m, dt):
    """New boxes, new list of pairs; returns a status (PAIRS_FULL: nothing was changed in `pairs`)."""
    fatten(near, parts, bodies.size, m, dt)
    build_tree(near.moving, near.boxes)
    count = 0
    new, total = 1 - pairs.counts[CURRENT], parts.kind.shape[0]
    keys, partners, movers = pairs.keys, near.partners, near.movers
    still, moving, boxes, part_body = near.still, near.moving, near.boxes, parts.body
    for k in range(movers.shape[0]):
        p = movers[k]
        found = partners_in(
            boxes, still.node_box, still.node_span, still.items, still.open, part_body, p, -1, partners, 0
        )
        found = partners_in(
            boxes, moving.node_box, moving.node_span, moving.items, moving.open, part_body, p, p, partners, found
        )
        for j in range(near.planes.shape[0]):
            if above_plane(
                m.center, m.part_frame, near.path, near.margin, parts.bound, part_body[p], p, near.planes[j]
            ):
                partners[found] = near.planes[j]
                found += 1
        sort_few(partners, found)
        if count + found > keys.shape[1]:
            return PAIRS_FULL
        for j in range(found):
            keys[new, count + j] = p * total + partners[j]
        count += found
    if adopt_list(pairs, count, total, parts.body) > 0:
        pair_materials(pairs.counts[USED], pairs.a, pairs.b, bodies, pairs.material)
    return 0


@kernel
def fatten(near, parts, size, m, dt):
    """Paths and margins of all moving bodies, and the boxes of their parts: the part, its path, the margin."""
    boxes, centers, frames = near.boxes, m.center, m.part_frame
    for k in range(near.movers.shape[0]):
        p = near.movers[k]
        i = parts.body[p]
        margin = LEAST_MARGIN + SIZE_MARGIN * size[i] + PATH_STEPS * m.spin_reach[i]
        near.margin[i] = margin
        near.spun[i] = m.spin_travel[i]
        for c in range(3):
            path = m.v[i, c] * dt * PATH_STEPS
            near.origin[i, c] = m.x[i, c]
            near.path[i, c] = path
            reach = parts.bound[p]
            if parts.kind[p] == BRICK:
                reach = 0.0
                for axis in range(3):
                    reach += abs(frames[p, 3 * c + axis]) * parts.half[p, axis]
            boxes[p, c] = centers[p, c] - reach - margin + min(path, 0.0)
            boxes[p, c + 3] = centers[p, c] + reach + margin + max(path, 0.0)


@kernel
def partners_in(boxes, node_box, node_span, items, waiting, part_body, p, above, partners, count):
    """Append the parts of a tree with a number larger than `above` whose boxes meet that of part p."""
    waiting[0] = 0
    left = 1
    while left > 0:
        left -= 1
        node = waiting[left]
        if not overlap(boxes, p, node_box, node):
            continue
        if node_span[node, 2] >= 0:
            waiting[left] = node_span[node, 2]
            waiting[left + 1] = node_span[node, 3]
            left += 2
            continue
        for k in range(node_span[node, 0], node_span[node, 1]):
            other = items[k]
            if other > above and part_body[other] != part_body[p] and overlap(boxes, p, boxes, other):
                partners[count] = other
                count += 1
    return count


@kernel
def above_plane(centers, frames, path, margin, bound, i, p, plane):
    """Can the ball around part p of body i reach a plane?"""
    n = (frames[plane, 2], frames[plane, 5], frames[plane, 8])
    height = dot(n, sub(row(centers, p), row(centers, plane))) + min(dot(n, row(path, i)), 0.0)
    return height <= bound[p] + margin[i]


@kernel
def sort_few(numbers, count):
    """Insertion sort."""
    for i in range(1, count):
        value, j = numbers[i], i
        while j > 0 and numbers[j - 1] > value:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = value
