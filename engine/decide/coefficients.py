"""Policies for the coefficients of each collision: constant, blended (Twigg and James 2008) or budgeted.

Backward, every collision multiplies its normal speed by 1/restitution and sliding adds energy, so constant coefficients
grow without bound. The *budget* moves the collisions of an energetic body from the authored coefficients toward elastic
and frictionless, inside the artist's ranges: there growth stops, and every step stays explained by the contact law.
(papers/remedies.py has the blend that was proposed first.)
"""

from __future__ import annotations

import math

from engine.contact.energy import body_energy
from engine.contact.kick import CONTACTS
from engine.contact.law import LEAST_RESTITUTION
from engine.contact.verdict import own_response
from engine.decide.plan import BUDGET
from engine.jit import inline, kernel, standalone
from engine.spin import spin_of
from engine.vec import dot, quat_row, row


@inline
def spending(bodies, params, body, at, after, ending_energy, budget):
    """What a body may still gain (J; infinite without a budget), and how far it is over half its budget (0 to 1).

    Energy counts from the body's energy at the ending, spin included."""
    if bodies.inverse_mass[body] == 0.0 or budget[body] == 0.0:
        return math.inf, 0.0
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    momentum = row(after.l, body)
    w = spin_of(quat_row(at.q, body), bodies.inverse_inertia, body, momentum)
    own = body_energy(bodies.mass[body], gravity, params.dt, row(at.x, body), row(after.v, body), momentum, w)
    spent = own - ending_energy[body]
    return max(budget[body] - spent, 0.0), min(max(2.0 * spent / budget[body] - 1.0, 0.0), 1.0)


@kernel
def affordable_restitution(room, normal, after):
    """Least restitution e with (1/e^2 - 1) V_n+^2 / (2 normal) <= room: a bounce came in with V_n+/e."""
    return 1.0 / math.sqrt(1.0 + 2.0 * room * normal / after**2)


@inline
def _affordable_friction(room, tangent, impulse, sliding):
    """Largest friction whose impulse f = mu * impulse gains f * sliding + tangent f^2 / 2 <= room."""
    return (math.sqrt(sliding**2 + 2.0 * tangent * room) - sliding) / (tangent * impulse)


@inline
def spend(count, contacts, kick, material, q, bodies, room, saturated, bounce_speed, rest_speed):
    """Coefficients of every contact: as authored while its bodies can afford it, else as elastic and as slippery as
    need be. A bounce may spend half of what is left on its normal impulse and the rest on friction."""
    for c in range(count):
        s = max(saturated[contacts.a[c]], saturated[contacts.b[c]])
        kick.friction[c] = material.friction[c] + s * (material.friction_low[c] - material.friction[c])
        if kick.after[c] <= rest_speed:
            continue
        after = kick.after[c]
        left = min(room[contacts.a[c]], room[contacts.b[c]])
        normal, tangent, _ = own_response(contacts, kick, c, q, bodies)
        restitution = max(material.restitution[c], affordable_restitution(0.5 * left, normal, after))
        if after < material.restitution[c] * bounce_speed:
            restitution = 1.0  # too slow a bounce for the authored material; elastic keeps it from growing
        restitution = min(restitution, material.restitution_top[c])
        kick.restitution[c] = restitution
        if math.isfinite(left):
            left = max(left - 0.5 * (1.0 / restitution**2 - 1.0) * after**2 / normal, 0.0)
            slide = row(kick.slide, c)
            friction = _affordable_friction(
                left, tangent, after * (1.0 + 1.0 / restitution) / normal, math.sqrt(dot(slide, slide))
            )
            kick.friction[c] = max(min(kick.friction[c], friction), material.friction_low[c])


@inline
def _share(s, plan, params, at, after):
    """The bodies of an articulation have one budget: joints carry energy from one to the other. Contacts that bounce at
    the same time share what is left of it."""
    count, contacts, kick, bodies = s.counts[CONTACTS], s.contacts, s.kick, s.bodies
    x, q, v, l = at.x, at.q, after.v, after.l
    gravity = (params.gravity_x, params.gravity_y, params.gravity_z)
    for group in range(plan.groups):
        spent, budget, bouncing = 0.0, 0.0, 0
        for c in range(count):
            mine = plan.articulation[contacts.a[c]] == group or plan.articulation[contacts.b[c]] == group
            bouncing += 1 if mine and kick.after[c] > params.rest_speed else 0
        for body in range(plan.articulation.shape[0]):
            if plan.articulation[body] == group:
                w = spin_of(quat_row(q, body), bodies.inverse_inertia, body, row(l, body))
                own = body_energy(bodies.mass[body], gravity, params.dt, row(x, body), row(v, body), row(l, body), w)
                spent += own - plan.ending_energy[body]
                budget += plan.budget[body]
        for body in range(plan.articulation.shape[0]):
            if plan.articulation[body] == group and budget > 0.0:
                plan.room[body] = max(budget - spent, 0.0) / max(bouncing, 1)
                plan.saturated[body] = min(max(2.0 * spent / budget - 1.0, 0.0), 1.0)


@standalone
def choose(s, plan, time, params, at, after):
    """Restitution and friction of every contact, by the plan's policy. time: seconds before the end."""
    count, contacts, kick, material, bodies = s.counts[CONTACTS], s.contacts, s.kick, s.material, s.bodies
    if plan.policy == BUDGET:
        for c in range(count):
            for side in range(2):
                body = contacts.a[c] if side == 0 else contacts.b[c]
                left, full = spending(bodies, params, body, at, after, plan.ending_energy, plan.budget)
                plan.room[body] = left
                plan.saturated[body] = full
        if plan.groups > 0:
            _share(s, plan, params, at, after)
        spend(count, contacts, kick, material, at.q, bodies, plan.room, plan.saturated, params.bounce_speed,
              params.rest_speed)  # fmt: skip
    for c in range(count):
        kick.restitution[c] = max(kick.restitution[c], LEAST_RESTITUTION)
