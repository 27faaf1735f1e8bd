"""Misprints of the papers, as the page of errata in docs tells them: what is printed fails, what it says holds."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.analysis import stability, wedged
from engine.analysis.patch import read
from engine.analysis.patch_hull import perp
from tests.engine.analysis.test_stability_paper import CLOSED, FIRST, PAPERS_LOAD, RADIUS, SECOND, UNIT, disk

PAGE = Path(__file__).resolve().parents[3] / "docs" / "errata.md"
PRESS, RUB = np.array([155.62764, 155.19384]), np.array([-234.46950, 233.81593])
SLIDING_BOUNDS = np.array([0.0, 467.6318])  # v_t


def test_every_erratum_has_its_test() -> None:
    told = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("### ")]
    tests = [name for name in globals() if name.startswith("test_") and name != "test_every_erratum_has_its_test"]
    assert len(told) == len(tests) == 7


@pytest.mark.parametrize("lean", [30.0, 45.0, 72.0])
def test_what_the_turning_rod_lifts_its_tip_by_is_the_sine(lean: float) -> None:
    angle, spin, step = math.radians(lean), 3.0, 1e-4

    def height(t: float) -> float:
        """Of the tip over the middle, a unit away from it: the rod turns about its middle."""
        return -math.sin(angle + spin * t)

    lifted = (height(step) - 2.0 * height(0.0) + height(-step)) / step**2
    assert lifted == pytest.approx(spin**2 * math.sin(angle), rel=1e-5)
    assert (lifted == pytest.approx(spin**2 * math.cos(angle), rel=1e-2)) is (lean == 45.0)
    # In equation 15, without friction, the arm of the normal force is the cosine: the lean is from the base.
    assert math.hypot(math.cos(angle), height(0.0)) == pytest.approx(1.0)


def test_rays_behind_a_node_and_pressed_ones_ahead_of_it_go() -> None:
    """One node: a ray is wedged when its gap is 0 (there is nothing else to be open for)."""
    mu = 0.5
    rays = np.array([[1.0, mu], [1.0, -mu]])

    def as_printed(compliance: np.ndarray) -> int:
        gaps = rays @ compliance[0]
        border = [ray for ray, gap in zip(rays, gaps, strict=True) if gap == 0.0]
        if (gaps > 0.0).any() and (gaps < 0.0).any():
            border.append(abs(gaps[1]) * rays[0] + abs(gaps[0]) * rays[1])
        border = [ray for ray in border if (compliance[0] @ ray) * ray[0] == 0.0]  # step 3
        return len(rays) + len(border)  # step 4: V and V_i

    for compliance, wedges in ((np.eye(2), 0), (np.array([[1.0, -4.0], [-4.0, 20.0]]), 1)):
        found = wedged.rays(np.linalg.inv(compliance), mu)
        assert len(found.rays) == wedges
        assert as_printed(compliance) == wedges + 2


def test_a_node_of_the_search_can_have_no_solution() -> None:
    """One contact that is free: its reaction is 0, and the reactions are to sum to 1. Unknown: r_n, u_n, t."""
    stiffness = 2.0
    equal = np.array([[-1.0, stiffness, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])  # K u = r, r_n = 0, sum r_n = 1
    gap = np.array([[0.0, -1.0, 1.0]])  # u_n >= t
    bounds = [(None, None)] * 3
    assert linprog([0.0, 0.0, -1.0], gap, [0.0], equal, [0.0, 0.0, 1.0], bounds).status == 2
    assert linprog([0.0, 0.0, -1.0], gap, [0.0], equal[[0, 2]], [0.0, 1.0], bounds).status == 0  # undecided: it has


def test_the_centre_of_pressure_is_the_other_way() -> None:
    points = np.array([[1.0, 2.0], [3.0, 2.0], [3.0, 3.0], [1.0, 3.0]])
    forces = np.array([1.0, 2.0, 0.5, 0.25])
    moment, total = forces @ perp(points), float(forces.sum())
    centre = forces @ points / total
    told = read(points, moment, total, np.zeros(2), 0.0).extended_cop
    assert told == pytest.approx(centre[None], abs=1e-12)
    assert perp(moment) / total == pytest.approx(-centre, abs=1e-12)


def test_friction_on_the_contact_that_stays_is_bounded_by_what_it_bears() -> None:
    s, r = math.cos(SECOND - FIRST), math.sin(SECOND - FIRST)
    g1 = np.array([-math.sin(FIRST), math.cos(FIRST), 0.0])
    g2 = np.array([math.sin(SECOND), -math.cos(SECOND), 0.0])
    g3 = np.array([math.sin(FIRST), -math.cos(FIRST), 1.0 / RADIUS])
    g5 = np.array([-math.sin(FIRST), math.cos(FIRST), RADIUS])
    mu, x1, x2 = 0.2, 0.5, 1.0
    assert np.linalg.norm(s * g1 + g2) == pytest.approx(r)
    for share, inside in ((0.99 * r, True), (1.01 * r, False), (0.99, False)):  # the last is within what is printed
        load = x1 * g3 + x2 * (s * g1 + g2) + share * mu * x2 * g5
        assert stability.moves_without_sliding(*disk(), None, mu, load, UNIT) is inside


def test_the_printed_forces_are_at_the_bound_of_a_friction_a_hundredth_above_the_critical_one() -> None:
    mu = 0.01 + CLOSED
    assert pytest.approx(RUB, abs=2e-4) == SLIDING_BOUNDS - mu * PRESS
    assert np.abs(SLIDING_BOUNDS - (0.1 + CLOSED) * PRESS - RUB).min() > 10.0
    found = stability.classify(*disk(), None, mu, PAPERS_LOAD, UNIT)
    assert (found.weak, found.strong) == (True, False)


def test_the_torque_of_the_printed_load_is_negative() -> None:
    Wn, Wt = disk()
    printed = PAPERS_LOAD * [1.0, 1.0, -1.0]
    b = [1.0, 1.871616, 2.918752, 1.0]
    assert PAPERS_LOAD[2] < 0.0 and np.r_[Wn.T @ PAPERS_LOAD, Wt.T @ PAPERS_LOAD] == pytest.approx(b, abs=1e-6)
    assert np.abs(np.r_[Wn.T @ printed, Wt.T @ printed] - b).max() > 1.0
    assert -(Wn @ PRESS + Wt @ RUB) == pytest.approx(PAPERS_LOAD, abs=5e-3)
