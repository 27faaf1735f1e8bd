"""Decide: what limits of joints bounce with, and what is asked of those at rest whose bodies leave."""

from __future__ import annotations

import math

from engine.contact.kick import CONTACTS
from engine.contact.law import LEAST_RESTITUTION
from engine.decide.coefficients import affordable_restitution
from engine.decide.plan import BUDGET, LEAVING
from engine.jit import inline, standalone
from engine.joint.limits import limit_response
from engine.joint.linkage import LIMITS
from engine.model.joints import HINGE
from engine.vec import add, cross, dot, row, sub


@standalone
def decide_limits(s, plan, params, at):
    """Restitution of limits by the plan's policy, and goals."""
    count, contacts, kick, linkage = s.counts[CONTACTS], s.contacts, s.kick, s.linkage
    for i in range(linkage.counts[LIMITS]):
        j = linkage.owner[i]
        c = linkage.limit[j]
        restitution = linkage.joints.restitution[j]
        if plan.policy == BUDGET and kick.after[c] > params.rest_speed:
            room = math.inf
            for side in range(2):
                body = contacts.a[c] if side == 0 else contacts.b[c]
                if plan.articulation[body] >= 0:
                    room = min(room, plan.room[body])
            response = limit_response(contacts, kick, linkage, j, at.q, s.bodies)
            if math.isfinite(room):
                restitution = max(restitution, affordable_restitution(0.5 * room, response, kick.after[c]))
            if kick.after[c] < restitution * params.bounce_speed:
                restitution = 1.0  # too slow a bounce for the authored limit; elastic keeps it from growing
        kick.restitution[c] = max(restitution, LEAST_RESTITUTION)
        _ask(plan, linkage, j, contacts, kick, params)
    for group in range(plan.groups):
        _bounce_alike(plan, group, count, contacts, kick, params.rest_speed)


@inline
def _bounce_alike(plan, group, count, contacts, kick, rest_speed):
    """Contacts of an articulation that bounce at the same time take the largest restitution among them: behind joints
    each feels the others, and speeds that differ by wishes of single contacts would have to be made good by joints."""
    largest = 0.0
    for c in range(count):
        mine = plan.articulation[contacts.a[c]] == group or plan.articulation[contacts.b[c]] == group
        if mine and kick.after[c] > rest_speed:
            largest = max(largest, kick.restitution[c])
    for c in range(count):
        mine = plan.articulation[contacts.a[c]] == group or plan.articulation[contacts.b[c]] == group
        if mine and kick.after[c] > rest_speed:
            kick.restitution[c] = largest


@inline
def _ask(plan, linkage, j, contacts, kick, params):
    """The approach speed that the launches of its bodies mean for a resting limit."""
    c = linkage.limit[j]
    a, b = contacts.a[c], contacts.b[c]
    if kick.after[c] > params.rest_speed or kick.hold[c] != 0:
        return
    n = row(contacts.normal, c)
    zero = (0.0, 0.0, 0.0)
    leaves_a, leaves_b = plan.mark[a] == LEAVING, plan.mark[b] == LEAVING
    spin_a = row(plan.spin, a) if leaves_a else zero
    spin_b = row(plan.spin, b) if leaves_b else zero
    if linkage.joints.kind[j] == HINGE:
        rate = linkage.joints.length[j] * dot(n, sub(spin_a, spin_b))
    else:
        ua = add(row(plan.velocity, a), cross(spin_a, row(kick.ra, c))) if leaves_a else zero
        ub = add(row(plan.velocity, b), cross(spin_b, row(kick.rb, c))) if leaves_b else zero
        rate = dot(n, sub(ua, ub))
    kick.goal_n[c] = max(-rate, 0.0)
