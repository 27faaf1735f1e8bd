"""Gap functions of feature pairs against extended precision, finite differences and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.collide.features import feature_gap, gap_rate
from engine.model.arrays import CIRCLE, FACE, LINE, POINT

LD = np.longdouble
NAMES = {POINT: "point", LINE: "line", FACE: "face", CIRCLE: "circle"}
PAIRS = [
    (POINT, FACE), (FACE, POINT), (POINT, POINT), (POINT, LINE), (LINE, POINT), (LINE, LINE), (CIRCLE, FACE),
    (FACE, CIRCLE), (CIRCLE, POINT), (POINT, CIRCLE), (CIRCLE, LINE), (LINE, CIRCLE), (CIRCLE, CIRCLE),
]  # fmt: skip
IDS = [f"{NAMES[a]}-{NAMES[b]}" for a, b in PAIRS]


def unit(v):
    return v / np.sqrt(np.sum(v * v))


def turn_matrix(r):
    """Rotation matrix of a rotation vector in extended precision (Rodrigues)."""
    r = np.asarray(r, LD)
    t = np.sqrt(np.sum(r * r))
    k = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]], LD)
    if t < LD(1e-3):
        s, c = 1 - t**2 / 6 + t**4 / 120 - t**6 / 5040, LD(1) / 2 - t**2 / 24 + t**4 / 720 - t**6 / 40320
    else:
        s, c = np.sin(t) / t, (1 - np.cos(t)) / t**2
    return np.eye(3, dtype=LD) + s * k + c * (k @ k)


def separation(n, feature_a, feature_b):
    """s(n) of two features, each a (kind, p, d, r): the definition, nothing else."""
    total = n @ (feature_a[1] - feature_b[1])
    for kind, _, d, r in (feature_a, feature_b):
        if kind == CIRCLE:
            total -= r * np.sqrt(np.sum(np.cross(n, d) ** 2))
    return total


def reference_gap(feature_a, feature_b, n):
    """Local maximum of s near n in extended precision: finite-difference Newton on the admissible normals."""
    for kind, d, sign in ((feature_b[0], feature_b[2], 1), (feature_a[0], feature_a[2], -1)):
        if kind == FACE:
            return separation(sign * d, feature_a, feature_b)
    kinds = (feature_a[0], feature_b[0])
    lines = [f[2] for f in (feature_a, feature_b) if f[0] == LINE]
    if len(lines) == 2:
        c = unit(np.cross(*lines))
        return separation(c if c @ n > 0 else -c, feature_a, feature_b)
    if CIRCLE in kinds and POINT in kinds:  # nearest point of the curve (s has a saddle there, not a maximum)
        circle, point = (feature_a, feature_b) if kinds[0] == CIRCLE else (feature_b, feature_a)
        offset = point[1] - circle[1]
        high = offset @ circle[2]
        return np.hypot(high, np.sqrt(np.sum((offset - high * circle[2]) ** 2)) - circle[3])
    n = np.asarray(n, LD)
    step = LD(1e-5)
    for _ in range(40):
        n = unit(n - (n @ lines[0]) * lines[0]) if lines else unit(n)
        if lines:
            basis = [np.cross(lines[0], n)]
        else:
            e = unit(np.cross(n, np.eye(3, dtype=LD)[np.argmin(np.abs(n))]))
            basis = [e, np.cross(n, e)]

        def value(*u, n=n, basis=basis):
            moved = n + sum(ui * bi for ui, bi in zip(u, basis, strict=True))
            return separation(unit(moved), feature_a, feature_b)

        k = len(basis)
        eye = np.eye(k, dtype=LD) * step
        gradient = np.array([(value(*eye[i]) - value(*-eye[i])) / (2 * step) for i in range(k)], float)

        def bend(i, j, value=value, eye=eye):
            plus, minus = value(*(eye[i] + eye[j])) + value(*(-eye[i] - eye[j])), value(*(eye[i] - eye[j]))
            return (plus - minus - value(*(eye[j] - eye[i]))) / (4 * step * step)

        hessian = np.array([[bend(i, j) for j in range(k)] for i in range(k)], float)
        move = np.linalg.solve(hessian, -gradient)
        n = n + sum(LD(m) * b for m, b in zip(move, basis, strict=True))
        if np.max(np.abs(move)) < 1e-11:
            break
    n = unit(n - (n @ lines[0]) * lines[0]) if lines else unit(n)
    return separation(n, feature_a, feature_b)


def random_contact(rng, kind_a, kind_b, gap=None):
    """Two features about the origin with a normal, a rounding and a contact at the wanted gap, in general position."""
    while True:
        n = unit(rng.normal(size=3))
        features = []
        for kind, sign in ((kind_a, -1.0), (kind_b, 1.0)):
            d = unit(rng.normal(size=3))
            if kind == LINE:
                d = unit(d - (d @ n) * n)
            if kind == FACE:
                d = sign * n
            r = rng.uniform(0.2, 1.0) if kind == CIRCLE else 0.0
            p = np.zeros(3)
            if kind == CIRCLE:
                if np.linalg.norm(np.cross(d, n)) < 0.3:
                    break
                p = -sign * r * unit(n - (n @ d) * d)
            elif kind != POINT:
                other = unit(np.cross(d, rng.normal(size=3)))
                p = rng.uniform(-1, 1) * (d if kind == LINE else other)
            features.append((kind, p, d, r))
        if len(features) < 2:
            continue
        curves = [f for f in features if f[0] in (LINE, CIRCLE)]
        if len(curves) == 2:
            tangents = [f[2] if f[0] == LINE else unit(np.cross(f[2], n)) for f in curves]
            if np.linalg.norm(np.cross(*tangents)) < 0.3:
                continue
        rounded = {kind_a, kind_b} <= {POINT, LINE} or {kind_a, kind_b} == {POINT, CIRCLE}
        core = rng.uniform(0.2, 0.6) if rounded else 0.0
        kind, p, d, r = features[0]
        features[0] = (kind, p + (core + (gap or 0.0)) * n, d, r)
        return features[0], features[1], n, core


def gap_of(feature_a, feature_b, rounding, n):
    args = [(k, tuple(map(float, p)), tuple(map(float, d)), float(r)) for k, p, d, r in (feature_a, feature_b)]
    return feature_gap(*args[0], *args[1], rounding, tuple(map(float, n)))


def rate_of(feature_a, feature_b, xa, xb, va, wa, vb, wb, n, h):
    vectors = (feature_a[1], feature_a[2], va, wa, feature_b[1], feature_b[2], vb, wb, xa, xb, n)
    t = [tuple(map(float, v)) for v in vectors]
    first = (feature_a[0], t[0], t[1], float(feature_a[3])), (t[8], t[2], t[3])
    second = (feature_b[0], t[4], t[5], float(feature_b[3])), (t[9], t[6], t[7])
    return gap_rate(first, second, t[10], h)


def moved(feature, x, v, w, h, origin):
    kind, p, d, r = feature
    turn = turn_matrix(LD(h) * np.asarray(w, LD))
    arm = np.asarray(p, LD) - np.asarray(x, LD)
    centre = np.asarray(x, LD) - np.asarray(origin, LD) + LD(h) * np.asarray(v, LD)
    return kind, centre + turn @ arm, turn @ np.asarray(d, LD), LD(r)


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=IDS)
def test_gap_normal_and_point_of_a_built_contact(kind_a, kind_b):
    rng = np.random.default_rng(1)
    for _ in range(200):
        gap = rng.uniform(-0.01, 0.01)
        a, b, n, rounding = random_contact(rng, kind_a, kind_b, gap)
        nearby = unit(n + 0.05 * rng.normal(size=3))
        found, normal, point = gap_of(a, b, rounding, nearby)
        assert found == pytest.approx(gap, abs=1e-12)
        assert np.allclose(normal, n, atol=1e-9)
        # The contact was built at the origin: rounding without an owner sits at the cores, so halfway up.
        if FACE not in (kind_a, kind_b):
            assert np.allclose(point, 0.5 * (rounding + gap) * n, atol=1e-9)


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=IDS)
def test_gradient_is_the_contact_row(kind_a, kind_b):
    """d gap/d(x, theta) of body a is (n, r x n), of body b its negative."""
    rng = np.random.default_rng(2)
    for _ in range(50):
        a, b, n, rounding = random_contact(rng, kind_a, kind_b, rng.uniform(-0.01, 0.01))
        _, normal, point = gap_of(a, b, rounding, n)
        for which, sign in ((0, 1.0), (1, -1.0)):
            v, w, h = rng.normal(size=3), rng.normal(size=3), 1e-6
            gaps = []
            for s in (h, -h):
                pair = [a, b]
                kind, p, d, r = moved(pair[which], np.zeros(3), v, w, s, np.zeros(3))
                pair[which] = (kind, p.astype(float), d.astype(float), float(r))
                gaps.append(gap_of(*pair, rounding, n)[0])
            slope = (gaps[0] - gaps[1]) / (2 * h)
            row = sign * (np.dot(normal, v) + np.dot(np.cross(point, normal), w))
            assert slope == pytest.approx(row, abs=1e-8)


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=IDS)
@pytest.mark.parametrize("h", [1e-3, -1 / 480])
def test_rate_is_free_of_cancellation(kind_a, kind_b, h):
    """At world coordinates of 100 m: the error stays at 1e-14 of the speeds, whatever their size."""
    rng = np.random.default_rng(3)
    for trial in range(40):
        a, b, n, rounding = random_contact(rng, kind_a, kind_b, rng.uniform(-1e-3, 1e-6))
        size = 10.0 ** rng.uniform(-9, 0.5)
        far = rng.uniform(-100, 100, 3) if trial % 2 else np.zeros(3)
        a, b = (a[0], a[1] + far, *a[2:]), (b[0], b[1] + far, *b[2:])
        xa, xb = a[1] + rng.normal(size=3), b[1] + rng.normal(size=3)
        va, wa, vb, wb = size * rng.normal(size=(4, 3))
        rate = rate_of(a, b, xa, xb, va, wa, vb, wb, n, h)
        before = reference_gap(moved(a, xa, va, wa, 0.0, xa), moved(b, xb, vb, wb, 0.0, xa), n)
        after = reference_gap(moved(a, xa, va, wa, h, xa), moved(b, xb, vb, wb, h, xa), n)
        speed = 1.0 + size * 10.0
        noise = 1e-15 if size < 1.0 else 0.0  # of the reference itself: 1e-19 m over h
        assert abs(rate - float((after - before) / LD(h))) < 2e-14 * size * speed + noise


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS, ids=IDS)
def test_no_motion_has_exactly_no_rate(kind_a, kind_b):
    rng = np.random.default_rng(4)
    zero = np.zeros(3)
    for _ in range(20):
        a, b, n, rounding = random_contact(rng, kind_a, kind_b, 1e-7)
        assert rate_of(a, b, a[1] + 1.0, b[1] - 1.0, zero, zero, zero, zero, n, 1e-3) == 0.0


def test_rolling_ball_keeps_its_gap():
    """A ball's core does not rise when it rolls, though its lowest material point does."""
    rate = rate_of((POINT, np.array([0, 0, 0.3]), np.zeros(3), 0.3), (FACE, np.zeros(3), np.array([0, 0, 1.0]), 0.0),
                   np.array([0, 0, 0.3]), np.zeros(3), [1.5, 0, 0], [0, 5.0, 0], np.zeros(3), np.zeros(3),
                   [0, 0, 1], 1 / 480)  # fmt: skip
    assert rate == 0.0


