"""Wedged configurations in the plane against what is printed, what can be counted out, and what must hold."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.analysis import wedged
from engine.analysis.wedged.cliques import maximal_cliques
from engine.analysis.wedged.programs import elastic, of_pattern
from engine.errors import ForegoneError
from tests.engine.analysis.structures import at_contacts, block_of_the_paper, leaning_truss, plate, truss


def random_stiffness(rng: np.random.Generator, size: int) -> np.ndarray:
    factor = rng.normal(size=(size, size))
    return factor @ factor.T + 0.05 * size * rng.random() * np.eye(size)


def rays_counted_out(K: np.ndarray, mu: float) -> np.ndarray:
    """Every extreme ray: each choice of 2 m - 1 inequalities met with equality leaves one line; is it in the cone?"""
    m = len(K) // 2
    compliance = np.linalg.inv(K)[0::2]
    friction = np.kron(np.eye(m), [[mu, 1.0], [mu, -1.0]])
    facets = np.concatenate([friction, compliance])
    choices = np.array(list(itertools.combinations(range(3 * m), 2 * m - 1)))
    _, sizes, lines = np.linalg.svd(facets[choices])
    lines = lines[sizes[:, -1] > 1e-10, -1] if m > 1 else lines[:, -1]
    lines = lines * np.where(lines[:, 0::2].sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    good = (lines @ facets.T >= -1e-9).all(axis=1)
    good &= (np.abs((lines @ compliance.T) * lines[:, 0::2]) < 1e-9).all(axis=1)
    lines = lines[good] / lines[good, 0::2].sum(axis=1, keepdims=True)
    return np.unique(np.round(lines, 7) + 0.0, axis=0)


def cones_counted_out(found: wedged.Rays) -> set[tuple[int, ...]]:
    """Rays that fit each set of closed nodes, where no other set's rays contain them."""
    m = found.gaps.shape[1]
    sets = set()
    for closed in itertools.product((False, True), repeat=m):
        fits = ~(found.pressed & ~np.array(closed)).any(axis=1) & ~(found.open & np.array(closed)).any(axis=1)
        sets.add(frozenset(np.flatnonzero(fits).tolist()))
    return {tuple(sorted(each)) for each in sets if each and not any(each < other for other in sets)}


def test_two_hundred_random_problems_agree_with_counting_out() -> None:
    rng = np.random.default_rng(20)
    wedged_at_all = several = 0
    for number in range(200):
        m = 1 + number % 4
        K, mu = random_stiffness(rng, 2 * m), rng.uniform(0.2, 4.0)
        found = wedged.rays(K, mu)
        expected = rays_counted_out(K, mu)
        assert len(found.rays) == len(expected)
        apart = np.abs(found.rays[:, None] - expected[None]).max(axis=2)
        assert (apart < 1e-6).any(axis=1).all() and (apart < 1e-6).any(axis=0).all()
        assert set(found.cones) == cones_counted_out(found)
        wedged_at_all += len(found.rays) > 0
        several += len(found.cones) > 1
    assert wedged_at_all > 100 and several > 30


def test_the_block_of_the_paper_with_the_mirrored_normal_has_the_printed_figures() -> None:
    K = block_of_the_paper(mirrored=True)
    found = wedged.rays(K, 1.5)
    assert len(found.rays) == 5
    assert [sorted(found.closed_in(cone)) for cone in found.cones] == [[8, 9, 10, 11], [0]]
    critical = wedged.critical_friction(K, 1.5)
    assert [f"{value:.4f}" for value in critical.by_cone] == ["1.4545", "1.2689"]
    assert np.allclose(critical.by_cone, [1.454483, 1.268941], atol=5e-7)
    assert critical.value == min(critical.by_cone)


