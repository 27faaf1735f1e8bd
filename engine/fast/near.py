"""Broad phase: fat boxes around moving parts, two trees of boxes (static parts once, moving parts when needed).

A body's boxes cover its straight path over the next PATH_STEPS steps and a margin around it. As long as every awake body stays
within the margin of its path the list of pairs holds; when one strays, all boxes and the list are made anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.collide.broad import Tree, build_tree, fill_boxes, make_tree, overlap
from engine.collide.cores import Cores
from engine.contact.material import pair_materials
from engine.fast.pairs import CURRENT, USED, adopt_list
from engine.fast.parts import BRICK, FLAT, Parts
from engine.jit import kernel
from engine.model.arrays import Geometry
from engine.status import PAIRS_FULL
from engine.vec import axpy, dot, norm, row, sub

PATH_STEPS = 4.0
LEAST_MARGIN = 4e-3  # m
SIZE_MARGIN = 0.06  # of a body's size


class Near(NamedTuple):
    """P parts, n bodies."""

    still: Tree  # static parts
    moving: Tree  # the others; the two share their boxes
    planes: np.ndarray  # (planes,) int64   parts
    movers: np.ndarray  # (m,) int64        parts of moving bodies, upward
    partners: np.ndarray  # (P,) int64
    origin: np.ndarray  # (n, 3) m          where the path starts
    path: np.ndarray  # (n, 3) m
    margin: np.ndarray  # (n,) m
    spun: np.ndarray  # (n,) m              turning path length when the boxes were made


def make_near(geometry: Geometry, cores: Cores, parts: Parts, moves: np.ndarray, x: np.ndarray, q: np.ndarray) -> Near:
    count, n = len(parts.kind), len(moves)
    still, moving = make_tree(count, 1), make_tree(count, 1)
    fill_boxes(geometry, cores, still, x, q, 0.0)
    solid = parts.kind != FLAT
    fixed = np.flatnonzero(solid & ~moves[parts.body])
    movers = np.flatnonzero(solid & moves[parts.body])
    still.items[: len(fixed)] = fixed
    still.counts[:2] = len(fixed), 0
    build_tree(still)
    moving.items[: len(movers)] = movers
    moving.counts[:2] = len(movers), 0
    return Near(
        still=still,
        moving=moving._replace(boxes=still.boxes),
        planes=np.flatnonzero(~solid),
        movers=movers,
        partners=np.zeros(count + 1, np.int64),
        origin=np.zeros((n, 3)),
        path=np.zeros((n, 3)),
        margin=np.full(n, -1.0),
        spun=np.zeros(n),
    )


@kernel
def strays(near, i, place, turned):
    """Has body i, at `place` and turned by a path length `turned` in all, left the margin around its path?"""
    path = row(near.path, i)
    d = sub(place, row(near.origin, i))
    square = dot(path, path)
    share = min(max(dot(d, path) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return not norm(axpy(-share, path, d)) + turned - near.spun[i] <= near.margin[i]


@kernel
def find_near(near, parts, centers, frames, pairs, bodies, x, v, spin_travel, spin_reach, dt):
    """New boxes, new list of pairs; returns a status (PAIRS_FULL: nothing was changed in `pairs`)."""
    for k in range(near.movers.shape[0]):
        i = parts.body[near.movers[k]]
        for c in range(3):
            near.origin[i, c] = x[i, c]
            near.path[i, c] = v[i, c] * dt * PATH_STEPS
        near.margin[i] = LEAST_MARGIN + SIZE_MARGIN * bodies.size[i] + PATH_STEPS * spin_reach[i]
        near.spun[i] = spin_travel[i]
    for k in range(near.movers.shape[0]):
        fatten(near, parts, near.movers[k], centers, frames)
    build_tree(near.moving)
    count = 0
    new, total = 1 - pairs.counts[CURRENT], parts.kind.shape[0]
    keys = pairs.keys
    for k in range(near.movers.shape[0]):
        p = near.movers[k]
        found = partners_in(near.still, parts.body, p, -1, near.partners, 0)
        found = partners_in(near.moving, parts.body, p, p, near.partners, found)
        found = planes_below(near, parts, p, centers, frames, found)
        sort_few(near.partners, found)
        if count + found > keys.shape[1]:
            return PAIRS_FULL
        for j in range(found):
            keys[new, count + j] = p * total + near.partners[j]
        count += found
    if adopt_list(pairs, count, total, parts.body) > 0:
        pair_materials(pairs.counts[USED], pairs.a, pairs.b, bodies, pairs.material)
    return 0


@kernel
def fatten(near, parts, p, centers, frames):
    """The box of a moving part: the part, its path, the margin."""
    i = parts.body[p]
    boxes = near.moving.boxes
    for c in range(3):
        reach = parts.bound[p]
        if parts.kind[p] == BRICK:
            reach = 0.0
            for k in range(3):
                reach += abs(frames[p, 3 * c + k]) * parts.half[p, k]
        reach += near.margin[i]
        boxes[p, c] = centers[p, c] - reach + min(near.path[i, c], 0.0)
        boxes[p, c + 3] = centers[p, c] + reach + max(near.path[i, c], 0.0)


@kernel
def partners_in(tree, part_body, p, above, partners, count):
    """Append the parts of the tree with a number larger than `above` whose boxes meet that of part p."""
    tree.open[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = tree.open[waiting]
        if not overlap(tree.boxes, p, tree.node_box, node):
            continue
        if tree.node_span[node, 2] >= 0:
            tree.open[waiting] = tree.node_span[node, 2]
            tree.open[waiting + 1] = tree.node_span[node, 3]
            waiting += 2
            continue
        for k in range(tree.node_span[node, 0], tree.node_span[node, 1]):
            other = tree.items[k]
            if other > above and part_body[other] != part_body[p] and overlap(tree.boxes, p, tree.boxes, other):
                partners[count] = other
                count += 1
    return count


@kernel
def planes_below(near, parts, p, centers, frames, count):
    """Append the planes that the ball around part p can reach."""
    i = parts.body[p]
    for k in range(near.planes.shape[0]):
        plane = near.planes[k]
        n = (frames[plane, 2], frames[plane, 5], frames[plane, 8])
        height = dot(n, sub(row(centers, p), row(centers, plane))) + min(dot(n, row(near.path, i)), 0.0)
        if height <= parts.bound[p] + near.margin[i] and parts.body[plane] != i:
            near.partners[count] = plane
            count += 1
    return count


@kernel
def sort_few(numbers, count):
    """Insertion sort."""
    for i in range(1, count):
        value, j = numbers[i], i
        while j > 0 and numbers[j - 1] > value:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = value
