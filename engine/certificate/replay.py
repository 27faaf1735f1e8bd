"""Closed-loop replay: step a tape forward again from its first state with its contact sets, coefficients and impulses.

Only the releases are taken from the tape: of every body the first state in which physics has it, which is that of the
take where nobody was let go later. Every other state comes from the step before. Contacts are where they were
recorded (placing them anew would let rounding grow with the chaos of the motion). Recorded impulses are used while they
obey the law at the state reached to the certificate's tolerance (or never claimed to, tier ASSISTED); otherwise the
island is solved again from them.
"""

from __future__ import annotations

import numpy as np

from engine.certificate.joint_check import load_joints
from engine.contact.kick import frames, predict, speeds_before
from engine.contact.tiers import ASSISTED
from engine.jit import inline, kernel
from engine.joint.limits import limit_speeds
from engine.kick.forward import forward_kick
from engine.model.arrays import copy_state
from engine.model.states import copy_body, move_state
from engine.status import CONTACTS_FULL
from engine.step.drift import drift
from engine.step.scratch import enlarge, holding, make_scratch
from engine.step.stages import free_flight, link
from engine.tape.take import Take
from engine.tape.tape import recall_contacts
from engine.vec import norm, row, sub


@inline
def _come_to_rest(states, k, after):
    """Bodies that the tape puts to sleep here lose the last of their momentum."""
    for body in range(after.v.shape[0]):
        still = True
        for i in range(3):
            still = still and states.v[k, body, i] == 0.0 and states.l[k, body, i] == 0.0
        if still:
            for i in range(3):
                after.v[body, i] = 0.0
                after.l[body, i] = 0.0


@inline
def _accepted(recorded, step, params):
    """To what relative residual recorded impulses are used: to any where they never claimed to obey the law."""
    accepted = params.certificate_tolerance
    for c in range(recorded.start[step], recorded.start[step + 1]):
        if recorded.tier[c] == ASSISTED:
            accepted = np.inf
    for j in range(recorded.joints.limit_tier.shape[1]):
        if recorded.joints.limit_tier[step, j] == ASSISTED:
            accepted = np.inf
    return accepted


@inline
def _let_go(recorded, step, state):
    """Whom physics takes over in this step."""
    for body in range(state.x.shape[0]):
        if step == recorded.release[body]:
            for i in range(3):
                state.x[body, i] = recorded.states.x[step, body, i]
                state.v[body, i] = recorded.states.v[step, body, i]
                state.l[body, i] = recorded.states.l[step, body, i]
            for i in range(4):
                state.q[body, i] = recorded.states.q[step, body, i]


@inline
def _fix(s, full, recorded, step):
    """Nothing moves who sleeps, or is in a hand."""
    for body in range(s.root_mass.shape[0]):
        share = 0.0 if recorded.asleep[step, body] or step < recorded.release[body] else 1.0
        s.root_mass[body] = share * full.root_mass[body]
        s.bodies.inverse_mass[body] = share * full.bodies.inverse_mass[body]
        for i in range(3):
            for j in range(3):
                s.root[body, i, j] = share * full.root[body, i, j]
                s.bodies.inverse_inertia[body, i, j] = share * full.bodies.inverse_inertia[body, i, j]


@inline
def _keep_in_hand(recorded, step, state, after):
    """Whoever is in a hand stays as it is."""
    for body in range(state.x.shape[0]):
        if step < recorded.release[body]:
            for i in range(3):
                state.v[body, i] = 0.0
                state.l[body, i] = 0.0
            copy_body(state, body, after, body)


@inline
def _undone(damping, params):
    """The share of a momentum that its damping took on the way back."""
    return damping * params.dt / (1.0 - damping * params.dt)


@kernel
def replay_steps(s, full, params, damping, linear_damping, first, last, recorded, state, after, error):
    """Steps first .. last of a block from `state`, which moves along. Returns (next step to do, status). full: the
    scratch with every body's own mass; s has masses of its own."""
    bodies, states, asleep = s.bodies, recorded.states, recorded.asleep
    jointed = recorded.joints.limit_side.shape[1] > 0
    for step in range(first, last):
        _let_go(recorded, step, state)
        _fix(s, full, recorded, step)
        recall_contacts(recorded, step, s)
        frames(s, state.x)
        predict(s, params)
        speeds_before(s, params, state, state)
        if jointed:
            load_joints(s, step, recorded.joints, state)
            limit_speeds(s, -params.dt, state, state, s.kick.before)
        status = link(s, asleep[step])
        if status != 0:
            return step, status
        free_flight(1.0, params, bodies.inverse_mass, asleep[step], state.v, state.l, after.v, after.l)
        forward_kick(s, params, _accepted(recorded, step, params), state, state, after)
        _come_to_rest(states, step + 1, after)
        turning, speed = _undone(damping, params), _undone(linear_damping, params)
        for body in range(after.v.shape[0]):
            for k in range(3):
                after.v[body, k] += speed * state.v[body, k]
                after.l[body, k] += turning * state.l[body, k]
        drift(state.x, state.q, after.v, after.l, bodies.inverse_inertia, params.dt, after.x, after.q, s.spin)
        _keep_in_hand(recorded, step, state, after)
        worst = 0.0
        for body in range(after.v.shape[0]):
            if step >= recorded.release[body]:
                worst = max(worst, norm(sub(row(after.x, body), row(states.x[step + 1], body))))
        move_state(after, state)
        error[step] = worst
    return last, 0


def replay(take: Take) -> np.ndarray:
    """Distance (k,) m of the replayed centres of mass from the taped ones, the largest over bodies."""
    tape, model = take.tape, take.model
    full = make_scratch(model)
    s = holding(full, np.ones(len(model.names), bool))
    state = copy_state(tape.state(0))
    after = copy_state(state)
    error = np.zeros(tape.steps + 1)
    damping = tape.damping, tape.linear_damping
    for opened in tape.opened():
        while len(s.base) < max(np.diff(opened.start), default=0) + 2 * len(model.joints.kind):
            s = enlarge(s, CONTACTS_FULL)
        recorded, found = opened.recorded(), np.zeros(opened.block.steps)
        done = 0
        while done < opened.block.steps:
            done, status = replay_steps(
                s, full, tape.params, *damping, done, opened.block.steps, recorded, state, after, found
            )
            if status:
                s = enlarge(s, status)
        error[opened.first + 1 : opened.first + opened.block.steps + 1] = found
    return error
