"""Finds all contacts of a configuration: broad phase, then the narrow phase of every pair, in a fixed order."""

from __future__ import annotations

import numpy as np

from engine.collide.balls import TOUCHING, UNDECIDED, ball_pair, store_ball
from engine.collide.broad import READY, Near, find_pairs, make_near
from engine.collide.dismiss import far_apart
from engine.collide.kinds import Narrow
from engine.collide.manifold import (
    D_FIRST,
    D_SECOND,
    FEATURE,
    GAP,
    KIND_FIRST,
    KIND_SECOND,
    NORMAL,
    ORDER,
    P_FIRST,
    P_SECOND,
    PLACE,
    R_FIRST,
    R_SECOND,
    ROUND,
    keep_touching,
    sort_by_feature,
    vector,
)
from engine.collide.narrow import make_narrow, touch
from engine.collide.order import key_first, key_second
from engine.jit import inline, kernel, standalone
from engine.model.arrays import PLANE, POLYTOPE, SPHERE, Geometry, empty_contacts
from engine.record import Record
from engine.status import CONTACTS_FULL
from engine.vec import add, put, quat_row, rotate_back, row, scale, sub


class DetectScratch(Record):
    """Everything `detect` needs besides geometry and poses; reused from step to step."""

    near: Near
    narrow: Narrow


def make_detect_scratch(geometry: Geometry, pair_capacity: int) -> DetectScratch:
    return DetectScratch(make_near(len(geometry.part_kind), pair_capacity), make_narrow(geometry))


@standalone
def detect(geometry, scratch, contacts, x, q, x_from, q_from, awake, is_static, slop):
    """Contacts (gap <= slop) at (x, q), sorted by (part_a, part_b, feature); returns (count, status).

    (x_from, q_from) is the configuration one step away that we come from: where bodies overlap it tells by which
    features they met. Pairs without an awake body are skipped; bodies that are not awake must stand where the last call
    with this scratch saw them.
    """
    pairs, status = find_pairs(geometry, scratch.narrow.cores, scratch.near, x, q, x_from, awake, is_static, slop)
    count = np.int64(0)
    for k in range(pairs):
        part_a, part_b = key_first(scratch.near.pairs[k]), key_second(scratch.near.pairs[k])
        count, more = detect_pair(geometry, scratch.narrow, contacts, count, part_a, part_b, x, q, x_from, q_from, slop)
        status |= more
        if more & CONTACTS_FULL:
            break
    return count, status


@inline
def detect_pair(geometry, narrow, contacts, count, part_a, part_b, x, q, x_from, q_from, slop):
    """Append the contacts of two parts, sorted by feature; returns (count, status)."""
    cores, found = narrow.cores, narrow.found
    kind_a, kind_b = geometry.part_kind[part_a], geometry.part_kind[part_b]
    if kind_a == SPHERE and (kind_b == PLANE or kind_b == SPHERE or kind_b == POLYTOPE):
        how, feature, kind, pb, db, gap, n, at = ball_pair(geometry, cores, part_a, part_b, x, q, slop)
        if how == TOUCHING:
            if count >= contacts.gap.shape[0]:
                return count, CONTACTS_FULL
            locate(contacts, count, part_a, part_b, geometry.part_body)
            other = geometry.part_radius[part_b] if kind_b == SPHERE else 0.0
            store_ball(contacts, count, feature, kind, row(geometry.part_center, part_a),
                       geometry.part_radius[part_a], pb, db, other, gap, n, at)  # fmt: skip
            count += 1
        if how != UNDECIDED:
            return count, 0
    if far_apart(geometry, cores, part_a, part_b, x, q, slop):
        return count, 0
    flipped = touch(narrow, part_a, part_b, x, q, x_from, q_from, slop)
    kept = keep_touching(found, slop)
    status = found.state[2]
    sort_by_feature(found.names, kept)
    for i in range(kept):
        if count >= contacts.gap.shape[0]:
            return count, status | CONTACTS_FULL
        locate(contacts, count, part_a, part_b, geometry.part_body)
        store(contacts, count, found, found.names[i, ORDER], x, q, flipped)
        count += 1
    return count, status


@kernel
def locate(contacts, c, part_a, part_b, part_body):
    """Write whose contact row c is."""
    contacts.a[c] = part_body[part_a]
    contacts.b[c] = part_body[part_b]
    contacts.part_a[c] = part_a
    contacts.part_b[c] = part_b


@inline
def store(contacts, c, found, i, x, q, flipped):
    """Write contact i of the manifold (origin: body a) as row c, features in their body frames."""
    a, b = contacts.a[c], contacts.b[c]
    values, names = found.values, found.names
    xa, qa, qb = row(x, a), quat_row(q, a), quat_row(q, b)
    shift = sub(row(x, b), xa)
    contacts.feature[c] = names[i, FEATURE]
    contacts.gap[c] = values[i, GAP]
    contacts.round[c] = values[i, ROUND]
    put(contacts.point, c, add(xa, vector(values, i, PLACE)))
    put(contacts.normal, c, scale(-1.0 if flipped else 1.0, vector(values, i, NORMAL)))
    p_a, d_a, r_a, kind_a = P_FIRST, D_FIRST, R_FIRST, KIND_FIRST
    p_b, d_b, r_b, kind_b = P_SECOND, D_SECOND, R_SECOND, KIND_SECOND
    if flipped:
        p_a, d_a, r_a, kind_a, p_b, d_b, r_b, kind_b = p_b, d_b, r_b, kind_b, p_a, d_a, r_a, kind_a
    put(contacts.point_a, c, rotate_back(qa, vector(values, i, p_a)))
    put(contacts.dir_a, c, rotate_back(qa, vector(values, i, d_a)))
    put(contacts.point_b, c, rotate_back(qb, sub(vector(values, i, p_b), shift)))
    put(contacts.dir_b, c, rotate_back(qb, vector(values, i, d_b)))
    contacts.circle_a[c] = values[i, r_a]
    contacts.circle_b[c] = values[i, r_b]
    contacts.kind_a[c] = names[i, kind_a]
    contacts.kind_b[c] = names[i, kind_b]


class Detector:
    """Contact detection with its buffers, for code outside kernels. `contacts` holds what `find` found."""

    def __init__(self, geometry: Geometry, inverse_mass: np.ndarray, capacity: int) -> None:
        self.geometry = geometry
        self.is_static = np.ascontiguousarray(inverse_mass == 0.0)
        self.scratch = make_detect_scratch(geometry, 8 * capacity + 1024)
        self.contacts = empty_contacts(capacity)
        self.status = 0

    def find(
        self, x: np.ndarray, q: np.ndarray, x_from: np.ndarray, q_from: np.ndarray, awake: np.ndarray, slop: float
    ) -> int:
        """Number of contacts at (x, q); `status` tells whether a capacity was too small (engine/status.py).

        Nothing is kept from one call to the next, so bodies may jump in between."""
        self.scratch.near.counts[READY] = 0
        count, self.status = detect(
            self.geometry, self.scratch, self.contacts, x, q, x_from, q_from, awake, self.is_static, slop
        )
        return int(count)
