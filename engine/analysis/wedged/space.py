"""Every wedged sign pattern of a structure in space, in two ways that know nothing of each other.

Fujita and Kanno 2009, section 5: the solutions are no longer spanned by finitely many rays, but they are a union
of cones, one for each set of closed nodes. All sets with a solution that is not zero are told, not only the largest."""

from __future__ import annotations

import math

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.wedged.extreme import extreme_rays
from engine.analysis.wedged.programs import elastic, of_pattern, with_margin

Pattern = frozenset[int]
"""Closed nodes; the others are open."""


def sign_patterns(K: np.ndarray, mu: float, look_up: LookUp = go_on) -> set[Pattern]:
    """By branch and bound (algorithm 5.1). K: (3 m, 3 m) positive definite stiffness, rows (n, t, o) node by node.

    `look_up` is called now and then and may raise, to stop."""
    problem = elastic(K, 3)
    found: set[Pattern] = set()
    pending: list[tuple[Pattern, Pattern]] = [(frozenset(), frozenset())]
    while pending:
        look_up()
        closed, opened = pending.pop()
        answer = with_margin(problem, mu, closed, opened)
        if not answer.exists:
            continue
        left = [node for node in range(problem.count) if node not in closed and node not in opened]
        if not left:
            found.add(closed)
            continue
        # The node whose gap and reaction are furthest from excluding each other is settled first.
        amounts = np.minimum(problem.gaps @ answer.unknowns, problem.reactions[:, 0] @ answer.unknowns)
        node = max(left, key=lambda each: amounts[each])
        pending += [(closed, opened | {node}), (closed | {node}, opened)]
    return found


def sign_patterns_by_rays(K: np.ndarray, mu: float, look_up: LookUp = go_on) -> set[Pattern]:
    """By the rays of a wider problem (algorithm 5.8): each friction cone is put into a pyramid of three sides, which
    has just as many rays as dimensions. Its patterns are a few too many; problem (23) sorts them
    out. Up to 16 nodes."""
    problem = elastic(K, 3)
    angles = 2.0 * math.pi * np.arange(3) / 3.0
    edges = np.stack([np.ones(3), 2.0 * mu * np.cos(angles), 2.0 * mu * np.sin(angles)])
    found = extreme_rays(problem.gaps @ np.kron(np.eye(problem.count), edges), 3, look_up)
    patterns = set()
    for closed in _patterns(found.pressed, found.open):
        look_up()
        if of_pattern(problem, mu, closed).exists:
            patterns.add(closed)
    return patterns


def _patterns(pressed: np.ndarray, opened: np.ndarray) -> set[Pattern]:
    """Sets of closed nodes to which a ray belongs: where it is neither pressed nor open, either will do. A set with a
    solution has a ray, because its solutions are a pointed cone."""
    found: set[Pattern] = set()
    for signs in {(tuple(p), tuple(o)) for p, o in zip(pressed.tolist(), opened.tolist(), strict=True)}:
        sets = [frozenset(np.flatnonzero(signs[0]).tolist())]
        for node in np.flatnonzero(~(np.array(signs[0]) | np.array(signs[1]))).tolist():
            sets += [each | {node} for each in sets]
        found.update(sets)
    return found
