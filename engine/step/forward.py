"""One step forward: F = D(dt) . K(x_k). Read beside backward.py: the same stages in the other order."""

from __future__ import annotations

from engine.contact.forward_kick import forward_kick
from engine.contact.kick import speeds_after, speeds_before
from engine.jit import standalone
from engine.joint.forward import forward_joint_kick
from engine.joint.limits import judge_limits, limit_speeds
from engine.stages import CERTIFY, DECIDE, DETECT, DRIFT, KICK
from engine.step.drift import drift
from engine.step.scratch import CONTACTS, ISLANDS, UNSOLVED
from engine.step.stages import find_contacts, free_flight, judge_contacts, link, put_to_rest, remember, tick


@standalone
def forward_step(s, params, x_from, q_from, state, after):
    """`after`, the state one step after `state`; (x_from, q_from) is the configuration one step earlier.

    Returns (status, residual of the kick). Contacts, impulses and tiers of the kick are left in the scratch. With a
    status other than 0 nothing has happened yet: make room and do it again."""
    bodies, kick, contacts = s.bodies, s.kick, s.contacts
    status = find_contacts(s, params, state.x, state.q, x_from, q_from)
    if status != 0:
        return status, 0.0
    count = s.counts[CONTACTS]
    speeds_before(count, contacts, kick, state.x, state.q, bodies.inverse_inertia, state.v, state.l, params.dt,
                  s.other_spin)  # fmt: skip
    limit_speeds(s.linkage, state.x, state.q, bodies.inverse_inertia, state.v, state.l, -params.dt, kick.before)
    status = link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                  s.joint_work)  # fmt: skip
    if status != 0:
        return status, 0.0
    tick(s.clock, DETECT)

    # The authored materials decide, forward in time: find_contacts has set them.
    tick(s.clock, DECIDE)

    free_flight(1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, after.v, after.l)
    residual, s.counts[UNSOLVED] = forward_kick(
        contacts, kick, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, bodies, s.root,
        s.root_mass, s.rows, s.solver, s.base, params, 0.0, after.v, after.l, s.other_spin,
    )  # fmt: skip
    if s.linkage.joints.kind.shape[0] > 0:
        worst, unsolved = forward_joint_kick(
            contacts, kick, s.linkage, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, bodies, s.root,
            s.root_mass, s.rows, s.joint_work, s.base, params, 0.0, after.v, after.l, s.other_spin,
        )  # fmt: skip
        residual = max(residual, worst)
        s.counts[UNSOLVED] += unsolved
    put_to_rest(s.islands, s.counts[ISLANDS], kick, bodies, state.q, state.v, state.l, after.v, after.l,
                params.solver_tolerance, s.asleep, s.ring)  # fmt: skip
    tick(s.clock, KICK)

    drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, params.dt, after.x, after.q, s.spin)
    tick(s.clock, DRIFT)

    speeds_after(count, contacts, kick, state.x, state.q, bodies.inverse_inertia, after.v, after.l, s.spin, params.dt)
    limit_speeds(s.linkage, state.x, state.q, bodies.inverse_inertia, after.v, after.l, params.dt, kick.after)
    judge_limits(contacts, kick, s.linkage, state.q, bodies, params, state.v, state.l, s.tier, s.residual)
    judge_contacts(count, contacts, kick, state.q, bodies, s.material, params, state.v, state.l, s.tier, s.residual)
    remember(count, contacts, kick, s.counts, s.warm)
    tick(s.clock, CERTIFY)
    return 0, residual
