"""de Mont-Marin et al. 2025: the law at every point of a patch and the condition on its wrench and twist say the
same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from engine.analysis.patch import read, twist_of, wrench_of
from engine.analysis.patch_hull import hull_of, perp
from tests.engine.analysis.patch_cones import cone, dual_cone
from tests.engine.analysis.patch_forces import distribution

SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
numbers = st.floats(-3.0, 3.0, allow_subnormal=False)
patches = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=9).map(np.array)
PATCHES = 10_000


def speeds(points: np.ndarray, omega: np.ndarray, v: float) -> np.ndarray:
    """Normal velocity of every point: the third component of omega x (a, b, 0), and v."""
    return omega[0] * points[:, 1] - omega[1] * points[:, 0] + v


def wrench(points: np.ndarray, pressure: np.ndarray) -> tuple[np.ndarray, float]:
    """Moment, sum of (a, b, 0) x (0, 0, p), and force of normal forces."""
    return np.array([points[:, 1] @ pressure, -points[:, 0] @ pressure]), float(pressure.sum())


@given(patches, st.integers(0, 2**32 - 1))
def test_lemma_1_pushing_points_make_a_wrench_in_the_cone_and_back(points: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pressure = rng.exponential(size=len(points)) * (rng.random(len(points)) < 0.6)
    moment, force = wrench(points, pressure)
    assert read(points, moment, force, np.zeros(2), 0.0).valid
    found = distribution(points, moment, force)
    assert found is not None and (found >= 0.0).all()
    assert np.allclose(wrench(points, found)[0], moment, atol=1e-7 * (1 + force))
    assert wrench(points, found)[1] == pytest.approx(force)


@given(patches, st.tuples(numbers, numbers), numbers)
def test_lemma_2_no_point_goes_in_exactly_when_the_twist_is_in_the_dual(
    points: np.ndarray, omega: tuple[float, float], v: float
) -> None:
    lowest = speeds(points, np.array(omega), v).min()
    reading = read(points, np.zeros(2), 0.0, np.array(omega), v)
    if abs(lowest) > 1e-6:
        assert reading.valid == (lowest > 0.0)
    products = cone(hull_of(points)) @ np.array([*omega, v])
    assert products.min() == pytest.approx(lowest, abs=1e-6)


@given(patches)
def test_the_cones_are_dual(points: np.ndarray) -> None:
    hull = hull_of(points)
    assert (cone(hull) @ dual_cone(hull).T >= -1e-8).all()
    assert (hull.normals @ points.T <= hull.offsets[:, None] + 1e-8).all()


def random_patch(rng: np.random.Generator) -> np.ndarray:
    """Often nonconvex; sometimes a point, a segment, or with corners on a side."""
    n = int(rng.integers(1, 9))
    points = rng.normal(size=(n, 2)) * 10.0 ** rng.uniform(-2, 1) + rng.normal(size=2)
    kind = rng.random()
    if kind < 0.1:
        return points[:1] + np.outer(rng.integers(0, 5, n), points[-1] - points[0] + 0.1)
    return np.round(points, 1) if kind < 0.3 else points


def random_case(rng: np.random.Generator, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Pressure of either sign mostly none, and a twist that often tips about a side of the hull."""
    pressure = rng.normal(size=len(points)) if rng.random() < 0.2 else rng.exponential(size=len(points))
    hull = hull_of(points)
    kind = rng.integers(0, 5)
    if kind == 0:
        omega, v = np.zeros(2), 0.0
    elif kind == 1:
        omega, v = rng.normal(size=2), float(rng.normal())
    else:
        side = dual_cone(hull)[rng.integers(0, len(hull.normals))] * rng.exponential()
        omega, v = side[:2], float(side[2]) + (float(rng.exponential()) if kind == 4 else 0.0)
    if kind in (2, 3):  # force where the twist leaves it, and sometimes elsewhere
        pressure = np.where(speeds(points, omega, v) < 1e-9, pressure, 0.0 if kind == 2 else pressure)
    return pressure * (rng.random() > 0.2), omega, v


