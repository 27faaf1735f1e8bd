"""Is every load that can be balanced also certain to be (theorem 4)? A question about geometry and friction alone.

It is not when some forces balance a load while others, which obey the law too, let the body move under it. With forces
v of the balance and u of the motion, and signs sigma of the slides, the paper lists the ways for that to happen: one
system of inequalities for every choice of signs and every set gamma of accelerations that are not zero (32 to 35).
`counterexample` searches all of them at once by branching (modes.py); `consistent_sets` goes through the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.linalg import cho_solve
from scipy.optimize import linprog

from engine.analysis.stability.cones import Pyramids
from engine.analysis.stability.modes import (
    NODES,
    Motion,
    System,
    coulomb_rules,
    forces_of,
    law_of,
    search,
)


@dataclass(frozen=True)
class Counterexample:
    """A load that can be balanced and can move the body. Without one: `load` None; not `proven`: not known."""

    load: np.ndarray | None
    motion: Motion | None
    proven: bool
    nodes: int


def counterexample(p: Pyramids, limit: int = NODES, look_up: Callable[[], None] | None = None) -> Counterexample:
    law = law_of(p)
    n, width = p.J.shape[2], law.matrix.shape[1]
    balance = width + np.arange(law.forces.size).reshape(law.forces.shape)
    matrix = np.zeros((len(law.matrix) + 1, width + law.forces.size))
    matrix[:-1, :width] = law.matrix
    matrix[:-1, width:] = -law.matrix[:, : law.forces.size]
    matrix[-1, law.opens] = 1.0
    matrix[-1, law.slides.ravel()] = 1.0  # all accelerations together: what is not rest may have any size
    right = np.zeros(len(matrix))
    right[-1] = 1.0
    one_way = tuple(
        (law.slides[0, each, i : i + 1], law.slides[1, each, i : i + 1])
        for each in range(len(law.slides[0]))
        for i in range(n)
    )
    answer = search(System(matrix, right, (*one_way, *coulomb_rules(p, law))), limit, look_up)
    if answer.x is None:
        return Counterexample(None, None, answer.proven, answer.nodes)
    load = -np.einsum("dwn,dn->w", p.J, forces_of(p, answer.x[balance]))
    forces = forces_of(p, answer.x[law.forces])
    acceleration = cho_solve((p.root, True), np.einsum("dwn,dn->w", p.J, forces) + load)
    return Counterexample(load, Motion(acceleration, forces), True, answer.nodes)


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
    """M-hat(sigma) of the paper: accelerations against normal forces and slacks of friction, both in signed axes."""
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
