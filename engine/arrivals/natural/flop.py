"""Flops: how a free articulation that is let go soon came to rest. Its parts hardly move at the end, each in its own
way and the trunk least; seen backward, bounces with the authored materials let that grow.

A motion is lawful where impulses in the cones of the feet stop it, whatever the joints add. So a random wish, one
velocity and a spin of its own for every body, is answered by the motion nearest to it in energy that such impulses
stop. With ways E that the joints allow, E M E^T = 1, impulses p stop u = -E^T E p, and what is wished is E M u."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.brief import Brief
from engine.arrivals.natural.tuning import APPROACH, ASIDE, CALM, DOWN, EVEN, GRIP, TURNING, WISHES
from engine.arrivals.together.articulated import FACETS, Articulation, Motion
from engine.decide.chance import draws, normals
from engine.factors import nonnegative
from engine.functions import around
from engine.model.arrays import copy_state
from engine.model.articulations import groups_of, is_anchored
from engine.scene.vectors import across
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

    @cached_property
    def trunk(self) -> set[int]:
        """Bodies with three joints or more: the others are limbs, or links."""
        joints, own = self.brief.model.joints, self.articulation.joints
        ends = [int(body) for j in own for body in (joints.a[j], joints.b[j])]
        return {body for body in ends if ends.count(body) > 2}

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

    @cached_property
    def stopped(self) -> np.ndarray:
        """(f, p) what pushes along the edges of the feet's cones stop, in these ways."""
        articulation, columns = self.articulation, []
        for body, point, normal, friction in articulation.feet:
            first, second = across(normal)
            for c, s in zip(*around(FACETS), strict=True):
                push = normal + GRIP * friction * (c * first + s * second)
                columns.append(articulation.push(body, point, push))
        return -times(self.ways, np.array(columns).T)

    @cached_property
    def evenly(self) -> np.ndarray:
        """(f,) what feet stop that carry their bodies evenly, each body falling with 1 m/s. Without it many feet would
        have no impulse at all, and such launches can seldom be solved."""
        feet, mass = self.articulation.feet, self.brief.model.bodies.mass
        on = {row: sum(1 for foot in feet if foot[0] == row) for row in self.articulation.at}
        pushes = [self.articulation.push(body, point, mass[body] / on[body] * n) for body, point, n, _ in feet]
        return -times(self.ways, np.sum(pushes, axis=0))

    def motion(self, rng: np.random.Generator) -> Motion | None:
        """None where no wish closes all contacts."""
        articulation = self.articulation
        if not articulation.feet:
            return None
        for _ in range(WISHES):
            down, wish = self._wish(rng)
            share = EVEN * down * self.evenly
            asked = times(self.ways, times(articulation.inertia, wish)) - share
            weights = nonnegative(self.stopped, asked).weights
            motion = times(self.ways.T, share + times(self.stopped, weights))
            rates = times(articulation.stops, motion)
            closing, limits = np.split(rates, [len(articulation.feet)])
            if (closing < -APPROACH * np.abs(closing).mean()).all() and (limits <= 0.0).all():
                return self._over_a_step(motion)
        return None

    def _wish(self, rng: np.random.Generator) -> tuple[float, np.ndarray]:
        """Speed downward, m/s, and (6 k,) velocities and spins."""
        model = self.brief.model
        gravity, size = norm(model.gravity), model.bodies.size
        up = -model.gravity / gravity
        usual = math.sqrt(gravity * float(size[self.articulation.rows].max()))
        down = usual * rng.uniform(*DOWN)
        level = np.cross(up, normals(rng, 3))
        velocity = ASIDE * down * rng.uniform() * level / norm(level) - down * up
        wish = np.zeros(6 * len(self.articulation.rows))
        for row, first in self.articulation.at.items():
            calm = CALM if row in self.trunk else 1.0
            spin = usual * rng.uniform(*TURNING) / float(size[row]) * normals(rng, 3)
            wish[first : first + 6] = [*(calm * velocity), *(calm * spin)]
        return down, wish

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