def test_the_block_with_its_true_normal_agrees_with_counting_out() -> None:
    """All 4095 sets of closed nodes, each asked by itself. One may also exist because it holds a ray of another, at
    which its own nodes that are not pressed are not open either."""
    K = block_of_the_paper(mirrored=False)
    found, problem = wedged.rays(K, 1.5), elastic(K, 2)
    told = {found.closed_in(cone) for cone in found.cones}
    assert sorted(sorted(each) for each in told) == [[0, 1], [0, 1, 2], [11]]
    sets = [frozenset(each) for n in range(1, 13) for each in itertools.combinations(range(12), n)]
    exist = {closed for closed in sets if of_pattern(problem, 1.5, closed).exists}
    pressed = [frozenset(np.flatnonzero(row).tolist()) for row in found.pressed]
    opened = [frozenset(np.flatnonzero(row).tolist()) for row in found.open]
    held = {each for each in sets for p, o in zip(pressed, opened, strict=True) if p <= each and not each & o}
    assert exist == held >= told


def test_critical_frictions_are_where_a_linear_program_begins_to_say_yes() -> None:
    K = block_of_the_paper(mirrored=False)
    found, critical = wedged.rays(K, 1.5), wedged.critical_friction(K, 1.5)
    assert len(critical.by_cone) == 3
    for cone, least in zip(found.cones, critical.by_cone, strict=True):
        closed = found.closed_in(cone)
        assert pattern_exists(K, closed, least + 1e-6) and not pattern_exists(K, closed, least - 1e-6)


def pattern_exists(K: np.ndarray, closed: frozenset[int], mu: float) -> bool:
    nodes = sorted(closed)
    compliance = np.linalg.inv(K)[0::2]
    compliance = compliance / compliance.max()
    columns = np.ravel([[2 * node, 2 * node + 1] for node in nodes])
    gaps = compliance[:, columns]
    others = [node for node in range(len(gaps)) if node not in closed]
    friction = np.kron(np.eye(len(nodes)), [[-mu, 1.0], [-mu, -1.0]])
    found = linprog(
        np.zeros(len(columns)),
        A_ub=np.concatenate([friction, -gaps[others]]),
        b_ub=np.zeros(2 * len(nodes) + len(others)),
        A_eq=np.concatenate([gaps[nodes], [np.tile([1.0, 0.0], len(nodes))]]),
        b_eq=np.append(np.zeros(len(nodes)), 1.0),
        bounds=(None, None),
        options={"primal_feasibility_tolerance": 1e-10},
    )
    return found.status == 0


def test_rays_obey_the_law_they_are_made_for() -> None:
    K, mu = random_stiffness(np.random.default_rng(3), 18), 2.0
    found = wedged.rays(K, mu)
    normal, sideways = found.rays[:, 0::2], found.rays[:, 1::2]
    gaps = np.linalg.solve(K, found.rays.T).T[:, 0::2]
    assert len(found.rays) > 20 and found.open.any()
    assert (normal >= 0.0).all()
    assert (np.abs(sideways) <= mu * normal + 1e-12).all()
    assert np.allclose(gaps, found.gaps, atol=1e-8 * np.abs(gaps).max())
    assert (found.gaps >= 0.0).all() and not (found.open & found.pressed).any()
    assert wedged.rays(K, mu).rays.tobytes() == found.rays.tobytes()


def test_the_order_of_nodes_changes_nothing_but_the_order() -> None:
    K, mu = leaning_truss(7), 0.9
    order = np.random.default_rng(1).permutation(7)
    columns = np.stack([2 * order, 2 * order + 1], axis=1).ravel()
    one, other = wedged.rays(K, mu), wedged.rays(K[np.ix_(columns, columns)], mu)
    back = other.rays[:, np.argsort(columns)]
    assert len(one.rays) == len(other.rays)
    assert np.abs(one.rays[:, None] - back[None]).max(axis=2).min(axis=1).max() < 1e-9


