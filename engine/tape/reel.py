"""Reel: the buffer that a run records into, step by step, inside compiled code.

A body's next state follows from the last one by free flight, or by sleep, unless something pushed it. So only the
velocities of pushed bodies are written; everything else is flown again when the tape is read, to the same bits. Of a
contact its features, impulse, coefficients and tier are written; where it is follows from the poses.
"""

from __future__ import annotations

import numpy as np

from engine.jit import kernel, standalone
from engine.joint.limits import limit_impulse
from engine.record import Record
from engine.step.stages import fall_time

BLOCK_STEPS = 64


class Strip(Record):
    """Recorded contacts, C rows; names and units as in Contacts and Kick."""

    part_a: np.ndarray  # int32
    part_b: np.ndarray  # int32
    feature: np.ndarray  # int64
    kind_a: np.ndarray  # int8
    kind_b: np.ndarray  # int8
    hold: np.ndarray  # int8
    forced: np.ndarray  # int8
    tier: np.ndarray  # int8
    point_a: np.ndarray  # (C, 3)
    point_b: np.ndarray  # (C, 3)
    dir_a: np.ndarray  # (C, 3)
    dir_b: np.ndarray  # (C, 3)
    circle_a: np.ndarray
    circle_b: np.ndarray
    normal: np.ndarray  # (C, 3) float32   the side, where the features leave it open
    impulse: np.ndarray  # (C, 3)
    torque: np.ndarray  # (C, 3)
    restitution: np.ndarray
    friction: np.ndarray
    rolling: np.ndarray
    before: np.ndarray  # float32
    after: np.ndarray  # float32


KINDS = {
    **dict.fromkeys(("part_a", "part_b"), np.int32),
    **dict.fromkeys(("kind_a", "kind_b", "hold", "forced", "tier"), np.int8),
    **dict.fromkeys(("normal", "before", "after"), np.float32),
    "feature": np.int64,
}
VECTORS = {"point_a", "point_b", "dir_a", "dir_b", "normal", "impulse", "torque"}


class JointStrip(Record):
    """What joints and their limits did in S steps; J joints."""

    joint_impulse: np.ndarray  # (S, J, 6) N s, by equation
    limit_impulse: np.ndarray  # (S, J) N s
    limit_restitution: np.ndarray  # (S, J)
    limit_side: np.ndarray  # (S, J) int8, 1 lower, -1 upper, 0 not reached
    limit_hold: np.ndarray  # (S, J) int8
    limit_forced: np.ndarray  # (S, J) int8
    limit_tier: np.ndarray  # (S, J) int8


def empty_joint_strip(steps: int, joints: int) -> JointStrip:
    small = (np.zeros((steps, joints), np.int8) for _ in range(4))
    return JointStrip(np.zeros((steps, joints, 6)), np.zeros((steps, joints)), np.zeros((steps, joints)), *small)


class Reel(Record):
    """Up to BLOCK_STEPS steps of n bodies: C contacts, R pushed bodies."""

    strip: Strip
    contact_start: np.ndarray  # (S + 1,) int64
    push_start: np.ndarray  # (S + 1,) int64
    body: np.ndarray  # (R,) int32     pushed body
    v: np.ndarray  # (R, 3)            its velocities on the far side of the kick
    l: np.ndarray  # (R, 3)
    asleep: np.ndarray  # (S, n) bool  who slept through a step
    energy: np.ndarray  # (S,) J       of the state reached
    residual: np.ndarray  # (S,)       of the kick's solve, relative
    touched: np.ndarray  # (n,) bool
    joints: JointStrip


def empty_strip(rows: int) -> Strip:
    return Strip(
        *(
            np.zeros((rows, 3) if name in VECTORS else rows, KINDS.get(name, np.float64))
            for name in Strip._fields
        )
    )  # fmt: skip


def make_reel(bodies: int, contacts: int, pushes: int, joints: int = 0) -> Reel:
    return Reel(
        strip=empty_strip(contacts),
        contact_start=np.zeros(BLOCK_STEPS + 1, np.int64),
        push_start=np.zeros(BLOCK_STEPS + 1, np.int64),
        body=np.zeros(pushes, np.int32),
        v=np.zeros((pushes, 3)),
        l=np.zeros((pushes, 3)),
        asleep=np.zeros((BLOCK_STEPS, bodies), bool),
        energy=np.zeros(BLOCK_STEPS),
        residual=np.zeros(BLOCK_STEPS),
        touched=np.zeros(bodies, bool),
        joints=empty_joint_strip(BLOCK_STEPS, joints),
    )


