"""Drift: bodies move freely for one step. Lie midpoint, its own inverse under h -> -h.

    x' = x + h v,    q' = exp(h w) q,    w = I(exp(h w / 2) q)^-1 L

The midpoint spin w is implicit; a fixed point iteration with contraction ~ h|w|/2 finds it. Because the midpoint
of the step from q to q' is the midpoint of the step back, drift(-h) undoes drift(h) with the same code, to rounding.
(Explicit Lie-Euler, w = I(q)^-1 L, gained a third of its energy in 5 s and inverts badly.)
"""

from __future__ import annotations

from engine.jit import kernel
from engine.vec import add, axpy, quat_exp, quat_mul, quat_put, quat_row, quat_unit, put, rotate, rotate_back, row, scale

MOST_ITERATIONS = 60


@kernel
def spin_of(q, inverse_inertia, body, momentum):
    """Angular velocity (world, rad/s) of the body with orientation q and angular momentum `momentum`."""
    b = rotate_back(q, momentum)
    w = (
        inverse_inertia[body, 0, 0] * b[0] + inverse_inertia[body, 0, 1] * b[1] + inverse_inertia[body, 0, 2] * b[2],
        inverse_inertia[body, 1, 0] * b[0] + inverse_inertia[body, 1, 1] * b[1] + inverse_inertia[body, 1, 2] * b[2],
        inverse_inertia[body, 2, 0] * b[0] + inverse_inertia[body, 2, 1] * b[1] + inverse_inertia[body, 2, 2] * b[2],
    )
    return rotate(q, w)


@kernel
def midpoint_spin(q, inverse_inertia, body, momentum, h):
    """The constant angular velocity of one step of signed length h (s); see the module docstring."""
    w = spin_of(q, inverse_inertia, body, momentum)
    previous = 1e300
    for iteration in range(MOST_ITERATIONS):
        half_way = quat_unit(quat_mul(quat_exp(scale(0.5 * h, w)), q))
        refined = spin_of(half_way, inverse_inertia, body, momentum)
        change = abs(refined[0] - w[0]) + abs(refined[1] - w[1]) + abs(refined[2] - w[2])
        size = abs(refined[0]) + abs(refined[1]) + abs(refined[2])
        w = refined
        # The change stagnates at rounding level, so an absolute test alone would never fire.
        if change <= 4e-16 * size or (iteration > 2 and change >= previous and change < 1e-13 * size):
            break
        previous = change
    return w


@kernel
def drift(x, q, v, l, inverse_inertia, h, x_out, q_out, spin):
    """Move every body by one step of signed length h. Writes poses and the midpoint spins (rad/s).

    A body without momentum keeps its pose bit for bit."""
    for body in range(x.shape[0]):
        momentum = row(l, body)
        put(x_out, body, axpy(h, row(v, body), row(x, body)))
        start = quat_row(q, body)
        if momentum[0] == 0.0 and momentum[1] == 0.0 and momentum[2] == 0.0:
            put(spin, body, (0.0, 0.0, 0.0))
            quat_put(q_out, body, start)
            continue
        w = midpoint_spin(start, inverse_inertia, body, momentum, h)
        put(spin, body, w)
        quat_put(q_out, body, quat_unit(quat_mul(quat_exp(scale(h, w)), start)))


@kernel
def velocity_at(v, w, r):
    """Velocity (m/s) of the material point at offset r from the centre of mass."""
    return add(v, (w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]))
