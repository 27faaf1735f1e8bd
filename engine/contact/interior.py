"""Interior point start for an island solve: the convex relaxation of the contact law, without rolling rows.

Primal-dual with Nesterov-Todd scaling on second-order cones. Per contact Z = (mu z_n, z_t) and W = (w_n / mu, w_t) lie
in the cone {|x_t| <= x_0}; a contact without friction is the same with its tangents held at zero. With the scaling
Theta (Theta Z = Theta^-1 W = lambda) a Newton step is, for the matrix D = Theta^-2,

    (I + H^T D G) dy = H^T D q,    dz = D (q - G dy),    q = Theta (lambda \\ r) + (1 - sigma) (W - w(z))

so it uses the same block factorisation as newton.py. The relaxation drops the De Saxce term (mu |w_t| added to w_n):
where contacts slide it is only near the answer, hence the hand-over. Its answer is the analytic centre: every resting
corner carries load, which gives the right active set and does not depend on the order of contacts.
"""

from __future__ import annotations

import math

import numpy as np

from engine.contact.blocks import assemble, factor, solve
from engine.contact.rows import contact_velocities, row_velocity, velocities_of_impulses
from engine.jit import inline, kernel, standalone
from engine.record import Record

BACK_OFF = 0.97  # share of the way to the cone's boundary taken in a step
INFEASIBLE = 0.03  # infeasibility, as a share of sqrt(gap), at which the normal equations have lost it: hand over
MOST_ITERATIONS = 40


class InteriorWork(Record):
    """Work arrays: N bodies, C contacts; columns are the three rows of a contact."""

    z: np.ndarray  # (C, 6)        impulses in contact units (as Rows.z)
    cone_z: np.ndarray  # (C, 3)   Z
    cone_w: np.ndarray  # (C, 3)   W
    before: np.ndarray  # (C, 3)   Z of the previous iterate
    off: np.ndarray  # (C, 3)      W - w(z), infeasibility
    axis: np.ndarray  # (C, 3)     Theta = eta * (boost along axis)
    eta: np.ndarray  # (C,)
    lam: np.ndarray  # (C, 3)
    det: np.ndarray  # (C,)        det(lambda), computed without cancellation
    second: np.ndarray  # (C, 3)   Mehrotra's second-order term (Theta dZ) o (Theta^-1 dW)
    step_z: np.ndarray  # (C, 3)
    step_w: np.ndarray  # (C, 3)
    q: np.ndarray  # (C, 6)
    t: np.ndarray  # (C, 6)
    w: np.ndarray  # (C, 6)
    d: np.ndarray  # (C, 6, 6)
    y: np.ndarray  # (N, 6)
    f: np.ndarray  # (N, 6)
    dy: np.ndarray  # (N, 6)


def empty_interior(bodies: int, contacts: int) -> InteriorWork:
    n, m = max(bodies, 1), max(contacts, 1)
    shapes = {"eta": (m,), "det": (m,), "d": (m, 6, 6), "y": (n, 6), "f": (n, 6), "dy": (n, 6)}
    shapes |= {name: (m, 6) for name in ("z", "q", "t", "w")}
    return InteriorWork(*(np.zeros(shapes.get(name, (m, 3))) for name in InteriorWork._fields))


@kernel
def _boost(v, x):
    """The unit-determinant part of Theta applied to x."""
    along = v[1] * x[1] + v[2] * x[2]
    f = x[0] + along / (1.0 + v[0])
    return v[0] * x[0] + along, x[1] + f * v[1], x[2] + f * v[2]


@kernel
def _three(array, c):
    return array[c, 0], array[c, 1], array[c, 2]


@kernel
def _to_boundary(x, d):
    """Largest t with x + t d in the cone (x inside)."""
    x_t = math.sqrt(x[1] * x[1] + x[2] * x[2])
    d_t = math.sqrt(d[1] * d[1] + d[2] * d[2])
    a = (d[0] - d_t) * (d[0] + d_t)
    b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2]
    c = (x[0] - x_t) * (x[0] + x_t)
    t = 1e30
    if d[0] < 0.0:
        t = -x[0] / d[0]
    root = b * b - a * c
    if a == 0.0:
        if b < 0.0:
            t = min(t, -0.5 * c / b)
    elif root >= 0.0:
        s = -(b + math.copysign(math.sqrt(root), b))
        if s / a > 0.0:
            t = min(t, s / a)
        if s != 0.0 and c / s > 0.0:
            t = min(t, c / s)
    return t


