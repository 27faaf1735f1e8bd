"""The least friction with which something can be wedged: Fujita and Kanno 2009, section 6."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.wedged.plane import rays
from engine.analysis.wedged.programs import WedgeProblem, elastic, flatter, of_pattern
from engine.analysis.wedged.space import sign_patterns

CLOSE = 1e-10  # steps of the friction that are not worth another
MOST = 60  # of them
SLIGHT = 1e-6  # of all normal reactions together: less is not told from nothing


class Least(NamedTuple):
    mu: float
    unknowns: np.ndarray  # (x,) of the configuration at it


@dataclass(frozen=True)
class Critical:
    value: float  # inf: not wedged up to mu_max
    by_cone: list[float]  # of each cone of `rays(K, mu_max)`, in their order; in space of each sorted sign pattern


def critical_friction(K: np.ndarray, mu_max: float, d: int = 2, look_up: LookUp = go_on) -> Critical:
    """The critical friction of a structure in the plane (d = 2) or in space (d = 3), among what is wedged at mu_max.

    `look_up` is called now and then and may raise, to stop."""
    if d == 2:
        found = rays(K, mu_max, look_up)
        patterns = [found.closed_in(cone) for cone in found.cones]
    else:
        patterns = sorted(sign_patterns(K, mu_max, look_up=look_up), key=sorted)
    problem = elastic(K, d)
    by_cone = []
    for closed in patterns:
        look_up()
        by_cone.append(least_friction(problem, closed, mu_max).mu)
    return Critical(min(by_cone, default=math.inf), by_cone)


def least_friction(problem: WedgeProblem, closed: Collection[int], above: float) -> Least:
    """The least mu with which a pattern is wedged, given that it is at `above`.

    They bisect. This goes down from an answer to a flatter one, which is a program as well, but each takes the
    largest of the slopes |r_t| / r_n down at once (the differential correction of fractional programs): a few will do,
    and no tolerance of a yes or no is in the result."""
    mu, answer = above, of_pattern(problem, above, closed)
    nodes = sorted(closed)
    for _ in range(MOST):
        normals = np.maximum(problem.reactions[:, 0] @ answer.unknowns, SLIGHT)
        found = flatter(problem, mu, closed, normals)
        if found.margin <= 0.0:
            break
        after = np.maximum(problem.reactions[:, 0] @ found.unknowns, 1e-15)
        step = found.margin * float((normals / after)[nodes].min())
        mu, answer = max(0.0, mu - step), found
        if step < CLOSE:
            break
    return Least(mu, answer.unknowns)
