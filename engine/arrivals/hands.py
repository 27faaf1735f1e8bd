"""Hands: ways by which bodies are brought onto the stage, from outside to where they are let go, touching nothing.

A way is one smooth arc from a place off the stage, usually above it. Some are tried, from the side that was asked for
or from any; the first that keeps clear of everything at rest, under way and in other hands is taken. Where none does,
the one that comes least close to anybody is, and whoever asked is told.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.bystanders import Bystanders, Passage
from engine.arrivals.scale import scale_of
from engine.arrivals.stage import StageBox
from engine.functions import arc_tangent, sine_cosine
from engine.model.arrays import State
from engine.model.compile import Model
from engine.scene.vectors import across
from engine.shapes.turns import inverse, product, rotation_matrix
from engine.tape.hand import Hand

TRIES, AT_ONCE = 24, 200  # ways that are tried; fewer where more bodies than this come in
EVERY, SELDOM = 8, 24  # steps between two looks at a way, and where very many bodies come in
CLEAR = 0.03  # sizes that a hand keeps from others
ROUNDING = 1e-9  # sizes
PACE = 1.9  # of the speed of a fall over the way: how fast hands are on average
LEAST_CARRY = 0.2  # s in which a hand carries a body from its start, at least
SHORTEST, LONGEST = 0.35, 1.2  # s of usual bodies
THROW = 0.02  # s in which a hand throws a body upward: it swings back below it meanwhile, by little
STEEP = (25.0, 88.0)  # degrees over the ground, of ways that nobody asked for
SOME = 3  # directions of which the shortest way out is taken
FLAT = (12.0, 60.0)  # of those that come from a side
OVER = (0.0, 2.0, 5.0, 10.0)  # sizes by which a hand rises on its way from a pose, one after another


@dataclass(frozen=True)
class LetGo:
    """Where a body is let go: physics takes over in this state."""

    row: int
    step: int  # of the take, in forward time
    x: np.ndarray
    q: np.ndarray
    v: np.ndarray
    spin: np.ndarray  # rad/s


Looks = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Steps, (k, 3) places and (k, 4) orientations there."""