def enlarge_reel(reel: Reel) -> Reel:
    """Twice the room, with what is recorded."""

    def doubled(column: np.ndarray) -> np.ndarray:
        return np.concatenate([column, np.zeros_like(column)])

    strip = Strip(*(doubled(column) for column in reel.strip))
    return reel._replace(strip=strip, body=doubled(reel.body), v=doubled(reel.v), l=doubled(reel.l))


@kernel
def has_room(reel, step, contacts, bodies):
    """Can a step with so many contacts and up to so many pushed bodies be recorded?"""
    return (
        reel.contact_start[step] + contacts <= reel.strip.tier.shape[0]
        and reel.push_start[step] + bodies <= reel.body.shape[0]
    )


@standalone
def record_contacts(reel, step, count, contacts, kick, tier):
    """Write the contacts of a step."""
    strip = reel.strip
    first = reel.contact_start[step]
    for c in range(count):
        i = first + c
        strip.part_a[i] = contacts.part_a[c]
        strip.part_b[i] = contacts.part_b[c]
        strip.feature[i] = contacts.feature[c]
        strip.kind_a[i] = contacts.kind_a[c]
        strip.kind_b[i] = contacts.kind_b[c]
        strip.hold[i] = kick.hold[c]
        strip.forced[i] = kick.forced[c]
        strip.tier[i] = tier[c]
        strip.circle_a[i] = contacts.circle_a[c]
        strip.circle_b[i] = contacts.circle_b[c]
        strip.restitution[i] = kick.restitution[c]
        strip.friction[i] = kick.friction[c]
        strip.rolling[i] = kick.rolling[c]
        strip.before[i] = kick.before[c]
        strip.after[i] = kick.after[c]
        for k in range(3):
            strip.point_a[i, k] = contacts.point_a[c, k]
            strip.point_b[i, k] = contacts.point_b[c, k]
            strip.dir_a[i, k] = contacts.dir_a[c, k]
            strip.dir_b[i, k] = contacts.dir_b[c, k]
            strip.normal[i, k] = contacts.normal[c, k]
            strip.impulse[i, k] = kick.impulse[c, k]
            strip.torque[i, k] = kick.torque[c, k]
    reel.contact_start[step + 1] = first + count


@standalone
def record_sleep(reel, step, count, contacts, asleep, v, l):
    """Who slept through the step: asleep, without momentum in the state it came from, and touched by nobody awake."""
    for body in range(asleep.shape[0]):
        reel.touched[body] = False
    for c in range(count):
        reel.touched[contacts.a[c]] = True
        reel.touched[contacts.b[c]] = True
    for body in range(asleep.shape[0]):
        still = asleep[body] and not reel.touched[body]
        for k in range(3):
            still = still and v[body, k] == 0.0 and l[body, k] == 0.0
        reel.asleep[step, body] = still


@standalone
def record_joints(reel, step, linkage, islands_found, contacts, kick, tier):
    """Write the impulses of joints and limits of a step. Whom a joint holds is awake: its impulse is on record."""
    joints, strip = linkage.joints, reel.joints
    for j in range(joints.kind.shape[0]):
        strip.limit_side[step, j] = linkage.side[j]
        for k in range(6):
            strip.joint_impulse[step, j, k] = 0.0
        c = linkage.limit[j]
        strip.limit_impulse[step, j] = limit_impulse(contacts, kick, linkage, j) if c >= 0 else 0.0
        strip.limit_restitution[step, j] = kick.restitution[c] if c >= 0 else 0.0
        strip.limit_hold[step, j] = kick.hold[c] if c >= 0 else 0
        strip.limit_forced[step, j] = kick.forced[c] if c >= 0 else 0
        strip.limit_tier[step, j] = tier[c] if c >= 0 else 0
    for i in range(linkage.start[islands_found]):
        j = linkage.order[i]
        for k in range(joints.rows[j]):
            strip.joint_impulse[step, j, k] = linkage.impulse[j, k]
        reel.asleep[step, joints.a[j]] = False
        reel.asleep[step, joints.b[j]] = False


@standalone
def record_pushes(reel, step, sign, params, inverse_mass, v_from, l_from, v, l):
    """Velocities (v, l) of the bodies that free flight from (v_from, l_from) does not explain to the last bit."""
    row = reel.push_start[step]
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for body in range(v.shape[0]):
        falls = fall_time(sign, params.dt, inverse_mass[body], reel.asleep[step, body])
        same = True
        for k in range(3):
            same = same and v[body, k] == v_from[body, k] + falls * g[k] and l[body, k] == l_from[body, k]
        if not same:
            reel.body[row] = body
            for k in range(3):
                reel.v[row, k] = v[body, k]
                reel.l[row, k] = l[body, k]
            row += 1
    reel.push_start[step + 1] = row
