"""Angular velocity from angular momentum: at an instant, and the constant one of a whole step.

A step of signed length h turns a body by exp(h w) with the *midpoint* spin

    w = I(exp(h w / 2) q)^-1 L

which is implicit; a fixed point iteration with contraction ~ h|w|/2 finds it.
"""

from __future__ import annotations

from engine.jit import kernel
from engine.vec import add, quat_exp, quat_mul, quat_unit, rotate, rotate_back, scale

MOST_ITERATIONS = 60


@kernel
def is_round(inverse_inertia, body):
    """Do all axes have the same moment of inertia (balls, cubes)? Such a body spins the way its momentum points."""
    first = inverse_inertia[body, 0, 0]
    return (
        first == inverse_inertia[body, 1, 1]
        and first == inverse_inertia[body, 2, 2]
        and inverse_inertia[body, 0, 1] == 0.0
        and inverse_inertia[body, 0, 2] == 0.0
        and inverse_inertia[body, 1, 2] == 0.0
    )


@kernel
def spin_of(q, inverse_inertia, body, momentum):
    """Angular velocity (world, rad/s) of the body with orientation q and angular momentum `momentum`."""
    if is_round(inverse_inertia, body):
        return scale(inverse_inertia[body, 0, 0], momentum)
    b = rotate_back(q, momentum)
    w = (
        inverse_inertia[body, 0, 0] * b[0] + inverse_inertia[body, 0, 1] * b[1] + inverse_inertia[body, 0, 2] * b[2],
        inverse_inertia[body, 1, 0] * b[0] + inverse_inertia[body, 1, 1] * b[1] + inverse_inertia[body, 1, 2] * b[2],
        inverse_inertia[body, 2, 0] * b[0] + inverse_inertia[body, 2, 1] * b[1] + inverse_inertia[body, 2, 2] * b[2],
    )
    return rotate(q, w)


@kernel
def velocity_at(v, w, r):
    """Velocity (m/s) of the material point at offset r from the centre of mass."""
    return add(v, (w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]))


@kernel
def midpoint_spin(q, inverse_inertia, body, momentum, h):
    """The constant angular velocity of one step of signed length h (s); see the module docstring."""
    w = spin_of(q, inverse_inertia, body, momentum)
    if is_round(inverse_inertia, body):
        return w
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
