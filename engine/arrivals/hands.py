"""Hands: ways by which bodies are brought onto the stage, from outside to where they are let go, touching nothing.

A way is one smooth arc from a place off the stage, usually above it. Some are tried, from the side that was asked for
or from any; the first that keeps clear of everything at rest, under way and in other hands is taken. Where none does,
the one that comes least close to anybody is, and whoever asked is told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, norms, times
from engine.arrivals.stage import StageBox
from engine.arrivals.structure import boxes_at_rest
from engine.collide.cores import build_cores
from engine.collide.gauge import Gauge
from engine.functions import sine_cosine
from engine.model.arrays import PLANE, State, copy_state
from engine.model.compile import Model
from engine.scene.vectors import across
from engine.shapes.turns import rotation_matrix
from engine.tape.hand import Hand

TRIES = 24
SAMPLES = 24  # places of a way that are looked at
CLEAR = 0.03  # sizes that a hand keeps from others
PACE = 1.9  # of the speed of a fall over the way: how fast hands are on average
SHORTEST, LONGEST = 0.35, 1.2  # s of usual bodies
STEEP = (25.0, 70.0)  # degrees over the ground, of ways that nobody asked for
FLAT = (8.0, 35.0)  # of those that come from a side


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
class Motion:
    """Where a body is from its release on."""

    first: int  # state of the take of the first row
    x: np.ndarray  # (k, 3); it stays in the last one
    q: np.ndarray  # (k, 4)


class Hands:
    """Finds the hand of one body after another. Steps count states of the take in forward time."""

    def __init__(self, model: Model, stage: StageBox, dt: float, motions: Mapping[int, Motion]) -> None:
        self.model, self.stage, self.dt, self.motions = model, stage, dt, motions
        self.found: dict[int, Hand] = {}
        geometry = model.geometry
        self._gauge = Gauge(geometry)
        self._parts = np.searchsorted(geometry.part_body, np.arange(len(model.names) + 1))
        self._boxes = boxes_at_rest(model, build_cores(geometry))
        self._endless = np.flatnonzero(geometry.part_kind == PLANE)
        self._rests = np.full(len(model.names), 0, np.int64)  # first state at rest
        for row, motion in motions.items():
            self._rests[row] = motion.first + len(motion.x) - 1
        self._state = copy_state(model.start)
        self._carried: dict[int, Motion] = {}  # the ways of the hands found
        self._movers = sorted(motions)

    def bring(
        self, let_go: LetGo, rng: np.random.Generator, sector: tuple[float, float] | None, time_scale: float
    ) -> tuple[Hand, float]:
        """A hand for one body, and how far (m) it keeps from everybody, less than zero where it does not."""
        size = float(self.model.bodies.size[let_go.row])
        best: tuple[float, Hand] | None = None
        for _ in range(TRIES):
            hand = self._drawn(let_go, rng, sector, size, time_scale)
            room = self._room(let_go, hand, CLEAR * size)
            if best is None or room > best[0]:
                best = room, hand
            if room >= CLEAR * size:
                break
        assert best is not None
        self.found[let_go.row] = best[1]
        first = math.floor(best[1].step[0])
        self._carried[let_go.row] = Motion(first, *best[1].at(np.arange(first, let_go.step), self.dt))
        return best[1], best[0]

    def _drawn(
        self, let_go: LetGo, rng: np.random.Generator, sector: tuple[float, float] | None, size: float, scale: float
    ) -> Hand:
        along = self._direction(rng, sector)
        far = self.stage.way_out(let_go.x, along, size)
        g = max(norm(self.model.gravity), 1e-9)
        lasts = min(max(math.sqrt(2.0 * far / g) * 2.0 / PACE, SHORTEST * scale), LONGEST * scale)
        lasts = max(min(lasts, let_go.step * self.dt), self.dt)
        start = let_go.x + far * along
        steps = np.array([let_go.step - lasts / self.dt, let_go.step])
        still, back = np.zeros(3), -0.5 * lasts * let_go.spin
        return Hand(
            step=steps, x=np.stack([start, let_go.x]), v=np.stack([still, let_go.v]), turn=np.stack([back, still]),
            spin=np.stack([still, let_go.spin]), q=let_go.q,
        )  # fmt: skip

    def _direction(self, rng: np.random.Generator, sector: tuple[float, float] | None) -> np.ndarray:
        """From the release to where the hand comes from."""
        gravity = self.model.gravity
        up = -gravity / norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
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

    def _room(self, let_go: LetGo, hand: Hand, clear: float) -> float:
        """m to whoever is nearest on the way; looked at no closer than `clear` and the bodies' own sizes ask for."""
        begin = max(float(hand.step[0]), 0.0)
        steps = np.linspace(begin, let_go.step, SAMPLES, endpoint=False)
        x, q = hand.at(steps, self.dt)
        room = math.inf
        for i, step in enumerate(steps):
            room = min(room, self._room_at(let_go.row, float(step), x[i], q[i], clear, room))
            if room < -clear:
                break
        return room

    def _room_at(self, row: int, step: float, x: np.ndarray, q: np.ndarray, clear: float, room: float) -> float:
        state, size = self._state, self.model.bodies.size
        state.x[row], state.q[row] = x, q
        reach = float(size[row]) + clear
        beside = np.maximum(np.maximum(self._boxes[:, :3] - x, x - self._boxes[:, 3:]), 0.0)
        near = norms(beside) < reach
        near[self._endless] = True
        owner = self.model.geometry.part_body
        near &= (self._rests[owner] <= step) & (owner != row)
        for part in np.flatnonzero(near):
            self._stand(int(owner[part]))
            room = min(room, self._apart(row, [int(part)]))
        for other, place, turn in self._under_way(row, step):
            if norm(place - x) < reach + size[other]:
                state.x[other], state.q[other] = place, turn
                room = min(room, self._apart(row, range(self._parts[other], self._parts[other + 1])))
        return room

    def _stand(self, row: int) -> None:
        self._state.x[row], self._state.q[row] = self.model.start.x[row], self.model.start.q[row]

    def _apart(self, row: int, parts: Sequence[int]) -> float:
        own = range(self._parts[row], self._parts[row + 1])
        return min(self._gauge.measure(p, o, self._state.x, self._state.q)[0] for p in own for o in parts)

    def _under_way(self, row: int, step: float) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Poses of those who fly, or are in a hand, at that time."""
        found = []
        for other in self._movers:
            if other == row or step >= self._rests[other]:
                continue
            motion = self.motions[other]
            if step < motion.first:
                motion = self._carried.get(other, motion)
            at = int(step) - motion.first
            if 0 <= at < len(motion.x):
                found.append((other, motion.x[at], motion.q[at]))
        return found


def spin_at(model: Model, row: int, state: State) -> np.ndarray:
    """rad/s, world axes, of a body whose state this is."""
    turn = rotation_matrix(state.q)
    return times(turn, times(model.bodies.inverse_inertia[row], times(turn.T, state.l)))
