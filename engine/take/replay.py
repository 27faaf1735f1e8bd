"""Closed-loop replay: step a tape forward again from its first state with its contact sets, coefficients and impulses.

Only the first state is taken from the tape; every later one comes from the step before. Contacts are the recorded
feature pairs at the configuration reached, and the recorded impulses are the solver's start: while they obey the law to
the solver's tolerance they are used as they are.
"""

from __future__ import annotations

import numpy as np

from engine.collide.features import feature_gap
from engine.contact.forward_kick import forward_kick
from engine.contact.kick import frames, speeds_before
from engine.jit import kernel
from engine.model.arrays import Contacts, State, copy_state
from engine.step.drift import drift
from engine.step.scratch import make_scratch
from engine.step.stage_kernels import free_flight
from engine.step.stages import link
from engine.take.take import Take
from engine.vec import add, put, quat_row, rotate, row


@kernel
def place_contacts(count, contacts, x, q):
    """point, normal and gap of recorded feature pairs at the configuration (x, q)."""
    for c in range(count):
        a = contacts.a[c]
        b = contacts.b[c]
        qa = quat_row(q, a)
        qb = quat_row(q, b)
        gap, n, p = feature_gap(
            contacts.kind_a[c],
            add(row(x, a), rotate(qa, row(contacts.point_a, c))),
            rotate(qa, row(contacts.dir_a, c)),
            contacts.circle_a[c],
            contacts.kind_b[c],
            add(row(x, b), rotate(qb, row(contacts.point_b, c))),
            rotate(qb, row(contacts.dir_b, c)),
            contacts.circle_b[c],
            contacts.round[c],
            row(contacts.normal, c),
        )
        contacts.gap[c] = gap
        put(contacts.normal, c, n)
        put(contacts.point, c, p)


def replay(take: Take) -> np.ndarray:
    """Distance (k,) m of the replayed centres of mass from the taped ones, the largest over bodies."""
    tape, model, p = take.tape, take.model, take.tape.params
    s = make_scratch(model, p)
    bodies = model.bodies
    state = copy_state(tape.state(0))
    error = np.zeros(tape.x.shape[0])
    for i in range(tape.steps):
        rows = tape.rows(i)
        s.count = rows.stop - rows.start
        while s.base.shape[0] < s.count:
            s.enlarge()
        contacts = s.contacts
        for name in Contacts._fields:
            getattr(contacts, name)[: s.count] = tape.contacts[name][rows]
        for name in ("hold", "impulse", "torque", "restitution", "forced", "friction", "rolling"):
            getattr(s.kick, name)[: s.count] = tape.contacts[name][rows]
        place_contacts(s.count, contacts, state.x, state.q)
        frames(s.count, contacts, state.x, bodies.size, s.kick)
        speeds_before(s.count, contacts, s.kick, state.q, bodies.inverse_inertia, state.v, state.l)
        after = State(*(np.empty_like(part) for part in state))
        link(s)
        free_flight(1.0, p, bodies.inverse_mass, tape.asleep[i], state.v, state.l, after.v, after.l)
        forward_kick(
            contacts, s.kick, s.islands, s.number, state.x, state.q, state.v, state.l, bodies, s.root, s.root_mass,
            s.rows, s.solver, s.base, p, after.v, after.l, s.other_spin,
        )  # fmt: skip
        fell_asleep = (tape.v[i + 1] == 0.0).all(1) & (tape.l[i + 1] == 0.0).all(1)
        after.v[fell_asleep] = 0.0
        after.l[fell_asleep] = 0.0
        if len(tape.outside_v):
            after.v[:] += tape.outside_v[i]
            after.l[:] += tape.outside_l[i]
        drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, p.dt, after.x, after.q, s.spin)
        state = after
        error[i + 1] = np.linalg.norm(state.x - tape.x[i + 1], axis=1).max(initial=0.0)
    return error
