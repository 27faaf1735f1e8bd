"""Mass properties against integrals over slices, trimesh, and the laws of moving and joining solids."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

from engine import Box, Capsule, Compound, Cylinder, GeometryError, Hull, Plane, Sphere
from engine.shapes.mass import mass_properties


def sliced(radius_at, bottom: float, top: float, breaks: list[float], density: float):
    """Mass and (across, along) moments of a solid of revolution, by integrating over its discs."""

    def integral(f):
        value, _ = quad(f, bottom, top, points=breaks or None, epsabs=0.0, epsrel=1e-12, limit=200)
        return density * math.pi * value

    mass = integral(lambda z: radius_at(z) ** 2)
    across = integral(lambda z: radius_at(z) ** 4 / 4.0 + radius_at(z) ** 2 * z * z)
    along = integral(lambda z: radius_at(z) ** 4 / 2.0)
    return mass, across, along


@pytest.mark.parametrize("r, h", [(0.3, 0.7), (2.0, 0.05), (0.01, 1.3)])
def test_round_solids_are_the_sum_of_their_discs(r: float, h: float) -> None:
    def ball(z: float) -> float:
        return math.sqrt(max(r * r - z * z, 0.0))

    def pill(z: float) -> float:
        return r if abs(z) <= h else math.sqrt(max(r * r - (abs(z) - h) ** 2, 0.0))

    cases = [
        (Sphere(r), sliced(ball, -r, r, [], 700.0)),
        (Cylinder(r, h), sliced(lambda z: r, -h, h, [], 700.0)),
        (Capsule(r, h), sliced(pill, -h - r, h + r, [-h, h], 700.0)),
    ]
    for shape, (mass, across, along) in cases:
        own = mass_properties(shape, 700.0)
        assert own.mass == pytest.approx(mass, rel=1e-9)
        assert np.allclose(own.inertia, np.diag([across, across, along]), rtol=1e-9, atol=0.0)
        assert not own.center.any()


def test_box_is_its_three_slices() -> None:
    own = mass_properties(Box((0.1, 0.2, 0.3)), 500.0)
    assert own.mass == pytest.approx(500.0 * 0.2 * 0.4 * 0.6, rel=1e-14)
    sides = np.array([0.2, 0.4, 0.6])
    expected = own.mass / 12.0 * (np.sum(sides**2) - sides**2)
    assert np.allclose(np.diag(own.inertia), expected, rtol=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_random_hulls_agree_with_trimesh(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(4, 60), 3)) * rng.uniform(0.01, 3.0, 3) + rng.normal(size=3)
    own = mass_properties(Hull(points), 1200.0)
    mesh = trimesh.Trimesh(points).convex_hull
    mesh.density = 1200.0
    assert own.mass == pytest.approx(mesh.mass, rel=1e-10)
    assert np.allclose(own.center, mesh.center_mass, rtol=1e-9, atol=1e-12)
    assert np.allclose(own.inertia, mesh.moment_inertia, rtol=1e-7, atol=1e-9 * np.trace(own.inertia))


def test_hull_of_a_box_is_the_box() -> None:
    half = np.array([0.05, 0.08, 0.02])
    corners = half * [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    hull, box = mass_properties(Hull(corners), 1000.0), mass_properties(Box(half), 1000.0)
    assert hull.mass == pytest.approx(box.mass, rel=1e-14)
    assert not hull.center.any(), "round-off must not shift a symmetric hull"
    assert np.allclose(hull.inertia, box.inertia, rtol=1e-13, atol=1e-18)


turns = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1)
places = st.tuples(*[st.floats(-5, 5)] * 3)


@given(turns, places, st.integers(0, 5))
def test_moving_a_hull_moves_its_moments(turn, place, seed) -> None:
    points = np.random.default_rng(seed).normal(size=(12, 3))
    matrix = Rotation.from_quat(turn, scalar_first=True).as_matrix()
    before = mass_properties(Hull(points), 1.0)
    after = mass_properties(Hull(points @ matrix.T + place), 1.0)
    assert after.mass == pytest.approx(before.mass, rel=1e-9)
    assert np.allclose(after.center, matrix @ before.center + place, atol=1e-9)
    assert np.allclose(after.inertia, matrix @ before.inertia @ matrix.T, atol=1e-8)


@given(turns, places)
def test_a_part_of_a_compound_is_the_moved_solid(turn, place) -> None:
    points = np.random.default_rng(3).normal(size=(9, 3))
    matrix = Rotation.from_quat(turn, scalar_first=True).as_matrix()
    part = mass_properties(Compound([(Hull(points), place, turn)]), 3.0)
    moved = mass_properties(Hull(points @ matrix.T + place), 3.0)
    assert part.mass == pytest.approx(moved.mass, rel=1e-9)
    assert np.allclose(part.center, moved.center, atol=1e-9)
    assert np.allclose(part.inertia, moved.inertia, atol=1e-8)


def test_two_halves_make_a_whole_also_nested() -> None:
    half = Box((0.5, 0.2, 0.3))
    turned = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    inner = Compound([(half, (0.5, 0.0, 0.0)), (half, (1.5, 0.0, 0.0))])
    whole = mass_properties(Compound([(inner, (3.0, 1.0, 0.0), turned)]), 1000.0)
    box = mass_properties(Box((0.2, 1.0, 0.3)), 1000.0)  # a quarter turn about z swaps x and y
    assert whole.mass == pytest.approx(box.mass, rel=1e-14)
    assert np.allclose(whole.center, [3.0, 2.0, 0.0], atol=1e-12)
    assert np.allclose(whole.inertia, box.inertia, atol=1e-9)


def test_a_plane_has_no_mass() -> None:
    with pytest.raises(GeometryError, match="static"):
        mass_properties(Plane(), 1.0)
