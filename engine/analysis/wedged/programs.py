"""Is there a wedged configuration with these nodes closed and those open? One cone program each, solved by Clarabel.

Fujita and Kanno 2009, problems (18) and (23). Both look for the reaction with the largest margin t; there is a
configuration exactly when t >= 0. (Remark 5.3 says that (18) always has a feasible point; it need not, because the
friction cones are not given the margin. That counts as no.) Margins of exactly 0 occur by rights: a ray at which a node
is neither open nor pressed belongs to the patterns on both sides. So the sign is taken with a tolerance, in units in
which all normal reactions sum up to 1 and a unit reaction closes its own gap by about 1."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import clarabel
import numpy as np
from scipy import sparse

from engine.analysis.wedged.plane import compliance_of

NONE_LESS = -1e-7  # margins from here on are 0: the solver's answers are good to about 1e-9
SOLVED = (clarabel.SolverStatus.Solved, clarabel.SolverStatus.AlmostSolved)


@dataclass(frozen=True)
class WedgeProblem:
    """Gaps and reactions of m nodes in d dimensions as linear functions of x unknowns, with balance @ unknowns = 0."""

    gaps: np.ndarray  # (m, x)
    reactions: np.ndarray  # (m, d, x): normal first; unknowns of their own, of which each has one or none
    balance: np.ndarray  # (e, x)
    friction: np.ndarray  # (m,) of each node, as a multiple of mu

    @property
    def count(self) -> int:
        return len(self.gaps)


class Answer(NamedTuple):
    margin: float  # -inf: nothing comes near
    unknowns: np.ndarray  # (x,)

    @property
    def exists(self) -> bool:
        return self.margin >= NONE_LESS


def elastic(K: np.ndarray, d: int) -> WedgeProblem:
    """A structure of stiffness K, by its reactions."""
    compliance = compliance_of(K, d)
    gaps = compliance[0::d]
    gaps = gaps / np.diag(gaps[:, 0::d]).mean()
    size = len(compliance)
    return WedgeProblem(gaps, np.eye(size).reshape(-1, d, size), np.zeros((0, size)), np.ones(size // d))


def with_margin(problem: WedgeProblem, mu: float, closed: Collection[int], opened: Collection[int]) -> Answer:
    """Problem (18): nodes in neither set are free to have both a gap and a reaction."""
    rows = _Rows(problem)
    for node in range(problem.count):
        normal, gap = problem.reactions[node, 0], problem.gaps[node]
        if node in opened:
            rows.open(node)
            continue
        rows.at_least(normal, 1.0)
        rows.cone(node, mu, 0.0)
        rows.zero(gap) if node in closed else rows.at_least(gap, 1.0)
    return rows.solved()


def of_pattern(problem: WedgeProblem, mu: float, closed: Collection[int]) -> Answer:
    """Problem (23): all other nodes are open. Friction has the margin as well."""
    return _closed(problem, mu, closed, 1.0, np.ones(problem.count))


def flatter(problem: WedgeProblem, mu: float, closed: Collection[int], normals: np.ndarray) -> Answer:
    """A pattern whose reactions leave mu furthest behind: |r_t| <= mu r_n - t normals, with the friction of each node.

    normals: (m,) the normal reactions of an answer for mu, so that t is at least 0."""
    return _closed(problem, mu, closed, 0.0, normals * problem.friction)


def _closed(problem: WedgeProblem, mu: float, closed: Collection[int], opening: float, sliding: np.ndarray) -> Answer:
    """These nodes closed, all others open: so many margins (`opening`) wide, and (m,) `sliding` off slipping."""
    rows = _Rows(problem)
    for node in range(problem.count):
        if node not in closed:
            rows.open(node, opening)
            continue
        rows.zero(problem.gaps[node])
        rows.cone(node, mu, float(sliding[node]))
        rows.at_least(problem.reactions[node, 0], 0.0)
    return rows.solved()


def nearest_balance(problem: WedgeProblem, mu: float, closed: Collection[int], opened: Collection[int]) -> Answer:
    """The reactions that come closest to balance, for unknowns that need not be balanced: the margin is what of it is
    missing, with a minus sign. Nodes in neither set are free to have both a gap and a reaction."""
    rows = _Rows(problem)
    for row in rows.balance_not_asked():
        rows.at_least(row, 1.0)
        rows.at_least(-row, 1.0)
    with_gaps = bool(problem.gaps.any())
    for node in range(problem.count):
        if node in opened:
            rows.open(node, 0.0)
            continue
        rows.cone(node, mu, 0.0)
        rows.at_least(problem.reactions[node, 0], 0.0)
        if node in closed:
            rows.zero(problem.gaps[node])
        elif with_gaps:
            rows.at_least(problem.gaps[node], 0.0)
    return rows.solved()


class _Rows:
    """Rows of a program in the unknowns and the margin, which is the last column."""

    def __init__(self, problem: WedgeProblem) -> None:
        self.problem = problem
        self.size = problem.gaps.shape[1]
        self.used = np.ones(self.size + 1, bool)  # unknowns that may differ from zero
        self.equal: list[np.ndarray] = list(problem.balance)
        self.above: list[np.ndarray] = []  # rows @ (unknowns, margin) >= 0
        self.round: list[np.ndarray] = []  # (d, x + 1) blocks in second-order cones

    def balance_not_asked(self) -> np.ndarray:
        """Leaves balance to the caller."""
        self.equal = []
        return self.problem.balance

    def zero(self, row: np.ndarray) -> None:
        self.equal.append(row)

    def at_least(self, row: np.ndarray, margins: float) -> None:
        self.above.append(self._with_margin(row, margins))

    def _with_margin(self, row: np.ndarray, margins: float) -> np.ndarray:
        whole = np.empty(self.size + 1)
        whole[:-1] = row
        whole[-1] = -margins
        return whole

    def open(self, node: int, margins: float = 1.0) -> None:
        self.at_least(self.problem.gaps[node], margins)
        self.used[:-1] &= ~self.problem.reactions[node].any(axis=0)

    def cone(self, node: int, mu: float, margins: float) -> None:
        """|r_t| + margins t <= mu r_n, in the plane as two inequalities."""
        normal, *sideways = self.problem.reactions[node]
        limit = mu * self.problem.friction[node] * normal
        if len(sideways) == 1:
            self.at_least(limit - sideways[0], margins)
            self.at_least(limit + sideways[0], margins)
        else:
            block = np.zeros((1 + len(sideways), self.size + 1))
            block[0] = self._with_margin(limit, margins)
            block[1:, :-1] = sideways
            self.round.append(block)

    def solved(self) -> Answer:
        """The largest margin among reactions whose normal parts sum up to 1."""
        total = self.problem.reactions[:, 0].sum(axis=0)
        equal = np.zeros((len(self.equal) + 1, self.size + 1))
        equal[:-1, :-1] = np.reshape(self.equal, (-1, self.size))
        equal[-1, :-1] = total
        above = np.reshape(self.above, (-1, self.size + 1))
        matrix = _sparse(np.concatenate([equal, -above, *(-block for block in self.round)])[:, self.used])
        right = np.zeros(matrix.shape[0])
        right[len(equal) - 1] = 1.0
        cones = [clarabel.ZeroConeT(len(equal)), clarabel.NonnegativeConeT(len(above))]
        cones += [clarabel.SecondOrderConeT(len(block)) for block in self.round]
        aim = np.zeros(matrix.shape[1])
        aim[-1] = -1.0
        nothing = sparse.csc_matrix((len(aim), len(aim)))
        found = clarabel.DefaultSolver(nothing, aim, matrix, right, cones, _settings()).solve()
        if found.status not in SOLVED:
            return Answer(-math.inf, np.zeros(self.size))
        unknowns = np.zeros(self.size + 1)
        unknowns[self.used] = found.x
        return Answer(float(unknowns[-1]), unknowns[:-1])


def _sparse(matrix: np.ndarray) -> sparse.csc_matrix:
    """By columns, without the detours of a general conversion."""
    columns, rows = np.nonzero(matrix.T)
    ends = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=matrix.shape[1]))])
    return sparse.csc_matrix((matrix[rows, columns], rows, ends), matrix.shape)


def _settings() -> clarabel.DefaultSettings:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    return settings
