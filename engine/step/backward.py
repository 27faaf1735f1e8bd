"""One step backward: B = K^-1(x_k) . D(-dt). Read beside forward.py: the same stages in the other order."""

from __future__ import annotations

from engine.contact.backward_kick import backward_kick, mark_unexplained
from engine.contact.kick import speeds_after, speeds_before
from engine.decide.attract import attract
from engine.decide.decide import call_up, damp, decide, see_off
from engine.decide.limits import decide_limits
from engine.decide.plan import DUE
from engine.jit import standalone
from engine.joint.backward import backward_joint_kick
from engine.joint.limits import judge_limits, limit_speeds
from engine.joint.linkage import LIMITS
from engine.stages import CERTIFY, DECIDE, DETECT, DRIFT, KICK
from engine.step.drift import drift
from engine.step.scratch import CONTACTS, ISLANDS, UNSOLVED
from engine.step.stages import (
    find_contacts,
    free_flight,
    group_by_body,
    judge_contacts,
    link,
    put_to_rest,
    remember,
    tick,
    wake,
)


@standalone
def backward_step(s, plan, time, params, state, before):
    """`before`, the state one step before `state`; `time` is that of the earlier one, s before the end.

    Returns (status, residual of the kick). Contacts, impulses and tiers of the kick are left in the scratch. With a
    status other than 0 nothing has happened yet: make room and do it again."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    call_up(plan, time)
    for i in range(plan.counts[DUE]):
        wake(plan.due[i], s.asleep, s.ring)

    drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, -params.dt, before.x, before.q, s.spin)
    tick(s.clock, DRIFT)

    status = find_contacts(s, params, before.x, before.q, state.x, state.q)
    if status != 0:
        return status, 0.0
    count = s.counts[CONTACTS]
    speeds_after(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, state.v, state.l, s.spin, params.dt)
    limit_speeds(s.linkage, before.x, before.q, bodies.inverse_inertia, state.v, state.l, params.dt, kick.after)
    mark_unexplained(count + s.linkage.counts[LIMITS], contacts, kick, before.q, bodies, state.v, state.l, params)
    status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                  s.joint_work)  # fmt: skip
    if status != 0:
        return status, 0.0
    tick(s.clock, DETECT)

    if plan.counts[DUE] > 0 or plan.attraction:
        group_by_body(count, contacts.a, contacts.b, s.touching)
    decide(plan, time, count, contacts, kick, s.material, s.touching, bodies, params, before.x, before.q, state.v,
           state.l)  # fmt: skip
    if s.linkage.joints.kind.shape[0] > 0:
        decide_limits(plan, s.linkage, count, contacts, kick, bodies, params, before.q)
    tick(s.clock, DECIDE)

    free_flight(-1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
    residual, s.counts[UNSOLVED] = backward_kick(
        contacts, kick, s.islands, s.counts[ISLANDS], before.x, before.q, state.v, state.l, bodies, s.root,
        s.root_mass, s.rows, s.solver, s.choice, s.material, params, before.v, before.l, s.other_spin,
    )  # fmt: skip
    if s.linkage.joints.kind.shape[0] > 0:
        worst, unsolved = backward_joint_kick(
            contacts, kick, s.linkage, s.islands, s.counts[ISLANDS], before.x, before.q, state.v, state.l, bodies,
            s.root, s.root_mass, s.rows, s.joint_work, s.choice, s.material, params, before.v, before.l, s.other_spin,
        )  # fmt: skip
        residual = max(residual, worst)
        s.counts[UNSOLVED] += unsolved
    if plan.attraction:
        attract(plan, contacts, kick, s.islands, s.counts[ISLANDS], s.touching, before.x, before.q, bodies, params,
                s.awake, before.v, before.l, s.other_spin)  # fmt: skip
    put_to_rest(s.islands, s.counts[ISLANDS], kick, bodies, before.q, state.v, state.l, before.v, before.l,
                params.solver_tolerance, s.asleep, s.ring)  # fmt: skip
    see_off(plan, bodies, params.rest_speed, before.q, before.v, before.l)
    tick(s.clock, KICK)

    speeds_before(count, contacts, kick, before.x, before.q, bodies.inverse_inertia, before.v, before.l, params.dt,
                  s.other_spin)  # fmt: skip
    limit_speeds(s.linkage, before.x, before.q, bodies.inverse_inertia, before.v, before.l, -params.dt, kick.before)
    judge_limits(contacts, kick, s.linkage, before.q, bodies, params, before.v, before.l, s.tier, s.residual)
    judge_contacts(count, contacts, kick, before.q, bodies, s.material, params, before.v, before.l, s.tier, s.residual)
    remember(count, contacts, kick, s.counts, s.warm)
    damp(plan, params.dt, before.l)
    tick(s.clock, CERTIFY)
    return 0, residual
