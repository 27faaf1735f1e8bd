"""Landings: how fast and with which spin a body came in, so that it rests after one dead landing.

The artist says how the centre of mass came in. Which spin went with it follows from where the body touches: a box takes
up the friction of its landing by leaning on its front corners, a ball can only stop with the backspin that the same
friction takes away. And friction bounds what stops at once: what comes in flatter slides on for a while.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import norm, times
from engine.arrivals.ending import Ending, contacts_of
from engine.factors import nonnegative
from engine.functions import around
from engine.model.compile import Model
from engine.vec import turned_back

FACETS = 16  # of a friction cone, one of them exactly against the motion
LINEAR_WEIGHT = 1e4  # of the momentum that must come out, against the spin that should be small
NO_SPIN = 1e-9  # share of the speed: a smaller spin is rounding


@dataclass(frozen=True)
class Landing:
    spin: np.ndarray  # rad/s, just before
    missed: float  # share of the velocity that no impulse of the contacts can stop


def landing(model: Model, ending: Ending, body: int, velocity: np.ndarray, dt: float) -> Landing:
    """What a landing of a resting body with this velocity (m/s, of its centre of mass) comes with."""
    mine, normal = contacts_of(ending, body)
    if len(mine) == 0:
        return Landing(np.zeros(3), 1.0)
    generators, owner = _generators(normal, ending.friction[mine], velocity)
    arm = ending.point[mine][owner] - model.start.x[body]
    mass, size = float(model.bodies.mass[body]), float(model.bodies.size[body])
    turning = mass * turned(model, body, np.cross(arm, generators))
    target = -(velocity + dt * model.gravity)
    rows = np.concatenate([LINEAR_WEIGHT * generators.T, size * turning.T])
    impulse = nonnegative(rows, np.concatenate([LINEAR_WEIGHT * target, np.zeros(3)])).weights
    spin = -times(turning.T, impulse)
    fast = norm(velocity)
    if norm(spin) * size < NO_SPIN * fast:
        spin = np.zeros(3)
    return Landing(spin, norm(times(generators.T, impulse) - target) / max(fast, 1e-300))


def _generators(normal: np.ndarray, friction: np.ndarray, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges (k, 3) of the friction cones, scaled to unit normal impulse, and the contact of each."""
    edges, owner = [], []
    for i, (n, mu) in enumerate(zip(normal, friction, strict=True)):
        against = -(velocity - float(times(velocity, n)) * n)
        length = norm(against)
        if length == 0.0:
            against = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
            length = norm(against)
        first = against / length
        second = np.cross(n, first)
        for c, s in zip(*around(FACETS), strict=True):
            edges.append(n + mu * (c * first + s * second))
            owner.append(i)
        edges.append(n)
        owner.append(i)
    return np.array(edges), np.array(owner)


def turned(model: Model, body: int, torque: np.ndarray) -> np.ndarray:
    """World changes of spin (k, 3) by angular impulses (k, 3) about the centre of mass."""
    turn = np.stack([turned_back(model.start.q[body : body + 1], axis)[0] for axis in np.eye(3)], axis=1)
    return times(torque, times(times(turn.T, model.bodies.inverse_inertia[body]), turn).T)
