"""Many steps of a meeting in one call, written to a reel that can be wound back to any of them."""

from __future__ import annotations

import numpy as np

from engine.arrivals.meeting.past import Past, enter, keep_plan, state_at
from engine.arrivals.meeting.step import meet_step
from engine.contact.energy import measure
from engine.contact.kick import CONTACTS
from engine.jit import kernel
from engine.model.compile import Model
from engine.model.states import keep_state, recall_state
from engine.params import Params
from engine.status import CONTACTS_FULL, DIVERGED, REEL_FULL
from engine.step.backward import LAWFUL
from engine.tape.recorder import Recorder
from engine.tape.reel import (
    BLOCK_STEPS,
    Reel,
    Strip,
    has_room,
    make_reel,
    record_contacts,
    record_pushes,
    record_sleep,
)
from engine.tape.tape import Tape

CONTACTS_PER_STEP, PUSHES_PER_STEP = 16, 8  # room at first


def long_reel(bodies: int, steps: int) -> Reel:
    """A reel for a whole take."""
    reel = make_reel(bodies, CONTACTS_PER_STEP * steps, PUSHES_PER_STEP * steps + bodies)
    return reel._replace(
        contact_start=np.zeros(steps + 1, np.int64),
        push_start=np.zeros(steps + 1, np.int64),
        asleep=np.zeros((steps, bodies), bool),
        energy=np.zeros(steps),
        residual=np.zeros(steps),
    )


@kernel
def meeting_steps(s, past, plan, seed, params, reel, first, last):
    """Steps first .. last, entered anew. Returns (step that could not be made, or `last`, status, why not)."""
    if reel.contact_start[first] - reel.contact_start[max(first - 1, 0)] > s.tier.shape[0]:
        return first, CONTACTS_FULL, LAWFUL
    enter(s, plan, past, reel, first)
    state, before = past.state, past.before
    for k in range(first, last):
        recall_state(past, k, state)
        status, residual, why = meet_step(s, (plan, past, seed, k), (k + 1) * params.dt, params, state, before)
        if status != 0 or why != LAWFUL:
            return k, status, why
        count = s.counts[CONTACTS]
        if not has_room(reel, k, count, state.x.shape[0]):
            return k, REEL_FULL, LAWFUL
        energy, _, fastest = measure(s.bodies, params, before)
        if not fastest <= params.max_speed:
            return k, DIVERGED, LAWFUL
        reel.energy[k] = energy
        reel.residual[k] = residual
        record_contacts(reel, k, count, s.contacts, s.kick, s.tier)
        record_sleep(reel, k, count, s.contacts, s.asleep, state.v, state.l)
        record_pushes(reel, k, -1.0, params, s.bodies.inverse_mass, state.v, state.l, before.v, before.l)
        for body in range(s.asleep.shape[0]):
            past.asleep[k + 1, body] = s.asleep[body]
        keep_state(before, past, k + 1)
        keep_plan(plan, past, k + 1)
    return last, 0, LAWFUL


def tape_of(model: Model, params: Params, past: Past, reel: Reel, steps: int, first_energy: float) -> Tape:
    """The first `steps` steps as a tape like any other."""
    recorder = Recorder(model, params, state_at(past, 0), first_energy, backward=True)
    for first in range(0, steps, BLOCK_STEPS):
        recorder.in_block = min(BLOCK_STEPS, steps - first)
        recorder.reel = _part(reel, first, first + recorder.in_block)
        recorder.close_block(state_at(past, first + recorder.in_block))
    return recorder.finish(state_at(past, steps))


def _part(reel: Reel, first: int, last: int) -> Reel:
    contacts, pushes = reel.contact_start[first : last + 1], reel.push_start[first : last + 1]
    met, pushed = slice(contacts[0], contacts[-1]), slice(pushes[0], pushes[-1])
    return reel._replace(
        strip=Strip(*(column[met] for column in reel.strip)),
        contact_start=contacts - contacts[0],
        push_start=pushes - pushes[0],
        body=reel.body[pushed],
        v=reel.v[pushed],
        l=reel.l[pushed],
        asleep=reel.asleep[first:last],
        energy=reel.energy[first:last],
        residual=reel.residual[first:last],
    )
