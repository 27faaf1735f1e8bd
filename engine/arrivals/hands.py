"""Hands: ways by which bodies are brought onto the stage, from outside to where they are let go, touching nothing.

A way is one smooth arc from a place off the stage, usually above it. Some are tried, from the side that was asked for
or from any; the first that keeps clear of everything at rest, under way and in other hands is taken. Where none does,
the one that comes least close to anybody is, and whoever asked is told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import cKDTree

from engine.algebra import norm, norms, times
from engine.arrivals.stage import StageBox
from engine.arrivals.structure import boxes_at_rest
from engine.collide.cores import build_cores
from engine.collide.gauge import Gauge
from engine.functions import arc_tangent, sine_cosine
from engine.model.arrays import PLANE, State, copy_state
from engine.model.compile import Model
from engine.scene.vectors import across
from engine.shapes.turns import inverse, product, rotation_matrix
from engine.tape.hand import Hand

TRIES, AT_ONCE = 24, 200  # ways that are tried; fewer where more bodies than this come in
EVERY, SELDOM = 8, 24  # steps between two looks at a way, and where very many bodies come in
CLEAR = 0.03  # sizes that a hand keeps from others
ROUNDING = 1e-9  # sizes
PACE = 1.9  # of the speed of a fall over the way: how fast hands are on average
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


@dataclass(frozen=True)
class Passage:
    """Where a body is from its release on."""

    first: int  # state of the take of the first row
    x: np.ndarray  # (k, 3); it stays in the last one
    q: np.ndarray  # (k, 4)


class Hands:
    """Finds the hand of one body after another. Steps count states of the take in forward time."""

    def __init__(self, model: Model, stage: StageBox, dt: float, motions: Mapping[int, Passage]) -> None:
        self.model, self.stage, self.dt, self.motions = model, stage, dt, motions
        self.found: dict[int, Hand] = {}
        geometry, moves = model.geometry, model.bodies.inverse_mass > 0.0
        self._gauge = Gauge(geometry)
        self._parts = np.searchsorted(geometry.part_body, np.arange(len(model.names) + 1))
        self._fixed = np.flatnonzero(~moves[geometry.part_body])
        self._fixed_boxes = boxes_at_rest(model, build_cores(geometry))[self._fixed]
        self._endless = geometry.part_kind[self._fixed] == PLANE
        self._largest = float(model.bodies.size.max(initial=0.0))
        self._rows = np.flatnonzero(moves)
        self._places = cKDTree(model.start.x[self._rows])
        self._rests = np.zeros(len(model.names), np.int64)  # first state at rest
        self._tries = max(TRIES * AT_ONCE // max(len(motions), AT_ONCE), 3)
        self._every = EVERY if len(motions) <= 2 * AT_ONCE else SELDOM
        self._traffic = Passages(self._every)
        for row, motion in motions.items():
            self._rests[row] = motion.first + len(motion.x) - 1
            self._traffic.add(row, motion)
        self._state = copy_state(model.start)

    def bring(
        self,
        let_go: LetGo,
        rng: np.random.Generator,
        sector: tuple[float, float] | None,
        time_scale: float,
        turns: bool = True,
    ) -> tuple[Hand, float]:
        """A hand for one body, and how far (m) it keeps from everybody, less than zero where it does not. turns: it may
        begin turned another way than it ends."""
        size = float(self.model.bodies.size[let_go.row])
        best: tuple[float, Hand] | None = None
        enough = self._enough(let_go, CLEAR * size)
        for _ in range(self._tries):
            hand = self._drawn(let_go, rng, sector, size, time_scale)
            hand = hand if turns else replace(hand, turn=np.zeros_like(hand.turn))
            room = self._room(let_go, hand, CLEAR * size, -math.inf if best is None else best[0])
            if best is None or room > best[0]:
                best = room, hand
            if room >= enough:
                break
        assert best is not None
        self._keep(let_go, best[1])
        return best[1], best[0]

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
        self._keep(let_go, hand)
        return hand

    def carry(self, let_go: LetGo, x: np.ndarray, q: np.ndarray, step: float) -> tuple[Hand, float]:
        """A hand that carries a body from a pose, left at a step; straight, or over what stands in between."""
        size, up = float(self.model.bodies.size[let_go.row]), self._up()
        still, turn = np.zeros(3), turn_between(let_go.q, q)
        best: tuple[float, Hand] | None = None
        enough = self._enough(let_go, CLEAR * size)
        for rise in OVER:
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
            hand = Hand(
                np.array(knots, float), np.stack(places), np.stack(speeds), np.stack(turns), np.stack(spins), let_go.q
            )
            room = self._room(let_go, hand, CLEAR * size, -math.inf if best is None else best[0])
            if best is None or room > best[0]:
                best = room, hand
            if room >= enough:
                break
        assert best is not None
        self._keep(let_go, best[1])
        return best[1], best[0]

    def _up(self) -> np.ndarray:
        gravity = self.model.gravity
        return -gravity / norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])

    def _keep(self, let_go: LetGo, hand: Hand) -> None:
        """From now on it is in others' way."""
        self.found[let_go.row] = hand
        first = max(math.floor(hand.step[0]), 0)
        self._traffic.add(let_go.row, Passage(first, *hand.at(np.arange(first, let_go.step + 1), self.dt)))

    def _drawn(
        self, let_go: LetGo, rng: np.random.Generator, sector: tuple[float, float] | None, size: float, scale: float
    ) -> Hand:
        ways = [self._direction(rng, sector) for _ in range(SOME)]
        far, along = min(((self.stage.way_out(let_go.x, way, size), way) for way in ways), key=lambda way: way[0])
        g = max(norm(self.model.gravity), 1e-9)
        lasts = min(max(math.sqrt(2.0 * far / g) * 2.0 / PACE, SHORTEST * scale), LONGEST * scale)
        lasts = max(min(lasts, let_go.step * self.dt), self.dt)
        start = let_go.x + far * along
        steps = np.array([let_go.step - lasts / self.dt, let_go.step])
        still, back = np.zeros(3), -0.5 * lasts * let_go.spin
        if float(times(let_go.v, self._up())) > 0.0 and lasts > 2.0 * THROW:  # thrown upward: from where it is let go
            steps = np.array([steps[0], let_go.step - THROW / self.dt, let_go.step])
            back = -0.5 * THROW * let_go.spin
            return Hand(
                steps, np.stack([start, let_go.x, let_go.x]), np.stack([still, still, let_go.v]),
                np.stack([back, back, still]), np.stack([still, still, let_go.spin]), let_go.q,
            )  # fmt: skip
        return Hand(
            step=steps, x=np.stack([start, let_go.x]), v=np.stack([still, let_go.v]), turn=np.stack([back, still]),
            spin=np.stack([still, let_go.spin]), q=let_go.q,
        )  # fmt: skip

    def _direction(self, rng: np.random.Generator, sector: tuple[float, float] | None) -> np.ndarray:
        """From the release to where the hand comes from."""
        up = self._up()
        if sector is None:
            angle, steep = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(*STEEP)
            first, second = across(up)
        else:
            angle = math.radians(sector[0] + sector[1] * rng.uniform(-0.5, 0.5))
            steep = rng.uniform(*FLAT)
            first, second = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        s, c = sine_cosine(angle)
        rise, level = sine_cosine(math.radians(steep))
        return level * (c * first + s * second) + rise * up

    def _enough(self, let_go: LetGo, clear: float) -> float:
        """m that a way keeps from others if it can: `clear`, or less where the body is let go nearer to them than
        that."""
        row = let_go.row
        self._state.x[row], self._state.q[row] = let_go.x, let_go.q
        reach = float(self.model.bodies.size[row]) + clear
        near = self._places.query_ball_point(let_go.x, reach + self._largest)
        there = self._room_at(row, let_go.step, let_go.x, reach, near)
        return min(clear, 0.5 * max(there, 0.0) - ROUNDING * reach)

    def _room(self, let_go: LetGo, hand: Hand, clear: float, best: float) -> float:
        """m to whoever is nearest on the way, looked at from time to time; those that are far do not count. Not looked
        at to its end where it is no better than the best way so far."""
        first = max(math.ceil(hand.step[0] / self._every), 0) * self._every
        steps = np.arange(first, let_go.step, self._every)
        if not len(steps):
            return math.inf
        x, q = hand.at(steps, self.dt)
        reach = float(self.model.bodies.size[let_go.row]) + clear
        near = self._places.query_ball_point(x, reach + self._largest)
        room = math.inf
        for i, step in enumerate(steps):
            self._state.x[let_go.row], self._state.q[let_go.row] = x[i], q[i]
            room = min(room, self._room_at(let_go.row, int(step), x[i], reach, near[i]))
            if room <= best:
                break
        return room

    def _room_at(self, row: int, step: int, x: np.ndarray, reach: float, near: list[int]) -> float:
        state, start, size = self._state, self.model.start, self.model.bodies.size
        room = math.inf
        beside = np.maximum(np.maximum(self._fixed_boxes[:, :3] - x, x - self._fixed_boxes[:, 3:]), 0.0)
        for part in self._fixed[(norms(beside) < reach) | self._endless]:
            room = min(room, self._apart(row, [int(part)]))
        for other in map(int, self._rows[sorted(near)]):
            if other != row and self._rests[other] <= step and norm(start.x[other] - x) < reach + size[other]:
                state.x[other], state.q[other] = start.x[other], start.q[other]
                room = min(room, self._apart(row, range(self._parts[other], self._parts[other + 1])))
        for other, place, turn in self._traffic.near(step, x, reach + self._largest):
            if other != row and norm(place - x) < reach + size[other]:
                state.x[other], state.q[other] = place, turn
                room = min(room, self._apart(row, range(self._parts[other], self._parts[other + 1])))
        return room

    def _apart(self, row: int, parts: Sequence[int]) -> float:
        own = range(self._parts[row], self._parts[row + 1])
        return min(self._gauge.measure(p, o, self._state.x, self._state.q)[0] for p in own for o in parts)


