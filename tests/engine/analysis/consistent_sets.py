"""The list that theorem 4 of Pang and Trinkle 1998 goes through, for a few contacts: what the search must agree with.

One system of inequalities for every choice of signs of the slides and every set gamma of accelerations that are not
zero (32 to 35)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.linalg import cho_solve
from scipy.optimize import linprog

from engine.analysis.stability.cones import Pyramids


def consistent_sets(p: Pyramids, signs: np.ndarray) -> list[tuple[int, ...]]:
    """The sets gamma, of rows numbered from 0 with normals first, for which (32 to 35) has a solution. signs: (d, n) of
    the slides. Their number doubles with every row: for a few contacts only."""
    matrix = signed_matrix(p, np.asarray(signs, float))
    rows = len(matrix)
    found = []
    for size in range(1, rows + 1):
        found += [gamma for gamma in combinations(range(rows), size) if _consistent(p, matrix, gamma)]
    return found


def signed_matrix(p: Pyramids, signs: np.ndarray) -> np.ndarray:
    """M-hat(sigma) there: accelerations against normal forces and slacks of friction, both in signed axes."""
    n = p.J.shape[2]
    J = np.concatenate([p.J[:1], signs[:, None, :] * p.J[1:]])
    columns = J.transpose(1, 0, 2).reshape(len(p.root), -1)
    A = columns.T @ cho_solve((p.root, True), columns)
    A[:, :n] -= sum(A[:, each * n : (each + 1) * n] for each in range(1, len(J))) * p.mu
    return A


def _consistent(p: Pyramids, matrix: np.ndarray, gamma: tuple[int, ...]) -> bool:
    """Systems (32 to 35) are homogeneous: instead of > 0, >= 1."""
    rows, n = len(matrix), p.J.shape[2]
    own = np.isin(np.arange(rows), gamma)
    both = np.hstack([matrix, -matrix])
    slack = np.zeros((2 * (rows - n), 2 * rows))
    for half in range(2):
        for i in range(rows - n):
            line = slack[half * (rows - n) + i]
            line[half * rows + n + i], line[half * rows + i % n] = 1.0, -2.0 * p.mu[i % n]
    bounds = [(0.0, 0.0 if fixed else None) for fixed in own] + [(0.0, None)] * rows
    answer = linprog(
        np.zeros(2 * rows),
        A_ub=np.vstack([-both[own], slack]),
        b_ub=np.concatenate([-np.ones(own.sum()), np.zeros(len(slack))]),
        A_eq=both[~own] if not own.all() else None,
        b_eq=np.zeros((~own).sum()) if not own.all() else None,
        bounds=bounds,
        method="highs",
    )
    return bool(answer.status == 0)
