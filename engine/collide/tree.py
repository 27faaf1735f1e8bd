"""A binary tree of boxes: built at the median, enlarged when a box grows, asked which boxes meet a given one."""

from __future__ import annotations

import math

import numpy as np

from engine.collide.order import centre, split_at_median
from engine.jit import inline, kernel, standalone
from engine.record import Record

LEAF = 4  # boxes in a leaf
DEEP = 128  # room for open nodes; a tree of medians over 2^60 boxes would need 60


class Tree(Record):
    """A tree over some of P boxes. Node k covers items[first:last]; node 0 is the root."""

    items: np.ndarray  # (P,) int64         boxes in the order of the tree
    node_box: np.ndarray  # (2 P + 2, 6) m  low corner, high corner
    node_span: np.ndarray  # (2 P + 2, 5) int64   first, last, left child (-1: leaf), right child, parent
    leaf_of: np.ndarray  # (P,) int64       leaf that holds a box
    open: np.ndarray  # (DEEP,) int64       nodes still to be visited
    size: np.ndarray  # (1,) int64          boxes in the tree


def make_tree(boxes: int) -> Tree:
    return Tree(
        items=np.zeros(boxes, np.int64),
        node_box=np.zeros((2 * boxes + 2, 6)),
        node_span=np.zeros((2 * boxes + 2, 5), np.int64),
        leaf_of=np.zeros(boxes, np.int64),
        open=np.zeros(DEEP, np.int64),
        size=np.zeros(1, np.int64),
    )


@standalone
def build_tree(tree, boxes):
    """Tree over the boxes items[:size]: split at the median of the axis along which their centres spread most, until
    leaves hold at most LEAF. (Going by the boxes instead, long thin walls never come apart.)"""
    span = tree.node_span
    nodes, done = 1, 0
    span[0, 0] = 0
    span[0, 1] = tree.size[0]
    span[0, 4] = -1
    while done < nodes:
        first, last = span[done, 0], span[done, 1]
        fit_node(tree.node_box, done, boxes, tree.items, first, last)
        span[done, 2] = -1
        if last - first > LEAF:
            axis = widest_axis(boxes, tree.items, first, last)
            middle = split_at_median(tree.items, first, last, boxes, axis)
            for half in range(2):
                span[nodes + half, 0] = first if half == 0 else middle
                span[nodes + half, 1] = middle if half == 0 else last
                span[nodes + half, 4] = done
            span[done, 2] = nodes
            span[done, 3] = nodes + 1
            nodes += 2
        else:
            for k in range(first, last):
                tree.leaf_of[tree.items[k]] = done
        done += 1


@inline
def fit_node(node_box, node, boxes, items, first, last):
    """Box of a node around the boxes of its items."""
    for i in range(3):
        low, high = math.inf, -math.inf
        for k in range(first, last):
            low = min(low, boxes[items[k], i])
            high = max(high, boxes[items[k], i + 3])
        node_box[node, i] = low
        node_box[node, i + 3] = high


@inline
def widest_axis(boxes, items, first, last):
    """The axis along which the centres of items[first:last] spread most."""
    axis, widest = 0, -math.inf
    for i in range(3):
        low, high = math.inf, -math.inf
        for k in range(first, last):
            middle = centre(boxes, items[k], i)
            low, high = min(low, middle), max(high, middle)
        if high - low > widest:
            axis, widest = i, high - low
    return axis


@inline
def make_room(tree, boxes, item):
    """Enlarge the nodes above a box that has changed. They never shrink: rebuild now and then."""
    node = tree.leaf_of[item]
    while node >= 0:
        grown = False
        for i in range(3):
            if boxes[item, i] < tree.node_box[node, i]:
                tree.node_box[node, i] = boxes[item, i]
                grown = True
            if boxes[item, i + 3] > tree.node_box[node, i + 3]:
                tree.node_box[node, i + 3] = boxes[item, i + 3]
                grown = True
        node = tree.node_span[node, 4] if grown else -1


@kernel
def overlap(boxes, i, others, j):
    """Do box i of `boxes` and box j of `others` meet?"""
    for k in range(3):
        if boxes[i, k] > others[j, k + 3] or others[j, k] > boxes[i, k + 3]:
            return False
    return True