class Hands:
    """Finds the hand of one body after another. Steps count states of the take in forward time."""

    def __init__(self, model: Model, stage: StageBox, dt: float, motions: Mapping[int, Passage]) -> None:
        self.model, self.stage, self.dt, self.motions = model, stage, dt, motions
        self.found: dict[int, Hand] = {}
        self._up = _up(model)
        self._across = across(self._up)
        self._tries = max(TRIES * AT_ONCE // max(len(motions), AT_ONCE), 3)
        self._bystanders = Bystanders(model, motions, EVERY if len(motions) <= 2 * AT_ONCE else SELDOM)

    def bring(
        self, let_go: LetGo, rng: np.random.Generator, sector: tuple[float, float] | None, turns: bool = True
    ) -> tuple[Hand, float]:
        """A hand for one body, and how far (m) it keeps from everybody, less than zero where it does not. turns: it may
        begin turned another way than it ends."""
        ways = self._ways(let_go, rng, sector)
        return self._best(let_go, ways if turns else (replace(way, turn=np.zeros_like(way.turn)) for way in ways))

    def _ways(self, let_go: LetGo, rng: np.random.Generator, sector: tuple[float, float] | None) -> Iterator[Hand]:
        for _ in range(self._tries):
            yield self._drawn(let_go, rng, sector)
        if sector is None:
            yield from_above(self.model, self.stage, let_go, self.dt)

    def follow(self, let_go: LetGo, leader: Hand) -> Hand:
        """The hand of a body that joints hold to others, which all come by `leader`: beside it all the way, in the
        pose of the release. Each is given its own speed in the last moment, too short for joints to open visibly."""
        last, before = leader.step[-1], leader.step[-2]
        joins = max(last - THROW / self.dt, 0.5 * (before + last))
        early, _ = leader.at(np.array([joins]), self.dt)
        step = np.array([*leader.step[:-1], joins, last])
        still = np.zeros((len(step), 3))
        x = let_go.x + np.vstack([leader.x[:-1], early, leader.x[-1:]]) - leader.x[-1]
        v = np.vstack([leader.v[:-1], leader.v[-1:], let_go.v])
        spin = np.vstack([still[:-1], let_go.spin])
        hand = Hand(step, x, v, still, spin, let_go.q)
        steps = self._bystanders.looks(float(hand.step[0]), let_go.step)
        self._keep(let_go, hand, (steps, *hand.at(steps, self.dt)))
        return hand

    def carry(self, let_go: LetGo, x: np.ndarray, q: np.ndarray, step: float) -> tuple[Hand, float]:
        """A hand that carries a body from a pose, left at a step; straight, or over what stands in between."""
        return self._best(let_go, (self._over(let_go, x, q, step, rise) for rise in OVER))

    def _over(self, let_go: LetGo, x: np.ndarray, q: np.ndarray, step: float, rise: float) -> Hand:
        """From a pose, left at a step, to the release; halfway `rise` sizes over the higher of both, or straight."""
        size, up = float(self.model.bodies.size[let_go.row]), self._up
        still, turn = np.zeros(3), turn_between(let_go.q, q)
        knots = [step, let_go.step]
        places, speeds, turns, spins = [x, let_go.x], [still, let_go.v], [turn, still], [still, let_go.spin]
        if rise > 0.0:
            knots.insert(1, 0.5 * (step + let_go.step))
            high = max(float(times(x - let_go.x, up)), 0.0) + rise * size
            over = let_go.x + (x - let_go.x - times(x - let_go.x, up) * up) * 0.5 + high * up
            places.insert(1, over)
            speeds.insert(1, (let_go.x - x) / max((let_go.step - step) * self.dt, self.dt))
            turns.insert(1, 0.5 * turn)
            spins.insert(1, -turn / max((let_go.step - step) * self.dt, self.dt))
        return Hand(
            np.array(knots, float), np.stack(places), np.stack(speeds), np.stack(turns), np.stack(spins), let_go.q
        )

    def _drawn(self, let_go: LetGo, rng: np.random.Generator, sector: tuple[float, float] | None) -> Hand:
        """By chance, from the side or from above; a body that is thrown upward from where it is let go, else it would
        come from below."""
        size = float(self.model.bodies.size[let_go.row])
        ways = [self._direction(rng, sector) for _ in range(SOME)]
        far, along = min(((self.stage.way_out(let_go.x, way, size), way) for way in ways), key=lambda way: way[0])
        upward = float(times(let_go.v, self._up)) > 0.0
        return arc(let_go, far * along, hand_seconds(self.model, let_go.row, far), self.dt, upward)

    def _direction(self, rng: np.random.Generator, sector: tuple[float, float] | None) -> np.ndarray:
        """From the release to where the hand comes from."""
        up = self._up
        if sector is None:
            angle, steep = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(*STEEP)
            first, second = self._across
        else:
            angle = math.radians(sector[0] + sector[1] * rng.uniform(-0.5, 0.5))
            steep = rng.uniform(*FLAT)
            first, second = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        s, c = sine_cosine(angle)
        rise, level = sine_cosine(math.radians(steep))
        return level * (c * first + s * second) + rise * up

    def _best(self, let_go: LetGo, ways: Iterable[Hand]) -> tuple[Hand, float]:
        """The first of some ways that keeps clear of everybody, or the one that comes least close; and how far (m) it
        keeps from them, less than zero where it does not. From now on it is in others' way."""
        clear = CLEAR * float(self.model.bodies.size[let_go.row])
        enough = self._enough(let_go, clear)
        best: tuple[float, Hand, Looks] | None = None
        for hand in ways:
            steps = self._bystanders.looks(float(hand.step[0]), let_go.step)
            looks = steps, *hand.at(steps, self.dt)
            room = self._bystanders.room(let_go.row, *looks, clear, -math.inf if best is None else best[0])
            if best is None or room > best[0]:
                best = room, hand, looks
            if room >= enough:
                break
        assert best is not None
        room, hand, looks = best
        self._keep(let_go, hand, looks)
        return hand, room

    def _keep(self, let_go: LetGo, hand: Hand, looks: Looks) -> None:
        self.found[let_go.row] = hand
        self._bystanders.add(let_go.row, *looks)

    def _enough(self, let_go: LetGo, clear: float) -> float:
        """m that a way keeps from others if it can: `clear`, or less where the body is let go nearer to them than
        that."""
        steps = np.array([let_go.step // self._bystanders.every * self._bystanders.every])
        there = self._bystanders.room(let_go.row, steps, let_go.x[None], let_go.q[None], clear, -math.inf)
        return min(clear, 0.5 * max(there, 0.0) - ROUNDING * float(self.model.bodies.size[let_go.row]))


def from_above(model: Model, stage: StageBox, let_go: LetGo, dt: float) -> Hand:
    """Straight down to where it lets go. Whoever chooses between releases keeps this way free where that is possible:
    there is one when all others are blocked."""
    up = _up(model)
    far = stage.way_out(let_go.x, up, float(model.bodies.size[let_go.row]))
    return arc(let_go, far * up, hand_seconds(model, let_go.row, far), dt, True)


def arc(let_go: LetGo, away: np.ndarray, lasts: float, dt: float, throws: bool) -> Hand:
    """The way from a place that is so far (m) from the release, in some seconds or in what there is of the take before
    it. throws: the body comes to rest where it is let go, and is thrown from there; else it arrives with its speed."""
    lasts = max(min(lasts, let_go.step * dt), dt)
    start, still, begins = let_go.x + away, np.zeros(3), let_go.step - lasts / dt
    if throws and lasts > 2.0 * THROW:
        back = -0.5 * THROW * let_go.spin
        return Hand(
            np.array([begins, let_go.step - THROW / dt, let_go.step]), np.stack([start, let_go.x, let_go.x]),
            np.stack([still, still, let_go.v]), np.stack([back, back, still]), np.stack([still, still, let_go.spin]),
            let_go.q,
        )  # fmt: skip
    return Hand(
        step=np.array([begins, let_go.step]), x=np.stack([start, let_go.x]), v=np.stack([still, let_go.v]),
        turn=np.stack([-0.5 * lasts * let_go.spin, still]), spin=np.stack([still, let_go.spin]), q=let_go.q,
    )  # fmt: skip


def hand_seconds(model: Model, row: int, far: float = 0.0) -> float:
    """s that a hand takes to bring a body from so far (m)."""
    gravity = max(norm(model.gravity), 1e-9)
    scale = scale_of(float(model.bodies.size[row]), gravity).time
    return min(max(math.sqrt(2.0 * far / gravity) * 2.0 / PACE, SHORTEST * scale), LONGEST * scale)


def _up(model: Model) -> np.ndarray:
    return -model.gravity / norm(model.gravity) if model.gravity.any() else np.array([0.0, 0.0, 1.0])


def spin_at(model: Model, row: int, state: State) -> np.ndarray:
    """rad/s, world axes, of a body whose state this is."""
    turn = rotation_matrix(state.q)
    return times(turn, times(model.bodies.inverse_inertia[row], times(turn.T, state.l)))


def turn_between(q: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rotation vector (rad) of the shortest turn, in the world, from one orientation to another."""
    w, x, y, z = product(tuple(other), inverse(tuple(q)))
    sign = -1.0 if w < 0.0 else 1.0
    length = math.hypot(x, y, z)
    angle = 2.0 * arc_tangent(length, abs(w))
    return np.array([x, y, z]) * (sign * angle / length) if length > 1e-12 else np.zeros(3)
