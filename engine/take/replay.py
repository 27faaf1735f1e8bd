"""Closed-loop replay: step a tape forward again from its first state with its contact sets, coefficients and impulses.

Only the first state is taken from the tape; every later one comes from the step before. Contacts are where they were
recorded (placing them anew would let rounding grow with the chaos of the motion). Recorded impulses are used while they
obey the law at the state reached to the certificate's tolerance (or never claimed to, tier ASSISTED); otherwise the
island is solved again from them.
"""

from __future__ import annotations

import numpy as np

from engine.contact.forward_kick import forward_kick
from engine.contact.kick import frames, speeds_before
from engine.contact.tiers import ASSISTED
from engine.model.arrays import Contacts, State, copy_state
from engine.step.drift import drift
from engine.step.scratch import make_scratch
from engine.step.stage_kernels import free_flight
from engine.step.stages import link
from engine.take.take import Take


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
        frames(s.count, contacts, state.x, bodies.size, s.kick)
        speeds_before(s.count, contacts, s.kick, state.x, state.q, bodies.inverse_inertia, state.v, state.l, p.dt,
                      s.other_spin)  # fmt: skip
        after = State(*(np.empty_like(part) for part in state))
        assisted = (tape.contacts["tier"][rows] == ASSISTED).any()
        accepted = np.inf if assisted else p.certificate_tolerance
        link(s)
        free_flight(1.0, p, bodies.inverse_mass, tape.asleep[i], state.v, state.l, after.v, after.l)
        forward_kick(
            contacts, s.kick, s.islands, s.number, state.x, state.q, state.v, state.l, bodies, s.root, s.root_mass,
            s.rows, s.solver, s.base, p, accepted, after.v, after.l, s.other_spin,
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
