"""Checks of a tape, step by step, in compiled code (audit.py says what they are)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.certificate.joint_check import check_closure, check_limits, limit_was_ignored, load_joints, push_links
from engine.collide.detect import detect
from engine.contact.kick import GHOST, frames, predict, push, speeds_after, speeds_before
from engine.contact.material import pair_materials
from engine.contact.tiers import ASSISTED, GHOSTED
from engine.jit import kernel, standalone
from engine.joint.linkage import LIMITS, drop_linked, mover
from engine.model.arrays import Contacts, State
from engine.params import CAUGHT
from engine.step.drift import drift
from engine.step.stages import fall_time, judge_contacts
from engine.vec import row

AUDIT_FULL = 64  # status: more ignored overlaps than there is room for


class Findings(NamedTuple):
    """What was found in the s steps of a block."""

    tier: np.ndarray  # (s,) int64    worst tier of the step
    residual: np.ndarray  # (s,)      worst residual of drift, kick and law, relative to 1 + speed
    assist: np.ndarray  # (s,) m/s    outside changes of velocity and breaches of the law
    tier_counts: np.ndarray  # (5,) int64
    overlap: np.ndarray  # (1,) m     deepest overlap of a contact that acts
    opened: np.ndarray  # (1,) m      widest opening of a joint
    ghosts: np.ndarray  # (1,) int64  ignored overlaps: how many
    ghost: np.ndarray  # (g, 3) int64 step, body, body
    depth: np.ndarray  # (g,) m
    reached: State  # (n, ...)        work
    off: np.ndarray  # (n,) m/s       work: velocity that nothing explains

    def enlarged(self) -> Findings:
        more = len(self.depth)
        return self._replace(
            ghost=np.concatenate([self.ghost, np.zeros((more, 3), np.int64)]),
            depth=np.concatenate([self.depth, np.zeros(more)]),
        )


def make_findings(steps: int, bodies: int, ghosts: int = 256) -> Findings:
    return Findings(
        tier=np.zeros(steps, np.int64),
        residual=np.zeros(steps),
        assist=np.zeros(steps),
        tier_counts=np.zeros(5, np.int64),
        overlap=np.zeros(1),
        opened=np.zeros(1),
        ghosts=np.zeros(1, np.int64),
        ghost=np.zeros((ghosts, 3), np.int64),
        depth=np.zeros(ghosts),
        reached=State(*(np.zeros((bodies, width)) for width in (3, 4, 3, 3))),
        off=np.zeros(bodies),
    )


@kernel
def step_contacts(contacts, first, last):
    """Rows of one step, as views."""
    return Contacts(
        contacts.a[first:last],
        contacts.b[first:last],
        contacts.part_a[first:last],
        contacts.part_b[first:last],
        contacts.feature[first:last],
        contacts.point[first:last],
        contacts.normal[first:last],
        contacts.gap[first:last],
        contacts.kind_a[first:last],
        contacts.kind_b[first:last],
        contacts.point_a[first:last],
        contacts.point_b[first:last],
        contacts.dir_a[first:last],
        contacts.dir_b[first:last],
        contacts.circle_a[first:last],
        contacts.circle_b[first:last],
        contacts.round[first:last],
    )


@standalone
def check_drift(params, inverse_inertia, x, q, x_next, q_next, v_next, l_next, reached, spin):
    """Largest deviation of the next poses from the drift of these: m per (dt speed), or of a quaternion."""
    drift(x, q, v_next, l_next, inverse_inertia, params.dt, reached.x, reached.q, spin)
    fastest, farthest, turned, sound = 0.0, 0.0, 0.0, 0.0
    for body in range(x.shape[0]):
        square, same = 0.0, 0.0
        for k in range(3):
            fastest = max(fastest, abs(v_next[body, k]))
            off = reached.x[body, k] - x_next[body, k]
            square += off * off
        farthest = max(farthest, square)
        for k in range(4):
            same += reached.q[body, k] * q_next[body, k]
        sign = 1.0 if same >= 0.0 else -1.0
        for k in range(4):
            turned = max(turned, abs(reached.q[body, k] - sign * q_next[body, k]))
        sound += square + same
    if not math.isfinite(sound + fastest):
        return math.inf, 1.0 + fastest
    return max(turned, math.sqrt(farthest) / (params.dt * (1.0 + fastest))), 1.0 + fastest


@standalone
def check_law(count, contacts, kick, bodies, material, params, x, q, v, l, v_next, l_next, spin, other_spin, tier,
              residual):  # fmt: skip
    """Tiers and residuals of the contacts of one step, whose holds, impulses and torques are in `kick`."""
    frames(count, contacts, x, bodies.size, kick)
    predict(count, contacts, bodies.inverse_mass, params, kick)
    speeds_before(count, contacts, kick, x, q, bodies.inverse_inertia, v, l, params.dt, other_spin)
    speeds_after(count, contacts, kick, x, q, bodies.inverse_inertia, v_next, l_next, spin, params.dt)
    pair_materials(count, contacts.a, contacts.b, bodies, material)
    judge_contacts(count, contacts, kick, q, bodies, material, params, v, l, tier, residual)


@standalone
def check_kick(count, contacts, kick, linkage, limits, bodies, params, asleep, x, q, v, l, x_next, q_next, v_next,
               l_next, stiffest, reached, off):  # fmt: skip
    """off: velocity (m/s, spin at the surface included) that gravity and the recorded impulses do not explain;
    infinite for a sleeper that moves."""
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for body in range(x.shape[0]):
        falls = fall_time(1.0, params.dt, bodies.inverse_mass[body], asleep[body])
        for k in range(3):
            reached.v[body, k] = v[body, k] + falls * g[k]
            reached.l[body, k] = l[body, k]
    for c in range(count):
        p, t = row(kick.impulse, c), row(kick.torque, c)
        push(reached.v, reached.l, contacts.a[c], bodies.inverse_mass, row(kick.ra, c), p, t, 1.0)
        push(reached.v, reached.l, contacts.b[c], bodies.inverse_mass, row(kick.rb, c), p, t, -1.0)
    push_links(linkage, limits, kick, bodies.inverse_mass, asleep, reached.v, reached.l)
    for body in range(x.shape[0]):
        moved, turned = 0.0, 0.0
        for k in range(3):
            moved += (v_next[body, k] - reached.v[body, k]) ** 2
            turned += (l_next[body, k] - reached.l[body, k]) ** 2
        off[body] = math.sqrt(moved)
        if turned != 0.0:
            off[body] += math.sqrt(turned) * stiffest[body]
        if asleep[body]:
            still = True
            for k in range(3):
                still = still and x[body, k] == x_next[body, k] and v[body, k] == 0.0
            for k in range(4):
                still = still and q[body, k] == q_next[body, k]
            if not still:
                off[body] = math.inf


@standalone
def find_ignored(s, params, step, count, contacts, hold, asleep, x, q, findings):
    """Note overlaps deeper than the slop between parts without a recorded contact that acts; returns (how many,
    status). Both lists are sorted by part, so one pass is enough."""
    for body in range(asleep.shape[0]):
        s.awake[body] = not s.is_static[body] and not asleep[body]
    found, status = detect(s.geometry, s.detect, s.contacts, x, q, x, q, s.awake, s.is_static, -params.slop)
    if status != 0:
        return 0, status
    found = drop_linked(found, s.contacts, s.linkage.joints.linked, asleep.shape[0])
    if findings.ghosts[0] + found + s.linkage.limit.shape[0] > findings.depth.shape[0]:
        return 0, AUDIT_FULL
    parts = s.geometry.part_body.shape[0]
    i = 0
    ignored = 0
    for c in range(found):
        key = s.contacts.part_a[c] * parts + s.contacts.part_b[c]
        while i < count and contacts.part_a[i] * parts + contacts.part_b[i] < key:
            i += 1
        known = False
        k = i
        while k < count and contacts.part_a[k] * parts + contacts.part_b[k] == key:
            known = known or hold[k] != GHOST
            k += 1
        if not known:
            _note_ghost(findings, step, s.contacts.a[c], s.contacts.b[c], -s.contacts.gap[c])
            ignored += 1
    return ignored, 0


@kernel
def _note_ghost(findings, step, a, b, depth):
    at = findings.ghosts[0]
    findings.ghost[at, 0] = step
    findings.ghost[at, 1] = a
    findings.ghost[at, 2] = b
    findings.depth[at] = depth
    findings.ghosts[0] += 1


@standalone
def find_ignored_limits(linkage, kick, params, step, asleep, inverse_mass, x, q, findings):
    """Note joints beyond limits that do not act; returns how many."""
    joints = linkage.joints
    ignored = 0
    for j in range(joints.kind.shape[0]):
        beyond, depth = limit_was_ignored(linkage, kick, joints, j, x, q, params.slop)
        if beyond and not asleep[mover(joints, j, inverse_mass)]:
            _note_ghost(findings, step, joints.a[j], joints.b[j], depth)
            ignored += 1
    return ignored


@standalone
def sum_up(params, step, count, contacts, kick, linkage, limits, tier, residual, ignored, drifted, opened, speed, off,
           findings):  # fmt: skip
    """Worst tier and residual of a step from what the checks left."""
    worst_tier = GHOSTED if ignored > 0 else 0
    worst = max(drifted, opened)
    most = 0.0
    outside = 0.0
    for c in range(count + linkage.counts[LIMITS]):
        gap = contacts.gap[c] if c < count else limits.gap[c]
        worst_tier = max(worst_tier, tier[c])
        findings.tier_counts[tier[c]] += 1
        if tier[c] < ASSISTED:
            worst = max(worst, residual[c])
        else:
            outside += speed * residual[c]
        if kick.hold[c] != GHOST:
            if c < count:
                findings.overlap[0] = max(findings.overlap[0], -gap)
            if gap > 2.0 * params.slop and (c >= count or params.landing == CAUGHT):
                worst = max(worst, gap)  # nothing is touched there
    for body in range(off.shape[0]):
        if off[body] <= params.certificate_tolerance * speed:
            most = max(most, off[body])
        else:
            outside += off[body]
    worst = max(worst, most / speed)
    if outside > params.certificate_tolerance or not worst <= params.certificate_tolerance:
        worst_tier = ASSISTED  # positions, velocities or contacts do not follow from each other
        findings.assist[step] = outside
    findings.tier[step] = worst_tier
    findings.residual[step] = worst


@kernel
def check_steps(s, params, first, last, start, states, contacts, hold, impulse, torque, strip, asleep, stiffest,
                findings):  # fmt: skip
    """Check steps first .. last of a block. Returns (next step to check, status)."""
    x, q, v, l = states.x, states.q, states.v, states.l
    bodies, kick, reached = s.bodies, s.kick, findings.reached
    for step in range(first, last):
        row_0 = start[step]
        count = start[step + 1] - row_0
        here = step_contacts(contacts, row_0, start[step + 1])
        for c in range(count):
            kick.hold[c] = hold[row_0 + c]
            for k in range(3):
                kick.impulse[c, k] = impulse[row_0 + c, k]
                kick.torque[c, k] = torque[row_0 + c, k]
        ignored, status = find_ignored(s, params, step, count, here, kick.hold, asleep[step], x[step], q[step],
                                       findings)  # fmt: skip
        if status != 0:
            return step, status
        load_joints(step, count, strip, s.linkage, s.contacts, kick, bodies.inverse_mass, x[step], q[step])
        ignored += find_ignored_limits(s.linkage, kick, params, step, asleep[step], bodies.inverse_mass, x[step],
                                       q[step], findings)  # fmt: skip
        drifted, speed = check_drift(params, bodies.inverse_inertia, x[step], q[step], x[step + 1], q[step + 1],
                                     v[step + 1], l[step + 1], reached, s.spin)  # fmt: skip
        check_law(count, here, kick, bodies, s.material, params, x[step], q[step], v[step], l[step], v[step + 1],
                  l[step + 1], s.spin, s.other_spin, s.tier, s.residual)  # fmt: skip
        check_limits(s.linkage, s.contacts, kick, bodies, params, x[step], q[step], v[step], l[step], v[step + 1],
                     l[step + 1], s.tier, s.residual)  # fmt: skip
        check_kick(count, here, kick, s.linkage, s.contacts, bodies, params, asleep[step], x[step], q[step], v[step],
                   l[step], x[step + 1], q[step + 1], v[step + 1], l[step + 1], stiffest, reached,
                   findings.off)  # fmt: skip
        now, then = check_closure(s.linkage, params, bodies.inverse_mass, bodies.inverse_inertia, asleep[step], x[step],
                                  q[step], reached)  # fmt: skip
        findings.opened[0] = max(findings.opened[0], now)
        sum_up(params, step, count, here, kick, s.linkage, s.contacts, s.tier, s.residual, ignored, drifted,
               max(now, then) / (params.dt * speed), speed, findings.off, findings)  # fmt: skip
    return last, 0
