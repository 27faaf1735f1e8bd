"""Signed distances against coal, against independent maximisation of the separation, and contacts against both."""

from __future__ import annotations

import coal
import numpy as np
import pytest
from collide_cases import (
    UPRIGHT,
    assorted_shapes,
    brute_force_distance,
    modelled,
    pose,
    random_turn,
    separation,
)

from engine.collide.detect import Detector
from engine.collide.features import feature_gap
from engine.collide.gauge import Gauge
from engine.scene.spec import Box, Capsule, Cylinder, Sphere
from engine.shapes.turns import rotation_matrix

PAIRS = 20_000
SHAPES = assorted_shapes(np.random.default_rng(7))
KINDS = [type(shape).__name__ for shape in SHAPES]


def as_coal(shape):
    if isinstance(shape, Sphere):
        return coal.Sphere(shape.radius)
    if isinstance(shape, Capsule):
        return coal.Capsule(shape.radius, 2 * shape.half_length)
    if isinstance(shape, Cylinder):
        return coal.Cylinder(shape.radius, 2 * shape.half_height)
    if isinstance(shape, Box):
        return coal.Box(*(2 * np.array(shape.half)))
    points = coal.StdVec_Vec3s()
    for point in np.asarray(shape.points):
        points.append(point)
    return coal.Convex.convexHull(points, True, "Qt")


def coal_distance(a, pose_a, b, pose_b) -> tuple[float, np.ndarray]:
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-10
    request.gjk_max_iterations = request.epa_max_iterations = 2000
    place = [coal.Transform3s(turn, origin) for origin, turn in (pose_a, pose_b)]
    return coal.distance(a, place[0], b, place[1], request, result), np.array(result.normal)


def random_pair(rng, model, i, j):
    """Poses of bodies i and j: mostly at random, some with parallel axes, some just touching; the rest far away."""
    n = len(SHAPES)
    x = np.column_stack([1000.0 + 10.0 * np.arange(n), np.zeros(n), np.zeros(n)])
    q = np.tile(UPRIGHT, (n, 1))
    how = rng.integers(0, 5)
    if how > 0:
        q[i], q[j] = random_turn(rng), random_turn(rng)
    if how == 1:
        q[j] = q[i]
    away = rng.normal(size=3)
    if how == 0 and rng.random() < 0.5:
        away = np.eye(3)[rng.integers(0, 3)]
    x[i] = rng.normal(size=3)
    x[j] = x[i] + away / np.linalg.norm(away) * rng.uniform(0.05, 1.6)
    return x, q


@pytest.fixture(scope="module")
def model():
    return modelled(SHAPES)


def test_signed_distance_against_coal(model):
    """20,000 pairs of every combination, apart and overlapping: 1e-6, or coal is shown to be the one at fault."""
    rng = np.random.default_rng(11)
    gauge = Gauge(model.geometry)
    peers = [as_coal(shape) for shape in SHAPES]
    apart, overlapping, coal_wrong = 0, 0, 0
    for _ in range(PAIRS):
        i, j = (int(k) for k in rng.integers(0, len(SHAPES), 2))
        if i == j:
            j = (i + 1) % len(SHAPES)
        x, q = random_pair(rng, model, i, j)
        ours, normal = gauge.measure(i, j, x, q)
        poses = pose(model, i, x, q), pose(model, j, x, q)
        theirs, their_normal = coal_distance(peers[i], poses[0], peers[j], poses[1])
        apart, overlapping = apart + (ours > 0.0), overlapping + (ours <= 0.0)
        # What the supports say along our normal: a separation that is there, so the distance is at least that.
        along = separation(SHAPES[i], poses[0], SHAPES[j], poses[1], normal)
        assert ours == pytest.approx(along, abs=1e-9), (KINDS[i], KINDS[j])
        if abs(ours - theirs) <= 1e-6:
            if ours > 1e-2:
                assert normal @ -their_normal > 1 - 1e-7, (KINDS[i], KINDS[j])
            continue
        coal_wrong += 1
        assert "Cylinder" in (KINDS[i], KINDS[j]), (KINDS[i], KINDS[j], ours, theirs)
        assert brute_force_distance(SHAPES[i], poses[0], SHAPES[j], poses[1], rng) < ours + 1e-6
    assert apart > PAIRS // 4 and overlapping > PAIRS // 4
    assert coal_wrong < PAIRS // 50  # its depth of curved shapes; nowhere else


def test_distance_to_a_plane_against_coal(model):
    rng = np.random.default_rng(12)
    grounded = modelled(SHAPES, ground=True)
    gauge = Gauge(grounded.geometry)
    plane, peers = len(SHAPES), [as_coal(shape) for shape in SHAPES]
    for _ in range(300):
        i = int(rng.integers(0, len(SHAPES)))
        x, q = random_pair(rng, model, i, (i + 1) % len(SHAPES))
        x, q = np.vstack([x, np.zeros(3)]), np.vstack([q, UPRIGHT])
        ours, normal = gauge.measure(i, plane, x, q)
        half_space = coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
        theirs, _ = coal_distance(peers[i], pose(grounded, i, x, q), half_space, (np.zeros(3), np.eye(3)))
        assert ours == pytest.approx(theirs, abs=1e-9)
        assert np.allclose(normal, [0, 0, 1])
        assert gauge.measure(plane, i, x, q)[0] == ours


