"""One step backward of a single body; all others stand still, whatever it does to them.

The stages of engine/step/backward.py, without sleep: nobody else is awake, and nobody wakes.
"""

from __future__ import annotations

from engine.arrivals.ahead.even import share_again
from engine.arrivals.ahead.structure import LEANS
from engine.collide.detect import detect
from engine.collide.recorded import place_contacts
from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.kick import APART, FREE, body_speed, frames, speeds_after, speeds_before
from engine.contact.material import pair_materials
from engine.decide.decide import call_up, decide, see_off
from engine.decide.plan import DUE
from engine.jit import kernel, standalone
from engine.step.drift import drift
from engine.step.scratch import CONTACTS, ISLANDS, UNSOLVED, WARM
from engine.step.stages import (
    decide_as_authored,
    free_flight,
    group_by_body,
    judge_contacts,
    link,
    recall_impulses,
    remember,
)
from engine.vec import add, dot, norm, put, row, scale, sub


@standalone
def solo_step(s, plan, time, params, body, glance, state, before, evening):
    """`before`, the state one step before `state`, in which only `body` has moved; `time` is s before the end.

    Returns (status, residual of the kick, whether it glanced off as asked). s.bodies has mass and inertia only for the
    body."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    call_up(plan, time)
    drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, -params.dt, before.x, before.q, s.spin)
    count, status = detect(
        s.geometry, s.detect, contacts, before.x, before.q, state.x, state.q, s.awake, s.is_static, params.slop
    )
    if status != 0:
        return status, 0.0, False
    s.counts[CONTACTS] = count
    free_flight(-1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    if count == 0:
        s.counts[WARM] = 0
        return 0, 0.0, False
    place_contacts(count, contacts, before.x, before.q)
    frames(count, contacts, before.x, bodies.size, kick)
    pair_materials(count, contacts.a, contacts.b, bodies, s.material)
    recall_impulses(count, contacts, kick, s.counts[WARM], s.warm)
    decide_as_authored(count, kick, s.material)
    speeds_after(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, state.v, state.l, s.spin, params.dt)
    mark_unexplained(count, contacts, kick, before.q, bodies, state.v, state.l, params)
    leave_sides_alone(count, contacts.normal, kick, params)
    status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                  s.joint_work)  # fmt: skip
    if status != 0:
        return status, 0.0, False
    if plan.counts[DUE] > 0:
        group_by_body(count, contacts.a, contacts.b, s.touching)
    decide(plan, time, count, contacts, kick, s.material, s.touching, bodies, params, before.x, before.q, state.v,
           state.l)  # fmt: skip
    glanced = glance_off(count, contacts, kick, body, glance)
    hold_others(count, contacts.a, contacts.b, body, params, state.v)
    residual, s.counts[UNSOLVED] = backward_kick(
        contacts, kick, s.islands, s.counts[ISLANDS], before.x, before.q, state.v, state.l, bodies, s.root,
        s.root_mass, s.rows, s.solver, s.choice, s.material, params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    still_others(count, contacts.a, contacts.b, body, before.v, before.l)
    still_others(count, contacts.a, contacts.b, body, state.v, state.l)
    see_off(plan, bodies, params.rest_speed, before.q, before.v, before.l)
    speeds_before(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l, params.dt,
                  s.other_spin)  # fmt: skip
    speed = body_speed(body, bodies.size, before.q, bodies.inverse_inertia, before.v, before.l)
    share_again(count, contacts, kick, body, bodies.size, before.x, speed, params, evening)
    judge_contacts(count, contacts, kick, before.q, bodies, s.material, params, before.v, before.l, s.tier, s.residual)
    remember(count, contacts, kick, s.counts, s.warm)
    return 0, residual, glanced


@kernel
def leave_sides_alone(count, normal, kick, params):
    """Whoever stays beside a neighbour, at rest or sliding along its face, need not push it: such a contact has no rows
    and must obey the law all the same. It could wedge the body between its neighbours, and drag them along."""
    g = (params.gravity_x, params.gravity_y, params.gravity_z)
    for c in range(count):
        if kick.hold[c] == FREE and abs(kick.after[c]) <= params.rest_speed:
            if abs(dot(row(normal, c), g)) <= LEANS * norm(g):
                kick.hold[c] = APART


@kernel
def hold_others(count, a, b, body, params, v):
    """As rows of the body's island those it touches are given gravity: let them come with what it takes away, so that
    they are at rest where the kick judges its answers."""
    for c in range(count):
        other = b[c] if a[c] == body else a[c]
        put(v, other, (params.dt * params.gravity_x, params.dt * params.gravity_y, params.dt * params.gravity_z))


@kernel
def still_others(count, a, b, body, v, l):
    """Whoever the body touches stays at rest."""
    for c in range(count):
        other = b[c] if a[c] == body else a[c]
        for k in range(3):
            v[other, k] = 0.0
            l[other, k] = 0.0


@kernel
def glance_off(count, contacts, kick, body, glance):
    """Ask a bounce of a body that leaves without sliding for the level speed it took away. glance: of the friction over
    the normal impulse, a vector against the level motion; and the least speed (m/s) at which it bounces off then.

    Where nothing slides after a kick, any friction inside the cone explains it."""
    lean, least = (glance[0], glance[1], glance[2]), glance[3]
    if lean[0] == 0.0 and lean[1] == 0.0 and lean[2] == 0.0:
        return False
    asked = False
    for c in range(count):
        if kick.hold[c] == FREE and kick.after[c] > least:
            sign = 1.0 if contacts.a[c] == body else -1.0
            n = row(contacts.normal, c)
            level = sub(lean, scale(dot(lean, n), n))
            fast = (1.0 + 1.0 / kick.restitution[c]) * kick.after[c]
            put(kick.goal_t, c, add(row(kick.goal_t, c), scale(-sign * fast, level)))
            asked = True
    return asked