class Passages:
    """Who is under way when, from time to time."""

    def __init__(self, every: int) -> None:
        """every: steps between two of these times."""
        self._every = every
        self._rows: dict[int, list[int]] = {}  # by step
        self._poses: dict[int, np.ndarray] = {}  # by step: (room, 7) positions and orientations, one after another

    def add(self, row: int, motion: Passage) -> None:
        """Until it rests."""
        first = -(-motion.first // self._every) * self._every
        for step in range(first, motion.first + len(motion.x) - 1, self._every):
            rows, at = self._rows.setdefault(step, []), step - motion.first
            poses = self._poses.get(step)
            if poses is None or len(poses) == len(rows):
                room = np.zeros((max(2 * len(rows), 16), 7))
                room[: len(rows)] = 0.0 if poses is None else poses
                self._poses[step] = poses = room
            poses[len(rows), :3], poses[len(rows), 3:] = motion.x[at], motion.q[at]
            rows.append(row)

    def near(self, step: int, x: np.ndarray, reach: float) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """(row, position, orientation) of those within reach (m) of x."""
        rows = self._rows.get(step)
        if rows is None:
            return []
        poses = self._poses[step][: len(rows)]
        found = np.flatnonzero(norms(poses[:, :3] - x) < reach)
        return [(rows[i], poses[i, :3], poses[i, 3:]) for i in found]


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
