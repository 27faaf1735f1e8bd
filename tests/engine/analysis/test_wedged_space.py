"""Wedged sign patterns in space: two algorithms, and every set asked by itself."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.analysis import wedged
from engine.analysis.wedged.programs import elastic, of_pattern, with_margin
from tests.engine.analysis.structures import at_contacts, truss


def random_stiffness(rng: np.random.Generator, size: int) -> np.ndarray:
    factor = rng.normal(size=(size, size))
    return factor @ factor.T + 0.05 * size * rng.random() * np.eye(size)


def test_branching_and_rays_find_the_same_patterns() -> None:
    rng = np.random.default_rng(5)
    total = 0
    for number in range(50):
        m = 1 + number % 6
        K, mu = random_stiffness(rng, 3 * m), rng.uniform(0.2, 2.0)
        found = wedged.sign_patterns(K, mu)
        assert found == wedged.sign_patterns_by_rays(K, mu)
        total += len(found)
    assert total > 100


def test_they_are_those_that_exist_when_every_set_is_asked() -> None:
    rng = np.random.default_rng(6)
    for m in (2, 3, 4, 4):
        K, mu = random_stiffness(rng, 3 * m), rng.uniform(0.5, 1.5)
        problem = elastic(K, 3)
        sets = [frozenset(each) for n in range(m + 1) for each in itertools.combinations(range(m), n)]
        exist = {closed for closed in sets if of_pattern(problem, mu, closed).exists}
        assert wedged.sign_patterns(K, mu) == exist
        assert exist == {c for c in sets if with_margin(problem, mu, c, set(range(m)) - c).exists}


def test_one_node_is_wedged_from_the_friction_of_a_formula() -> None:
    """u_n = 0 needs C_nn r_n + C_nt . r_t = 0: the flattest such reaction has |r_t| / r_n = C_nn / |C_nt|."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        K = random_stiffness(rng, 3)
        compliance = np.linalg.inv(K)
        expected = compliance[0, 0] / math.hypot(compliance[0, 1], compliance[0, 2])
        found = wedged.critical_friction(K, 1.5 * expected, d=3)
        assert found.by_cone == [pytest.approx(expected, rel=1e-6)]
        assert wedged.sign_patterns(K, 0.999 * expected) == set()


def test_a_truss_out_of_its_plane_is_wedged_like_the_one_in_it() -> None:
    """Stiffness in the third direction that couples with nothing leaves the critical friction as it is."""
    flat = np.array([[0.0, 0.0], [0.0, 1.5], [2.0, 0.0], [2.4, 1.0]])
    bars = [(0, 2), (1, 2), (1, 3), (0, 3), (2, 3)]
    normal = np.array([-math.sin(1.2), math.cos(1.2)])
    frame = np.stack([normal, [-normal[1], normal[0]]])
    K = at_contacts(truss(flat, bars), np.stack([frame, frame]), [2, 3], [0, 1])
    deep = np.zeros((6, 6))
    rows = [0, 1, 3, 4]
    deep[np.ix_(rows, rows)] = K
    deep[2, 2] = deep[5, 5] = 0.7
    plane, space = wedged.critical_friction(K, 2.0), wedged.critical_friction(deep, 2.0, d=3)
    assert math.isfinite(plane.value) and space.value == pytest.approx(plane.value, abs=1e-6)
