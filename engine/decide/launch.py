"""Launches: how a resting body leaves rest, seen backward - that is, how it arrived.

At a resting contact any impulse in the cone is an explanation, so the arrival velocity may be chosen outright. Goals
are always those of one rigid velocity, J u_goal, never edited per contact: four corners cannot follow four wishes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.algebra import norm
from engine.decide.chance import normals
from engine.functions import sine_cosine
from engine.jit import inline
from engine.vec import add, cross, dot, put, row, scale, sub


@dataclass(frozen=True)
class Launch:
    """What a body did just before it came to rest."""

    body: int
    time: float  # s before the end
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)  # m/s of the centre of mass just before coming to rest
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)  # rad/s
    slide: bool = False  # keep contact: only the tangential part is asked for
    roll: bool = False  # only spin is asked for, the contact sticks
    drawn: bool = False  # by chance: may be turned so that the body comes from the open side
    fastest: float = math.inf  # m/s, a slide does not get faster than this
    reach: float = math.inf  # m, nor does it gain speed beyond this length
    grip: float = math.inf  # friction a slide and the landing into it use at most, or the body would tip
    energy: float = 0.0  # J/kg that the hints ask for, over that at rest; the budget leaves room for it
    then: Launch | None = None  # what the body did before, seen backward the next; its time: inf when this one is done


@inline
def from_the_open_side(mine, contacts, kick, body, velocity, rest_speed):
    """The velocity mirrored at every resting contact it would have come out of: nobody arrives through a wall."""
    for _ in range(4):
        for i in range(mine.shape[0]):
            c = mine[i]
            if kick.after[c] > rest_speed or kick.hold[c] != 0:
                continue
            n = scale(1.0 if contacts.a[c] == body else -1.0, row(contacts.normal, c))
            away = dot(velocity, n)
            if away > 0.0:
                velocity = sub(velocity, scale(2.0 * away, n))
    return velocity


@inline
def ask(mine, contacts, kick, body, velocity, spin, x, rest_speed, tangential, rolling):
    """Goals of the resting ones among the contacts `mine` of `body`, from its rigid velocity. Returns their number."""
    asked = 0
    for i in range(mine.shape[0]):
        c = mine[i]
        if kick.after[c] > rest_speed or kick.hold[c] != 0:
            continue
        sign = 1.0 if contacts.a[c] == body else -1.0
        n = row(contacts.normal, c)
        arm = sub(row(contacts.point, c), row(x, body))
        u = scale(sign, add(velocity, cross(spin, arm)))
        if rolling:
            put(kick.goal_r, c, add(row(kick.goal_r, c), scale(sign, spin)))
            asked += 1
            continue
        approach = dot(u, n)
        put(kick.goal_t, c, add(row(kick.goal_t, c), sub(u, scale(approach, n))))
        if not tangential:
            kick.goal_n[c] += max(-approach, 0.0)
        asked += 1
    return asked


def vector(value: np.ndarray) -> tuple[float, float, float]:
    return float(value[0]), float(value[1]), float(value[2])


def level_axes(up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors perpendicular to `up` and to each other."""
    first = np.cross(up, [1.0, 0.0, 0.0] if abs(up[0]) < 0.9 else [0.0, 1.0, 0.0])
    first /= norm(first)
    return first, np.cross(up, first)


def random_launch(
    body: int,
    time: float,
    energy: float,
    friction: float,
    size: float,
    axes: tuple[np.ndarray, np.ndarray, np.ndarray],
    rng: np.random.Generator,
) -> Launch:
    """A landing with a share of `energy` (J/kg): downward, sideways inside the friction cone, a little spin.

    axes: up and two level ones."""
    down = math.sqrt(2.0 * energy * rng.uniform(0.4, 0.9))
    angle = rng.uniform(0.0, 2.0 * math.pi)
    sideways = 0.95 * min(friction, 1.0) * down * rng.uniform(0.6, 1.0)
    up, first, second = axes
    s, c = sine_cosine(angle)
    velocity = -down * up + sideways * (c * first + s * second)
    spin = normals(rng, 3) * (0.1 * down / size)
    return Launch(body, time, vector(velocity), vector(spin), drawn=True)
