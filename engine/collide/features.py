"""The gap of a pair of contact features as a function of the two poses, and its secant over a step.

A feature is POINT (p), LINE (p, unit direction d), FACE (p, outward unit normal d) or CIRCLE (centre p, unit
axis d, radius r). With the unit normal n from b to a, two features are apart by

    s(n) = min over a of n.a - max over b of n.b                                                   (1)

and their gap is the local maximum of s over n next to the contact's normal, less the rounding radii: smooth
through contact, negative when overlapping. With delta = pa - pb (formulas are those of cores, before rounding):

    POINT FACE      n.delta                          n the face normal                             (2)
    POINT POINT     |delta|                                                                        (3)
    POINT LINE      |delta x d|                                                                    (4)
    LINE LINE       n.delta                          n = da x db / |da x db|, on the contact's side (5)
    CIRCLE FACE     n.delta - r |n x k|              k the circle's axis                            (6)
    CIRCLE POINT    |(delta.k, |delta x k| - r)|     distance to the nearest point of the circle    (7)
    CIRCLE LINE     max over n perpendicular to d of n.delta - r |n x k|                            (8)
    CIRCLE CIRCLE   max over n of n.delta - ra |n x ka| - rb |n x kb|                               (9)

The argument r of a POINT or LINE is its own rounding radius: it places the contact point and nothing else
(zero puts that surface at the core); `round`, the sum, is what the gap loses.
"""

from __future__ import annotations

from engine.collide.circles import circle_circle_normal, circle_line_normal
from engine.jit import inline, kernel
from engine.model.arrays import CIRCLE, FACE, LINE, POINT
from engine.vec import add, axpy, cross, dot, norm, scale, sine_cosine, sub, unit


@kernel
def rim_point(c, k, r, n):
    """The point of the circle (c, k, r) farthest along n."""
    return axpy(r, unit(axpy(-dot(n, k), k, n)), c)


@kernel
def feature_gap(kind_a, pa, da, ra, kind_b, pb, db, rb, round, n_guess):
    """Gap, unit normal (b to a) and contact point (midway between the surfaces) of two features in one frame."""
    delta = sub(pa, pb)
    n = feature_normal(kind_a, da, ra, kind_b, db, rb, delta, n_guess)
    # Cores: the point of a nearest to b, the point of b nearest to a.
    wa, wb = pa, pb
    if kind_a == CIRCLE:
        wa = rim_point(pa, da, ra, scale(-1.0, n))
    if kind_b == CIRCLE:
        wb = rim_point(pb, db, rb, n)
    apart = dot(n, sub(wa, wb))
    if kind_a == LINE and kind_b == LINE:
        wa, wb = line_feet(pa, da, pb, db)
    elif kind_a == LINE:
        wa = axpy(dot(da, sub(wb, pa)), da, pa)
    elif kind_b == LINE:
        wb = axpy(dot(db, sub(wa, pb)), db, pb)
    elif kind_a == FACE:
        wa = axpy(apart, n, wb)
    elif kind_b == FACE:
        wb = axpy(-apart, n, wa)
    shift = 0.0  # midpoint of (wa - rounding_a n) and (wb + rounding_b n)
    if kind_a == POINT or kind_a == LINE:
        shift -= 0.5 * ra
    if kind_b == POINT or kind_b == LINE:
        shift += 0.5 * rb
    return apart - round, n, axpy(shift, n, scale(0.5, add(wa, wb)))


