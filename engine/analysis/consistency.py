"""Does a contact force even exist? All answers of a complementarity problem: none, one or several.

For contacts that slide, friction points against the slip and grows with the normal force, so one number f_i per contact
is left, and the accelerations of separation are w = A f + b. An answer has f >= 0 (contacts push), w >= 0 (nothing goes
into anything) and f.w = 0 (what separates does not push). With friction A is neither symmetric nor positive, so there
may be no answer (Painleve), or several. Deciding which is NP-complete (Baraff 1990): the search may take exponentially
long, and a limit of nodes ends it with "not proven".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from engine.analysis.consistency_search import FOUND_ALL, NO_FORCE, ROOM_FULL, make_gauge, make_tree, search

ALIKE = 1e-7  # answers nearer than this, relative to their size, are one
OFF = 1e-8  # relative to the terms of a row: what an answer may leave of f >= 0, w >= 0, f w = 0
ROUGH = 1e-13  # what is off by more is worked out again
SCALINGS = 8  # rounds of bringing rows and columns to the size of one
NO_LIMIT = 1 << 62


class Scaled(NamedTuple):
    """A problem in units in which its entries are about one: forces f are columns * f'."""

    A: np.ndarray  # (n, n)
    b: np.ndarray  # (n,)
    columns: np.ndarray  # (n,)


@dataclass(frozen=True)
class Answers:
    """k answers of a problem with n contacts."""

    forces: np.ndarray  # (k, n)
    proven: bool  # all were found; False: the limit of nodes was reached, there may be others
    nodes: int
    problem: Scaled
    sides: np.ndarray  # (p, n) pieces of the answer: which of f, w is zero in each (consistency_search.py)

    @property
    def consistent(self) -> bool | None:
        """None: not proven either way."""
        return True if len(self.forces) else False if self.proven else None

    @cached_property
    def isolated(self) -> np.ndarray:
        """(k,) bool: False at the corners of a whole line or face of answers. Of a search for all of them."""
        wide = [side for side in self.sides if not _is_point(self.problem, side)]
        points = self.forces / self.problem.columns
        return np.array([not any(_belongs(self.problem, f, side) for side in wide) for f in points], bool)


def solutions(A: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """All f >= 0 with A f + b >= 0 and f.(A f + b) = 0. Where answers fill a line or a face, its corners stand for it;
    `answers` says so."""
    return list(answers(A, b).forces)


def answers(
    A: np.ndarray,
    b: np.ndarray,
    most_nodes: int = NO_LIMIT,
    first_only: bool = False,
    gauge: np.ndarray | None = None,
    same: float = 0.0,
) -> Answers:
    """The answers, or the first that is found. With a gauge, one answer for each value of gauge.f, where values that
    are the `same`, relative to one plus their size, are one."""
    A, b = np.array(A, float), np.array(b, float).reshape(-1)
    n = len(b)
    if A.shape != (n, n):
        raise ValueError(f"A must be {n} by {n}, as b has {n} entries; it is {' by '.join(map(str, A.shape))}")
    if not (np.isfinite(A).all() and np.isfinite(b).all()):
        raise ValueError("A and b must be finite numbers")
    problem = _scaled(A, b)
    if n == 0:
        return Answers(np.zeros((1, 0)), True, 0, problem, np.zeros((0, 0), np.int64))
    tree, values, room = make_tree(n), np.zeros(2 * n), 64
    telling = make_gauge(n, np.zeros(0) if gauge is None else gauge * problem.columns, same)
    while True:
        found, sides = np.zeros((room, n)), np.zeros((room, n), np.int64)
        count, nodes, ended = search(problem.A, problem.b, tree, values, first_only, most_nodes, telling, found, sides)
        if ended != ROOM_FULL:
            break
        room *= 8
    forces = _distinct(problem, found[:count], sides[:count]) * problem.columns
    return Answers(forces, ended == FOUND_ALL, int(nodes), problem, sides[: 0 if first_only else count])


def _distinct(problem: Scaled, found: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """The different ones among the vertices found, without those that rounding made up."""
    rough = np.flatnonzero(_residuals(problem, found) > ROUGH)
    for row in rough:
        found[row] = _refined(problem, found[row], sides[row])
    found = found[_residuals(problem, found) <= OFF]
    keys = np.round(found / (ALIKE * (1.0 + np.abs(found).max(1, keepdims=True, initial=0.0))))
    _, first = np.unique(keys, axis=0, return_index=True)
    return found[np.sort(first)]


def _scaled(A: np.ndarray, b: np.ndarray) -> Scaled:
    """Rows and columns with a largest entry of about one."""
    rows, columns = np.ones(len(b)), np.ones(len(b))
    for _ in range(SCALINGS):
        size = np.abs(rows[:, None] * A * columns)
        most = size.max(1, initial=0.0)
        rows /= np.sqrt(np.where(most > 0.0, most, 1.0))
        size = np.abs(rows[:, None] * A * columns)
        most = size.max(0, initial=0.0)
        columns /= np.sqrt(np.where(most > 0.0, most, 1.0))
    # Forces are of the size that b asks for: what is left of b after the rows were scaled is brought to one as well.
    most = float(np.abs(rows * b).max(initial=0.0)) or 1.0
    rows, columns = rows / most, columns * most
    return Scaled(np.ascontiguousarray(rows[:, None] * A * columns), rows * b, columns)


def _refined(problem: Scaled, f: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Work out the forces again from their contacts alone: the search has rounded at every pivot."""
    A, b = problem.A, problem.b
    f = np.where(side == NO_FORCE, 0.0, f)
    acting = np.flatnonzero(f > 0.0)
    if len(acting):
        still = np.flatnonzero(side != NO_FORCE) if (side >= 0).all() else acting
        f[acting] += np.linalg.lstsq(A[np.ix_(still, acting)], -(A @ f + b)[still], rcond=None)[0]
    return np.maximum(f, 0.0)


def _residuals(problem: Scaled, found: np.ndarray) -> np.ndarray:
    """(k,) how far each of (k, n) forces is from an answer."""
    w = found @ problem.A.T + problem.b
    terms = found @ np.abs(problem.A).T + np.abs(problem.b)
    return np.asarray((np.abs(np.minimum(found, w)) / np.maximum(terms, 1.0)).max(1))


def _belongs(problem: Scaled, f: np.ndarray, side: np.ndarray) -> bool:
    """Whether an answer lies in the piece with these sides."""
    return bool(
        (np.where(side == NO_FORCE, f, np.abs(problem.A @ f + problem.b)) <= ALIKE * (1.0 + np.abs(f).max())).all()
    )


def _is_point(problem: Scaled, side: np.ndarray) -> bool:
    """Whether the piece of the answer with these sides is a point: it is searched in one general direction and back."""
    A, b = problem.A, problem.b
    free = np.flatnonzero(side != NO_FORCE)
    if not len(free) or np.linalg.matrix_rank(A[np.ix_(free, free)], tol=1e-9) == len(free):
        return True
    others = np.flatnonzero(side == NO_FORCE)
    way = np.cos(1.0 + np.arange(len(free)))
    ends = []
    for sign in (1.0, -1.0):
        found = linprog(
            sign * way, A_ub=-A[np.ix_(others, free)], b_ub=b[others], A_eq=A[np.ix_(free, free)], b_eq=-b[free]
        )
        if found.status == 3:  # unbounded
            return False
        if found.status != 0:  # the point itself is all that rounding leaves
            return True
        ends.append(found.fun)
    return bool(abs(ends[0] + ends[1]) <= ALIKE * (1.0 + abs(ends[0])))
