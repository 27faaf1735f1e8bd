"""What one body touches that moves alone among others at rest: the broad phase of look-ahead.

Nobody else moves, so the boxes around what rests are fitted once, and every step looks through all of them. That is
quicker than keeping pairs up to date where each flight begins anew, and its cost hardly grows with the scene."""

from __future__ import annotations

from engine.collide.broad import READY, room_between_boxes
from engine.collide.detect import detect
from engine.collide.order import pair_key
from engine.collide.part_boxes import fit_box
from engine.jit import bound, kernel, standalone
from engine.model.arrays import PLANE
from engine.params import NOWHERE
from engine.status import PAIRS_FULL


@kernel
def only_one(awake):
    """The body that is awake."""
    for body in range(awake.shape[0]):
        if awake[body]:
            return body
    return -1


@standalone
def pairs_of_one(geometry, cores, near, x, q, x_from, awake, is_static, slop):
    """As find_pairs (collide/broad.py), of the only body that is awake."""
    part_body, kind, boxes = geometry.part_body, geometry.part_kind, near.tight
    body, parts, count = only_one(awake), geometry.part_body.shape[0], 0
    if near.counts[READY] == 0:
        for part in range(parts):
            if kind[part] != PLANE and x[part_body[part], 2] != NOWHERE:
                fit_box(geometry, cores, part, x, q, slop, boxes)
        near.counts[READY] = 1
    for own in range(parts):
        if part_body[own] != body:
            continue
        fit_box(geometry, cores, own, x, q, slop, boxes)
        for part in range(parts):
            other = part_body[part]
            if other == body or x[other, 2] == NOWHERE:
                continue
            if kind[part] != PLANE and room_between_boxes(boxes, own, part) > 0.0:
                continue
            if count >= near.pairs.shape[0]:
                return 0, PAIRS_FULL
            first = is_static[other] or body < other
            key = pair_key(own, part) if first else pair_key(part, own)
            place = count
            while place > 0 and near.pairs[place - 1] > key:
                near.pairs[place] = near.pairs[place - 1]
                place -= 1
            near.pairs[place] = key
            count += 1
    return count, 0


detect_one = bound(detect, "detect_one", find_pairs=pairs_of_one)