@kernel
def _slope(rows, c):
    return rows.mu[c] if rows.mu[c] > 0.0 else 1.0


@inline
def _begin(rows, speed, work):
    """A start well inside the cones: impulses that would stop `speed`, velocities of that size."""
    for c in range(rows.count[0]):
        slope = _slope(rows, c)
        for k in range(3):
            work.cone_z[c, k] = 0.0
            work.cone_w[c, k] = 0.0
        work.cone_z[c, 0] = 5.0 * slope * speed / max(rows.an[c], rows.at[c])
        work.cone_w[c, 0] = 2.0 * speed / slope


@inline
def _measure(rows, n, work):
    """Infeasibility and complementarity of the iterate: (largest |W - w|, mean Z.W, largest Z.W in (m/s)^2)."""
    m = rows.count[0]
    for c in range(m):
        work.z[c, 0] = work.cone_z[c, 0] / _slope(rows, c)
        work.z[c, 1] = work.cone_z[c, 1]
        work.z[c, 2] = work.cone_z[c, 2]
    for i in range(n):
        for k in range(6):
            work.y[i, k] = 0.0
    velocities_of_impulses(rows, 3, work.z, work.y)
    contact_velocities(rows, 3, work.y, work.w)
    infeasible = 0.0
    mean = 0.0
    largest = 0.0
    for c in range(m):
        slope = _slope(rows, c)
        work.off[c, 0] = work.cone_w[c, 0] - work.w[c, 0] / slope
        infeasible = max(infeasible, slope * abs(work.off[c, 0]))
        product = work.cone_w[c, 0] * work.cone_z[c, 0]
        for k in range(1, 3):
            work.off[c, k] = 0.0
            if rows.mu[c] > 0.0:
                work.off[c, k] = work.cone_w[c, k] - work.w[c, k]
                infeasible = max(infeasible, abs(work.off[c, k]))
                product += work.cone_w[c, k] * work.cone_z[c, k]
        mean += product
        largest = max(largest, product * max(rows.an[c], rows.at[c]))
    return infeasible, mean / m, largest


@inline
def _scale(rows, work):
    """Nesterov-Todd scaling of every contact; D = Theta^-2 in contact units."""
    for c in range(rows.count[0]):
        z = _three(work.cone_z, c)
        w = _three(work.cone_w, c)
        z_t = math.sqrt(z[1] * z[1] + z[2] * z[2])
        w_t = math.sqrt(w[1] * w[1] + w[2] * w[2])
        z_det = math.sqrt(max((z[0] - z_t) * (z[0] + z_t), 1e-300))
        w_det = math.sqrt(max((w[0] - w_t) * (w[0] + w_t), 1e-300))
        cosine = (z[0] * w[0] + z[1] * w[1] + z[2] * w[2]) / (z_det * w_det)
        g = 2.0 * math.sqrt(0.5 * (1.0 + cosine))
        v = (
            (w[0] / w_det + z[0] / z_det) / g,
            (w[1] / w_det - z[1] / z_det) / g,
            (w[2] / w_det - z[2] / z_det) / g,
        )
        eta = math.sqrt(w_det / z_det)
        lam = _boost(v, z)
        work.eta[c] = eta
        work.det[c] = z_det * w_det
        for k in range(3):
            work.axis[c, k] = v[k]
            work.lam[c, k] = eta * lam[k]
        s = 1.0 / (eta * eta)
        u = (v[0], -v[1], -v[2])
        for i in range(3):
            for j in range(3):
                work.d[c, i, j] = s * 2.0 * u[i] * u[j]
        work.d[c, 0, 0] -= s
        work.d[c, 1, 1] += s
        work.d[c, 2, 2] += s
        slope = _slope(rows, c)
        work.d[c, 0, 0] /= slope * slope
        for k in range(1, 3):
            work.d[c, 0, k] /= slope
            work.d[c, k, 0] /= slope
            if rows.mu[c] <= 0.0:
                work.d[c, k, k] = 0.0


