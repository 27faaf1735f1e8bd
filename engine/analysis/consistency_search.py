"""Branch and bound over a linear complementarity problem, w = A f + b, f >= 0, w >= 0, f.w = 0, with any square A.

A node has set one of f_i, w_i to zero for some i and asks whether the rest of the linear inequalities has an answer at
all. The inequalities stand as a dictionary: basic variables = table[:, 0] + table[:, 1:] * nonbasic variables. A child
differs from its parent by one variable held at zero, so a few pivots of the dual simplex method answer it again. With
nothing to optimise every basis is dual feasible: a row that is negative and cannot be raised by any free column proves
that a node is empty.

Many answers may be one motion: a weight is shared by four corners in many ways. Where only motions count, a gauge, a
linear function of f, tells them apart, and a node over which it is constant, at what a found answer has, is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.jit import inline, kernel, standalone

OPEN, NO_FORCE, NO_MOTION = -1, 0, 1  # what a node has decided about i: nothing, f_i = 0, w_i = 0
FOUND_ALL, ROOM_FULL, NODES_SPENT, LOST = range(4)
"""How a search ended. LOST: a node was given up because rounding kept its pivots from ending; all others were seen."""

BELOW = 1e-9  # a scaled variable under minus this is negative
FLAT = 1e-10  # a scaled coefficient under this is zero
CAREFUL_AFTER = 6  # pivots per unknown after which Bland's rule takes over, which cannot cycle
MOST_PIVOTS = 60  # per unknown


class Descent(NamedTuple):
    """One level per decision on the way down; n unknowns, n + 1 levels."""

    table: np.ndarray  # (n+1, n, n+1)
    base: np.ndarray  # (n+1, n) int64  variable of each row: i is f_i, n + i is w_i
    out: np.ndarray  # (n+1, n) int64   variable of each column
    held: np.ndarray  # (n+1, n) bool   columns that stay at zero
    side: np.ndarray  # (n+1, n) int64  OPEN, NO_FORCE, NO_MOTION
    branch: np.ndarray  # (n+1,) int64  unknown on which the node branches
    child: np.ndarray  # (n+1,) int64   children seen so far


class MotionGauge(NamedTuple):
    """What tells answers apart, and room to find its extremes over a node. No weights: all answers count."""

    weights: np.ndarray  # (n,) or (0,)
    same: float  # relative to one plus its size
    table: np.ndarray  # (n+1, n+2) the last row is the gauge, the last column is not used
    base: np.ndarray  # (n+1,) int64
    out: np.ndarray  # (n+1,) int64


def make_gauge(n: int, weights: np.ndarray, same: float) -> MotionGauge:
    return MotionGauge(weights, same, np.zeros((n + 1, n + 2)), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64))


def make_tree(n: int) -> Descent:
    levels = n + 1
    return Descent(
        table=np.zeros((levels, n, n + 1)),
        base=np.zeros((levels, n), np.int64),
        out=np.zeros((levels, n), np.int64),
        held=np.zeros((levels, n), bool),
        side=np.full((levels, n), OPEN, np.int64),
        branch=np.zeros(levels, np.int64),
        child=np.zeros(levels, np.int64),
    )


@kernel
def _pivot(table, base, out, r, c):
    """Swap the variable of row r with that of column c."""
    n = table.shape[0]
    by = 1.0 / table[r, c + 1]
    table[r, c + 1] = -1.0
    for k in range(n + 1):
        table[r, k] *= -by
    for i in range(n):
        factor = table[i, c + 1]
        if i == r or factor == 0.0:
            continue
        table[i, c + 1] = 0.0
        for k in range(n + 1):
            table[i, k] += factor * table[r, k]
    base[r], out[c] = out[c], base[r]


@inline
def _negative_row(table, base, careful):
    """The most negative row, or by Bland's rule the one of the first variable; -1 when there is none."""
    chosen = -1
    for r in range(table.shape[0]):
        if table[r, 0] >= -BELOW:
            continue
        if chosen < 0 or (base[r] < base[chosen] if careful else table[r, 0] < table[chosen, 0]):
            chosen = r
    return chosen


@inline
def _raising_column(table, out, held, r, careful):
    """The free column that raises row r most, or the first by Bland's rule; -1 when none does."""
    chosen = -1
    for c in range(table.shape[0]):
        if held[c] or table[r, c + 1] <= FLAT:
            continue
        if chosen < 0 or (out[c] < out[chosen] if careful else table[r, c + 1] > table[r, chosen + 1]):
            chosen = c
    return chosen


