"""Broad phase: which parts may touch. Boxes around all parts, a tree of boxes, one query per awake part."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.collide.order import sort_keys, split_at_median
from engine.jit import kernel
from engine.model.arrays import CYLINDER, PLANE
from engine.status import PAIRS_FULL
from engine.vec import add, dot, quat_row, rotate, row, sub

LEAF = 4  # boxes in a leaf of the tree
DEEP = 128  # room for open nodes; a tree of medians over 2^60 boxes would need 60


class Tree(NamedTuple):
    """Boxes of P parts and a binary tree over them. A node covers items[first:last]."""

    boxes: np.ndarray  # (P, 6) m          low corner, high corner
    items: np.ndarray  # (P,) int64        parts in the order of the tree (no planes)
    planes: np.ndarray  # (P,) int64       the planes
    node_box: np.ndarray  # (2 P + 2, 6)
    node_span: np.ndarray  # (2 P + 2, 4) int64   first, last, left child (-1: leaf), right child
    open: np.ndarray  # (DEEP,) int64      nodes still to be visited
    pairs: np.ndarray  # (K,) int64        found pairs as part_a * P + part_b
    counts: np.ndarray  # (3,) int64       items, planes, nodes


def make_tree(parts: int, pair_capacity: int) -> Tree:
    return Tree(
        boxes=np.zeros((parts, 6)),
        items=np.zeros(parts, np.int64),
        planes=np.zeros(parts, np.int64),
        node_box=np.zeros((2 * parts + 2, 6)),
        node_span=np.zeros((2 * parts + 2, 4), np.int64),
        open=np.zeros(DEEP, np.int64),
        pairs=np.zeros(pair_capacity, np.int64),
        counts=np.zeros(3, np.int64),
    )


@kernel
def find_pairs(geometry, cores, tree, x, q, awake, is_static, slop):
    """Fill tree.pairs, sorted; returns (count, status). Part a is of the moving body of lower index."""
    fill_boxes(geometry, cores, tree, x, q, slop)
    build_tree(tree)
    parts = geometry.part_body.shape[0]
    count = 0
    for p in range(parts):
        body = geometry.part_body[p]
        if not awake[body] or is_static[body] or geometry.part_kind[p] == PLANE:
            continue
        count = pairs_of_part(tree, geometry.part_body, awake, is_static, p, count)
        for k in range(tree.counts[1]):
            plane = tree.planes[k]
            if geometry.part_body[plane] != body and near_plane(geometry, p, plane, x, q, slop):
                count = add_pair(tree.pairs, count, p * parts + plane)
    status = PAIRS_FULL if count > tree.pairs.shape[0] else 0
    count = min(count, tree.pairs.shape[0])
    sort_keys(tree.pairs, count)
    return count, status


@kernel
def add_pair(pairs, count, key):
    """Append; past the end only the count goes on."""
    if count < pairs.shape[0]:
        pairs[count] = key
    return count + 1


@kernel
def near_plane(geometry, p, plane, x, q, slop):
    """Can part p reach a plane, going by the ball around it?"""
    body, ground = geometry.part_body[p], geometry.part_body[plane]
    qg = quat_row(q, ground)
    n = rotate(qg, row(geometry.part_axis, plane))
    base = add(row(x, ground), rotate(qg, row(geometry.part_center, plane)))
    centre = add(row(x, body), rotate(quat_row(q, body), row(geometry.part_center, p)))
    return dot(n, sub(centre, base)) <= geometry.part_bound[p] + 2.0 * slop


@kernel
def fill_boxes(geometry, cores, tree, x, q, slop):
    """Boxes of all parts, widened by slop; planes go to their own list."""
    items, planes = 0, 0
    for p in range(geometry.part_body.shape[0]):
        kind = geometry.part_kind[p]
        if kind == PLANE:
            tree.planes[planes] = p
            planes += 1
            continue
        tree.items[items] = p
        items += 1
        body = geometry.part_body[p]
        turn, place = quat_row(q, body), row(x, body)
        margin = slop + geometry.part_radius[p]
        if kind == CYLINDER:
            k = rotate(turn, row(geometry.part_axis, p))
            c = add(place, rotate(turn, row(geometry.part_center, p)))
            for i in range(3):
                wide = geometry.part_radius[p] * math.sqrt(max(0.0, 1.0 - k[i] * k[i])) + slop
                reach = geometry.part_half[p] * abs(k[i]) + wide
                tree.boxes[p, i] = c[i] - reach
                tree.boxes[p, i + 3] = c[i] + reach
            continue
        for i in range(3):
            tree.boxes[p, i] = math.inf
            tree.boxes[p, i + 3] = -math.inf
        for v in range(cores.vert_start[p], cores.vert_start[p + 1]):
            w = add(place, rotate(turn, row(cores.verts, v)))
            for i in range(3):
                tree.boxes[p, i] = min(tree.boxes[p, i], w[i] - margin)
                tree.boxes[p, i + 3] = max(tree.boxes[p, i + 3], w[i] + margin)
    tree.counts[0] = items
    tree.counts[1] = planes


@kernel
def build_tree(tree):
    """Split at the median of the longest axis until leaves hold at most LEAF boxes."""
    nodes, done = 1, 0
    tree.node_span[0, 0] = 0
    tree.node_span[0, 1] = tree.counts[0]
    while done < nodes:
        first, last = tree.node_span[done, 0], tree.node_span[done, 1]
        fit_node(tree.node_box, done, tree.boxes, tree.items, first, last)
        tree.node_span[done, 2] = -1
        if last - first > LEAF:
            axis = widest_axis(tree.node_box, done)
            middle = split_at_median(tree.items, first, last, tree.boxes, axis)
            for half in range(2):
                tree.node_span[nodes + half, 0] = first if half == 0 else middle
                tree.node_span[nodes + half, 1] = middle if half == 0 else last
            tree.node_span[done, 2] = nodes
            tree.node_span[done, 3] = nodes + 1
            nodes += 2
        done += 1
    tree.counts[2] = nodes


@kernel
def fit_node(node_box, node, boxes, items, first, last):
    """Box of a node around the boxes of its items."""
    for i in range(3):
        low, high = math.inf, -math.inf
        for k in range(first, last):
            low = min(low, boxes[items[k], i])
            high = max(high, boxes[items[k], i + 3])
        node_box[node, i] = low
        node_box[node, i + 3] = high


@kernel
def widest_axis(node_box, node):
    axis, widest = 0, -math.inf
    for i in range(3):
        wide = node_box[node, i + 3] - node_box[node, i]
        if wide > widest:
            axis, widest = i, wide
    return axis


@kernel
def overlap(boxes, i, others, j):
    """Do box i of `boxes` and box j of `others` meet?"""
    for k in range(3):
        if boxes[i, k] > others[j, k + 3] or others[j, k] > boxes[i, k + 3]:
            return False
    return True


@kernel
def pairs_of_part(tree, part_body, awake, is_static, p, count):
    """Append the pairs of the awake part p; a pair of two awake parts only when p is the lower one."""
    parts = part_body.shape[0]
    body = part_body[p]
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
            other_body = part_body[other]
            twice = awake[other_body] and not is_static[other_body] and other < p
            if other_body == body or twice or not overlap(tree.boxes, p, tree.boxes, other):
                continue
            key = p * parts + other
            if not is_static[other_body] and other_body < body:
                key = other * parts + p
            count = add_pair(tree.pairs, count, key)
    return count
