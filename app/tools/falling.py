"""How far bodies can be lowered until they first touch something. No Qt.

The gap between two solids, one of them lowered by t, is a convex function of t, so Newton's steps never go past the
first touch: what is lowered by the answer stands at most a few nanometres above, and never inside.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from app.document import edits
from engine.scene.spec import Body, Quaternion, Scene
from engine.shapes.apart import gap
from engine.shapes.ask import ask
from engine.shapes.extent import AXIS_DIRECTIONS, reach
from engine.shapes.solid import Solid
from engine.shapes.solids import Solids

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
        self._shapes = _TurnedShapes()
        self._planes: list[tuple[np.ndarray, np.ndarray]] = []
        if scene.ground:
            self._planes.append((np.zeros(3), np.array([0.0, 0.0, 1.0])))
        self._boxes = np.empty((len(scene.bodies) + 1, 6))  # low and high corners (m); the first ones are in use
        for body in scene.bodies:
            if body.id not in gone:
                self.add(body)
                if ask(body.shape).endless:
                    self._planes += Solids(body).planes

    def add(self, body: Body) -> None:
        """One more to fall on, such as a body that has just been dropped."""
        count = len(self._bodies)
        if count == len(self._boxes):
            self._boxes = np.concatenate([self._boxes, np.empty_like(self._boxes)])
        self._boxes[count, :3], self._boxes[count, 3:] = self._shapes.box(body)
        self._bodies.append(body)

    def bottom(self, body: Body) -> float:
        """Height (m) of a body's lowest point over the ground."""
        return float(self._shapes.box(body)[0][2])

    def fall(self, body: Body) -> float:
        """How far (m) a body can be lowered; 0 when it touches something, infinite over nothing."""
        best = min((self._shapes.onto_plane(body, *plane) for plane in self._planes), default=math.inf)
        falling, small = self._shapes.solids(body), self._shapes.solids(body, SIDEWAYS)
        for least, k in sorted(self._below(body)):  # most are never looked at
            if least >= best:
                break
            best = self._onto_body(falling, small, self._bodies[k], best)
        return best

    def _below(self, body: Body) -> list[tuple[float, int]]:
        """(least fall, number) of the bodies that could be met."""
        low, high = self._shapes.box(body)
        boxes = self._boxes[: len(self._bodies)]
        found = np.flatnonzero(_below(boxes[:, :3], boxes[:, 3:], low, high))
        least = np.maximum(0.0, low[2] - boxes[found, 5])
        return list(zip(least.tolist(), found.tolist(), strict=True))

    def _onto_body(self, falling: Solids, small: Solids, body: Body, best: float) -> float:
        """How far `falling` can be lowered onto a body, at most `best`; `small` is the same, a little shrunk."""
        other = self._of(body)
        for i in range(len(falling)):
            for j in np.flatnonzero(_below(other.low, other.high, small.low[i], small.high[i])):
                if falling.low[i, 2] - other.high[j, 2] < best:
                    best = min(best, _drop_pair(falling[i], small[i], other[int(j)], best))
        return best

    def _of(self, body: Body) -> Solids:
        if body.id not in self._solids:
            self._solids[body.id] = self._shapes.solids(body)
        return self._solids[body.id]


def _below(lows: np.ndarray, highs: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which boxes lie under another one, or in it. Column by column: `all` along an axis of two takes ten times as
    long, and it is asked for every body that is dropped."""
    starts, ends = (lows[:, 0] < high[0]) & (lows[:, 1] < high[1]), (highs[:, 0] > low[0]) & (highs[:, 1] > low[1])
    return starts & ends & (lows[:, 2] < high[2])


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


class _TurnedShapes:
    """What is the same for all bodies of one shape and turn: thousands of bodies mostly share a few.

    Shapes are told apart by identity, so whoever asks keeps them alive."""

    def __init__(self) -> None:
        self._reach: dict[tuple[int, Quaternion, bytes], np.ndarray] = {}
        self._solids: dict[tuple[int, Quaternion, float], Solids] = {}

    def box(self, body: Body) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner (m) of the box along the world's axes around a body."""
        at, far = np.array(body.position), self._far(body, AXIS_DIRECTIONS)
        return at - far[3:], at + far[:3]

    def onto_plane(self, body: Body, point: np.ndarray, normal: np.ndarray) -> float:
        """How far a body can be lowered onto a half-space."""
        closing = float(normal[2])
        if closing <= SLIDING or ask(body.shape).endless:
            return math.inf
        height = float(normal @ (np.array(body.position) - point)) - float(self._far(body, -normal[None, :])[0])
        return max(0.0, height / closing)

    def solids(self, body: Body, shrink: float = 0.0) -> Solids:
        key = (id(body.shape), body.orientation, shrink)
        if key not in self._solids:
            self._solids[key] = Solids(edits.changed(body, position=(0.0, 0.0, 0.0)), shrink)
        return self._solids[key].moved(np.array(body.position))

    def _far(self, body: Body, directions: np.ndarray) -> np.ndarray:
        key = (id(body.shape), body.orientation, directions.tobytes())
        if key not in self._reach:
            self._reach[key] = reach(body.shape, body.orientation, directions)
        return self._reach[key]
