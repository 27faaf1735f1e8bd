"""One step forward: F = D(dt) . K(x_k). Read beside backward.py: the same stages in the other order."""

from __future__ import annotations

from engine.contact.forward_kick import forward_kick
from engine.contact.kick import speeds_after, speeds_before
from engine.jit import kernel, standalone
from engine.joint.forward import forward_joint_kick
from engine.joint.limits import judge_limits, limit_speeds
from engine.stages import CERTIFY, DECIDE, DETECT, DRIFT, KICK
from engine.step.drift import drift
from engine.step.patches import choose_carriers, exchange_carriers
from engine.step.scratch import CONTACTS, ISLANDS, UNSOLVED
from engine.step.stages import find_contacts, free_flight, judge_contacts, link, put_to_rest, remember, tick


@kernel
def _kick(s, params, state, after):
    """Velocities after the kick, of all islands; returns its residual."""
    residual, s.counts[UNSOLVED] = forward_kick(
        s.contacts, s.kick, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, s.bodies, s.root,
        s.root_mass, s.rows, s.solver, s.base, params, 0.0, after.v, after.l, s.other_spin,
    )  # fmt: skip
    if s.linkage.joints.kind.shape[0] > 0:
        worst, unsolved = forward_joint_kick(
            s.contacts, s.kick, s.linkage, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, s.bodies,
            s.root, s.root_mass, s.rows, s.joint_work, s.base, params, 0.0, after.v, after.l, s.other_spin,
        )  # fmt: skip
        residual = max(residual, worst)
        s.counts[UNSOLVED] += unsolved
    return residual


@standalone
def forward_step(s, params, x_from, q_from, state, after, patched):
    """`after`, the state one step after `state`; (x_from, q_from) is the configuration one step earlier. `patched`:
    planar patches are one contact each (patches.py).

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
    carried = choose_carriers(count, contacts, kick, params) if patched else 0
    tick(s.clock, DETECT)

    # The authored materials decide, forward in time: find_contacts has set them.
    tick(s.clock, DECIDE)

    rounds = 0
    while True:
        if carried > 0:  # fewer rows than there is room for
            link(s.counts, contacts, kick, bodies.inverse_mass, s.asleep, s.linkage, s.islands, s.rows, s.solver,
                 s.joint_work)  # fmt: skip
        free_flight(1.0, params, bodies.inverse_mass, s.asleep, state.v, state.l, after.v, after.l)
        residual = _kick(s, params, state, after)
        put_to_rest(s.islands, s.counts[ISLANDS], kick, bodies, state.q, state.v, state.l, after.v, after.l,
                    params.solver_tolerance, s.asleep, s.ring)  # fmt: skip
        tick(s.clock, KICK)

        drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, params.dt, after.x, after.q, s.spin)
        tick(s.clock, DRIFT)

        speeds_after(count, contacts, kick, state.x, state.q, bodies.inverse_inertia, after.v, after.l, s.spin,
                     params.dt)  # fmt: skip
        if carried == 0:
            break
        if exchange_carriers(count, contacts, kick, state.q, bodies, after.v, after.l, params, rounds) == 0:
            break
        rounds += 1
    limit_speeds(s.linkage, state.x, state.q, bodies.inverse_inertia, after.v, after.l, params.dt, kick.after)
    judge_limits(contacts, kick, s.linkage, state.q, bodies, params, state.v, state.l, s.tier, s.residual)
    judge_contacts(count, contacts, kick, state.q, bodies, s.material, params, state.v, state.l, s.tier, s.residual)
    remember(count, contacts, kick, s.counts, s.warm)
    tick(s.clock, CERTIFY)
    return 0, residual
