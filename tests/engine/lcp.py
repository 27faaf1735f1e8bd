"""Reference answers for small islands: Lemke's method, and contact with a polygonal friction cone as an LCP.

    find z >= 0 with w = M z + q >= 0 and z.w = 0

Dense, plain and slow: the island solver is checked against it, and nothing else uses it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.errors import ForegoneError

PIVOT = 1e-11  # smaller entries of a column are zero
MOST_PIVOTS = 50  # per unknown


class NoSolution(ForegoneError):
    """Lemke's method ended on a ray: for copositive M the problem has no solution."""


def lemke(M: np.ndarray, q: np.ndarray) -> np.ndarray:
    """A solution z of the LCP (M, q). Ties in the ratio test are broken lexicographically, so it cannot cycle."""
    n = len(q)
    if n == 0 or (q >= 0.0).all():
        return np.zeros(n)
    # Columns: w (0 .. n-1), z (n .. 2n-1), the artificial z0 (2n), the right-hand side (2n+1).
    table = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = np.arange(n)
    artificial = 2 * n
    row = _first_row(table, n)
    entering = artificial
    for _ in range(MOST_PIVOTS * n + 10):
        leaving = int(basis[row])
        _pivot(table, row, entering)
        basis[row] = entering
        if leaving == artificial:
            return _refined(M, q, basis)
        entering = leaving + n if leaving < n else leaving - n
        row = _ratio_test(table, basis, entering, artificial)
        if row < 0:
            raise NoSolution("the linear complementarity problem has no solution on this path (secondary ray)")
    raise NoSolution("Lemke's method did not end")


def _first_row(table: np.ndarray, n: int) -> int:
    """The lexicographically smallest row (rhs, B^-1): where z0 enters."""
    return min(range(n), key=lambda i: (table[i, -1], tuple(table[i, :n])))


def _pivot(table: np.ndarray, row: int, column: int) -> None:
    table[row] /= table[row, column]
    factors = table[:, column].copy()
    factors[row] = 0.0
    table -= np.outer(factors, table[row])


def _ratio_test(table: np.ndarray, basis: np.ndarray, column: int, artificial: int) -> int:
    """Row that leaves: the lexicographically smallest (rhs, B^-1) / positive entry; z0 wins ties. -1: a ray."""
    n = len(basis)
    entries = table[:, column]
    rows = np.flatnonzero(entries > PIVOT * max(1.0, float(np.abs(entries).max())))
    if not len(rows):
        return -1
    for k in (-1, *range(n)):
        ratios = table[rows, k] / entries[rows]
        least = ratios.min()
        rows = rows[ratios <= least + 1e-12 * max(1.0, abs(least))]
        for row in rows:
            if k == -1 and basis[row] == artificial:
                return int(row)
        if len(rows) == 1:
            break
    return int(rows[0])


def _refined(M: np.ndarray, q: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Solve the final basis once more from the data, free of the rounding of many pivots."""
    n = len(q)
    active = np.sort(basis[(basis >= n) & (basis < 2 * n)] - n)
    z = np.zeros(n)
    if len(active):
        z[active] = np.linalg.lstsq(M[np.ix_(active, active)], -q[active], rcond=None)[0]
    return np.maximum(z, 0.0)


@dataclass(frozen=True)
class PolygonalContact:
    """The LCP of an island whose friction discs are regular polygons with `facets` corners (Stewart and Trinkle).

    Unknowns per contact: the normal impulse, one impulse per corner, and a slack that is the sliding speed."""

    M: np.ndarray
    q: np.ndarray
    facets: int

    def impulses(self, z: np.ndarray) -> np.ndarray:
        """(C, 3) normal and tangential impulses."""
        per = z.reshape(-1, self.facets + 2)
        return np.column_stack([per[:, 0], per[:, 1:-1] @ corners(self.facets)])


def corners(facets: int) -> np.ndarray:
    """Unit vectors (facets, 2), evenly spaced."""
    angle = 2.0 * math.pi * np.arange(facets) / facets
    return np.column_stack([np.cos(angle), np.sin(angle)])


def polygonal_contact(G: np.ndarray, rhs: np.ndarray, mu: np.ndarray, facets: int) -> PolygonalContact:
    """The LCP of w = G y + rhs, y = G^T z: rows G (C, 3, m) normal and tangents, rhs (C, 3) m/s, friction mu (C,).

    0 <= lam  perp  w_n >= 0,   0 <= beta  perp  D w_t + s >= 0,   0 <= s  perp  mu lam - sum beta >= 0"""
    count = len(G)
    per = facets + 2
    directions = corners(facets)
    rows = np.zeros((count, per, G.shape[2]))
    rows[:, 0] = G[:, 0]
    rows[:, 1:-1] = np.einsum("fk,ckm->cfm", directions, G[:, 1:])
    flat = rows.reshape(count * per, -1)
    M = flat @ flat.T
    q = np.zeros((count, per))
    q[:, 0] = rhs[:, 0]
    q[:, 1:-1] = rhs[:, 1:] @ directions.T
    for c in range(count):
        normal, slack = c * per, (c + 1) * per - 1
        betas = slice(normal + 1, slack)
        M[betas, slack] = 1.0
        M[slack, betas] = -1.0
        M[slack, normal] = mu[c]
    return PolygonalContact(M, q.ravel(), facets)
