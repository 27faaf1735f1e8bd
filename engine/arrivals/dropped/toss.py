"""Throws: drops that start with the height, speed and spin somebody asked for.

From which side they come is not asked here: turned about the vertical a throw is the same throw, and which way it goes
as seen from the resting pose shows only once it rests. So throws are made for the other numbers and then chosen by
side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.dropped.crowd import clearance
from engine.arrivals.dropped.drop import ROW, Dropper
from engine.arrivals.dropped.tuning import TUNING
from engine.collide.gauge import Gauge
from engine.decide.chance import draws, normals
from engine.model.arrays import State, copy_state
from engine.shapes.turns import about, between, product, rotation_matrix

Range = tuple[float, float]
TILTS = (1.0, 0.6, 0.35, 0.2, 0.1, 0.05, 0.0)
"""Shares of a random orientation in that of the start, the rest is the resting one: what starts low has no room to
stand on its corner."""
FLATTENED = (1.0, 1.0, 0.5)  # directions of throws are rather level
SLACK = 1e-3  # of a range, kept free at both ends: a step rounds


@dataclass(frozen=True)
class Toss:
    """Ranges; None: as drops are."""

    height: Range | None  # m, of the centre of mass over where it rests
    speed: Range | None  # m/s
    spin: Range | None  # rad/s
    rest: float  # m, height of the centre of mass over the ground at rest
    tilt: float = 1.0  # largest share of a random orientation; the rest is the one it comes to lie in

    @property
    def words(self) -> str:
        """Equal for throws that nobody can tell apart."""
        ranges = (self.height, self.speed, self.spin, (self.rest, self.tilt))
        return " ".join("-" if each is None else ",".join(f"{value:.6g}" for value in each) for each in ranges)


class Tosser:
    """Starts of throws, numbered like drops."""

    def __init__(self, dropper: Dropper, throw: Toss, side: np.ndarray) -> None:
        self.dropper, self.throw = dropper, throw
        self._upright = between(tuple(side), (0.0, 0.0, 1.0))
        geometry = dropper.model.geometry
        self._gauge = Gauge(geometry)
        self._own = [int(p) for p in np.flatnonzero(geometry.part_body == ROW)]
        self._ground = [int(p) for p in np.flatnonzero(geometry.part_body != ROW)]

    def start(self, seed: int, number: int) -> State:
        """A random one that is clear of the ground."""
        rng = draws(seed, "throw", number)
        throw, bodies, g = self.throw, self.dropper.model.bodies, self.dropper.setting.gravity
        size = float(bodies.size[ROW])
        state = copy_state(self.dropper.model.start)
        turn, yaw = normals(rng, 4), float(rng.uniform(0.0, 2.0 * np.pi))
        high = size * rng.uniform(TUNING.lowest, TUNING.highest)
        state.x[ROW] = 0.0, 0.0, high if throw.height is None else throw.rest + _within(rng, throw.height)
        state.v[ROW] = normals(rng, 3) * np.sqrt(g * size) * TUNING.speed
        if throw.speed is not None:
            along = normals(rng, 3) * FLATTENED
            state.v[ROW] = along * (_within(rng, throw.speed) / norm(along))
        spin = normals(rng, 3) * TUNING.spin * np.sqrt(g / size)
        if throw.spin is not None:
            spin = spin * (_within(rng, throw.spin) / norm(spin))
        upright = np.array(product(about((0, 0, 1), yaw), self._upright))
        most = 1.0 if throw.tilt == 1.0 else throw.tilt * float(rng.uniform())
        self._tilt(state, upright, turn / norm(turn), most)
        axes = rotation_matrix(state.q[ROW])
        state.l[ROW] = times(axes, times(bodies.inertia[ROW], times(axes.T, spin)))
        return state

    def _tilt(self, state: State, upright: np.ndarray, turn: np.ndarray, most: float) -> None:
        """As much of a random orientation as there is room for, and not more than `most`."""
        least = float(clearance(self.dropper.model.bodies.size[ROW]))
        for share in (most * each for each in TILTS):
            mixed = share * turn + (1.0 - share) * (upright if times(upright, turn) >= 0.0 else -upright)
            state.q[ROW] = mixed / norm(mixed)
            apart = [self._gauge.measure(p, o, state.x, state.q)[0] for p in self._own for o in self._ground]
            if min(apart) > least:
                return


def _within(rng: np.random.Generator, bounds: Range) -> float:
    low, high = bounds
    room = SLACK * (high - low)
    return float(rng.uniform(low + room, max(high - room, low + room)))
