"""Flops: how a free articulation that is let go soon came to rest. Its parts hardly move at the end, each in its own
way and the trunk least; seen backward, bounces with the authored materials let that grow.

Any impulses in the cones of the feet explain rest; what the joints add follows. With ways E that the joints allow,
E M E^T = 1, impulses p stop the motion -E^T E p. Impulses along the normals can always be solved; with friction many
launches of limbs on several feet cannot, so every other draw does without."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.brief import Brief
from engine.arrivals.natural.tuning import APPROACH, CALM, DOWN, SLANT, TRIES, UNEVEN
from engine.arrivals.together.articulated import Articulation, Motion
from engine.decide.chance import draws, normals
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
                return flop.motion(draws(self.brief.seed, "flop", self.brief.model.names[rows[0]], draw), draw % 2 == 1)
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

    def motion(self, rng: np.random.Generator, grips: bool) -> Motion | None:
        """None where no impulses are found with which all contacts close. grips: friction has a part in it."""
        articulation = self.articulation
        for _ in range(TRIES if articulation.feet else 0):
            pushed = self._pushed(rng, rng.uniform(*SLANT) if grips else 0.0)
            motion = -times(self.ways.T, times(self.ways, pushed))
            rates = times(articulation.stops, motion)
            closing, limits = np.split(rates, [len(articulation.feet)])
            if (closing < -APPROACH * np.abs(closing).mean()).all() and (limits <= 0.0).all():
                return self._over_a_step(motion)
        return None

    def _pushed(self, rng: np.random.Generator, slant: float) -> np.ndarray:
        """(6 k,) random impulses at all feet, about what stops each body's fall; slant: share of friction that they
        use, against one direction and, as much, each against its own."""
        model, feet = self.brief.model, self.articulation.feet
        gravity, mass = norm(model.gravity), model.bodies.mass
        down = math.sqrt(gravity * float(model.bodies.size[self.articulation.rows].max())) * rng.uniform(*DOWN)
        aside, uneven = normals(rng, 3), rng.uniform(*UNEVEN)
        on = {row: sum(1 for foot in feet if foot[0] == row) for row in self.articulation.at}
        pushed = np.zeros(6 * len(self.articulation.rows))
        for body, point, normal, friction in feet:
            calm = CALM if body in self.trunk else 1.0
            weight = calm * down * mass[body] / on[body] * exponential(uneven * float(normals(rng, 1)[0]))
            own = normals(rng, 3)
            across = aside / norm(aside) + own / norm(own)
            across -= times(across, normal) * normal
            grip = slant * friction / max(norm(across), 1.0)
            pushed += self.articulation.push(body, point, weight * (normal - grip * across))
        return pushed

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
