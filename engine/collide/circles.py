"""Normals between circles and lines or circles: safeguarded Newton for the maximum of the separation s(n).

s(n) = n.delta - sum of r_i |n x k_i| on unit normals n. With m_i = n - (n.k_i) k_i and the circle's tangent
t_i = k_i x m_i/|m_i| at its extreme point, the gradient is delta - sum r_i m_i/|m_i| and the Hessian on the
sphere is -sum (r_i/|m_i|) t_i t_i' - s I: negative definite at a contact whose tangents are not parallel.
"""

from __future__ import annotations

import math

from engine.jit import kernel
from engine.vec import any_perpendicular, axpy, cross, dot, norm, scale, sub, unit

NEWTON_STEPS = 60
LONGEST_TURN = 0.3  # radians a Newton step may turn the normal
CONVERGED = 1e-8  # a Newton step this short leaves an error of its square
SHORT = 1e-5  # steps below this are taken as they are: s no longer shows whether they gain


@kernel
def circle_line_normal(delta, k, r, d, n_guess):
    """The normal n perpendicular to the line direction d that maximises n.delta - r |n x k|, next to n_guess."""
    n = axpy(-dot(n_guess, d), d, n_guess)
    if norm(n) < 1e-12:
        n = any_perpendicular(d)
    n = unit(n)
    best = dot(n, delta) - r * norm(cross(n, k))
    longest = LONGEST_TURN
    for _ in range(NEWTON_STEPS):
        e = cross(d, n)
        m = axpy(-dot(n, k), k, n)
        length = max(norm(m), 1e-300)
        te = dot(cross(k, m), e) / length
        slope = dot(e, delta) - r * dot(e, m) / length
        bend = -r * te * te / length - best
        turn = -slope / bend if bend < 0.0 else math.copysign(longest, slope)
        if slope == 0.0:
            turn = 0.0
        turn = min(max(turn, -longest), longest)
        trial = unit(axpy(turn, e, n))
        trial = unit(axpy(-dot(trial, d), d, trial))
        value = dot(trial, delta) - r * norm(cross(trial, k))
        if abs(turn) < CONVERGED:
            return trial
        if value >= best or abs(turn) < SHORT and bend < 0.0:
            n, best = trial, value
        else:
            longest = 0.3 * abs(turn)
    return n


@kernel
def circle_circle_normal(delta, ka, ra, kb, rb, n_guess):
    """The normal n that maximises n.delta - ra |n x ka| - rb |n x kb|, next to n_guess."""
    n = unit(n_guess)
    best = dot(n, delta) - ra * norm(cross(n, ka)) - rb * norm(cross(n, kb))
    longest = LONGEST_TURN
    for _ in range(NEWTON_STEPS):
        e = any_perpendicular(n)
        f = cross(n, e)
        ma = axpy(-dot(n, ka), ka, n)
        mb = axpy(-dot(n, kb), kb, n)
        la, lb = max(norm(ma), 1e-300), max(norm(mb), 1e-300)
        ta, tb = scale(1.0 / la, cross(ka, ma)), scale(1.0 / lb, cross(kb, mb))
        g = sub(delta, axpy(ra / la, ma, scale(rb / lb, mb)))
        ge, gf = dot(g, e), dot(g, f)
        pa, pb = ra / la, rb / lb
        hee = pa * dot(ta, e) ** 2 + pb * dot(tb, e) ** 2 + best  # minus the Hessian
        hff = pa * dot(ta, f) ** 2 + pb * dot(tb, f) ** 2 + best
        hef = pa * dot(ta, e) * dot(ta, f) + pb * dot(tb, e) * dot(tb, f)
        det = hee * hff - hef * hef
        slope = math.sqrt(ge * ge + gf * gf)
        if slope == 0.0:
            return n
        concave = hee > 0.0 and det > 1e-14 * hee * hff
        if concave:
            se, sf = (hff * ge - hef * gf) / det, (hee * gf - hef * ge) / det
        else:
            se, sf = ge * longest / slope, gf * longest / slope
        turn = math.sqrt(se * se + sf * sf)
        if turn > longest:
            se, sf = se * longest / turn, sf * longest / turn
            turn = longest
        trial = unit(axpy(se, e, axpy(sf, f, n)))
        if turn < CONVERGED:
            return trial
        value = dot(trial, delta) - ra * norm(cross(trial, ka)) - rb * norm(cross(trial, kb))
        if value >= best or turn < SHORT and concave:
            n, best = trial, value
        else:
            longest = 0.3 * turn
    return n