@inline
def _restore(table, base, out, held):
    """Pivot to a vertex. 1: there; 0: the node is empty; -1: given up."""
    n = table.shape[0]
    for turn in range(MOST_PIVOTS * n + 10):
        careful = turn > CAREFUL_AFTER * n
        r = _negative_row(table, base, careful)
        if r < 0:
            return 1
        c = _raising_column(table, out, held, r, careful)
        if c < 0:
            return 0
        _pivot(table, base, out, r, c)
    return -1


@inline
def _hold(table, base, out, held, variable):
    """Keep a variable at zero; False when it cannot be zero."""
    n = table.shape[0]
    for c in range(n):
        if out[c] == variable:
            held[c] = True
            return True
    r = 0
    while base[r] != variable:
        r += 1
    best = -1
    for c in range(n):
        if not held[c] and (best < 0 or abs(table[r, c + 1]) > abs(table[r, best + 1])):
            best = c
    if best < 0 or abs(table[r, best + 1]) <= FLAT:
        # A constant row: nothing that is free moves it. It stays in the base, at exactly zero.
        if abs(table[r, 0]) > BELOW:
            return False
        for k in range(n + 1):
            table[r, k] = 0.0
        return True
    _pivot(table, base, out, r, best)
    held[best] = True
    return True


@inline
def _worst_crossing(values, side):
    """The open unknown that breaks complementarity most, -1 when none does."""
    n = side.shape[0]
    chosen, worst = -1, BELOW
    for i in range(n):
        crossing = min(values[i], values[n + i])
        if side[i] == OPEN and crossing > worst:
            chosen, worst = i, crossing
    return chosen


@inline
def _branch_on(table, base, side, values):
    """(unknown to branch on or -1 when all is decided, whether the vertex breaks complementarity there)."""
    n = table.shape[0]
    for k in range(2 * n):
        values[k] = 0.0
    for r in range(n):
        values[base[r]] = max(table[r, 0], 0.0)
    chosen = _worst_crossing(values, side)
    if chosen >= 0:
        return chosen, True
    for i in range(n):
        if side[i] == OPEN:
            return i, False
    return -1, False


@inline
def _begin_reach(tree, level, gauge, sign):
    """The dictionary of a node, and under it sign times the gauge."""
    n = tree.base.shape[1]
    work = gauge.table
    for k in range(n + 2):
        work[n, k] = 0.0
    for r in range(n):
        variable = tree.base[level, r]
        gauge.base[r], gauge.out[r] = variable, tree.out[level, r]
        work[r, n + 1] = 0.0
        for k in range(n + 1):
            work[r, k] = tree.table[level, r, k]
            if variable < n:
                work[n, k] += sign * gauge.weights[variable] * work[r, k]
    for c in range(n):
        if gauge.out[c] < n:
            work[n, c + 1] += sign * gauge.weights[gauge.out[c]]


@inline
def _leaving_row(gauge, c):
    """The row that is zero first as column c grows, -1 when none is."""
    chosen, least = -1, 0.0
    for r in range(gauge.table.shape[0] - 1):
        if gauge.table[r, c + 1] >= -FLAT:
            continue
        far = max(gauge.table[r, 0], 0.0) / -gauge.table[r, c + 1]
        if chosen < 0 or far < least or (far == least and gauge.base[r] < gauge.base[chosen]):
            chosen, least = r, far
    return chosen


@kernel
def _reach(tree, level, gauge, sign, values):
    """Go to the vertex of a node at which sign times the gauge is most, and read it off into values: the simplex
    method. False where it has no end, or was given up."""
    n = tree.base.shape[1]
    work = gauge.table
    _begin_reach(tree, level, gauge, sign)
    for turn in range(MOST_PIVOTS * n + 10):
        careful = turn > CAREFUL_AFTER * n
        # What is held is held by its column: only free columns ever come in.
        c = -1
        for k in range(n):
            if tree.held[level, k] or work[n, k + 1] <= FLAT:
                continue
            if c < 0 or (gauge.out[k] < gauge.out[c] if careful else work[n, k + 1] > work[n, c + 1]):
                c = k
        if c < 0:
            for k in range(2 * n):
                values[k] = 0.0
            for r in range(n):
                values[gauge.base[r]] = max(work[r, 0], 0.0)
            return True
        r = _leaving_row(gauge, c)
        if r < 0:
            return False
        _pivot(work, gauge.base, gauge.out, r, c)
    return False


