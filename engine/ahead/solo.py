"""One step backward of a single body; all others stand still, whatever it does to them.

The stages of engine/step/backward.py, without sleep: nobody else is awake, and nobody wakes.
"""

from __future__ import annotations

from engine.collide.detect import detect
from engine.collide.recorded import place_contacts
from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.kick import frames, speeds_after, speeds_before
from engine.contact.material import pair_materials
from engine.direct.decide import call_up, decide, see_off
from engine.direct.plan import DUE
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


@standalone
def solo_step(s, plan, time, params, body, state, before):
    """`before`, the state one step before `state`, in which only `body` has moved; `time` is s before the end.

    Returns (status, residual of the kick). s.bodies has mass and inertia only for the body."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    call_up(plan, time)
    drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, -params.dt, before.x, before.q, s.spin)
    count, status = detect(
        s.geometry, s.detect, contacts, before.x, before.q, state.x, state.q, s.awake, s.is_static, params.slop
    )
    if status != 0:
        return status, 0.0
    s.counts[CONTACTS] = count
    free_flight(-1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    if count == 0:
        s.counts[WARM] = 0
        return 0, 0.0
    place_contacts(count, contacts, before.x, before.q)
    frames(count, contacts, before.x, bodies.size, kick)
    pair_materials(count, contacts.a, contacts.b, bodies, s.material)
    recall_impulses(count, contacts, kick, s.counts[WARM], s.warm)
    decide_as_authored(count, kick, s.material)
    speeds_after(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, state.v, state.l, s.spin, params.dt)
    mark_unexplained(count, contacts, kick, before.q, bodies, state.v, state.l, params)
    status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                  s.joint_work)  # fmt: skip
    if status != 0:
        return status, 0.0
    if plan.counts[DUE] > 0:
        group_by_body(count, contacts.a, contacts.b, s.touching)
    decide(plan, time, count, contacts, kick, s.material, s.touching, bodies, params, before.x, before.q, state.v,
           state.l)  # fmt: skip
    residual, s.counts[UNSOLVED] = backward_kick(
        contacts, kick, s.islands, s.counts[ISLANDS], before.x, before.q, state.v, state.l, bodies, s.root,
        s.root_mass, s.rows, s.solver, s.choice, s.material, params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    still_others(count, contacts.a, contacts.b, body, before.v, before.l)
    see_off(plan, bodies, params.rest_speed, before.q, before.v, before.l)
    speeds_before(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l, params.dt,
                  s.other_spin)  # fmt: skip
    judge_contacts(count, contacts, kick, before.q, bodies, s.material, params, before.v, before.l, s.tier, s.residual)
    remember(count, contacts, kick, s.counts, s.warm)
    return 0, residual


@kernel
def still_others(count, a, b, body, v, l):
    """Whoever the body touches stays at rest: as rows of its island they have been given gravity."""
    for c in range(count):
        other = b[c] if a[c] == body else a[c]
        for k in range(3):
            v[other, k] = 0.0
            l[other, k] = 0.0
