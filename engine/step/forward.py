"""One step forward: F = D(dt) . K(x_k). Read beside backward.py: the same stages in the other order."""

from __future__ import annotations

from engine.contact.kick import AHEAD, speeds_after, speeds_before
from engine.jit import standalone
from engine.joint.limits import judge_limits, limit_speeds
from engine.kick.forward import forward_kick
from engine.stages import CERTIFY, DECIDE, DETECT, DRIFT, KICK
from engine.step.ahead import MOST_LOOKS, ease_ahead, meet_passed
from engine.step.drift import drift
from engine.step.patches import choose_bearers, exchange_bearers
from engine.step.stages import find_contacts, free_flight, judge_contacts, link, put_to_rest, remember, tick


@standalone
def forward_step(s, params, came_from, state, after, patched):
    """`after`, the state one step after `state`; `came_from` has the configuration one step earlier. `patched`: planar
    patches are one contact each (patches.py).

    Returns (status, residual of the kick). Contacts, impulses and tiers of the kick are left in the scratch. With a
    status other than 0 nothing has happened yet: make room and do it again."""
    s.counts[AHEAD] = 0
    residual, eased = 0.0, False
    for _ in range(MOST_LOOKS):
        status = find_contacts(s, params, state, came_from)
        if status != 0:
            return status, 0.0
        speeds_before(s, params, state, state)
        limit_speeds(s, -params.dt, state, state, s.kick.before)
        status = link(s, s.asleep)
        if status != 0:
            return status, 0.0
        spared = choose_bearers(s, params) if patched else 0
        tick(s.clock, DETECT)

        # The authored materials decide, forward in time: find_contacts has set them.
        if eased:
            ease_ahead(s)
        tick(s.clock, DECIDE)

        rounds = 0
        while True:
            if spared > 0:  # fewer rows than there is room for
                link(s, s.asleep)
            free_flight(1.0, params, s.bodies.inverse_mass, s.asleep, state.v, state.l, after.v, after.l)
            residual = forward_kick(s, params, 0.0, state, state, after)
            put_to_rest(s, params, state, state, after)
            tick(s.clock, KICK)

            drift(state.x, state.q, after.v, after.l, s.bodies.inverse_inertia, params.dt, after.x, after.q, s.spin)
            tick(s.clock, DRIFT)

            speeds_after(s, params, state, after)
            if spared == 0 or exchange_bearers(s, params, state, after, rounds) == 0:
                break
            rounds += 1
        fresh, status = meet_passed(s, state, after.x, after.q)
        if status != 0:
            return status, 0.0
        if fresh == 0:
            if eased or s.counts[AHEAD] == 0 or residual <= params.solver_tolerance:
                break
            eased = True
    limit_speeds(s, params.dt, state, after, s.kick.after)
    judge_limits(s, params, state, state)
    judge_contacts(s, params, state, state)
    remember(s)
    tick(s.clock, CERTIFY)
    return 0, residual
