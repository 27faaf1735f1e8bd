"""Closed-loop replay: step a tape forward again from its first state with its contact sets, coefficients and impulses.

Only the first state is taken from the tape; every later one comes from the step before. Contacts are where they were
recorded (placing them anew would let rounding grow with the chaos of the motion). Recorded impulses are used while they
obey the law at the state reached to the certificate's tolerance (or never claimed to, tier ASSISTED); otherwise the
island is solved again from them.
"""

from __future__ import annotations

import numpy as np

from engine.certificate.check import step_contacts
from engine.certificate.joint_check import load_joints
from engine.contact.forward_kick import forward_kick
from engine.contact.kick import frames, predict, speeds_before
from engine.contact.tiers import ASSISTED
from engine.jit import kernel
from engine.joint.forward import forward_joint_kick
from engine.joint.limits import limit_speeds
from engine.joint.linkage import copy_contacts
from engine.model.arrays import copy_state
from engine.status import CONTACTS_FULL
from engine.step.drift import drift
from engine.step.scratch import CONTACTS, ISLANDS, enlarge, make_scratch
from engine.step.stages import free_flight, link
from engine.tape.take import Take
from engine.vec import norm, row, sub


@kernel
def _load(kick, first, count, hold, forced, impulse, torque, restitution, friction, rolling):
    """Decisions and impulses of one step, from the tape's columns."""
    for c in range(count):
        i = first + c
        kick.hold[c] = hold[i]
        kick.forced[c] = forced[i]
        kick.restitution[c] = restitution[i]
        kick.friction[c] = friction[i]
        kick.rolling[c] = rolling[i]
        for k in range(3):
            kick.impulse[c, k] = impulse[i, k]
            kick.torque[c, k] = torque[i, k]


@kernel
def _come_to_rest(v_taped, l_taped, v, l):
    """Bodies that the tape puts to sleep here lose the last of their momentum."""
    for body in range(v.shape[0]):
        still = True
        for k in range(3):
            still = still and v_taped[body, k] == 0.0 and l_taped[body, k] == 0.0
        if still:
            for k in range(3):
                v[body, k] = 0.0
                l[body, k] = 0.0


@kernel
def replay_steps(s, params, damping, first, last, start, states, contacts, tier, columns, strip, asleep, state, after,
                 error):  # fmt: skip
    """Steps first .. last of a block from `state`, which moves along. Returns (next step to do, status)."""
    bodies, kick = s.bodies, s.kick
    for step in range(first, last):
        row_0 = start[step]
        count = start[step + 1] - row_0
        s.counts[CONTACTS] = count
        here = step_contacts(contacts, row_0, start[step + 1])
        jointed = strip.limit_side.shape[1] > 0
        if jointed:  # limits and joints stand behind the contacts: these go where there is room
            copy_contacts(here, count, s.contacts)
            here = s.contacts
        _load(kick, row_0, count, *columns)
        accepted = params.certificate_tolerance
        for c in range(row_0, start[step + 1]):
            if tier[c] == ASSISTED:
                accepted = np.inf
        for j in range(strip.limit_tier.shape[1]):
            if strip.limit_tier[step, j] == ASSISTED:
                accepted = np.inf
        frames(count, here, state.x, bodies.size, kick)
        predict(count, here, bodies.inverse_mass, params, kick)
        speeds_before(count, here, kick, state.x, state.q, bodies.inverse_inertia, state.v, state.l, params.dt,
                      s.other_spin)  # fmt: skip
        if jointed:
            load_joints(step, count, strip, s.linkage, here, kick, bodies.inverse_mass, state.x, state.q)
            limit_speeds(s.linkage, state.x, state.q, bodies.inverse_inertia, state.v, state.l, -params.dt, kick.before)
        status = link(s.counts, here, kick, bodies.inverse_mass, asleep[step], s.linkage, s.islands, s.rows, s.solver,
                      s.joint_work)  # fmt: skip
        if status != 0:
            return step, status
        free_flight(1.0, params, bodies.inverse_mass, asleep[step], state.v, state.l, after.v, after.l)
        forward_kick(
            here, kick, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, bodies, s.root, s.root_mass,
            s.rows, s.solver, s.base, params, accepted, after.v, after.l, s.other_spin,
        )  # fmt: skip
        if jointed:
            forward_joint_kick(
                here, kick, s.linkage, s.islands, s.counts[ISLANDS], state.x, state.q, state.v, state.l, bodies, s.root,
                s.root_mass, s.rows, s.joint_work, s.base, params, accepted, after.v, after.l, s.other_spin,
            )  # fmt: skip
        _come_to_rest(states.v[step + 1], states.l[step + 1], after.v, after.l)
        outside = damping * params.dt / (1.0 - damping * params.dt)
        worst = 0.0
        for body in range(after.v.shape[0]):
            for k in range(3):
                after.l[body, k] += outside * state.l[body, k]
        drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, params.dt, after.x, after.q, s.spin)
        for body in range(after.v.shape[0]):
            worst = max(worst, norm(sub(row(after.x, body), row(states.x[step + 1], body))))
            for k in range(3):
                state.x[body, k] = after.x[body, k]
                state.v[body, k] = after.v[body, k]
                state.l[body, k] = after.l[body, k]
            for k in range(4):
                state.q[body, k] = after.q[body, k]
        error[step] = worst
    return last, 0


def replay(take: Take) -> np.ndarray:
    """Distance (k,) m of the replayed centres of mass from the taped ones, the largest over bodies."""
    tape, model = take.tape, take.model
    s = make_scratch(model)
    state = copy_state(tape.state(0))
    after = copy_state(state)
    error = np.zeros(tape.steps + 1)
    for opened in tape.opened():
        while len(s.base) < max(np.diff(opened.start), default=0) + 2 * len(model.joints.kind):
            s = enlarge(s, CONTACTS_FULL)
        names = ("hold", "forced", "impulse", "torque", "restitution", "friction", "rolling")
        columns = tuple(opened.column(name) for name in names)
        found = np.zeros(opened.block.steps)
        done = 0
        while done < opened.block.steps:
            done, status = replay_steps(
                s, tape.params, tape.damping, done, opened.block.steps, opened.start, opened.states, opened.contacts,
                opened.column("tier"), columns, opened.joints, opened.asleep, state, after, found,
            )  # fmt: skip
            if status:
                s = enlarge(s, status)
        error[opened.first + 1 : opened.first + opened.block.steps + 1] = found
    return error
