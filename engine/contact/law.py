"""The contact law, the one source of truth of the forward kick, the backward kick and the certificate.

For one contact with impulse z = (normal, tangents, rolling) and velocities w after the kick:

    normal    0 <= z_n   perp   w_n >= 0       w_n = V_n+ + restitution * v_n-   when it bounces, else V_n+ + closing
    friction  |z_t| <= mu z_n,       z_t opposes w_t at its bound when w_t is not zero       (a true cone)
    rolling   |z_r| <= rolling z_n,  z_r opposes w_r at its bound when w_r is not zero

V_n+ is the secant of the gap over the step that follows, v_n- that over the step that led here. It bounces when
v_n- < -bounce speed and closing + v_n- + pull < 0. There are two landing laws (Params.landing):

    CAUGHT      contacts have gap <= slop; closing = pull = 0: what comes fast bounces where it is, the rest stops there
    PREDICTED   contacts are features that can meet within the step; closing = gap/dt, pull = gravity's share of V_n+:
                what would pass the surface bounces before it does, the rest touches at the end of the step

so under PREDICTED no gap becomes negative, and a body comes to rest with every gap zero, the pose an artist places. At
gap zero the two are the same law. The law holds exactly when z is a fixed point of the projection below, so the size of
z - Pi(z - w/a), times a, is a residual in m/s (the natural map); it needs no solver, only the recorded impulse and the
velocities.
"""

from __future__ import annotations

import math

from engine.jit import inline, kernel

LEAST_RESTITUTION = 1e-2  # a material that does not bounce cannot explain a bounce; keeps 1/restitution finite


@kernel
def normal_bias(v_before, restitution, bounce_speed, closing, pull):
    """Term added to V_n+ in the normal law, m/s: restitution * v_n- for a bounce, else the closing speed."""
    bounces = v_before < -bounce_speed and closing + v_before + pull < 0.0 and restitution > 0.0
    return restitution * v_before if bounces else closing


@kernel
def ball_factor(length, bound):
    """Factor that brings a vector of this length into the ball of radius `bound` (the zero vector stays)."""
    return bound / length if length > bound else 1.0


@kernel
def normal_residual(z, w, response):
    """Natural map of the normal row, m/s."""
    moved = max(0.0, z - w / response)
    return response * abs(moved - z)


@kernel
def disc_residual(z1, z2, w1, w2, bound, response):
    """Natural map of the friction rows, m/s."""
    m1 = z1 - w1 / response
    m2 = z2 - w2 / response
    f = ball_factor(math.sqrt(m1 * m1 + m2 * m2), bound)
    return response * math.sqrt((f * m1 - z1) ** 2 + (f * m2 - z2) ** 2)


@kernel
def ball_residual(z1, z2, z3, w1, w2, w3, bound, response):
    """Natural map of the rolling rows, m/s."""
    m1 = z1 - w1 / response
    m2 = z2 - w2 / response
    m3 = z3 - w3 / response
    f = ball_factor(math.sqrt(m1 * m1 + m2 * m2 + m3 * m3), bound)
    return response * math.sqrt((f * m1 - z1) ** 2 + (f * m2 - z2) ** 2 + (f * m3 - z3) ** 2)


@kernel
def law_residual(rows, width, z, w):
    """Largest residual of the law over an island, m/s; infinite when anything is not a number."""
    worst = 0.0
    for c in range(rows.count[0]):
        support = max(z[c, 0], 0.0)
        r = normal_residual(z[c, 0], w[c, 0], rows.an[c])
        r = max(r, disc_residual(z[c, 1], z[c, 2], w[c, 1], w[c, 2], rows.mu[c] * support, rows.at[c]))
        if width == 6:
            r = max(
                r,
                ball_residual(
                    z[c, 3], z[c, 4], z[c, 5], w[c, 3], w[c, 4], w[c, 5], rows.rolling[c] * support, rows.ar[c]
                ),
            )
        if not math.isfinite(r) or not math.isfinite(w[c, 0] + z[c, 0]):
            return math.inf
        worst = max(worst, r)
    return worst


@inline
def _project_disc(p, derivative, c, step, bound, slope, normal_step, out):
    """Project p = (p1, p2) on the disc of radius `bound` = slope * p_n; write the rows 1, 2 of the derivative."""
    length = math.sqrt(p[0] * p[0] + p[1] * p[1])
    if length <= bound:
        out[c, 1] = p[0]
        out[c, 2] = p[1]
        derivative[c, 1, 1] = step
        derivative[c, 2, 2] = step
        return
    d1 = p[0] / length
    d2 = p[1] / length
    out[c, 1] = bound * d1
    out[c, 2] = bound * d2
    f = step * bound / length
    derivative[c, 1, 0] = slope * normal_step * d1
    derivative[c, 2, 0] = slope * normal_step * d2
    derivative[c, 1, 1] = f * (1.0 - d1 * d1)
    derivative[c, 1, 2] = -f * d1 * d2
    derivative[c, 2, 1] = -f * d1 * d2
    derivative[c, 2, 2] = f * (1.0 - d2 * d2)


@inline
def _project_ball(p, derivative, c, step, bound, slope, normal_step, out):
    """The same for the rolling rows 3, 4, 5."""
    length = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
    inside = length <= bound
    f = 1.0 if inside else bound / length
    for i in range(3):
        out[c, 3 + i] = f * p[i]
        derivative[c, 3 + i, 3 + i] = step * f
        if not inside:
            derivative[c, 3 + i, 0] = slope * normal_step * p[i] / length
            for j in range(3):
                derivative[c, 3 + i, 3 + j] -= step * f * (p[i] / length) * (p[j] / length)


@inline
def project(rows, width, z, w, sigma, out, derivative):
    """out = Pi(z - S w) with S = sigma/(an, at, ar) and derivative = dPi S (C, 6, 6), the matrix D of Newton's step.

    The radius of disc and ball is that of the *projected* normal impulse (Alart-Curnier), so it moves with it."""
    for c in range(rows.count[0]):
        for i in range(width):
            out[c, i] = 0.0
            for j in range(width):
                derivative[c, i, j] = 0.0
        sn = sigma / rows.an[c]
        pn = z[c, 0] - sn * w[c, 0]
        if pn <= 0.0:
            continue
        out[c, 0] = pn
        derivative[c, 0, 0] = sn
        if rows.mu[c] > 0.0:
            st = sigma / rows.at[c]
            p = (z[c, 1] - st * w[c, 1], z[c, 2] - st * w[c, 2])
            _project_disc(p, derivative, c, st, rows.mu[c] * pn, rows.mu[c], sn, out)
        if width == 6 and rows.rolling[c] > 0.0:
            sr = sigma / rows.ar[c]
            p3 = (z[c, 3] - sr * w[c, 3], z[c, 4] - sr * w[c, 4], z[c, 5] - sr * w[c, 5])
            _project_ball(p3, derivative, c, sr, rows.rolling[c] * pn, rows.rolling[c], sn, out)
