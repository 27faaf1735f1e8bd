"""Pairs of parts that are near each other, and what is remembered of each.

The list of pairs is sorted by key = part a * P + part b and made anew whenever a body strays from its fat box. What a
pair remembers (its manifold, its impulses) stays in a slot of its own, so that a new list moves two numbers per pair.
"""

from __future__ import annotations

import numpy as np

from engine.contact.material import PairMaterial, empty_materials
from engine.jit import kernel
from engine.record import Record

# Columns of Pairs.point: the surfaces' points in their bodies' frames, the normal in the frame of body b, impulses.
ON_A, ON_B, NORMAL, PUSH, RUB = 0, 3, 6, 9, 10
POINT_WIDTH = 13

# Entries of Pairs.counts.
LISTED, CURRENT, FREE, USED = range(4)


class Pairs(Record):
    """Capacity K. `keys` and `slots` have two rows, the current list and the one before."""

    keys: np.ndarray  # (2, K) int64
    slots: np.ndarray  # (2, K) int64
    free: np.ndarray  # (K,) int64     stack of slots given back
    counts: np.ndarray  # (4,) int64   pairs, which row is current, slots on the stack, slots ever used
    part: np.ndarray  # (K, 2) int64   by slot from here on
    a: np.ndarray  # (K,) int64        body of part a, never static
    b: np.ndarray  # (K,) int64
    points: np.ndarray  # (K,) int64   contacts of the manifold
    separation: np.ndarray  # (K,) m   lower bound of the distance when last looked at
    seen: np.ndarray  # (K,) m         path lengths of the two bodies then; nan: never looked at
    done: np.ndarray  # (K,) int64     step of the last look
    point: np.ndarray  # (K, 4, POINT_WIDTH)
    material: PairMaterial


def make_pairs(capacity: int) -> Pairs:
    return Pairs(
        keys=np.zeros((2, capacity), np.int64),
        slots=np.zeros((2, capacity), np.int64),
        free=np.zeros(capacity, np.int64),
        counts=np.zeros(4, np.int64),
        part=np.zeros((capacity, 2), np.int64),
        a=np.zeros(capacity, np.int64),
        b=np.zeros(capacity, np.int64),
        points=np.zeros(capacity, np.int64),
        separation=np.zeros(capacity),
        seen=np.zeros(capacity),
        done=np.zeros(capacity, np.int64),
        point=np.zeros((capacity, 4, POINT_WIDTH)),
        material=empty_materials(capacity),
    )


def larger_pairs(pairs: Pairs, capacity: int) -> Pairs:
    """The same pairs with room for more."""
    larger = make_pairs(capacity)
    old = pairs.free.shape[0]
    for name in ("keys", "slots"):
        getattr(larger, name)[:, :old] = getattr(pairs, name)
    for name in ("free", "part", "a", "b", "points", "separation", "seen", "done", "point"):
        getattr(larger, name)[:old] = getattr(pairs, name)
    for into, column in zip(larger.material, pairs.material, strict=True):
        into[:old] = column
    larger.counts[:] = pairs.counts
    return larger


@kernel
def take_slot(pairs, part_a, part_b, part_body):
    """A slot for a new pair."""
    counts = pairs.counts
    if counts[FREE] > 0:
        counts[FREE] -= 1
        slot = pairs.free[counts[FREE]]
    else:
        slot = counts[USED]
        counts[USED] += 1
    pairs.part[slot, 0] = part_a
    pairs.part[slot, 1] = part_b
    pairs.a[slot] = part_body[part_a]
    pairs.b[slot] = part_body[part_b]
    pairs.points[slot] = 0
    pairs.seen[slot] = np.nan
    pairs.done[slot] = -1
    return slot


@kernel
def adopt_list(pairs, count, parts, part_body):
    """Make the list in the other row (`count` sorted keys) the current one: known pairs keep their slots."""
    counts = pairs.counts
    old, new = counts[CURRENT], 1 - counts[CURRENT]
    i, before, fresh = 0, counts[LISTED], 0
    for k in range(count):
        key = pairs.keys[new, k]
        while i < before and pairs.keys[old, i] < key:
            pairs.free[counts[FREE]] = pairs.slots[old, i]
            counts[FREE] += 1
            i += 1
        if i < before and pairs.keys[old, i] == key:
            pairs.slots[new, k] = pairs.slots[old, i]
            i += 1
        else:
            pairs.slots[new, k] = -1
            fresh += 1
    while i < before:
        pairs.free[counts[FREE]] = pairs.slots[old, i]
        counts[FREE] += 1
        i += 1
    if fresh > 0:
        for k in range(count):
            if pairs.slots[new, k] < 0:
                key = pairs.keys[new, k]
                pairs.slots[new, k] = take_slot(pairs, key // parts, key % parts, part_body)
    counts[LISTED] = count
    counts[CURRENT] = new
    return fresh
