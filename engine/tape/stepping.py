"""Many steps in one call: the compiled loops of a run, and the stage that records them."""

from __future__ import annotations

from engine.contact.energy import measure
from engine.contact.kick import CONTACTS, ISLANDS
from engine.jit import kernel
from engine.joint.health import MOST_TURN, joint_health
from engine.model.states import move_state
from engine.stages import BETWEEN, RECORD
from engine.status import DIVERGED, OPENED, OVERTURNED, REEL_FULL
from engine.step.backward import backward_step
from engine.step.forward import forward_step
from engine.step.stages import tick
from engine.tape.reel import has_room, record_contacts, record_joints, record_pushes, record_sleep


@kernel
def _record(s, params, sign, reel, step, state, reached):
    """Write the kick between two states; `state` is where the run was, `reached` where it got to. Returns a status."""
    count = s.counts[CONTACTS]
    if not has_room(reel, step, count, state.x.shape[0]):
        return REEL_FULL
    energy, _, fastest = measure(s.bodies, params, reached)
    if not fastest <= params.max_speed:
        return DIVERGED
    if s.linkage.joints.kind.shape[0] > 0:
        _, turn, opened = joint_health(
            s.linkage, s.bodies.inverse_inertia, reached, min(sign, 0.0) * params.dt, params.dt
        )
        if not turn <= MOST_TURN:
            return OVERTURNED
        if opened >= 0:
            return OPENED
    reel.energy[step] = energy
    record_contacts(reel, step, count, s.contacts, s.kick, s.tier)
    record_sleep(reel, step, count, s.contacts, s.asleep, state.v, state.l)
    if s.linkage.joints.kind.shape[0] > 0:
        record_joints(reel, step, s.linkage, s.counts[ISLANDS], s.contacts, s.kick, s.tier)
    record_pushes(reel, step, sign, params, s.bodies.inverse_mass, state.v, state.l, reached.v, reached.l)
    tick(s.clock, RECORD)
    return 0


@kernel
def _wake_all(asleep):
    for body in range(asleep.shape[0]):
        asleep[body] = False


@kernel
def backward_steps(s, plan, params, reel, first, last, pending, done, sleep, state, before):
    """Steps first .. last of a block, backward from `state`, which moves along; `done` steps came before the block.

    Returns (next step to do, status). With REEL_FULL the next step is done and waits in `before` to be recorded: make
    room and call again with `pending`."""
    tick(s.clock, BETWEEN)
    for step in range(first, last):
        if not pending:
            if not sleep:
                _wake_all(s.asleep)
            status, residual, _ = backward_step(s, plan, (done + step + 1) * params.dt, params, state, before)
            if status != 0:
                return step, status
            reel.residual[step] = residual
        pending = False
        status = _record(s, params, -1.0, reel, step, state, before)
        if status != 0:
            return step, status
        move_state(before, state)
    return last, 0


@kernel
def forward_steps(s, params, reel, first, last, pending, sleep, patched, came_from, state, after):
    """Steps first .. last of a block, forward from `state`, which moves along with `came_from`, the state before it.

    Returns (next step to do, status), as backward_steps does."""
    tick(s.clock, BETWEEN)
    for step in range(first, last):
        if not pending:
            if not sleep:
                _wake_all(s.asleep)
            status, residual = forward_step(s, params, came_from, state, after, patched)
            if status != 0:
                return step, status
            reel.residual[step] = residual
        pending = False
        status = _record(s, params, 1.0, reel, step, state, after)
        if status != 0:
            return step, status
        move_state(state, came_from)
        move_state(after, state)
    return last, 0