@inline
def feature_normal(kind_a, da, ra, kind_b, db, rb, delta, n_guess):
    """Unit normal (b to a) at which (1) has its local maximum; n_guess where it is undefined."""
    n = n_guess
    if kind_b == FACE:
        n = db
    elif kind_a == FACE:
        n = scale(-1.0, da)
    elif kind_a == LINE and kind_b == LINE:
        c = cross(da, db)
        if norm(c) > 1e-14:
            n = unit(c)
            if dot(n, n_guess) < 0.0:
                n = scale(-1.0, n)
    elif kind_a == CIRCLE and kind_b == CIRCLE:
        n = circle_circle_normal(delta, da, ra, db, rb, n_guess)
    elif kind_a == CIRCLE and kind_b == LINE:
        n = circle_line_normal(delta, da, ra, db, n_guess)
    elif kind_a == LINE and kind_b == CIRCLE:
        n = circle_line_normal(delta, db, rb, da, n_guess)
    else:
        apart = delta
        if kind_a == CIRCLE:  # b is a point
            apart = add(delta, scale(ra, unit(sub(scale(dot(delta, da), da), delta))))
        elif kind_b == CIRCLE:
            apart = sub(delta, scale(rb, unit(axpy(-dot(delta, db), db, delta))))
        elif kind_a == LINE:
            apart = axpy(-dot(delta, da), da, delta)
        elif kind_b == LINE:
            apart = axpy(-dot(delta, db), db, delta)
        if dot(apart, apart) > 0.0:
            n = unit(apart)
    return n


@kernel
def line_feet(pa, da, pb, db):
    """Nearest points of two lines; for parallel ones the given point of a and its foot on b."""
    delta = sub(pa, pb)
    c = dot(da, db)
    cc = cross(da, db)
    det = dot(cc, cc)
    s = 0.0
    if det > 1e-20:
        s = (c * dot(db, delta) - dot(da, delta)) / det
    wa = axpy(s, da, pa)
    return wa, axpy(dot(db, sub(wa, pb)), db, pb)


@kernel
def turning(w, h):
    """Factors S, C of the secant of a turn: (exp(h w) r - r)/h = S w x r + C w x (w x r)."""
    t = abs(h) * norm(w)
    half = 0.5 * t
    if t < 1e-3:
        s = 1.0 - t * t / 6.0 + t * t * t * t / 120.0
        c = 1.0 - half * half / 6.0 + half * half * half * half / 120.0
    else:
        s = sine_cosine(t)[0] / t
        c = sine_cosine(half)[0] / half
    return s, 0.5 * h * c * c


@kernel
def turned(w, factors, r):
    """(exp(h w) r - r)/h, with factors = turning(w, h)."""
    first = cross(w, r)
    return add(scale(factors[0], first), scale(factors[1], cross(w, first)))


@kernel
def length_secant(m0, dm, h):
    """(|m0 + h dm| - |m0|)/h without cancellation."""
    m1 = axpy(h, dm, m0)
    total = norm(m0) + norm(m1)
    if total == 0.0:
        return 0.0
    return dot(add(m0, m1), dm) / total


@kernel
def cross_secant(a0, da, b0, db, h):
    """(a1 x b1 - a0 x b0)/h for a1 = a0 + h da, b1 = b0 + h db."""
    return add(cross(da, axpy(h, db, b0)), cross(a0, db))


@kernel
def gap_rate(first, second, n, h):
    """(gap after - gap before)/h for a rigid motion of signed duration h; free of cancellation.

    Of each side: (kind, point, direction, radius) of its feature before the motion, in the world; (x, v, w) of its
    body, which moves by h v and turns by the rotation vector h w about its centre of mass x. n is the contact's normal
    before the motion. Rounding radii cancel out.
    """
    (kind_a, pa0, da0, ra), (xa, va, wa) = first
    (kind_b, pb0, db0, rb), (xb, vb, wb) = second
    fa, fb = turning(wa, h), turning(wb, h)
    delta = sub(pa0, pb0)
    slide = sub(
        add(va, turned(wa, fa, sub(pa0, xa))),
        add(vb, turned(wb, fb, sub(pb0, xb))),
    )
    dda, ddb = turned(wa, fa, da0), turned(wb, fb, db0)
    if kind_a == FACE or kind_a == LINE and kind_b == CIRCLE or kind_a == LINE and kind_b == POINT:
        # Mirror the pair so that the FACE, or the LINE beside a CIRCLE or POINT, is feature b.
        return ordered_rate(kind_b, db0, ddb, rb, kind_a, da0, dda, ra, neg(delta), neg(slide), neg(n), h)
    if kind_a == POINT and kind_b == CIRCLE:
        return ordered_rate(kind_b, db0, ddb, rb, kind_a, da0, dda, ra, neg(delta), neg(slide), neg(n), h)
    return ordered_rate(kind_a, da0, dda, ra, kind_b, db0, ddb, rb, delta, slide, n, h)


