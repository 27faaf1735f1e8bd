"""Does a contact force even exist? All answers of a complementarity problem: none, one or several.

For contacts that slide, friction points against the slip and grows with the normal force, so one number f_i per contact
is left, and the accelerations of separation are w = A f + b. An answer has f >= 0 (contacts push), w >= 0 (nothing goes
into anything) and f.w = 0 (what separates does not push). With friction A is neither symmetric nor positive, so there
may be no answer (Painleve), or several. Deciding which is NP-complete (Baraff 1990; consistency_examples.py makes hard
cases): the search may take exponentially long, and a limit of nodes ends it with "not proven".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from engine.analysis.consistency_search import FOUND_ALL, NO_FORCE, ROOM_FULL, make_tree, search

ALIKE = 1e-7  # answers nearer than this, relative to their size, are one
OFF = 1e-8  # relative to the terms of a row: what an answer may leave of f >= 0, w >= 0, f w = 0
SCALINGS = 8  # rounds of bringing rows and columns to the size of one
NO_LIMIT = 1 << 62


@dataclass(frozen=True)
class Answers:
    """k answers of a problem with n contacts."""

    forces: np.ndarray  # (k, n)
    isolated: np.ndarray  # (k,) bool: False at the corners of a whole line or face of answers
    proven: bool  # all were found; False: the limit of nodes was reached, there may be others
    nodes: int

    @property
    def consistent(self) -> bool | None:
        """None: not proven either way."""
        return True if len(self.forces) else False if self.proven else None


def solutions(A: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """All f >= 0 with A f + b >= 0 and f.(A f + b) = 0. Where answers fill a line or a face, its corners stand for it;
    `answers` says so."""
    return list(answers(A, b).forces)


def answers(A: np.ndarray, b: np.ndarray, most_nodes: int = NO_LIMIT, first_only: bool = False) -> Answers:
    """The answers, or the first that is found."""
    A, b = np.array(A, float), np.array(b, float).reshape(-1)
    n = len(b)
    if A.shape != (n, n):
        raise ValueError(f"A must be {n} by {n}, as b has {n} entries; it is {' by '.join(map(str, A.shape))}")
    if not (np.isfinite(A).all() and np.isfinite(b).all()):
        raise ValueError("A and b must be finite numbers")
    if n == 0:
        return Answers(np.zeros((1, 0)), np.ones(1, bool), True, 0)
    rows, columns = _scales(A, b)
    scaled, offset = np.ascontiguousarray(rows[:, None] * A * columns), rows * b
    tree, values, room = make_tree(n), np.zeros(2 * n), 64
    while True:
        found, sides = np.zeros((room, n)), np.zeros((room, n), np.int64)
        count, nodes, ended = search(scaled, offset, tree, values, first_only, most_nodes, found, sides)
        if ended != ROOM_FULL:
            break
        room *= 8
    kept: dict[tuple[float, ...], np.ndarray] = {}
    wide = []
    for f, side in zip(found[:count], sides[:count], strict=True):
        f = _refined(scaled, offset, f, side)
        if _residual(scaled, offset, f) > OFF:
            continue
        kept[tuple(np.round(f / (ALIKE * (1.0 + np.abs(f).max()))).tolist())] = f
        if not first_only and not _is_point(scaled, offset, f, side):
            wide.append(side)
    isolated = [not any(_belongs(scaled, offset, f, side) for side in wide) for f in kept.values()]
    forces = np.array([f * columns for f in kept.values()]).reshape(-1, n)
    return Answers(forces, np.array(isolated, bool), ended == FOUND_ALL, int(nodes))


def _scales(A: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Factors of rows and columns that bring the largest entry of each to about one."""
    rows, columns = np.ones(len(b)), np.ones(len(b))
    for _ in range(SCALINGS):
        size = np.abs(rows[:, None] * A * columns)
        most = size.max(1)
        rows /= np.sqrt(np.where(most > 0.0, most, 1.0))
        size = np.abs(rows[:, None] * A * columns)
        most = size.max(0)
        columns /= np.sqrt(np.where(most > 0.0, most, 1.0))
    # Forces are of the size that b asks for: what is left of b after the rows were scaled is brought to one as well.
    most = float(np.abs(rows * b).max())
    return (rows, columns) if most == 0.0 else (rows / most, columns * most)


def _refined(A: np.ndarray, b: np.ndarray, f: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Work out the forces again from their contacts alone: the search has rounded at every pivot."""
    f = np.where(side == NO_FORCE, 0.0, f)
    acting = np.flatnonzero(f > 0.0)
    if len(acting):
        still = np.flatnonzero(side != NO_FORCE) if (side >= 0).all() else acting
        f[acting] += np.linalg.lstsq(A[np.ix_(still, acting)], -(A @ f + b)[still], rcond=None)[0]
    return np.maximum(f, 0.0)


def _residual(A: np.ndarray, b: np.ndarray, f: np.ndarray) -> float:
    w = A @ f + b
    terms = np.abs(A) @ f + np.abs(b)
    return float(np.max(np.abs(np.minimum(f, w)) / np.maximum(terms, 1.0)))


def _belongs(A: np.ndarray, b: np.ndarray, f: np.ndarray, side: np.ndarray) -> bool:
    """Whether an answer lies in the piece with these sides."""
    return bool((np.where(side == NO_FORCE, f, np.abs(A @ f + b)) <= ALIKE * (1.0 + np.abs(f).max())).all())


def _is_point(A: np.ndarray, b: np.ndarray, f: np.ndarray, side: np.ndarray) -> bool:
    """Whether the piece of the answer with these sides is a point: it is searched in one general direction and back."""
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
    return bool(abs(ends[0] + ends[1]) <= 1e-7 * (1.0 + np.abs(f).max()))
