"""Numbers of Pang and Trinkle 1998: the disk between two fixels (example 1) and the block on a slope (example 2)."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.analysis import stability
from engine.analysis.stability.cones import pyramids_of
from tests.engine.analysis.consistent_sets import consistent_sets
from tests.engine.analysis.load_sets import FRICTIONLESS, STRONG, WEAK, on_sphere, rolls_on_sphere, sector, spanning

FIRST, SECOND, RADIUS = math.pi / 4, 2.5 * math.pi / 4, math.sqrt(2.0)
CLOSED = math.sin(SECOND - FIRST) / (1.0 - math.cos(SECOND - FIRST))  # r / (1 - s)
UNIT = np.eye(3)
PAPERS_LOAD = np.array([0.4324728, -1.8466864, -0.9242900])
"""What the printed forces balance, and what gives the printed accelerations. Its torque is printed as positive;
that load is weakly and not strongly stable too."""


def disk() -> tuple[np.ndarray, np.ndarray]:
    """Wn, Wt of a disk of mass 1 whose mass matrix is the identity."""
    c, s = np.cos([FIRST, SECOND]), np.sin([FIRST, SECOND])
    return np.array([-c, -s, [0.0, 0.0]]), np.array([s, -c, [-RADIUS, -RADIUS]])


def slope(angle: float) -> tuple[np.ndarray, np.ndarray]:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[-s, -s], [c, c], [1.0, -1.0]]), np.array([[-c, -c], [-s, -s], [-1.0, -1.0]])


def test_the_friction_at_which_the_fixels_see_each_other() -> None:
    assert CLOSED == pytest.approx(1.4966, abs=5e-5)


def test_the_papers_load_is_weakly_and_not_strongly_stable() -> None:
    Wn, Wt = disk()
    mu = 0.1 + CLOSED
    press, rub = np.array([155.62764, 155.19384]), np.array([-234.46950, 233.81593])
    assert -(Wn @ press + Wt @ rub) == pytest.approx(PAPERS_LOAD, abs=5e-3)  # as far as the printed digits carry
    found = stability.classify(Wn, Wt, None, mu, PAPERS_LOAD, UNIT)
    assert (found.frictionless, found.weak, found.strong) == (False, True, False)
    assert found.witness is not None
    assert PAPERS_LOAD @ found.witness > 0.0
    assert (Wn.T @ found.witness > -1e-9).all()
    # No force at all is a dynamic intensity too: b = (1, 1.871616, 2.918752, 1).
    assert np.r_[Wn.T @ PAPERS_LOAD, Wt.T @ PAPERS_LOAD] == pytest.approx([1.0, 1.871616, 2.918752, 1.0], abs=1e-6)
    as_printed = stability.classify(Wn, Wt, None, mu, PAPERS_LOAD * [1.0, 1.0, -1.0], UNIT)
    assert (as_printed.weak, as_printed.strong) == (True, False)
    assert stability.classify(Wn, Wt, None, CLOSED - 0.1, PAPERS_LOAD, UNIT).weak is False


def test_the_balance_found_obeys_the_cones() -> None:
    Wn, Wt = disk()
    mu = 0.1 + CLOSED
    normal, tangent = stability.classify(Wn, Wt, None, mu, PAPERS_LOAD, UNIT).forces
    assert Wn @ normal + Wt @ tangent == pytest.approx(-PAPERS_LOAD, abs=1e-9)
    assert (np.abs(tangent) <= mu * normal * (1.0 + 1e-12)).all()


def test_seven_of_the_fifteen_systems_are_consistent() -> None:
    p = pyramids_of(*disk(), None, 0.1 + CLOSED, UNIT)
    sets = consistent_sets(p, [[1, 1]])
    assert len(sets) == 7
    assert (0, 1, 2, 3) in sets  # the one for which a solution is printed


@pytest.mark.parametrize("mu", [0.2, 1.0, CLOSED - 1e-3])
def test_no_system_is_consistent_below_the_critical_friction(mu: float) -> None:
    p = pyramids_of(*disk(), None, mu, UNIT)
    assert all(consistent_sets(p, [signs]) == [] for signs in itertools.product((1, -1), repeat=2))
    assert stability.weak_is_strong(*disk(), None, mu, UNIT) == (True, None)


@pytest.mark.parametrize("mu", [CLOSED + 1e-3, 0.1 + CLOSED, 3.0])
def test_above_it_a_load_is_found_that_is_only_weakly_stable(mu: float) -> None:
    same, load = stability.weak_is_strong(*disk(), None, mu, UNIT)
    assert same is False and load is not None
    found = stability.classify(*disk(), None, mu, load, UNIT)
    assert (found.weak, found.strong) == (True, False)


def test_the_search_agrees_with_the_list_of_systems() -> None:
    rng = np.random.default_rng(3)
    answers = set()
    for _ in range(25):
        p = pyramids_of(*(rng.normal(size=(3, 2)) for _ in range(2)), None, rng.uniform(0.0, 2.0, 2), UNIT)
        listed = any(consistent_sets(p, [signs]) for signs in itertools.product((1, -1), repeat=2))
        assert stability.weak_is_strong(p.J[0], p.J[1], None, p.mu, UNIT)[0] is not listed
        answers.add(listed)
    assert answers == {True, False}


def test_loads_of_the_disk_that_roll_out_stay_unstable_with_more_friction() -> None:
    """WU_R1 of theorem 3: the first contact stays, the second opens. Its vector s g1 + g2 has length r,
    which the printed bound of friction leaves out."""
    s, r = math.cos(SECOND - FIRST), math.sin(SECOND - FIRST)
    g1 = np.array([-math.sin(FIRST), math.cos(FIRST), 0.0])
    g2 = np.array([math.sin(SECOND), -math.cos(SECOND), 0.0])
    g3 = np.array([math.sin(FIRST), -math.cos(FIRST), 1.0 / RADIUS])
    g5 = np.array([-math.sin(FIRST), math.cos(FIRST), RADIUS])
    rng = np.random.default_rng(4)
    for _ in range(20):
        mu, x1, x2 = 0.2, rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)
        load = x1 * g3 + x2 * (s * g1 + g2) + rng.uniform(-1.0, 1.0) * mu * r * x2 * g5
        for more in (mu, 0.6, 2.5):
            assert stability.moves_without_sliding(*disk(), None, more, load, UNIT)
            assert stability.classify(*disk(), None, more, load, UNIT).strong is False
    inside = g1 + g2
    assert stability.moves_without_sliding(*disk(), None, 0.2, inside, UNIT) is False
    assert stability.moves_without_sliding(*disk(), None, 0.2, -inside, UNIT)  # both open: WU_R12


def test_generators_of_figure_three_and_the_triangle_of_figure_five() -> None:
    Wn, Wt = disk()
    mu = np.array([0.2, 0.5])
    rays = spanning(pyramids_of(Wn, Wt, None, mu, UNIT))
    wanted = np.hstack([-(Wn + mu * Wt), -(Wn - mu * Wt)])
    wanted /= np.linalg.norm(wanted, axis=0)
    assert rays.shape == (3, 4)
    assert sorted(map(tuple, rays.T.round(9))) == sorted(map(tuple, wanted.T.round(9)))
    triangle = spanning(pyramids_of(Wn, Wt, None, [1.8, 0.5], UNIT))
    assert triangle.shape == (3, 3)
    assert spanning(pyramids_of(Wn, Wt, None, [CLOSED - 1e-6, 0.5], UNIT)).shape == (3, 4)
    assert spanning(pyramids_of(Wn, Wt, None, [CLOSED + 1e-6, 0.5], UNIT)).shape == (3, 3)


def test_pure_forces_of_figures_four_and_six() -> None:
    """Between the radii to the contacts; with much friction at the first, 0.08 rad more."""
    Wn, Wt = disk()
    plane = np.eye(3)[:, :2]
    narrow = sector(pyramids_of(Wn, Wt, None, [0.2, 0.5], UNIT), plane)
    assert narrow == pytest.approx((FIRST, SECOND), abs=1e-6)
    wide = sector(pyramids_of(Wn, Wt, None, [1.8, 0.5], UNIT), plane)
    assert (wide[1] - wide[0]) - (SECOND - FIRST) == pytest.approx(0.08, abs=5e-3)


def test_the_sphere_of_loads() -> None:
    """Below the critical friction weak loads are strong; above it all are weak, and some no more than that."""
    Wn, Wt = disk()
    ways, kind = on_sphere(pyramids_of(Wn, Wt, None, [0.2, 0.5], UNIT), 9, 16)
    assert not (kind == WEAK).any() and (kind == STRONG).any()
    assert (kind[np.abs(ways[..., 2]) > 0.05] < FRICTIONLESS).all()
    _, kind = on_sphere(pyramids_of(Wn, Wt, None, 0.1 + CLOSED, UNIT), 9, 16)
    assert (kind >= WEAK).all() and (kind == WEAK).any() and (kind == STRONG).any()


def test_loads_that_open_both_contacts_are_five_sixteenths_of_the_sphere() -> None:
    """Figure 8. With friction the two triangles beside them join, the wider the more friction there is (24)."""
    Wn, Wt = disk()
    shares = []
    for mu in (0.0, 0.2, 1.0):
        ways, rolls = rolls_on_sphere(pyramids_of(Wn, Wt, None, mu, UNIT), 10, 32)
        assert rolls[(ways @ Wn > 0.0).all(axis=2)].all()
        shares.append(rolls.mean())
    assert shares[0] == pytest.approx(5 / 16, abs=1e-12)
    assert shares[0] < shares[1] < shares[2]


@pytest.mark.parametrize("angle", [0.2, 0.7, 1.3])
def test_the_block_obeys_inequalities_17_to_20(angle: float) -> None:
    rng = np.random.default_rng(11)
    Wn, Wt = slope(angle)
    s, c = math.sin(angle), math.cos(angle)
    answers = []
    for _ in range(200):
        m1, m2 = mu = rng.uniform(0.0, 2.0, 2)
        g1, g2, g3 = load = rng.normal(size=3) + 1.5 * np.array([s, -c, 0.0])
        sides = (
            g1 * (s + c) + g2 * (s - c) - g3,
            g1 * (s - c) - g2 * (s + c) + g3,
            g1 * ((m1 + m2) * s + (m1 - m2 - 2) * c) + g2 * ((m1 - m2 - 2) * s - (m1 + m2) * c) + (m2 - m1) * g3,
            g1 * ((m1 + m2) * s + (m1 - m2 + 2) * c) + g2 * ((m1 - m2 + 2) * s - (m1 + m2) * c) + (m2 - m1) * g3,
        )
        weak = stability.classify(Wn, Wt, None, mu, load, UNIT).weak
        assert weak == (min(sides) >= 0.0)
        answers.append(weak)
    assert 10 < sum(answers) < 190