def test_tilting_coin_rises_by_its_radius():
    """A disc of radius r whose axis tilts by t from the plane normal has its lowest point r sin t under the centre."""
    face = (FACE, np.zeros(3), np.array([0, 0, 1.0]), 0.0)
    for t in (0.3, 1.0, 1.5):
        coin = (CIRCLE, np.array([0, 0, 2.0]), np.array([math.sin(t), 0, math.cos(t)]), 0.7)
        assert gap_of(coin, face, 0.0, [0, 0, 1])[0] == pytest.approx(2.0 - 0.7 * math.sin(t), abs=1e-14)
    flat = (CIRCLE, np.array([0, 0, 2.0]), np.array([0, 0, 1.0]), 0.7)
    gap, _, point = gap_of(flat, face, 0.0, [0, 0, 1])
    assert gap == pytest.approx(2.0) and np.all(np.isfinite(point))


def test_contact_point_lies_between_the_owned_roundings():
    """Given the rounding radius of each side, the point is midway between the two surfaces."""
    a = (LINE, np.array([0, 0, 0.5]), np.array([1.0, 0, 0]), 0.3)
    b = (LINE, np.zeros(3), np.array([0, 1.0, 0]), 0.1)
    gap, _, point = gap_of(a, b, 0.4, [0, 0, 1])
    assert gap == pytest.approx(0.1, abs=1e-15)
    assert np.allclose(point, [0, 0, 0.15], atol=1e-15)
