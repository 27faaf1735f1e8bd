"""One step backward: B = K^-1(x_k) . D(-dt). Read beside forward.py: the same stages in the other order.

`backward_step` is the only one there is. Look-ahead, meetings and the schemes of others (papers/) take the same step
with some of its stages replaced (jit.bound):

    begin     who wakes, who is called up                        look    contacts at x_k
    come_from the drift                                          doubt   contacts that no forward kick leaves behind
    measure   speeds after the kick                              choose  coefficients and goals
    undo      the kick                                           meet    what would be passed: then look anew
    answer    what else is done about it                         rest    islands fall asleep
    see_out   those who were to leave have left                  judge   every contact against the law
    close     the last word

`told` is what these know besides the scratch: here the plan. doubt, answer and close may refuse the step.
"""

from __future__ import annotations

from engine.contact.kick import AHEAD, CONTACTS, WARM, speeds_after, speeds_before
from engine.decide.decide import call_up, decide, see_off
from engine.decide.limits import decide_limits
from engine.decide.plan import DUE
from engine.jit import inline, standalone
from engine.joint.limits import judge_limits, limit_speeds
from engine.kick.backward import mark_unexplained
from engine.kick.jointed import kick_back
from engine.stages import CERTIFY, DECIDE, DETECT, DRIFT, KICK
from engine.step.ahead import MOST_LOOKS, ease_ahead, meet_passed_before
from engine.step.drift import drift
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

LAWFUL = 0  # other answers of doubt, answer and close say why a step is refused
STOPS_ALONE = False  # a step without contacts is over after free flight


@inline
def begin(s, plan, time):
    call_up(plan, time)
    for i in range(plan.counts[DUE]):
        wake(plan.due[i], s.asleep, s.ring)


@inline
def come_from(s, params, state, before):
    drift(state.x, state.q, state.v, state.l, s.bodies.inverse_inertia, -params.dt, before.x, before.q, s.spin)


@inline
def look(s, plan, params, state, before):
    return find_contacts(s, params, before, state)


@inline
def measure(s, params, state, before):
    speeds_after(s, params, before, state)
    limit_speeds(s, params.dt, before, state, s.kick.after)


@inline
def doubt(s, plan, params, state, before):
    return LAWFUL


@inline
def choose(s, plan, time, params, state, before):
    if plan.counts[DUE] > 0:
        group_by_body(s.counts[CONTACTS], s.contacts.a, s.contacts.b, s.touching)
    decide(s, plan, time, params, before, state)
    if s.linkage.joints.kind.shape[0] > 0:
        decide_limits(s, plan, params, before)


@inline
def undo(s, params, state, before):
    return kick_back(s, params, before, state, before)


@inline
def meet(s, params, before):
    return meet_passed_before(s, params, before)


@inline
def answer(s, plan, params, state, before):
    return LAWFUL


@inline
def rest(s, params, state, before):
    put_to_rest(s, params, before, state, before)


@inline
def see_out(s, plan, params, before):
    see_off(plan, s.bodies, params.rest_speed, before, before)


@inline
def judge(s, plan, params, before):
    limit_speeds(s, -params.dt, before, before, s.kick.before)
    judge_limits(s, params, before, before)
    judge_contacts(s, params, before, before)


@inline
def close(s, plan, params, state, before, residual):
    return LAWFUL


@standalone
def backward_step(s, told, time, params, state, before):
    """`before`, the state one step before `state`; `time` is that of the earlier one, s before the end.

    Returns (status, residual of the kick, LAWFUL or why it is refused). Contacts, impulses and tiers of the kick are
    left in the scratch. With a status other than 0 nothing has happened yet: make room and do it again."""
    begin(s, told, time)
    come_from(s, params, state, before)
    tick(s.clock, DRIFT)

    s.counts[AHEAD] = 0
    residual, eased = 0.0, False
    for _ in range(MOST_LOOKS):
        status = look(s, told, params, state, before)
        if status != 0:
            return status, 0.0, LAWFUL
        free_flight(-1.0, params, s.bodies.inverse_mass, s.asleep, state.v, state.l, before.v, before.l)
        if not STOPS_ALONE or s.counts[CONTACTS] > 0:
            measure(s, params, state, before)
            mark_unexplained(s, params, before, state)
            refused = doubt(s, told, params, state, before)
            if refused != LAWFUL:
                return 0, 0.0, refused
            status = link(s, s.asleep)
            if status != 0:
                return status, 0.0, LAWFUL
            tick(s.clock, DETECT)

            choose(s, told, time, params, state, before)
            if eased:
                ease_ahead(s)
            tick(s.clock, DECIDE)

            residual = undo(s, params, state, before)
        fresh, status = meet(s, params, before)
        if status != 0:
            return status, 0.0, LAWFUL
        if fresh == 0:
            if eased or s.counts[AHEAD] == 0 or residual <= params.solver_tolerance:
                break
            eased = True
    if STOPS_ALONE and s.counts[CONTACTS] == 0:
        s.counts[WARM] = 0
        return 0, 0.0, LAWFUL
    refused = answer(s, told, params, state, before)
    if refused != LAWFUL:
        return 0, residual, refused
    rest(s, params, state, before)
    see_out(s, told, params, before)
    tick(s.clock, KICK)

    speeds_before(s, params, before, before)
    judge(s, told, params, before)
    remember(s)
    refused = close(s, told, params, state, before, residual)
    tick(s.clock, CERTIFY)
    return 0, residual, refused
