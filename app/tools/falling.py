"""How far bodies can be lowered until they first touch something. No Qt.

The gap between two solids, one of them lowered by t, is a convex function of t, so Newton's steps never go past the
first touch: what is lowered by the answer stands at most a few nanometres above, and never inside.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from app.tools.apart import gap
from app.tools.solids import Solid, Solids
from app.tools.support import bounds, reach
from engine.scene.spec import Body, Plane, Scene

STEPS = 60
CLOSE = 1e-9  # m, left between bodies at most (where the surface is not nearly upright)
SIDEWAYS = 2e-7  # m: what overlaps sideways by less only touches, like bricks in a row, and lets the body pass
SLIDING = 1e-9  # closing speed per speed of fall below which a surface is passed along, not hit


def touch(a: Solid, b: Solid, limit: float) -> float:
    """How far (m) `a` can be lowered until it touches `b`; infinite when it does not within `limit`."""
    fallen = 0.0
    for _ in range(STEPS):
        now = gap(a, b, fallen)
        if now is None:
            return fallen
        closing = now.normal[2]
        if closing <= SLIDING:
            return math.inf
        step = max(0.0, now.sure) / closing
        fallen += step
        if fallen > limit:
            return math.inf
        if now.most <= CLOSE * closing or step == 0.0:
            return fallen
    return fallen


class Obstacles:
    """What bodies can fall on: all of a scene but some."""

    def __init__(self, scene: Scene, without: Collection[str]) -> None:
        gone = set(without)
        self._bodies: list[Body] = []
        self._solids: dict[str, Solids] = {}
        self._planes: list[tuple[np.ndarray, np.ndarray]] = []
        if scene.ground:
            self._planes.append((np.zeros(3), np.array([0.0, 0.0, 1.0])))
        boxes = []
        for body in scene.bodies:
            if body.id not in gone:
                self._bodies.append(body)
                boxes.append(np.concatenate(bounds(body)))
                if isinstance(body.shape, Plane):
                    self._planes += Solids(body).planes
        self._boxes = np.reshape(boxes, (-1, 6))

    def add(self, body: Body) -> None:
        """One more to fall on, such as a body that has just been dropped."""
        self._bodies.append(body)
        self._boxes = np.vstack([self._boxes, np.concatenate(bounds(body))])

    def fall(self, bodies: Sequence[Body]) -> float:
        """How far (m) these bodies can be lowered together; 0 when they touch something, infinite over nothing."""
        best = math.inf
        for body in bodies:
            for point, normal in self._planes:
                best = min(best, _onto_plane(body, point, normal))
        pairs = sorted(
            (pair for body in bodies for pair in self._pairs(body)),
            key=lambda pair: pair[0],
        )
        for least, a, small, b in pairs:
            if least >= best:
                break
            best = min(best, _drop_pair(a, small, b, best))
        return best

    def _pairs(self, body: Body) -> list[tuple[float, Solid, Solid, Solid]]:
        """(least fall, solid, the same shrunk, obstacle's solid) for all that could meet."""
        falling, small = Solids(body), Solids(body, SIDEWAYS)
        if not len(falling) or not len(self._boxes):
            return []
        low, high = falling.low.min(axis=0), falling.high.max(axis=0)
        found = []
        for k in np.flatnonzero(_below(self._boxes[:, :3], self._boxes[:, 3:], low, high)):
            other = self._of(self._bodies[int(k)])
            near = np.flatnonzero(_below(other.low, other.high, low, high))
            for i in range(len(falling)):
                for j in near[_below(other.low[near], other.high[near], small.low[i], small.high[i])]:
                    least = max(0.0, float(falling.low[i, 2] - other.high[j, 2]))
                    found.append((least, falling[i], small[i], other[int(j)]))
        return found

    def _of(self, body: Body) -> Solids:
        if body.id not in self._solids:
            self._solids[body.id] = Solids(body)
        return self._solids[body.id]


def _below(lows: np.ndarray, highs: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which boxes lie under another one, or in it."""
    across = (lows[:, :2] < high[:2]).all(axis=1) & (highs[:, :2] > low[:2]).all(axis=1)
    return across & (lows[:, 2] < high[2])


def _drop_pair(a: Solid, small: Solid, b: Solid, limit: float) -> float:
    """As `touch`, passing along what only touches sideways. Their boxes overlap as seen from above."""
    if a.upright and b.upright:  # walls of bricks, in one step
        return max(0.0, float(a.corners[:, 2].min() - b.corners[:, 2].max()))
    below = touch(small, b, limit + 2.0 * SIDEWAYS)
    if below == math.inf:
        return math.inf
    fallen = touch(a, b, limit)
    if fallen > SIDEWAYS:
        return fallen
    return max(fallen, below - 2.0 * SIDEWAYS)  # touched sideways from the start, and hit only farther down


def _onto_plane(body: Body, point: np.ndarray, normal: np.ndarray) -> float:
    """How far a body can be lowered onto a half-space."""
    closing = float(normal[2])
    if closing <= SLIDING or isinstance(body.shape, Plane):
        return math.inf
    height = float(normal @ (np.array(body.position) - point)) - float(
        reach(body.shape, body.orientation, -normal[None, :])[0]
    )
    return max(0.0, height / closing)
