"""The remedies of Twigg and James 2008, as options of a run: restitution blended to one after a collision, nothing lost
between bodies held together by joints, attraction in stacks, angular and linear damping. The last three are outside
pushes: their steps are judged ASSISTED."""

from __future__ import annotations

import math

from engine.contact.kick import CONTACTS
from engine.contact.law import LEAST_RESTITUTION
from engine.decide.coefficients import choose
from engine.decide.decide import decide
from engine.decide.limits import decide_limits
from engine.decide.plan import BLEND, Plan
from engine.jit import bound, inline, kernel
from engine.joint.linkage import LIMITS
from engine.papers.attract import attract
from engine.step.backward import LAWFUL, backward_step
from engine.step.stages import group_by_body
from engine.tape.stepping import backward_steps

BLEND_SECONDS = 0.2
LINEAR_DAMPING = 1.0  # 1/s


@kernel
def _place_of(pairs, key):
    """Where a pair stands in the hash table, or would (linear probing)."""
    mask = pairs.shape[0] - 1
    place = (key * 0x9E3779B1) & mask
    for _ in range(pairs.shape[0]):
        if pairs[place] == key or pairs[place] == -1:
            return place
        place = (place + 1) & mask
    return place


@kernel
def blend(s, plan, time, params, at, after):
    """coefficients.choose by the blend: the restitution of a pair is one after it collided and returns over 0.2 s."""
    if plan.policy != BLEND:
        choose(s, plan, time, params, at, after)
        return
    count, contacts, kick, material, rest_speed = s.counts[CONTACTS], s.contacts, s.kick, s.material, params.rest_speed
    n = plan.mark.shape[0]
    for c in range(count):
        if kick.after[c] > rest_speed:
            key = contacts.a[c] * n + contacts.b[c]
            place = _place_of(plan.bounce_pair, key)
            since = time - plan.bounce_time[place] if plan.bounce_pair[place] == key else math.inf
            u = min(1.0, since / BLEND_SECONDS)
            kick.restitution[c] = 1.0 - (1.0 - material.restitution[c]) * u * u * (3.0 - 2.0 * u)
    for c in range(count):
        if kick.after[c] > rest_speed:
            key = contacts.a[c] * n + contacts.b[c]
            place = _place_of(plan.bounce_pair, key)
            plan.bounce_pair[place] = key
            plan.bounce_time[place] = time
    for c in range(count):
        kick.restitution[c] = max(kick.restitution[c], LEAST_RESTITUTION)


decide_or_blend = bound(decide, "decide_or_blend", choose=blend)


@inline
def choose_remedied(s, plan, time, params, state, before):
    group_by_body(s.counts[CONTACTS], s.contacts.a, s.contacts.b, s.touching)
    decide_or_blend(s, plan, time, params, before, state)
    if s.linkage.joints.kind.shape[0] > 0:
        decide_limits(s, plan, params, before)
        if plan.unit_links:
            lose_nothing(s, plan)


@kernel
def lose_nothing(s, plan):
    """Everything between bodies held together by joints bounces without loss (their sec. 4)."""
    for i in range(s.linkage.counts[LIMITS]):
        s.kick.restitution[s.linkage.limit[s.linkage.owner[i]]] = 1.0
    for c in range(s.counts[CONTACTS]):
        group = plan.articulation[s.contacts.a[c]]
        if group >= 0 and group == plan.articulation[s.contacts.b[c]]:
            s.kick.restitution[c] = 1.0


@inline
def hold_together(s, plan, params, state, before):
    if plan.attraction:
        attract(s, plan, params, before)
    return LAWFUL


@inline
def damp(s, plan, params, state, before, residual):
    """Angular damping of the momenta before the kick: an outside torque."""
    if plan.damping != 0.0:
        for body in range(before.l.shape[0]):
            for k in range(3):
                before.l[body, k] += -plan.damping * params.dt * before.l[body, k]
    return LAWFUL


@inline
def slow(s, plan, params, state, before, residual):
    """Linear damping, too: an outside force."""
    for body in range(before.v.shape[0]):
        for k in range(3):
            before.v[body, k] += -LINEAR_DAMPING * params.dt * before.v[body, k]
    return damp(s, plan, params, state, before, residual)


remedied_step = bound(backward_step, "remedied_step", choose=choose_remedied, answer=hold_together, close=damp)
remedied_steps = bound(backward_steps, "remedied_steps", backward_step=remedied_step)
slowed_step = bound(remedied_step, "slowed_step", close=slow)
slowed_steps = bound(backward_steps, "slowed_steps", backward_step=slowed_step)


def is_remedied(plan: Plan) -> bool:
    """Whether a plan asks for any of them."""
    return plan.policy == BLEND or plan.damping != 0.0 or bool(plan.unit_links) or bool(plan.attraction)
