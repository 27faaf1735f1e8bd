"""Where hints begin: an arc, or a line, begins where it was drawn from, and there the body is let go."""

from __future__ import annotations

import numpy as np

from engine.algebra import norm, norms
from engine.arrivals.brief import Brief
from engine.arrivals.hints import chain_of
from engine.scene.spec import Body, Hint, Scene

NEARLY = 0.25  # of the length of a stroke: who does not come nearer to its beginning was never there


def drawn_starts(brief: Brief) -> dict[int, np.ndarray]:
    """By row of each body with a hint that says so: m from its resting place to where its way begins."""
    found = {}
    for row in brief.hinted[0]:
        start = _start(brief.scene, brief.bodies[row])
        if start is not None:
            found[row] = start
    return found


def _start(scene: Scene, body: Body) -> np.ndarray | None:
    """The chain of hints of a body is its whole way: it begins with the earliest one, where all have a beginning."""
    places = [_beginning(hint) for hint in chain_of(scene, body)]
    if not places or any(place is None for place in places):
        return None
    return np.sum(np.array(places), axis=0)


def _beginning(hint: Hint) -> np.ndarray | None:
    """m, from where a hint ends to where it begins."""
    if hint.stroke is not None and len(hint.stroke) > 1:
        return np.array(hint.stroke[0], float) - np.array(hint.stroke[-1], float)
    if hint.distance is not None and hint.direction is not None:
        level = np.array([hint.direction[0], hint.direction[1], 0.0])
        return -hint.distance * level / norm(level) if level.any() else None
    return None


def begun_at(x: np.ndarray, start: np.ndarray, hits: np.ndarray) -> int | None:
    """The row of a way (k, 3), from its rest backward, at which it passes nearest to its drawn beginning for the first
    time; None where it never comes near. start: m from the first row. hits: rows at which it bounces: nobody lets go
    of a body there."""
    apart = norms(x - (x[0] + start))
    apart[hits] = np.inf
    limit = NEARLY * norm(start)
    near = np.flatnonzero(apart <= limit)
    if not len(near):
        return None
    last = int(near[0])
    while last + 1 < len(apart) and apart[last + 1] <= limit:
        last += 1
    return int(near[0]) + int(apart[int(near[0]) : last + 1].argmin())
