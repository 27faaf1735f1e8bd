"""Checks of a tape, step by step, in compiled code (audit.py says what they are)."""

from __future__ import annotations

import math

import numpy as np

from engine.certificate.joint_check import check_closure, check_limits, limit_was_ignored, load_joints, push_links
from engine.certificate.touch_check import check_touch, travel
from engine.collide.broad import READY
from engine.collide.detect import detect
from engine.collide.passing import find_passed
from engine.contact.kick import CONTACTS, GHOST, frames, predict, push, speeds_after, speeds_before
from engine.contact.material import pair_materials
from engine.contact.tiers import ASSISTED, GHOSTED, HELD, RANK, TIER_NAMES, worse
from engine.jit import inline, kernel
from engine.joint.linkage import LIMITS, drop_linked, mover
from engine.model.arrays import State
from engine.model.states import copy_body, recall_state
from engine.params import CAUGHT, NOWHERE
from engine.record import Record
from engine.rest import REST_OF_JUDGED_BODY
from engine.step.drift import drift
from engine.step.stages import fall_time, judge_contacts
from engine.tape.tape import recall_contacts
from engine.vec import row

COEFFICIENT = 1e-12  # relative: by how much told restitution and friction may differ from those found again
TOLD = 2e-7  # and told speeds, which are written with seven digits
AUDIT_FULL = 64  # status: more ignored overlaps than there is room for


class Findings(Record):
    """What was found in the s steps of a block."""

    tier: np.ndarray  # (s,) int64    worst tier of the step
    residual: np.ndarray  # (s,)      worst residual of drift, kick and law, relative to 1 + speed
    assist: np.ndarray  # (s,) m/s    outside changes of velocity and breaches of the law
    untrue: np.ndarray  # (1,) int64  contacts of which the tape tells something else
    tier_counts: np.ndarray  # (6,) int64
    in_motion: np.ndarray  # (s, 2) int64 bodies that move and touch something; those of them with EXACT contacts only
    worst: np.ndarray  # (s, 2) int64 bodies of the worst contact of a step, or one that nothing explains; -1
    overlap: np.ndarray  # (1,) m     deepest overlap of a contact that acts
    opened: np.ndarray  # (1,) m      widest opening of a joint
    ghosts: np.ndarray  # (1,) int64  ignored overlaps: how many
    ghost: np.ndarray  # (g, 3) int64 step, body, body
    depth: np.ndarray  # (g,) m
    here: State  # (n, ...)           work: the state that a step leaves
    there: State  # (n, ...)          and the next one
    reached: State  # (n, ...)        where the first leads
    touches: np.ndarray  # (n,) int64 work: worst tier of a body's contacts; -1: none
    asleep: np.ndarray  # (n,) bool   work: who sleeps, or is in a hand
    moves: np.ndarray  # (n,) bool    work: who moves
    absent: np.ndarray  # (1,) int64  work: how many were not there in the step before
    off: np.ndarray  # (n,) m/s       work: velocity that nothing explains
    stiffest: np.ndarray  # (n,) 1/(kg m)  speed at the surface per angular momentum, at most

    def enlarged(self) -> Findings:
        more = len(self.depth)
        return self._replace(
            ghost=np.concatenate([self.ghost, np.zeros((more, 3), np.int64)]),
            depth=np.concatenate([self.depth, np.zeros(more)]),
        )


def make_findings(steps: int, stiffest: np.ndarray, ghosts: int = 256) -> Findings:
    bodies = len(stiffest)
    here, there, reached = (State(*(np.zeros((bodies, width)) for width in (3, 4, 3, 3))) for _ in range(3))
    return Findings(
        tier=np.zeros(steps, np.int64),
        residual=np.zeros(steps),
        assist=np.zeros(steps),
        untrue=np.zeros(1, np.int64),
        tier_counts=np.zeros(len(TIER_NAMES), np.int64),
        in_motion=np.zeros((steps, 2), np.int64),
        touches=np.zeros(bodies, np.int64),
        worst=np.zeros((steps, 2), np.int64),
        overlap=np.zeros(1),
        opened=np.zeros(1),
        ghosts=np.zeros(1, np.int64),
        ghost=np.zeros((ghosts, 3), np.int64),
        depth=np.zeros(ghosts),
        here=here,
        there=there,
        reached=reached,
        asleep=np.zeros(bodies, bool),
        moves=np.zeros(bodies, bool),
        absent=np.full(1, -1, np.int64),
        off=np.zeros(bodies),
        stiffest=stiffest,
    )


