"""Linkage: what a step knows of the joints; and the islands that they hold together."""

from __future__ import annotations

import numpy as np

from engine.collide.islands import find_islands
from engine.jit import kernel, standalone
from engine.model.joints import Joints
from engine.record import Record
from engine.vec import put, row

# Linkage.counts
LIMITS, FIRST_LIMIT = range(2)
"""Joints at a limit in this step; the contact row of the first."""


class Linkage(Record):
    """J joints. A limit that is reached is a contact without friction, kept in the rows behind the found contacts."""

    joints: Joints
    impulse: np.ndarray  # (J, 6) N s      answer, by equation
    kept: np.ndarray  # (J, 6) N s         of the best attempt of an island that is solved several times
    lag: np.ndarray  # (J, 6) m/s          secant of the closure minus its plain rate, found with the impulses
    row_a: np.ndarray  # (J, 6, 6)         equations at x_k: [equation, (linear, angular)] of body a
    row_b: np.ndarray  # (J, 6, 6)
    limit: np.ndarray  # (J,) int64        contact row of its limit in this step, -1: none
    side: np.ndarray  # (J,) int64         1 at the lower limit, -1 at the upper one, 0
    owner: np.ndarray  # (J,) int64        joint of the k-th limit of this step
    push: np.ndarray  # (J,) N s           impulse of its limit in the last step
    counts: np.ndarray  # (2,) int64       see above
    start: np.ndarray  # (n + 1,) int64    joints of island i: order[start[i]:start[i + 1]]
    order: np.ndarray  # (J,) int64


def make_linkage(joints: Joints, bodies: int) -> Linkage:
    count = len(joints.kind)
    return Linkage(
        joints=joints,
        impulse=np.zeros((count, 6)),
        kept=np.zeros((count, 6)),
        lag=np.zeros((count, 6)),
        row_a=np.zeros((count, 6, 6)),
        row_b=np.zeros((count, 6, 6)),
        limit=np.full(count, -1, np.int64),
        side=np.zeros(count, np.int64),
        owner=np.zeros(count, np.int64),
        push=np.zeros(count),
        counts=np.zeros(2, np.int64),
        start=np.zeros(bodies + 2, np.int64),
        order=np.zeros(count, np.int64),
    )


@kernel
def mover(joints, j, inverse_mass):
    """A body of joint j that is not static."""
    return joints.b[j] if inverse_mass[joints.b[j]] > 0.0 else joints.a[j]


@kernel
def copy_contact(source, c, target, at):
    target.a[at] = source.a[c]
    target.b[at] = source.b[c]
    target.part_a[at] = source.part_a[c]
    target.part_b[at] = source.part_b[c]
    target.feature[at] = source.feature[c]
    target.kind_a[at] = source.kind_a[c]
    target.kind_b[at] = source.kind_b[c]
    target.gap[at] = source.gap[c]
    target.circle_a[at] = source.circle_a[c]
    target.circle_b[at] = source.circle_b[c]
    target.round[at] = source.round[c]
    put(target.point, at, row(source.point, c))
    put(target.normal, at, row(source.normal, c))
    put(target.point_a, at, row(source.point_a, c))
    put(target.point_b, at, row(source.point_b, c))
    put(target.dir_a, at, row(source.dir_a, c))
    put(target.dir_b, at, row(source.dir_b, c))


@standalone
def copy_contacts(source, first, count, target):
    """`count` contacts of one table, from `first` on, to the beginning of another."""
    for c in range(count):
        copy_contact(source, first + c, target, c)


@standalone
def drop_linked(count, contacts, linked, bodies):
    """Bodies with a joint between them do not collide: leave out their contacts. Returns how many are left."""
    if linked.shape[0] == 0:
        return count
    left = 0
    for c in range(count):
        a, b = contacts.a[c], contacts.b[c]
        key = min(a, b) * bodies + max(a, b)
        known = False
        for k in range(linked.shape[0]):
            known = known or linked[k] == key
        if known:
            continue
        if left < c:
            copy_contact(contacts, c, contacts, left)
        left += 1
    return left


@standalone
def linked_islands(total, a, b, used, inverse_mass, asleep, linkage, islands):
    """Islands of the contacts and limits c < total with used[c] != 0 and of the joints of awake bodies. Joints stand
    behind the contacts while islands are found, and go to a list of their own then. Returns the number of islands."""
    joints = linkage.joints
    count = joints.kind.shape[0]
    for j in range(count):
        one = mover(joints, j, inverse_mass)
        a[total + j] = one
        b[total + j] = joints.a[j] + joints.b[j] - one
        used[total + j] = 0 if asleep[one] else 1
    number = find_islands(total + count, a, b, used, inverse_mass, islands)
    kept, moved, first = 0, 0, 0
    for island in range(number):
        last = islands.contact_start[island + 1]
        linkage.start[island] = moved
        islands.contact_start[island] = kept
        for i in range(first, last):
            c = islands.order[i]
            if c < total:
                islands.order[kept] = c
                kept += 1
            else:
                linkage.order[moved] = c - total
                moved += 1
        islands.joined[island] = moved > linkage.start[island]
        first = last
    islands.contact_start[number] = kept
    linkage.start[number] = moved
    return number


@kernel
def copy_joint_impulses(linkage, island, source, target):
    """Impulses of an island's joints."""
    for i in range(linkage.start[island], linkage.start[island + 1]):
        for k in range(6):
            target[linkage.order[i], k] = source[linkage.order[i], k]


@kernel
def push_joint(linkage, j, inverse_mass, sign, found):
    """Give both bodies of joint j its impulses."""
    joints = linkage.joints
    for side in range(2):
        body = joints.a[j] if side == 0 else joints.b[j]
        part = linkage.row_a if side == 0 else linkage.row_b
        if inverse_mass[body] > 0.0:
            for k in range(joints.rows[j]):
                z = sign * linkage.impulse[j, k]
                for c in range(3):
                    found.v[body, c] += z * inverse_mass[body] * part[j, k, c]
                    found.l[body, c] += z * part[j, k, 3 + c]