@inline
def _is_known(gauge, values, found, count):
    """Whether a found answer is the same motion."""
    n = found.shape[1]
    here = 0.0
    for i in range(n):
        here += gauge.weights[i] * values[i]
    for k in range(count):
        there = 0.0
        for i in range(n):
            there += gauge.weights[i] * found[k, i]
        if abs(there - here) <= gauge.same * (1.0 + abs(here)):
            return True
    return False


@inline
def _says_nothing_new(tree, level, gauge, values, found, count):
    """Whether both ends of a node are one motion that is known."""
    if count == 0 or not _reach(tree, level, gauge, 1.0, values) or not _is_known(gauge, values, found, count):
        return False
    high = 0.0
    for i in range(found.shape[1]):
        high += gauge.weights[i] * values[i]
    if not _reach(tree, level, gauge, -1.0, values):
        return False
    low = 0.0
    for i in range(found.shape[1]):
        low += gauge.weights[i] * values[i]
    return high - low <= gauge.same * (1.0 + abs(high))


@inline
def _record(found, sides, count, values, side):
    for k in range(found.shape[1]):
        found[count, k] = values[k]
        sides[count, k] = side[k]


@inline
def _copy_down(tree, level):
    n = tree.base.shape[1]
    for i in range(n):
        tree.base[level + 1, i] = tree.base[level, i]
        tree.out[level + 1, i] = tree.out[level, i]
        tree.held[level + 1, i] = tree.held[level, i]
        tree.side[level + 1, i] = tree.side[level, i]
        for k in range(n + 1):
            tree.table[level + 1, i, k] = tree.table[level, i, k]


@inline
def _start(A, b, tree):
    n = b.shape[0]
    for i in range(n):
        tree.base[0, i] = n + i
        tree.out[0, i] = i
        tree.held[0, i] = False
        tree.side[0, i] = OPEN
        tree.table[0, i, 0] = b[i]
        for j in range(n):
            tree.table[0, i, j + 1] = A[i, j]


@standalone
def search(A, b, tree, values, first_only, most_nodes, gauge, found, sides):
    """Every piece of the answer, one vertex each, into found (R, n) and sides (R, n). Returns (how many, nodes, how it
    ended).

    first_only: stop at the first answer. values: (2n,) work."""
    n = b.shape[0]
    _start(A, b, tree)
    count, nodes, ended = 0, 0, FOUND_ALL
    level, entering = 0, True
    while level >= 0:
        if entering:
            entering = False
            nodes += 1
            if nodes > most_nodes:
                return count, nodes, NODES_SPENT
            status = _restore(tree.table[level], tree.base[level], tree.out[level], tree.held[level])
            if status < 0:
                ended = LOST
            if status <= 0:
                level -= 1
                continue
            i, crossing = _branch_on(tree.table[level], tree.base[level], tree.side[level], values)
            telling = gauge.weights.shape[0] > 0
            answered = not crossing and (i < 0 or first_only or telling)
            if answered and not (telling and _is_known(gauge, values, found, count)):
                if count == found.shape[0]:
                    return count, nodes, ROOM_FULL
                _record(found, sides, count, values, tree.side[level])
                count += 1
                if first_only:
                    return count, nodes, ended
            if i < 0 or (telling and _says_nothing_new(tree, level, gauge, values, found, count)):
                for end in range(2 if telling and i < 0 else 0):  # of a piece with a whole line of motions: both ends
                    if _reach(tree, level, gauge, 1.0 - 2.0 * end, values):
                        if not _is_known(gauge, values, found, count):
                            if count == found.shape[0]:
                                return count, nodes, ROOM_FULL
                            _record(found, sides, count, values, tree.side[level])
                            count += 1
                level -= 1
                continue
            if telling:  # values are of an end that is another motion: what is wrong with it is decided first
                wrong = _worst_crossing(values, tree.side[level])
                i = wrong if wrong >= 0 else i
            tree.branch[level] = i
            tree.child[level] = 0
        if tree.child[level] == 2:
            level -= 1
            continue
        i, way = tree.branch[level], tree.child[level]
        tree.child[level] += 1
        _copy_down(tree, level)
        tree.side[level + 1, i] = way
        low = level + 1
        if _hold(tree.table[low], tree.base[low], tree.out[low], tree.held[low], i if way == NO_FORCE else n + i):
            level, entering = low, True
    return count, nodes, ended