def test_distance_is_symmetric_and_the_plain_call_agrees(model):
    rng = np.random.default_rng(13)
    gauge = Gauge(model.geometry)
    for _ in range(200):
        i, j = (int(k) for k in rng.choice(len(SHAPES), 2, replace=False))
        x, q = random_pair(rng, model, i, j)
        there, back = gauge.measure(i, j, x, q), gauge.measure(j, i, x, q)
        assert there[0] == pytest.approx(back[0], abs=1e-12)
        if abs(there[0]) > 1e-6 and there[0] > 0:
            assert np.allclose(there[1], -back[1], atol=1e-6)
    assert Gauge(model.geometry).measure(i, j, x, q)[0] == there[0]


def brought_to(gauge, i, j, x, q, distance):
    """Move body i along the normal until the pair is at the given distance; None when that does not converge."""
    x = x.copy()
    for _ in range(60):
        s, n = gauge.measure(i, j, x, q)
        if abs(s - distance) < 1e-12:
            return x, n
        x[i] -= (s - distance) * n
    return None


@pytest.mark.parametrize("depth", [1e-3, 1e-5])
def test_contacts_have_the_depth_and_normal_of_the_pair(model, depth):
    """Shapes that just met: the deepest contact is as deep as the pair, its normal is the pair's."""
    rng = np.random.default_rng(14)
    gauge = Gauge(model.geometry)
    detector = Detector(model.geometry, model.bodies.inverse_mass, 256)
    awake = np.ones(len(SHAPES), bool)
    tried, odd = 0, 0
    for _ in range(1500):
        i, j = (int(k) for k in sorted(rng.choice(len(SHAPES), 2, replace=False)))
        x, q = random_pair(rng, model, i, j)
        met = brought_to(gauge, i, j, x, q, -depth)
        if met is None:
            continue
        x, n = met
        x_from = x.copy()
        x_from[i] += 2 * depth * n
        count = detector.find(x, q, x_from, q, awake, 1e-6)
        found = detector.contacts
        assert detector.status == 0
        assert count > 0, (KINDS[i], KINDS[j])
        tried += 1
        deepest = int(np.argmin(found.gap[:count]))
        same = abs(found.gap[deepest] + depth) < 2e-6 and found.normal[deepest] @ n > 1 - 1e-4
        odd += not same  # near a corner two axes are as good as one another
        for c in range(count):
            check_row(found, c, x, q, i, j)
    assert tried > 1000
    assert odd <= tried // 100


def check_row(found, c, x, q, a, b):
    """A contact row is self-consistent: its features, brought to the world, give its gap, normal and point."""
    assert (found.a[c], found.b[c]) == (a, b)
    turn_a, turn_b = rotation_matrix(q[a]), rotation_matrix(q[b])
    gap, normal, point = feature_gap(
        found.kind_a[c], tuple(x[a] + turn_a @ found.point_a[c]), tuple(turn_a @ found.dir_a[c]), found.circle_a[c],
        found.kind_b[c], tuple(x[b] + turn_b @ found.point_b[c]), tuple(turn_b @ found.dir_b[c]), found.circle_b[c],
        found.round[c], tuple(found.normal[c]),
    )  # fmt: skip
    assert gap == pytest.approx(found.gap[c], abs=1e-11)
    assert np.allclose(normal, found.normal[c], atol=1e-6)
    assert np.allclose(point, found.point[c], atol=1e-6)
    assert found.gap[c] <= 1e-6


def test_contacts_exist_exactly_where_parts_meet():
    """Piles at random and on a coarse lattice (flush faces, coaxial cylinders): no phantom contact, none missed."""
    rng = np.random.default_rng(15)
    lattice = np.array([UPRIGHT, (0.5**0.5, 0.5**0.5, 0, 0), (0.5**0.5, 0, 0.5**0.5, 0), (0.5, 0.5, 0.5, 0.5)])
    model = modelled([SHAPES[k] for k in rng.integers(0, len(SHAPES), 16)])
    gauge = Gauge(model.geometry)
    detector = Detector(model.geometry, model.bodies.inverse_mass, 4096)
    touching = 0
    for _ in range(60):
        x, q = rng.uniform(-1.5, 1.5, (16, 3)), np.array([random_turn(rng) for _ in range(16)])
        tidy = rng.random(16) < 0.6
        x[tidy], q[tidy] = np.round(x[tidy] * 5) / 5, lattice[rng.integers(0, 4, int(tidy.sum()))]
        count = detector.find(x, q, x + rng.normal(size=x.shape) * 0.01, q, np.ones(16, bool), 1e-6)
        found = set(zip(detector.contacts.a[:count].tolist(), detector.contacts.b[:count].tolist(), strict=True))
        assert np.allclose(np.linalg.norm(detector.contacts.normal[:count], axis=1), 1.0, atol=1e-12)
        for a in range(16):
            for b in range(a + 1, 16):
                distance, _ = gauge.measure(a, b, x, q)
                if (a, b) in found:
                    assert distance < 1.01e-6
                else:
                    assert distance > -1e-5
        touching += len(found)
    assert touching > 400
