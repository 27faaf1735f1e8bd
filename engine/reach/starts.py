"""Starts of throws: from anywhere around the ending and above it, at any point of what is there. They begin under open
sky, so that what ends in a box has come in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, times
from engine.decide.chance import draws, normals
from engine.scene.spec import Body, Scene, Shape
from engine.shapes.answers import Extent, around
from engine.shapes.ask import ask
from engine.shapes.components import components
from engine.shapes.turns import between, rotation_matrix

SPREAD, MOST_SPREAD = 8.0, 40.0  # sizes of the body, each way: where nothing has an end, and at most
BESIDE = 2.0  # sizes: how far throws begin beyond what they are aimed at,
ABOVE = 4.0  # and how far above it
AIMED = 3.0  # sizes: and the most that is level between where a throw begins and where it is aimed at
FLIGHTS = (0.6, 1.1)  # of a throw until it is where it is aimed at, in the time of a fall from the highest place
SPIN = 2.0  # of the fastest throw, in sqrt(g / size)
PLACES = 24  # tried for a throw until one is free


@dataclass(frozen=True)
class Throws:
    """What m throws start with; places under a roof are not numbers."""

    places: np.ndarray  # (m, PLACES, 3) m, of the centre of mass: the first free one counts
    velocities: np.ndarray  # (m, PLACES, 3) m/s
    turns: np.ndarray  # (m, 4)
    spins: np.ndarray  # (m, 3) rad/s, world axes


class Region:
    """Where throws of a body begin, and where they are aimed at: any point of what it ends in or on."""

    def __init__(self, scene: Scene, body: Body, center: np.ndarray, size: float, spread: float | None) -> None:
        gravity = np.array(scene.gravity, float)
        self.strength, self.size, self.center = norm(gravity), size, center
        self.up = -gravity / self.strength
        self._axes = rotation_matrix(between((0.0, 0.0, 1.0), tuple(self.up)))
        others = [other for other in scene.bodies if other is not body and not ask(other.shape).endless]
        boxes = [(other, box_of(other)) for other in others]
        held = [self._seen(box) for _, box in boxes if _apart(box, center) <= size]
        least = np.full(3, -SPREAD * size), np.full(3, SPREAD * size)
        low, high = around(held) or least if spread is None else (np.full(3, -spread), np.full(3, spread))
        most = MOST_SPREAD * size
        low, high = np.clip(low, -most, 0.0), np.clip(high, 0.0, most)
        beside = BESIDE * size * np.array([1.0, 1.0, 0.0])
        near = [
            (other, seen) for other, box in boxes if _overlap(seen := self._seen(box), (low - beside, high + beside))
        ]
        top = min(most, max((float(seen[1][2]) for _, seen in near), default=0.0))
        self._aims = _box(low, high, max(0.0, top))
        self._low, self._high = (
            self._aims[0] - beside,
            self._aims[1] + beside + ABOVE * size * np.array([0.0, 0.0, 1.0]),
        )
        self._roofs = [(ask(shape), place, turn) for other, _ in near for shape, place, turn in _parts(other)]

    @property
    def room(self) -> Extent:
        """The box along the world's axes in which throws begin and end."""
        corners = self.center + times(_corners((self._low, self._high)), self._axes.T)
        return corners.min(axis=0), corners.max(axis=0)

    def starts(self, seed: int, first: int, last: int) -> Throws:
        """Of the throws first to last - 1."""
        count, g = last - first, self.strength
        made = Throws(*(np.empty((count, *shape)) for shape in ((PLACES, 3), (PLACES, 3), (4,), (3,))))
        longest = np.sqrt(2.0 * self._high[2] / g)
        for i, number in enumerate(range(first, last)):
            rng = draws(seed, "reach", number)
            begin = self._low + rng.uniform(size=(PLACES, 3)) * (self._high - self._low)
            far = rng.uniform(-AIMED, AIMED, 3) * self.size
            aim = np.clip(begin + far, self._aims[0], self._aims[1])
            aim[:, 2] = rng.uniform() * self._aims[1][2]
            flight = longest * rng.uniform(*FLIGHTS)
            made.places[i] = self.center + times(begin, self._axes.T)
            made.velocities[i] = times((aim - begin) / flight, self._axes.T) + 0.5 * g * flight * self.up
            turn, about = normals(rng, 4), normals(rng, 3)
            made.turns[i] = turn / norm(turn)
            made.spins[i] = about * (SPIN * np.sqrt(g / self.size) * rng.uniform() / norm(about))
        made.places[~self._is_open(made.places.reshape(-1, 3)).reshape(count, PLACES)] = np.nan
        return made

    def _seen(self, box: Extent) -> Extent:
        """A box along the world's axes, along those of the region."""
        corners = times(_corners(box) - self.center, self._axes)
        return corners.min(axis=0), corners.max(axis=0)

    def _is_open(self, places: np.ndarray) -> np.ndarray:
        """(m,) is there nothing above?"""
        free = np.ones(len(places), bool)
        for answers, place, turn in self._roofs:
            along = np.broadcast_to(times(self.up, turn), places.shape)
            free &= ~np.isfinite(answers.hit(times(places - place, turn), along).t)
        return free


def _box(low: np.ndarray, high: np.ndarray, top: float) -> Extent:
    """Level as given, upward from the ending to the top."""
    return np.array([low[0], low[1], 0.0]), np.array([high[0], high[1], top])


def _overlap(a: Extent, b: Extent) -> bool:
    """Is one beside, or over, the other when seen from above?"""
    return bool((a[0][:2] <= b[1][:2]).all() and (b[0][:2] <= a[1][:2]).all())


def box_of(body: Body) -> Extent:
    """Around a body that has an end, along the world's axes."""
    found = ask(body.shape).box(np.array(body.position, float), rotation_matrix(body.orientation))
    assert found is not None
    return found


def _parts(body: Body) -> list[tuple[Shape, np.ndarray, np.ndarray]]:
    """Simple shapes of a body, in the world."""
    place, turn = np.array(body.position, float), rotation_matrix(body.orientation)
    return [
        (part.shape, place + times(turn, part.place), times(turn, part.turn))
        for part in components(body.shape)
        if not ask(part.shape).endless
    ]


def _apart(box: Extent, point: np.ndarray) -> float:
    low, high = box
    return norm(np.maximum(0.0, np.maximum(low - point, point - high)))


def _corners(box: Extent) -> np.ndarray:
    """(8, 3)"""
    return np.array([[box[i & 1][0], box[i >> 1 & 1][1], box[i >> 2][2]] for i in range(8)])