def test_below_its_critical_friction_nothing_is_wedged() -> None:
    K = leaning_truss(6)
    least = wedged.critical_friction(K, 1.0).value
    assert len(wedged.rays(K, least * (1 - 1e-6)).rays) == 0 < len(wedged.rays(K, least * (1 + 1e-6)).rays)
    assert wedged.critical_friction(K, 0.9 * least).value == math.inf


def test_cliques_of_a_known_graph_and_of_random_ones() -> None:
    edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (5, 5)]
    friends = [0] * 6
    for a, b in edges[:-1]:
        friends[a] |= 1 << b
        friends[b] |= 1 << a
    assert maximal_cliques(friends) == [(0, 1, 2), (2, 3), (3, 4), (5,)]
    rng = np.random.default_rng(4)
    for size in (1, 5, 9):
        linked = np.triu(rng.random((size, size)) < 0.5, 1)
        linked |= linked.T
        friends = [sum(1 << int(j) for j in np.flatnonzero(row)) for row in linked]
        sets = [set(each) for n in range(1, size + 1) for each in itertools.combinations(range(size), n)]
        cliques = [each for each in sets if all(linked[a, b] for a, b in itertools.combinations(each, 2))]
        expected = sorted(tuple(sorted(each)) for each in cliques if not any(each < other for other in cliques))
        assert maximal_cliques(friends) == expected
    assert maximal_cliques([]) == []


def test_a_plate_pulled_evenly_stretches_as_hooke_says() -> None:
    """The patch test: a leaning mesh under uniform stress has exactly linear displacements."""
    nodes, stiffness = plate(np.array([[0.0, 0.0], [2.0, 0.2], [1.7, 1.5], [0.1, 1.0]]), 3, 2, 0.25)
    stretched = np.stack([nodes[:, 0], -0.25 * nodes[:, 1]], axis=1)  # unit stress along x
    forces = (stiffness @ stretched.ravel()).reshape(-1, 2)
    assert np.allclose(forces[[5, 6]], 0.0, atol=1e-12) and np.allclose(forces[:, 1], 0.0, atol=1e-12)
    energy = 0.5 * stretched.ravel() @ stiffness @ stretched.ravel()
    area = 0.5 * abs(np.cross(np.array([1.7, 1.5, 0]), np.array([0.1 - 2.0, 1.0 - 0.2, 0]))[2])
    assert math.isclose(energy, 0.5 * area, rel_tol=1e-12)


def test_a_single_bar_pushes_along_itself() -> None:
    stiffness = truss(np.array([[0.0, 0.0], [3.0, 4.0]]), [(0, 1)])
    force = stiffness @ np.array([0.0, 0.0, 0.3, 0.4])  # 0.5 m longer, of 5 m
    assert np.allclose(force, [-0.06, -0.08, 0.06, 0.08])
    two = truss(np.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0]]), [(0, 2), (1, 2)])
    felt = at_contacts(two, np.array([[[-1.0, 0.0], [0.0, -1.0]]]), [2], [0, 1])
    assert np.allclose(felt, np.diag([2**-0.5, 2**-0.5]))


@pytest.mark.parametrize(
    ("K", "words"),
    [
        (np.zeros((3, 3)), "2 rows and columns per contact node"),
        (np.array([[1.0, 0.5], [0.0, 1.0]]), "symmetric"),
        (np.diag([1.0, -1.0]), "not held"),
        (np.eye(44), "up to 21 contact nodes, not for 22"),
    ],
)
def test_what_is_no_stiffness_is_told(K: np.ndarray, words: str) -> None:
    with pytest.raises(ForegoneError, match=words):
        wedged.rays(K, 0.5)


def test_looking_up_can_stop() -> None:
    def stop() -> None:
        raise InterruptedError

    for work in (wedged.rays, wedged.critical_friction):
        with pytest.raises(InterruptedError):
            work(leaning_truss(5), 0.9, look_up=stop)
    with pytest.raises(InterruptedError):
        wedged.sign_patterns(np.eye(6), 0.9, look_up=stop)
