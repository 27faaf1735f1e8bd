"""Coulomb's law of one contact without rolling rows, in closed form but for one angle.

    w = b + h z_n + T z_t        rows (normal, two tangents); h: response to the (folded) normal impulse

    open     z = 0                            b_n >= 0
    stick    w = 0                            |z_t| <= mu z_n
    slip     z_t = -mu z_n d, w_t = s d       unit d, s >= 0, w_n = 0

The slip direction d is a root of d x w_t(d) = 0 on the circle. For a ball (normal and tangents do not couple, both
tangents respond alike) it is the direction of b_t, which is where the search starts.
"""

from __future__ import annotations

import math

from engine.contact.law import disc_residual, normal_residual
from engine.jit import inline, kernel
from engine.vec import sine_cosine

MOST_TURNS = 40  # Newton steps of the slip direction: 2 to 6 but for eccentric hits with much friction
STARTS = 8  # directions to start from, evenly around the circle


@kernel
def _slip(z_n, d, b, h, t, mu):
    """Tangential velocity (w1, w2) when z_t = -mu z_n d; t = (n1, n2, 11, 12, 22) are the tangent responses."""
    return (
        b[1] + z_n * (h[1] - mu * (t[2] * d[0] + t[3] * d[1])),
        b[2] + z_n * (h[2] - mu * (t[3] * d[0] + t[4] * d[1])),
    )


@kernel
def _slip_direction(d, b, h, t, mu):
    """Newton on d x w_t(d) = 0 from d. Returns (found, d, z_n)."""
    z_n = 0.0
    for _ in range(MOST_TURNS):
        share = h[0] - mu * (t[0] * d[0] + t[1] * d[1])
        if share <= 0.0:
            return False, d, z_n
        z_n = -b[0] / share
        w = _slip(z_n, d, b, h, t, mu)
        off = d[0] * w[1] - d[1] * w[0]
        # Derivatives along the perpendicular e = (-d2, d1) of d.
        e = (-d[1], d[0])
        dz = z_n * mu * (t[0] * e[0] + t[1] * e[1]) / share
        dw1 = dz * (w[0] - b[1]) / z_n - z_n * mu * (t[2] * e[0] + t[3] * e[1])
        dw2 = dz * (w[1] - b[2]) / z_n - z_n * mu * (t[3] * e[0] + t[4] * e[1])
        slope = e[0] * w[1] - e[1] * w[0] + d[0] * dw2 - d[1] * dw1
        if slope == 0.0:
            return False, d, z_n
        turn = -off / slope
        if abs(turn) <= 1e-15:
            return d[0] * w[0] + d[1] * w[1] >= 0.0, d, z_n
        if abs(turn) > 0.5:
            turn = math.copysign(0.5, turn)
        length = math.sqrt(1.0 + turn * turn)
        d = ((d[0] + turn * e[0]) / length, (d[1] + turn * e[1]) / length)
    w = _slip(z_n, d, b, h, t, mu)
    return d[0] * w[0] + d[1] * w[1] >= 0.0, d, z_n


@inline
def lone_impulse(b, h, t, mu):
    """Impulse (n, t1, t2) in N s of a contact that obeys the law with friction mu; the caller checks the residual."""
    if b[0] >= 0.0:
        return 0.0, 0.0, 0.0
    if mu == 0.0:
        return -b[0] / h[0], 0.0, 0.0
    det = t[2] * t[4] - t[3] * t[3]
    r1 = (t[4] * t[0] - t[3] * t[1]) / det
    r2 = (t[2] * t[1] - t[3] * t[0]) / det
    z_n = -(b[0] - r1 * b[1] - r2 * b[2]) / (h[0] - r1 * h[1] - r2 * h[2])
    f1 = b[1] + h[1] * z_n
    f2 = b[2] + h[2] * z_n
    z1 = -(t[4] * f1 - t[3] * f2) / det
    z2 = -(t[2] * f2 - t[3] * f1) / det
    length = math.sqrt(z1 * z1 + z2 * z2)
    if z_n >= 0.0 and length <= mu * z_n:
        return z_n, z1, z2
    if length == 0.0:
        return 0.0, 0.0, 0.0
    d = (-z1 / length, -z2 / length)
    found, d, z_n = _slip_direction(d, b, h, t, mu)
    for start in range(STARTS):
        if found:
            break
        s, c = sine_cosine(2.0 * math.pi * start / STARTS)
        found, d, z_n = _slip_direction((c, s), b, h, t, mu)
    return z_n, -mu * z_n * d[0], -mu * z_n * d[1]


@kernel
def lone_residual(z, b, h, t, mu, painleve_share, frictionless):
    """The law's residual of z, m/s, with the same scales as rows.own_responses; infinite when not a number."""
    w = (
        b[0] + h[0] * z[0] + t[0] * z[1] + t[1] * z[2],
        b[1] + h[1] * z[0] + t[2] * z[1] + t[3] * z[2],
        b[2] + h[2] * z[0] + t[3] * z[1] + t[4] * z[2],
    )
    an = max(h[0], painleve_share * frictionless)
    at = 0.5 * (t[2] + t[4]) + math.sqrt(0.25 * (t[2] - t[4]) ** 2 + t[3] * t[3])
    r = max(normal_residual(z[0], w[0], an), disc_residual(z[1], z[2], w[1], w[2], mu * max(z[0], 0.0), at))
    return r if math.isfinite(r) and math.isfinite(w[0] + z[0]) else math.inf