@kernel
def _direction(rows, n, sigma, mean, work, blocks):
    """Newton direction for centring sigma; uses work.second (zero in the predictor)."""
    m = rows.count[0]
    for c in range(m):
        lam = _three(work.lam, c)
        r0 = sigma * mean - (lam[0] * lam[0] + lam[1] * lam[1] + lam[2] * lam[2]) - work.second[c, 0]
        r1 = -2.0 * lam[0] * lam[1] - work.second[c, 1]
        r2 = -2.0 * lam[0] * lam[2] - work.second[c, 2]
        s0 = (lam[0] * r0 - lam[1] * r1 - lam[2] * r2) / work.det[c]
        s = _boost(_three(work.axis, c), (s0, (r1 - lam[1] * s0) / lam[0], (r2 - lam[2] * s0) / lam[0]))
        slope = _slope(rows, c)
        for k in range(3):
            work.q[c, k] = work.eta[c] * s[k] + (1.0 - sigma) * work.off[c, k]
        work.q[c, 0] *= slope
        for i in range(3):
            work.t[c, i] = (
                work.d[c, i, 0] * work.q[c, 0] + work.d[c, i, 1] * work.q[c, 1] + work.d[c, i, 2] * work.q[c, 2]
            )
    for i in range(n):
        for k in range(6):
            work.f[i, k] = 0.0
    velocities_of_impulses(rows, 3, work.t, work.f)
    solve(n, blocks, work.f, work.dy)
    longest = 1e30
    for c in range(m):
        slope = _slope(rows, c)
        g0 = row_velocity(rows, c, 0, work.dy)
        g1 = row_velocity(rows, c, 1, work.dy)
        g2 = row_velocity(rows, c, 2, work.dy)
        for i in range(3):
            work.step_z[c, i] = work.t[c, i] - (work.d[c, i, 0] * g0 + work.d[c, i, 1] * g1 + work.d[c, i, 2] * g2)
        work.step_z[c, 0] *= slope
        work.step_w[c, 0] = g0 / slope - (1.0 - sigma) * work.off[c, 0]
        work.step_w[c, 1] = g1 - (1.0 - sigma) * work.off[c, 1]
        work.step_w[c, 2] = g2 - (1.0 - sigma) * work.off[c, 2]
        if rows.mu[c] <= 0.0:
            for k in range(1, 3):
                work.step_z[c, k] = 0.0
                work.step_w[c, k] = 0.0
        longest = min(longest, _to_boundary(_three(work.cone_z, c), _three(work.step_z, c)))
        longest = min(longest, _to_boundary(_three(work.cone_w, c), _three(work.step_w, c)))
    return longest


@inline
def _second_order(rows, work):
    """work.second = (Theta dZ) o (Theta^-1 dW) of the predictor."""
    for c in range(rows.count[0]):
        v = _three(work.axis, c)
        a = _boost(v, _three(work.step_z, c))
        b = _boost((v[0], -v[1], -v[2]), _three(work.step_w, c))
        work.second[c, 0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
        work.second[c, 1] = a[0] * b[1] + b[0] * a[1]
        work.second[c, 2] = a[0] * b[2] + b[0] * a[2]


@standalone
def interior_point(rows, n, accuracy, z, work, blocks):
    """Solve the relaxation to `accuracy` (relative) as far as it goes; z receives the impulses. Returns iterations."""
    m = rows.count[0]
    speed = 1e-12
    for c in range(m):
        for k in range(3):
            speed = max(speed, abs(rows.rhs[c, k]))
    accuracy *= speed
    _begin(rows, speed, work)
    iterations = 0
    for iteration in range(MOST_ITERATIONS):
        iterations = iteration
        infeasible, mean, largest = _measure(rows, n, work)
        if not math.isfinite(infeasible + mean):
            break
        gap = math.sqrt(max(largest, 0.0))
        if gap < accuracy and infeasible < max(1e-3 * accuracy, 1e-2 * gap):
            break
        if iteration > 4 and infeasible > INFEASIBLE * gap:
            for c in range(m):
                for k in range(3):
                    work.cone_z[c, k] = work.before[c, k]
            break
        for c in range(m):
            for k in range(3):
                work.before[c, k] = work.cone_z[c, k]
                work.second[c, k] = 0.0
        _scale(rows, work)
        assemble(rows, 3, n, work.d, blocks)
        factor(n, blocks)
        affine = min(1.0, _direction(rows, n, 0.0, mean, work, blocks))
        _second_order(rows, work)
        length = _direction(rows, n, max((1.0 - affine) ** 3, 1e-6), mean, work, blocks)
        length = min(1.0, BACK_OFF * length)
        if not math.isfinite(length) or length < 1e-6:
            break
        for c in range(m):
            for k in range(3):
                work.cone_z[c, k] += length * work.step_z[c, k]
                work.cone_w[c, k] += length * work.step_w[c, k]
    for c in range(m):
        z[c, 0] = work.cone_z[c, 0] / _slope(rows, c)
        z[c, 1] = work.cone_z[c, 1]
        z[c, 2] = work.cone_z[c, 2]
    return iterations