def test_the_planar_condition_holds_exactly_where_the_law_of_points_can() -> None:
    """Both ways: forces that obey Signorini at every point obey the planar condition, and where the planar condition
    holds there are forces that obey Signorini at every point, and where it fails there are none."""
    rng = np.random.default_rng(7)
    obeyed = broken = 0
    for _ in range(PATCHES):
        points = random_patch(rng)
        pressure, omega, v = random_case(rng, points)
        w = speeds(points, omega, v)
        size, fast = 1e-8 * (1.0 + np.abs(pressure).sum()), 1e-8 * (1.0 + np.abs(w).max())
        pointwise = (pressure >= 0.0).all() and (w >= -fast).all() and (np.minimum(pressure, w) <= size + fast).all()
        moment, force = wrench(points, pressure)
        reading = read(points, moment, force, omega, v)
        if pointwise:
            assert reading.violation <= 1e-6
        if reading.valid:
            obeyed += 1
            found = distribution(points, moment, force)
            assert found is not None and (found >= 0.0).all()
            assert (w >= -fast).all() and (np.minimum(found, w) <= 1e-6 * (1.0 + force)).all()
        elif reading.violation > 1e-6:
            broken += 1
            hull = hull_of(points)
            pulls = (dual_cone(hull) @ np.array([*moment, force])).min() < 0.0 or force < 0.0  # a plane between
            works = abs(moment @ omega + force * v) > 0.0  # no pressure on points that rest can do that
            assert pulls or w.min() < 0.0 or works
    assert obeyed > PATCHES // 4 and broken > PATCHES // 4


def test_hulls_of_areas() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        points = rng.normal(size=(int(rng.integers(3, 12)), 2))
        mine, theirs = hull_of(points).corners, points[ConvexHull(points).vertices]
        start = int(np.argmin(np.linalg.norm(theirs - mine[0], axis=1)))
        assert np.array_equal(mine, np.roll(theirs, -start, axis=0))


def test_the_five_regimes() -> None:
    edge = np.array([0.0, 1.0])  # of the square: x = 1
    tip = dict(omega_T=np.array([0.0, 0.5]), v_N=0.5)  # v_N(x) = 0.5 - 0.5 a: about the side a = 1
    on_edge = dict(m_T=2.0 * perp(np.array([1.0, 0.3])), f_N=2.0)
    inside = dict(m_T=2.0 * perp(np.array([0.4, 0.3])), f_N=2.0)
    none, still = dict(m_T=np.zeros(2), f_N=0.0), dict(omega_T=np.zeros(2), v_N=0.0)
    assert read(SQUARE, **none, **tip).regime == "breaking"
    assert read(SQUARE, **on_edge, **tip).regime == "tipping"
    assert read(SQUARE, **on_edge, **tip, v_T=(0.1, 0.0)).regime == "slide-tipping"
    assert read(SQUARE, **inside, **still).regime == "sticking"
    assert read(SQUARE, **inside, **still, omega_N=0.2).regime == "sliding"
    tipping = read(SQUARE, **on_edge, **tip)
    assert tipping.valid and tipping.cop == pytest.approx([1.0, 0.3])
    assert tipping.zero_line is not None
    at, way = tipping.zero_line
    assert at[0] == pytest.approx(1.0) and np.abs(way) == pytest.approx(edge)
    assert not read(SQUARE, **inside, **tip).valid
    assert not read(SQUARE, m_T=np.zeros(2), f_N=-1.0, **still).valid
    assert not read(SQUARE, m_T=2.0 * perp(np.array([1.1, 0.0])), f_N=2.0, **still).valid


def test_the_extended_centre_of_pressure_is_the_side_that_leaves_last() -> None:
    leaving = read(SQUARE, np.zeros(2), 0.0, np.array([0.0, 0.5]), 0.7)
    assert leaving.cop is None
    assert sorted(map(tuple, leaving.extended_cop)) == [(1.0, -1.0), (1.0, 1.0)]
    assert len(read(SQUARE, np.zeros(2), 0.0, np.zeros(2), 0.7).extended_cop) == 4
    disk = np.array([[np.cos(t), np.sin(t)] for t in np.linspace(0, 2 * np.pi, 64, endpoint=False)])
    assert len(read(disk, np.zeros(2), 0.0, np.array([0.3, 0.5]), 0.7).extended_cop) == 1


def test_margin_and_nearest_side() -> None:
    reading = read(SQUARE, 3.0 * perp(np.array([0.2, -0.9])), 3.0, np.zeros(2), 0.0)
    assert reading.margin == pytest.approx(0.1)
    assert reading.nearest_side is not None and reading.nearest_side[2] == pytest.approx([0.0, -1.0])


@given(patches, st.integers(0, 2**32 - 1))
def test_wrench_and_twist_of_points_do_the_same_work(points: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    omega, v, turn, drift = rng.normal(size=2), float(rng.normal()), float(rng.normal()), rng.normal(size=2)
    velocities = np.column_stack([drift - turn * perp(points), v + perp(points) @ omega])
    forces = rng.normal(size=(len(points), 3))
    m_T, f_N, m_N, f_T = wrench_of(points, forces)
    found = twist_of(points, velocities)
    power = float((forces * velocities).sum())
    for w_T, v_N, w_N, v_T in ((omega, v, turn, drift), found):
        assert m_T @ w_T + f_N * v_N + m_N * w_N + f_T @ v_T == pytest.approx(power, abs=1e-6)
