"""Drift: bodies move freely for one step. Lie midpoint, its own inverse under h -> -h.

    x' = x + h v,    q' = exp(h w) q,    w = I(exp(h w / 2) q)^-1 L

Because the midpoint of the step from q to q' is the midpoint of the step back, drift(-h) undoes drift(h) with the same
code, to rounding. (Explicit Lie-Euler, w = I(q)^-1 L, gained a third of its energy in 5 s and inverts badly.)
"""

from __future__ import annotations

from engine.jit import standalone
from engine.spin import midpoint_spin
from engine.vec import axpy, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale


@standalone
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