@inline
def set_aside(s, step, recorded, findings):
    """Take out of a step who is still in a hand: what is not there is put out of everybody's way, what is held stands
    still. Says who sleeps and who moves."""
    here, there, asleep, moves = findings.here, findings.there, findings.asleep, findings.moves
    absent = 0
    for body in range(here.x.shape[0]):
        asleep[body] = recorded.asleep[step, body]
        if step < recorded.release[body]:
            asleep[body] = True
            for k in range(3):
                here.v[body, k] = 0.0
                here.l[body, k] = 0.0
            if step < recorded.there[body]:
                here.x[body, 2] = NOWHERE
                absent += 1
            copy_body(here, body, there, body)
        fast = 0.0
        for k in range(3):
            fast = max(fast, abs(here.v[body, k]), abs(there.v[body, k]))
            fast = max(fast, findings.stiffest[body] * max(abs(here.l[body, k]), abs(there.l[body, k])))
        moves[body] = fast > REST_OF_JUDGED_BODY and not asleep[body]
    if absent != findings.absent[0]:
        s.detect.near.counts[READY] = 0
        findings.absent[0] = absent


@inline
def check_drift(s, params, here, there, reached):
    """Largest deviation of the next poses from the drift of these: m per (dt speed), or of a quaternion."""
    drift(here.x, here.q, there.v, there.l, s.bodies.inverse_inertia, params.dt, reached.x, reached.q, s.spin)
    fastest, farthest, turned, sound = 0.0, 0.0, 0.0, 0.0
    for body in range(here.x.shape[0]):
        square, same = 0.0, 0.0
        for k in range(3):
            fastest = max(fastest, abs(there.v[body, k]))
            off = reached.x[body, k] - there.x[body, k]
            square += off * off
        farthest = max(farthest, square)
        for k in range(4):
            same += reached.q[body, k] * there.q[body, k]
        sign = 1.0 if same >= 0.0 else -1.0
        for k in range(4):
            turned = max(turned, abs(reached.q[body, k] - sign * there.q[body, k]))
        sound += square + same
    if not math.isfinite(sound + fastest):
        return math.inf, 1.0 + fastest
    return max(turned, math.sqrt(farthest) / (params.dt * (1.0 + fastest))), 1.0 + fastest


@inline
def check_law(s, params, here, there):
    """Tiers and residuals of the contacts of one step, whose holds, impulses and torques are in `kick`."""
    frames(s, here.x)
    predict(s, params)
    speeds_before(s, params, here, here)
    speeds_after(s, params, here, there)
    pair_materials(s.counts[CONTACTS], s.contacts.a, s.contacts.b, s.bodies, s.material)
    judge_contacts(s, params, here, here)


@inline
def check_kick(s, params, step, in_hand, here, there, findings):
    """findings.off: velocity (m/s, spin at the surface included) that gravity and the recorded impulses do not explain;
    infinite for a sleeper that moves. in_hand: (n,) the step in which a body is let go."""
    asleep = findings.asleep
    contacts, kick, bodies, reached, off = s.contacts, s.kick, s.bodies, findings.reached, findings.off
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for body in range(here.x.shape[0]):
        falls = fall_time(1.0, params.dt, bodies.inverse_mass[body], asleep[body])
        for k in range(3):
            reached.v[body, k] = here.v[body, k] + falls * g[k]
            reached.l[body, k] = here.l[body, k]
    for c in range(s.counts[CONTACTS]):
        p, t = row(kick.impulse, c), row(kick.torque, c)
        push(reached, contacts.a[c], bodies.inverse_mass, row(kick.ra, c), p, t, 1.0)
        push(reached, contacts.b[c], bodies.inverse_mass, row(kick.rb, c), p, t, -1.0)
    push_links(s, asleep, reached)
    for body in range(here.x.shape[0]):
        moved, turned = 0.0, 0.0
        for k in range(3):
            moved += (there.v[body, k] - reached.v[body, k]) ** 2
            turned += (there.l[body, k] - reached.l[body, k]) ** 2
        off[body] = math.sqrt(moved)
        if turned != 0.0:
            off[body] += math.sqrt(turned) * findings.stiffest[body]
        if in_hand[body] > step:
            off[body] = 0.0  # the hand takes it up
        elif asleep[body]:
            off[body] = 0.0  # that it is carried is seen over all steps at once (sleepers.py)
            still = True
            for k in range(3):
                still = still and here.x[body, k] == there.x[body, k]
                still = still and here.v[body, k] == 0.0 and there.v[body, k] == 0.0
                still = still and here.l[body, k] == 0.0 and there.l[body, k] == 0.0
            for k in range(4):
                still = still and here.q[body, k] == there.q[body, k]
            if not still:
                off[body] = math.inf


