"""Checks of joints and their limits, step by step, in compiled code: part of the certificate (audit.py).

Nothing is solved: recorded impulses are put on the bodies, they drift, and every joint must be closed where they get.
"""

from __future__ import annotations

from engine.contact.kick import CONTACTS, GHOST, push
from engine.jit import inline, kernel, standalone
from engine.joint.closure import closure, closure_after, place_equations
from engine.joint.limits import judge_limits, limit_gap, limit_speeds, place_limit, set_limit_impulse
from engine.joint.linkage import FIRST_LIMIT, LIMITS, mover, push_joint
from engine.params import NOWHERE
from engine.vec import quat_row, row


@standalone
def load_joints(s, step, strip, at):
    """Recorded impulses, decisions and limits of one step; limits stand behind the contacts."""
    contacts, kick, linkage, count, x, q = s.contacts, s.kick, s.linkage, s.counts[CONTACTS], at.x, at.q
    joints = linkage.joints
    found = 0
    for j in range(joints.kind.shape[0]):
        place_equations(joints, j, x, q, linkage.row_a, linkage.row_b)
        for k in range(6):
            linkage.impulse[j, k] = strip.joint_impulse[step, j, k]
        linkage.side[j] = strip.limit_side[step, j]
        linkage.limit[j] = -1
        if linkage.side[j] != 0:
            c = count + found
            linkage.limit[j] = c
            linkage.owner[found] = j
            place_limit(c, contacts, kick, linkage, j, s.bodies.inverse_mass, x, q)
            set_limit_impulse(contacts, kick, linkage, j, strip.limit_impulse[step, j])
            contacts.gap[c] = limit_gap(joints, j, x, q)[0]
            kick.hold[c] = strip.limit_hold[step, j]
            kick.forced[c] = strip.limit_forced[step, j]
            kick.restitution[c] = strip.limit_restitution[step, j]
            found += 1
    linkage.counts[LIMITS] = found
    linkage.counts[FIRST_LIMIT] = count


@inline
def check_limits(s, params, here, there):
    """Tiers and residuals of the recorded limits."""
    limit_speeds(s, -params.dt, here, here, s.kick.before)
    limit_speeds(s, params.dt, here, there, s.kick.after)
    judge_limits(s, params, here, here)


@inline
def push_links(s, asleep, reached):
    """Put the recorded impulses of joints and limits on awake bodies."""
    contacts, kick, linkage, inverse_mass = s.contacts, s.kick, s.linkage, s.bodies.inverse_mass
    joints = linkage.joints
    for j in range(joints.kind.shape[0]):
        if not asleep[mover(joints, j, inverse_mass)]:
            push_joint(linkage, j, inverse_mass, 1.0, reached)
    for i in range(linkage.counts[LIMITS]):
        c = linkage.limit[linkage.owner[i]]
        p, t = row(kick.impulse, c), row(kick.torque, c)
        push(reached, contacts.a[c], inverse_mass, row(kick.ra, c), p, t, 1.0)
        push(reached, contacts.b[c], inverse_mass, row(kick.rb, c), p, t, -1.0)


@inline
def check_closure(s, params, asleep, at, reached):
    """Largest opening of a joint (m), and one step on by the velocities of `reached`."""
    joints, x, q = s.linkage.joints, at.x, at.q
    inverse_mass, inverse_inertia = s.bodies.inverse_mass, s.bodies.inverse_inertia
    now, then = 0.0, 0.0
    for j in range(joints.kind.shape[0]):
        a, b = joints.a[j], joints.b[j]
        if x[a, 2] == NOWHERE or x[b, 2] == NOWHERE:
            continue
        here = closure(joints, j, row(x, a), quat_row(q, a), row(x, b), quat_row(q, b))
        there = here
        if not asleep[mover(joints, j, inverse_mass)]:
            there = closure_after(joints, j, x, q, inverse_inertia, reached.v, reached.l, params.dt)
        for k in range(6):
            now = max(now, abs(here[k]))
            then = max(then, abs(there[k]))
            if not abs(here[k]) + abs(there[k]) < 1e300:
                return 1e300, 1e300
    return now, then


@kernel
def limit_was_ignored(linkage, kick, joints, j, x, q, slop):
    """(whether joint j is beyond a limit that does not act, how far in m)."""
    gap, _ = limit_gap(joints, j, x, q)
    acts = linkage.limit[j] >= 0 and kick.hold[linkage.limit[j]] != GHOST
    return gap < -slop and not acts, -gap
