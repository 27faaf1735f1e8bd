"""Can the joints be followed? They must be closed, and no body may turn too far in one step: beyond that the equations
have other answers near by, and the wrong one would be found."""

from __future__ import annotations

from engine.jit import inline, standalone
from engine.joint.closure import closure_after
from engine.spin import spin_of
from engine.vec import norm, quat_row, row

MOST_TURN = 0.7  # rad in one step
WIDEST = 1e-10  # m


@inline
def turn_in_step(joints, j, side, inverse_inertia, q, l, dt):
    """rad in one step of one of joint j's bodies."""
    body = joints.a[j] if side == 0 else joints.b[j]
    return dt * norm(spin_of(quat_row(q, body), inverse_inertia, body, row(l, body)))


@standalone
def joint_health(linkage, inverse_inertia, state, h, dt):
    """(fastest-turning body with a joint, its turn in a step in rad; joint open by more than WIDEST or -1).

    h: signed length of the drift after which the joints must be closed, 0 for here."""
    joints = linkage.joints
    x, q, v, l = state.x, state.q, state.v, state.l
    body, most, opened = -1, 0.0, -1
    for j in range(joints.kind.shape[0]):
        for side in range(2):
            turn = turn_in_step(joints, j, side, inverse_inertia, q, l, dt)
            if not turn <= most:
                most = turn
                body = joints.a[j] if side == 0 else joints.b[j]
        error = closure_after(joints, j, x, q, inverse_inertia, v, l, h)
        for k in range(6):
            if not abs(error[k]) <= WIDEST:
                opened = j
    return body, most, opened