@inline
def find_ignored(s, params, step, recorded, at, findings):
    """Note overlaps deeper than the slop between parts without a recorded contact that acts, and those in which a body
    begins; returns (how many, status). Both lists are sorted by part, so one pass is enough."""
    contacts, asleep, release = recorded.contacts, findings.asleep, recorded.release
    first, count = recorded.start[step], recorded.start[step + 1] - recorded.start[step]
    for body in range(asleep.shape[0]):
        s.awake[body] = not s.is_static[body] and (not asleep[body] or step == release[body])
    found, status = detect(s.geometry, s.detect, s.contacts, at.x, at.q, at.x, at.q, s.awake, s.is_static, -params.slop)
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
        while i < count and contacts.part_a[first + i] * parts + contacts.part_b[first + i] < key:
            i += 1
        known = False
        k = i
        while k < count and contacts.part_a[first + k] * parts + contacts.part_b[first + k] == key:
            known = known or recorded.hold[first + k] != GHOST
            k += 1
        a, b, depth = s.contacts.a[c], s.contacts.b[c], -s.contacts.gap[c]
        known = known or asleep[a] and (asleep[b] or s.is_static[b])
        if step == release[a] or step == release[b]:  # nobody comes out of another by falling into it
            way = travel(findings, s.bodies.inverse_mass, params.dt, a)
            way += travel(findings, s.bodies.inverse_mass, params.dt, b)
            known = known and depth <= 2.0 * params.slop + way
        if not known:
            _note_ghost(findings, step, a, b, depth)
            ignored += 1
    return ignored, 0


@inline
def find_passed_parts(s, step, here, there, findings):
    """Note who passes through another on the way to the next state; returns (how many, status)."""
    narrow, near, passing, part_body = s.detect.narrow, s.detect.near, s.passing, s.geometry.part_body
    found = find_passed(narrow, near, passing, s.bodies.size, s.is_static, False, here.x, here.q, there.x, there.q)
    if findings.ghosts[0] + found > findings.depth.shape[0]:
        return 0, AUDIT_FULL
    for k in range(found):
        p, other = passing.part_a[k], passing.part_b[k]
        _note_ghost(findings, step, part_body[p], part_body[other], passing.half[p] + passing.half[other])
    return found, 0


@kernel
def _note_ghost(findings, step, a, b, depth):
    at = findings.ghosts[0]
    findings.ghost[at, 0] = step
    findings.ghost[at, 1] = a
    findings.ghost[at, 2] = b
    findings.depth[at] = depth
    findings.ghosts[0] += 1


@inline
def find_ignored_limits(s, params, step, asleep, at, findings):
    """Note joints beyond limits that do not act; returns how many."""
    joints = s.linkage.joints
    ignored = 0
    for j in range(joints.kind.shape[0]):
        beyond, depth = limit_was_ignored(s.linkage, s.kick, joints, j, at.x, at.q, params.slop)
        if beyond and not asleep[mover(joints, j, s.bodies.inverse_mass)]:
            _note_ghost(findings, step, joints.a[j], joints.b[j], depth)
            ignored += 1
    return ignored


@inline
def compare_told(s, params, step, recorded, findings):
    """Count the contacts of which the tape tells another tier, coefficient or speed than their impulses do."""
    kick, first = s.kick, recorded.start[step]
    for c in range(s.counts[CONTACTS]):
        i = first + c
        same = recorded.tier[i] == s.tier[c] and recorded.forced[i] == kick.forced[c]
        bounce = _alike(recorded.restitution[i], kick.restitution[c], COEFFICIENT)
        if kick.before[c] > -params.rest_speed:  # what hardly approaches bounces by any number, so by the authored one
            bounce = bounce or recorded.restitution[i] == s.material.restitution[c]
        same = same and bounce
        same = same and _alike(recorded.friction[i], kick.friction[c], COEFFICIENT)
        same = same and _alike(recorded.rolling[i], kick.rolling[c], COEFFICIENT)
        same = same and _alike(1.0 * recorded.before[i], kick.before[c], TOLD)
        same = same and _alike(1.0 * recorded.after[i], kick.after[c], TOLD)
        if not same:
            findings.untrue[0] += 1


@kernel
def _alike(told, true, tolerance):
    return abs(told - true) <= tolerance * (1.0 + abs(true))


@inline
def judge_hands(s, step, recorded):
    """Contacts of those who are held; whoever is not there touches nothing."""
    for c in range(s.counts[CONTACTS]):
        a, b = s.contacts.a[c], s.contacts.b[c]
        if step < recorded.there[a] or step < recorded.there[b]:
            s.tier[c] = ASSISTED
            s.residual[c] = math.inf
        elif (step < recorded.release[a] or step < recorded.release[b]) and s.tier[c] < GHOSTED:
            s.tier[c] = HELD


@inline
def farthest(s, params, findings):
    """m: no point of a body goes farther in the steps beside a state."""
    way = 0.0
    for body in range(s.is_static.shape[0]):
        way = max(way, travel(findings, s.bodies.inverse_mass, params.dt, body))
    return way


