"""Products, solutions and fits of the engine's own, against numpy's and scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from engine import algebra
from engine.factors import combine, nonnegative, singular, triangular

RNG = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (3,)),
        ((4, 3), (3,)),
        ((3,), (3, 5)),
        ((4, 3), (3, 5)),
        ((40, 70), (70, 50)),
        ((7, 4, 3), (3,)),
        ((7, 4, 3), (3, 5)),
        ((7, 4, 3), (7, 3, 5)),
    ],
)
def test_products(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = RNG.normal(size=left), RNG.normal(size=right)
    assert algebra.times(a, b) == pytest.approx(a @ b, abs=1e-12)


def test_products_of_what_does_not_fit() -> None:
    with pytest.raises(ValueError):
        algebra.times(np.eye(3), np.eye(2))


def test_vectors_one_by_one() -> None:
    a, b, m = RNG.normal(size=(6, 3)), RNG.normal(size=(6, 3)), RNG.normal(size=(6, 3, 3))
    assert algebra.dots(a, b) == pytest.approx(np.einsum("ij,ij->i", a, b))
    assert algebra.each_times(m, a) == pytest.approx(np.einsum("kij,kj->ki", m, a))
    assert algebra.norm(a[0]) == pytest.approx(np.linalg.norm(a[0]))
    assert algebra.norms(a, keepdims=True) == pytest.approx(np.linalg.norm(a, axis=1, keepdims=True))


def test_equations() -> None:
    m, b = RNG.normal(size=(12, 12)), RNG.normal(size=12)
    assert algebra.solve(m, b) == pytest.approx(np.linalg.solve(m, b), abs=1e-9)
    assert algebra.determinant(m[:3, :3]) == pytest.approx(np.linalg.det(m[:3, :3]))
    positive = m[:4, :3, None].transpose(0, 2, 1) * m[:4, :3, None] + np.eye(3)
    assert algebra.inverse(positive) == pytest.approx(np.linalg.inv(positive))
    assert (algebra.inverse(np.diag([3.0, 7.0, 11.0])) == np.diag([1 / 3.0, 1 / 7.0, 1 / 11.0])).all()
    with pytest.raises(ZeroDivisionError):
        algebra.solve(np.zeros((2, 2)), np.zeros(2))


@pytest.mark.parametrize(("m", "n", "rank"), [(3, 3, 3), (12, 3, 3), (12, 3, 1), (5, 9, 5), (54, 66, 20), (1, 3, 1)])
def test_singular_vectors(m: int, n: int, rank: int) -> None:
    matrix = RNG.normal(size=(m, rank)) @ RNG.normal(size=(rank, n))
    found = singular(matrix)
    scale = float(found.values[0])
    assert found.values[: min(m, n)] == pytest.approx(np.linalg.svd(matrix)[1], abs=1e-12 * scale)
    assert (found.values[rank:] < 1e-12 * scale).all()
    assert found.axes @ found.axes.T == pytest.approx(np.eye(n), abs=1e-12)
    assert found.images.T == pytest.approx(matrix @ found.axes.T, abs=1e-12 * scale)


@pytest.mark.parametrize(("m", "n"), [(6, 34), (6, 68), (60, 20), (60, 300)])
@pytest.mark.parametrize("kind", ["reached", "missed", "twice"])
def test_fits_without_negative_weights(m: int, n: int, kind: str) -> None:
    columns = RNG.normal(size=(m, n))
    if kind == "twice":  # columns that say the same
        columns[:, n // 2 :] = columns[:, : n - n // 2]
    right = RNG.normal(size=m) if kind == "missed" else columns @ np.abs(RNG.normal(size=n))
    fitted = nonnegative(columns, right)
    assert fitted.settled and (fitted.weights >= 0.0).all()
    assert fitted.missed == pytest.approx(np.linalg.norm(right - columns @ fitted.weights))
    assert fitted.missed == pytest.approx(nnls(columns, right)[1], abs=1e-9 * float(np.linalg.norm(right)))


def test_rounds_that_are_not_enough_are_told() -> None:
    columns = RNG.normal(size=(20, 60))
    assert not nonnegative(columns, columns @ np.ones(60), rounds=3).settled


def test_triangles() -> None:
    columns, right = RNG.normal(size=(12, 7)), RNG.normal(size=12)
    q, r = triangular(columns)
    assert q.T @ r == pytest.approx(columns)
    weights = np.zeros(7)
    combine(q, r, 7, right, weights)
    assert weights == pytest.approx(np.linalg.lstsq(columns, right)[0])
