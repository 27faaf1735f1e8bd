"""No contact force, one, several: against closed forms, enumeration of all patterns, and subset sums."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from engine.analysis.consistency import answers, solutions
from tests.engine.analysis.hard_problems import FRICTION, LEAN, rod, subset_sum

GRAVITY = 9.81
TURNING = float(np.sqrt((1.0 + GRAVITY) / np.sin(LEAN)))  # equation 21 with the sine: spin^2 sin - g = 1


def test_the_rod_that_turns_has_the_answers_zero_and_its_mass() -> None:
    for mass in (0.2, 1.0, 7.0):
        found = sorted(float(f[0]) for f in solutions(*rod(mass, TURNING, GRAVITY)))
        assert found == pytest.approx([0.0, mass], abs=1e-12 * mass)


def test_the_rod_without_spin_has_no_answer_under_any_gravity_and_one_without() -> None:
    for gravity in (1e-6, 1.0, 9.81):
        assert solutions(*rod(1.0, 0.0, gravity)) == []
    assert [f.tolist() for f in solutions(*rod(1.0, 0.0, 0.0))] == [[0.0]]


def test_the_papers_friction() -> None:
    assert pytest.approx(0.75025, abs=1e-5) == FRICTION
    assert 16.0 * (np.cos(LEAN) ** 2 - FRICTION * np.cos(LEAN) * np.sin(LEAN)) == pytest.approx(-2.0)


def sums_of(numbers: list[int]) -> set[int]:
    sums = {0}
    for number in numbers:
        sums |= {s + number for s in sums}
    return sums


def test_subset_sums() -> None:
    rng = np.random.default_rng(0)
    satisfiable = 0
    for case in range(300):
        n = int(rng.integers(2, 15))
        numbers = rng.integers(1, 10 ** int(rng.integers(2, 6)), n).tolist()
        picked = sum(x for x in numbers if rng.random() < 0.5)
        target = picked if case % 2 and picked else int(rng.integers(1, sum(numbers) + 1))
        expected = target in sums_of(numbers)
        satisfiable += expected
        answer = answers(*subset_sum(numbers, target), first_only=True)
        assert answer.consistent == expected, (numbers, target)
        if expected:
            chosen = answer.forces[0, :n]
            assert np.minimum(chosen, np.array(numbers) - chosen) == pytest.approx(0.0, abs=1e-6)
            assert chosen.sum() == pytest.approx(target)
    assert 100 < satisfiable < 250


def test_every_subset_is_an_answer_of_its_own() -> None:
    numbers, target = [3, 5, 8, 11, 13, 16], 24
    picks = [p for p in itertools.product((0, 1), repeat=6) if np.dot(p, numbers) == target]
    found = {tuple((f[:6] > 0.5).astype(int).tolist()) for f in solutions(*subset_sum(numbers, target))}
    assert found == set(picks) and len(picks) > 2


def enumerated(A: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """All answers of a problem in general position: one linear system per pattern."""
    found = []
    for pattern in itertools.product((False, True), repeat=len(b)):
        acting = np.flatnonzero(pattern)
        f = np.zeros(len(b))
        if len(acting):
            f[acting] = np.linalg.solve(A[np.ix_(acting, acting)], -b[acting])
        if (f >= 0.0).all() and (np.delete(A @ f + b, acting) >= 0.0).all():
            found.append(f)
    return found


def test_all_answers_of_random_problems() -> None:
    rng = np.random.default_rng(1)
    counts = []
    for _ in range(400):
        n = int(rng.integers(1, 7))
        A, b = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-3, 3, n), rng.normal(size=n)
        if rng.random() < 0.5:  # friction makes weakly unsymmetric matrices, mostly
            A = A @ A.T + rng.normal(size=(n, n))
        mine, theirs = solutions(A, b), enumerated(A, b)
        counts.append(len(theirs))
        assert len(mine) == len(theirs)
        for f in theirs:
            assert min(np.abs(f - g).max() for g in mine) <= 1e-8 * (1.0 + np.abs(f).max())
    assert {0, 1, 2, 3} <= set(counts)


def test_a_gauge_leaves_one_answer_for_each_of_its_values() -> None:
    """Forces on fewer coordinates than there are of them: many answers are one motion."""
    rng = np.random.default_rng(3)
    shared = several = 0
    for _ in range(500):
        n, w = int(rng.integers(2, 7)), int(rng.integers(1, 4))
        rows = rng.integers(-1, 2, (n, w)).astype(float)
        pushes = rows + 0.7 * rng.integers(-1, 2, (n, w))
        A, b = rows @ pushes.T, rng.integers(-1, 2, n).astype(float)
        gauge = pushes @ (1.5 + np.cos(1.0 + np.arange(w)))
        everything, told = answers(A, b), answers(A, b, gauge=gauge, same=1e-6)
        values = np.unique((everything.forces @ gauge).round(5))
        mine = (told.forces @ gauge).round(5)
        assert told.proven and len(np.unique(mine)) == len(mine)
        assert bool(len(values)) == bool(len(mine)) and (len(values) > 1) == (len(mine) > 1)
        shared, several = shared + (len(everything.forces) > len(mine)), several + (len(mine) > 1)
    assert shared > 20 and several > 20


def feasible(A: np.ndarray, b: np.ndarray, pattern: tuple[bool, ...]) -> bool:
    acting, idle = np.flatnonzero(pattern), np.flatnonzero(~np.array(pattern))
    bounds = [(0.0, None if p else 0.0) for p in pattern]
    return bool(linprog(np.zeros(len(b)), -A[idle], b[idle], A[acting], -b[acting], bounds).status == 0)


def test_degenerate_problems() -> None:
    """Small whole numbers: vertices with many zeros, singular patterns, whole faces of answers."""
    rng = np.random.default_rng(2)
    none = wide = 0
    for _ in range(90):
        n = int(rng.integers(1, 5))
        A, b = rng.integers(-1, 2, (n, n)).astype(float), rng.integers(-1, 2, n).astype(float)
        found = answers(A, b)
        assert found.proven
        assert found.consistent == any(feasible(A, b, p) for p in itertools.product((False, True), repeat=n))
        none, wide = none + (not found.consistent), wide + int((~found.isolated).any())
        for f in found.forces:
            w = A @ f + b
            assert (f >= 0.0).all() and (w >= -1e-9).all() and abs(f @ w) <= 1e-9
    assert none > 10 and wide > 10


def test_a_face_of_answers_is_not_called_isolated() -> None:
    """Two supports share a weight in any way."""
    found = answers(np.ones((2, 2)), -np.ones(2))
    assert sorted(map(tuple, found.forces.round(9))) == [(0.0, 1.0), (1.0, 0.0)]
    assert not found.isolated.any()
    assert answers(np.eye(2), -np.ones(2)).isolated.all()


def test_a_limit_of_nodes_proves_nothing() -> None:
    numbers = [2 * k for k in range(51, 65)]
    A, b = subset_sum(numbers, sum(numbers) // 4 * 2 + 1)
    assert answers(A, b, most_nodes=20).consistent is None
    assert answers(A, b).consistent is False


def test_bad_shapes_are_named() -> None:
    with pytest.raises(ValueError, match="2 by 2"):
        solutions(np.eye(3), np.zeros(2))
    with pytest.raises(ValueError, match="finite"):
        solutions(np.array([[np.nan]]), np.zeros(1))
    assert [len(f) for f in solutions(np.zeros((0, 0)), np.zeros(0))] == [0]