@inline
def may_be_ahead(s, params, c, far):
    """Whether what does not touch yet may be met in this step: where landings are caught, only what is so thin that
    somebody is fast enough to pass it (step/ahead.py)."""
    half = s.passing.half
    return params.landing != CAUGHT or 2.0 * far > half[s.contacts.part_a[c]] + half[s.contacts.part_b[c]]


@inline
def sum_up(s, params, step, ignored, misses, speed, findings):
    """Worst tier and residual of a step from what the checks left; misses: the worst of drift and of joints."""
    count, kick, tier, off = s.counts[CONTACTS], s.kick, s.tier, findings.off
    worst_tier = GHOSTED if ignored > 0 else 0
    findings.touches[:] = -1
    worst = misses
    most = 0.0
    outside = 0.0
    far = farthest(s, params, findings)
    findings.worst[step, 0] = -1
    findings.worst[step, 1] = -1
    for c in range(count + s.linkage.counts[LIMITS]):
        gap = s.contacts.gap[c]
        a, b = s.contacts.a[c], s.contacts.b[c]
        if findings.worst[step, 0] < 0 or RANK[tier[c]] > RANK[worst_tier]:
            findings.worst[step, 0] = a
            findings.worst[step, 1] = b
        worst_tier = worse(tier[c], worst_tier)
        findings.touches[a] = worse(tier[c], max(findings.touches[a], 0))
        findings.touches[b] = worse(tier[c], max(findings.touches[b], 0))
        findings.tier_counts[tier[c]] += 1
        if tier[c] != ASSISTED:
            worst = max(worst, s.residual[c])
        else:
            outside += speed * s.residual[c]
        if kick.hold[c] != GHOST:
            if c < count:
                findings.overlap[0] = max(findings.overlap[0], -gap)
            if gap > 2.0 * params.slop and (c >= count or not may_be_ahead(s, params, c, far)):
                worst = max(worst, gap)  # nothing is touched there
    blamed, highest = -1, 0.0
    for body in range(off.shape[0]):
        if off[body] <= params.certificate_tolerance * speed:
            most = max(most, off[body])
        else:
            outside += off[body]
            if off[body] > highest:
                blamed, highest = body, off[body]
    if blamed >= 0 and worst_tier != ASSISTED:  # no contact is to blame
        findings.worst[step, 0] = blamed
        findings.worst[step, 1] = -1
    worst = max(worst, most / speed)
    if outside > params.certificate_tolerance or not worst <= params.certificate_tolerance:
        worst_tier = ASSISTED  # positions, velocities or contacts do not follow from each other
        findings.assist[step] = outside
    honest = worst_tier != ASSISTED and worst_tier != GHOSTED
    findings.in_motion[step, 0] = 0
    findings.in_motion[step, 1] = 0
    for body in range(off.shape[0]):
        pushed = not off[body] <= params.certificate_tolerance * speed  # from outside, whatever it touches
        if findings.moves[body] and (findings.touches[body] >= 0 or pushed):
            findings.in_motion[step, 0] += 1
            if findings.touches[body] == 0 and honest:
                findings.in_motion[step, 1] += 1
    findings.tier[step] = worst_tier
    findings.residual[step] = worst


@kernel
def check_steps(s, params, damping, first, last, recorded, findings):
    """Check steps first .. last of a block. Returns (next step to check, status)."""
    here, there, reached = findings.here, findings.there, findings.reached
    for step in range(first, last):
        recall_state(recorded.states, step, here)
        recall_state(recorded.states, step + 1, there)
        set_aside(s, step, recorded, findings)
        asleep = findings.asleep
        ignored, status = find_ignored(s, params, step, recorded, here, findings)
        if status != 0:
            return step, status
        passed, status = find_passed_parts(s, step, here, there, findings)
        if status != 0:
            findings.ghosts[0] -= ignored
            return step, status
        ignored += passed
        recall_contacts(recorded, step, s)
        load_joints(s, step, recorded.joints, here)
        ignored += find_ignored_limits(s, params, step, asleep, here, findings)
        drifted, speed = check_drift(s, params, here, there, reached)
        check_law(s, params, here, there)
        judge_hands(s, step, recorded)
        if damping == 0.0:  # that changes speeds after the impulses
            compare_told(s, params, step, recorded, findings)
        check_touch(s, params, here, findings)
        check_limits(s, params, here, there)
        check_kick(s, params, step, recorded.release, here, there, findings)
        now, then = check_closure(s, params, asleep, here, reached)
        findings.opened[0] = max(findings.opened[0], now)
        sum_up(s, params, step, ignored, max(drifted, max(now, then) / (params.dt * speed)), speed, findings)
    return last, 0