@kernel
def neg(a):
    return -a[0], -a[1], -a[2]


@kernel
def ordered_rate(kind_a, da, dda, ra, kind_b, db, ddb, rb, delta, slide, n, h):
    """Secant of (2) to (9). delta, da, db before the motion; slide, dda, ddb are their secants."""
    if kind_b == FACE:
        rate = dot(db, slide) + dot(ddb, axpy(h, slide, delta))
        if kind_a == CIRCLE:
            rate -= ra * length_secant(cross(db, da), cross_secant(db, ddb, da, dda, h), h)
    elif kind_a == POINT and kind_b == POINT:
        rate = length_secant(delta, slide, h)
    elif kind_a == POINT:
        rate = length_secant(cross(delta, db), cross_secant(delta, slide, db, ddb, h), h)
    elif kind_a == LINE:
        rate = lines_rate(da, dda, db, ddb, delta, slide, n, h)
    elif kind_b == POINT:
        rate = circle_point_rate(da, dda, ra, delta, slide, h)
    else:
        rate = circle_rate(da, dda, ra, kind_b, db, ddb, rb, delta, slide, n, h)
    return rate


@inline
def lines_rate(da, dda, db, ddb, delta, slide, n, h):
    """Secant of (5): with c = da x db and g = c.delta, that of g/|c|."""
    c0 = cross(da, db)
    dc = cross_secant(da, dda, db, ddb, h)
    if norm(c0) <= 1e-14:
        return dot(n, slide)
    c1 = axpy(h, dc, c0)
    g0 = dot(c0, delta)
    dg = dot(dc, axpy(h, slide, delta)) + dot(c0, slide)
    rate = (dg - g0 * length_secant(c0, dc, h) / norm(c0)) / norm(c1)
    return -rate if dot(c0, n) < 0.0 else rate


@inline
def circle_point_rate(k, dk, r, delta, slide, h):
    """Secant of (7), the length of (delta.k, |delta x k| - r)."""
    m0 = cross(delta, k)
    high = dot(delta, k)
    d_high = dot(slide, axpy(h, dk, k)) + dot(delta, dk)
    d_wide = length_secant(m0, cross_secant(delta, slide, k, dk, h), h)
    return length_secant((high, norm(m0) - r, 0.0), (d_high, d_wide, 0.0), h)


@inline
def circle_rate(ka, dka, ra, kind_b, db, ddb, rb, delta, slide, n, h):
    """Secant of (8) and (9), as [s1(n1) - s0(n1)] + [s0(n1) - s0(n0)] with n0, n1 the maxima before and after.

    The first bracket is explicit in the secants of the pose; in the second s0 is stationary at n0, so the
    rounding errors of n0 and n1 enter only squared and nothing of them is divided by h.
    """
    line = kind_b == LINE
    ka1, db1 = axpy(h, dka, ka), axpy(h, ddb, db)
    if line:
        n0 = circle_line_normal(delta, ka, ra, db, n)
        # Slide along the line to the contact: only from there is s0 stationary against every turn of n.
        along = dot(db, sub(delta, scale(ra, unit(axpy(-dot(n0, ka), ka, n0)))))
        slide = sub(slide, scale(along, ddb))
        delta = axpy(-along, db, delta)
        n0 = circle_line_normal(delta, ka, ra, db, n)
        n1 = circle_line_normal(axpy(h, slide, delta), ka1, ra, db1, n)
    else:
        n0 = circle_circle_normal(delta, ka, ra, db, rb, n)
        n1 = circle_circle_normal(axpy(h, slide, delta), ka1, ra, db1, rb, n)
    turn = scale(1.0 / h, sub(n1, n0))
    rate = dot(n1, slide) - ra * length_secant(cross(n1, ka), cross(n1, dka), h)
    rate += dot(turn, delta) - ra * length_secant(cross(n0, ka), cross(turn, ka), h)
    if not line:
        rate -= rb * length_secant(cross(n1, db), cross(n1, ddb), h)
        rate -= rb * length_secant(cross(n0, db), cross(turn, db), h)
    return rate
