"""Footings: the plane a body rests on, and what friction there does to it when it slides."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from engine.algebra import norm, solve, times
from engine.arrivals.ending import Ending, contacts_of
from engine.arrivals.landing import turned
from engine.factors import singular
from engine.model.compile import Model

ONE_PLANE = 0.999  # cosine: contacts with normals this close
STRAIGHT = 0.999  # cosine: slip this close to the motion
FLAT_SUPPORT = 1e-3  # share of the size: a support narrower than this is a line or a point
NOT_TIPPING = 0.9  # share of the friction at which a body tips over its front edge


@dataclass(frozen=True)
class Footing:
    normal: np.ndarray  # toward the body
    friction: float  # least of its contacts
    sticky: float  # friction above which the body tips instead of sliding along the direction asked about
    slip: np.ndarray  # (3, 3) slip at the contacts of a body that friction alone brought to a velocity: more than it
    #                   where the body rolls, because friction spins it as well

    def slides_straight(self, along: np.ndarray) -> bool:
        """Whether friction moves it the way it slips: not so where a cylinder rolls aslant."""
        seen = times(self.slip, along)
        return float(times(seen, along)) >= STRAIGHT * norm(seen) * norm(along)

    def stirring(self, along: np.ndarray) -> float:
        """Energy of a slide, spin included, in shares of that of its centre of mass."""
        return float(times(times(along, self.slip), along)) / max(float(times(along, along)), 1e-300)


def footing(model: Model, ending: Ending, body: int, along: np.ndarray) -> Footing | None:
    """What a body rests on, asked for slides along a direction; None when that is not one plane."""
    mine, normal = contacts_of(ending, body)
    length = norm(normal.sum(axis=0))
    if length == 0.0 or not (times(normal, normal.sum(axis=0)) > ONE_PLANE * length).all():
        return None
    n = normal.sum(axis=0) / length
    along = along - float(times(along, n)) * n
    arms = ending.point[mine] - model.start.x[body]
    size, high = float(model.bodies.size[body]), -float(times(arms, n).mean())
    front = _front(arms, n, along)
    sticky = math.inf if front < FLAT_SUPPORT * size or high <= 0.0 else NOT_TIPPING * front / high
    return Footing(n, float(ending.friction[mine].min()), sticky, _slip(model, body, arms, n, high))


def _slip(model: Model, body: int, arms: np.ndarray, normal: np.ndarray, high: float) -> np.ndarray:
    """See Footing.slip. An area of support takes up the torque of friction, a line that across itself, a point none."""
    mass, size = float(model.bodies.mass[body]), float(model.bodies.size[body])
    inverse = turned(model, body, np.eye(3))
    spread = singular(arms - arms.mean(axis=0))
    wide = int((spread.values[:2] > FLAT_SUPPORT * size).sum())
    if wide >= 2:
        free = np.zeros((3, 3))
    elif wide == 1:
        axis = spread.axes[0]
        free = np.outer(axis, axis) / float(times(axis, solve(inverse, axis)))
    else:
        free = inverse
    level = np.eye(3) - np.outer(normal, normal)
    arm = -high * np.array([[0.0, -normal[2], normal[1]], [normal[2], 0.0, -normal[0]], [-normal[1], normal[0], 0.0]])
    return times(times(level, np.eye(3) - times(times(mass * arm, free), arm)), level)


def _front(arms: np.ndarray, normal: np.ndarray, along: np.ndarray) -> float:
    """How far (m) the support reaches from under the centre of mass in the direction `along`."""
    fast = norm(along)
    if fast == 0.0:
        return 0.0
    first, second = along / fast, np.cross(normal, along / fast)
    count = len(arms)
    equal = np.zeros((3, count + 1))
    equal[0, :count], equal[1, :count], equal[2, :count] = times(arms, first), times(arms, second), 1.0
    equal[0, count] = -1.0
    cost = np.append(np.zeros(count), -1.0)
    found = linprog(cost, A_eq=equal, b_eq=[0.0, 0.0, 1.0], bounds=[(0.0, None)] * (count + 1), method="highs")
    return float(found.x[-1]) if found.status == 0 else 0.0
