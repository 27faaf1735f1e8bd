"""Flops: how a free articulation that is let go soon came to rest. Its parts hardly move at the end, each in its own
way and the trunk least; seen backward, bounces with the authored materials let that grow.

Any impulses in the cones of the feet explain rest; what the joints add follows. With ways E that the joints allow,
E M E^T = 1, impulses p stop the motion -E^T E p. Here they act along the normals: such launches can be solved, while
with friction most of those of limbs on several feet cannot. Friction comes in by the bounces before."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.brief import Brief
from engine.arrivals.natural.tuning import DOWN, HARDLY, INNERMOST, SLOWEST, TRIES, UNEVEN
from engine.arrivals.together.articulated import Articulation, Motion
from engine.decide.chance import draws, normals
from engine.factors import nonnegative
from engine.functions import exponential
from engine.model.arrays import copy_state
from engine.model.articulations import groups_of, is_anchored
from engine.shapes.turns import rotation_matrix
from engine.step.admissible import admissible

VANISHED = 1e-12  # share of a way that must stand outside those already taken


class Flops:
    """Of all free articulations of a brief."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        model = brief.model
        self.flops = [Flop(brief, rows) for rows in groups_of(model) if not is_anchored(model, rows)]

    def motion(self, rows: np.ndarray, draw: int) -> Motion | None:
        """Of the articulation of these rows."""
        for flop in self.flops:
            if np.array_equal(flop.articulation.rows, rows):
                return flop.motion(draws(self.brief.seed, "flop", self.brief.model.names[rows[0]], draw))
        return None


class Flop:
    def __init__(self, brief: Brief, rows: np.ndarray) -> None:
        self.brief, self.articulation = brief, Articulation(brief.model, brief.ending, rows)
        self.rows = frozenset(map(int, rows))

    @cached_property
    def usual(self) -> float:
        """m/s, of falls about as high as the largest body."""
        model = self.brief.model
        return math.sqrt(norm(model.gravity) * float(model.bodies.size[self.articulation.rows].max()))

    @cached_property
    def neighbours(self) -> dict[int, list[int]]:
        joints = self.brief.model.joints
        found: dict[int, list[int]] = {row: [] for row in self.articulation.at}
        for j in self.articulation.joints:
            found[int(joints.a[j])].append(int(joints.b[j]))
            found[int(joints.b[j])].append(int(joints.a[j]))
        return found

    @cached_property
    def trunk(self) -> int:
        """The body that most others hang on, three at least; -1 of a chain."""
        most = max(self.neighbours, key=lambda row: len(self.neighbours[row]))
        return most if len(self.neighbours[most]) > 2 else -1

    def outward(self, rng: np.random.Generator) -> dict[int, float]:
        """How far out each body is: 0 of the trunk, or of any link of a chain, 1 of the farthest."""
        first = self.trunk if self.trunk >= 0 else list(self.neighbours)[int(rng.integers(len(self.neighbours)))]
        found, edge = {first: 0}, [first]
        while edge:
            edge = [row for each in edge for row in self.neighbours[each] if row not in found]
            found |= {row: 1 + max(found.values()) for row in edge}
        return {row: depth / max(found.values()) for row, depth in found.items()}

    @cached_property
    def ways(self) -> np.ndarray:
        """(f, 6 k) motions that the joints allow, of 1/2 J each and at right angles in energy (Gram and Schmidt)."""
        inertia, found = self.articulation.inertia, np.zeros((0, 6 * len(self.articulation.rows)))
        for way in self.articulation.freedoms:
            whole = float(times(times(way, inertia), way))
            for _ in range(2):  # once leaves rounding
                way = way - times(times(times(found, inertia), way), found)
            rest = float(times(times(way, inertia), way))
            if rest > VANISHED * whole:
                found = np.vstack([found, way / math.sqrt(rest)])
        return found

    def motion(self, rng: np.random.Generator) -> Motion | None:
        """None where no impulses are found with which all contacts close."""
        articulation = self.articulation
        for _ in range(TRIES if articulation.feet else 0):
            out = self.outward(rng)
            motion = self._stopped_by(self._pushed(rng, out))
            motion = self._calmed(motion, [i for i, foot in enumerate(articulation.feet) if out[foot[0]] == 0.0])
            rates = times(articulation.stops, motion)
            closing, limits = np.split(rates, [len(articulation.feet)])
            if (closing < -SLOWEST * self.usual).all() and (limits <= 0.0).all():
                return self._over_a_step(motion)
        return None

    def _stopped_by(self, pushed: np.ndarray) -> np.ndarray:
        """(6 k,) the motion that impulses stop."""
        return -times(self.ways.T, times(self.ways, pushed))

    def _pushed(self, rng: np.random.Generator, out: dict[int, float]) -> np.ndarray:
        """(6 k,) random impulses at all feet, about what stops each body's fall, the farther out the faster."""
        model, feet = self.brief.model, self.articulation.feet
        mass, fast, uneven = model.bodies.mass, self.usual * rng.uniform(*DOWN), rng.uniform(*UNEVEN)
        on = {row: sum(1 for foot in feet if foot[0] == row) for row in self.articulation.at}
        pushed = np.zeros(6 * len(self.articulation.rows))
        for body, point, normal, _ in feet:
            down = fast * (INNERMOST + (1.0 - INNERMOST) * out[body]) * exponential(uneven * float(normals(rng, 1)[0]))
            pushed += self.articulation.push(body, point, down * mass[body] / on[body] * normal)
        return pushed

    def _calmed(self, motion: np.ndarray, feet: list[int]) -> np.ndarray:
        """The motion with such impulses along the normals of these feet, besides, that they hardly move."""
        if not feet:
            return motion
        own = [self.articulation.feet[i] for i in feet]
        moved = np.stack([self._stopped_by(self.articulation.push(body, point, n)) for body, point, n, _ in own])
        stops = self.articulation.stops[feet]
        weights = nonnegative(times(stops, moved.T), -HARDLY * self.usual - times(stops, motion)).weights
        return motion + times(weights, moved)

    def _over_a_step(self, motion: np.ndarray) -> Motion:
        """The same, with what turning adds in a step: joints that are closed at an instant are not closed after it."""
        model, state = self.brief.model, copy_state(self.brief.model.start)
        turns = {row: rotation_matrix(state.q[row]) for row in self.articulation.at}
        for row, first in self.articulation.at.items():
            state.v[row] = motion[first : first + 3]
            own = times(turns[row].T, motion[first + 3 : first + 6])
            state.l[row] = times(turns[row], times(model.bodies.inertia[row], own))
        state = admissible(model, self.brief.params, state)
        found = {}
        for row, turn in turns.items():
            spin = times(turn, times(model.bodies.inverse_inertia[row], times(turn.T, state.l[row])))
            found[row] = state.v[row], spin
        return found
