"""Strong stability against every contact mode in turn, an oracle that knows nothing of branching; and how
long it takes to tell whether a wall stands."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog, nnls

from engine.analysis import stability
from engine.analysis.touch import tangents_of
from tests.bench.inspector_case import Case
from tests.bench.scenes_director import bonded_wall

LEAST = 1e-5  # power of the load, as a share of that on the free body, that counts as motion
FEASIBLE = 1e-12

Mode = tuple[tuple[int, ...] | None, ...]
"""Per contact: None, it opens; else along each tangent 0, it stays, or the side to which it slides."""


class Problem(NamedTuple):
    J: np.ndarray  # (directions, w, n), normal first
    mu: np.ndarray
    load: np.ndarray
    mass: np.ndarray

    def strong(self) -> bool | None:
        """What the search says, with pyramids."""
        Wo = self.J[2] if len(self.J) > 2 else None
        return stability.classify(self.J[0], self.J[1], Wo, self.mu, self.load, self.mass, law="pyramid").strong


def in_plane(rng: np.random.Generator, n: int) -> Problem:
    """A body with contacts around it."""
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    point = np.c_[np.cos(angle), np.sin(angle)] * rng.uniform(0.3, 1.5, (n, 1))
    inward = angle + np.pi + rng.uniform(-1.2, 1.2, n)
    normal = np.c_[np.cos(inward), np.sin(inward)]
    ways = (normal, np.c_[-normal[:, 1], normal[:, 0]])
    J = np.stack([np.vstack([way.T, point[:, 0] * way[:, 1] - point[:, 1] * way[:, 0]]) for way in ways])
    return _loaded(rng, J, np.diag([1.0, 1.0, rng.uniform(0.2, 2.0)]))


def in_space(rng: np.random.Generator, n: int) -> Problem:
    point = rng.normal(size=(n, 3))
    normal = -point + 0.7 * rng.normal(size=(n, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    tangent = tangents_of(normal, rng.normal(size=3))
    ways = (normal, tangent, np.cross(normal, tangent))
    J = np.stack([np.vstack([way.T, np.cross(point, way).T]) for way in ways])
    return _loaded(rng, J, np.diag([1.0, 1.0, 1.0, *rng.uniform(0.2, 2.0, 3)]))


def _loaded(rng: np.random.Generator, J: np.ndarray, mass: np.ndarray) -> Problem:
    """With some contacts smooth; most loads can be balanced."""
    n = J.shape[2]
    mu = np.where(rng.random(n) > 0.1, rng.uniform(0.0, 2.0, n), 0.0)
    load = rng.normal(size=len(mass))
    press = np.where(rng.random(n) > 0.3, rng.uniform(0.0, 1.0, n), 0.0)
    if rng.random() < 0.7 and press.any():
        sideways = press * mu * rng.uniform(-1.0, 1.0, (len(J) - 1, n))
        load = -(J[0] @ press + np.einsum("dwn,dn->w", J[1:], sideways))
    return Problem(J, mu, load, mass)


def moving_mode(problem: Problem) -> Mode | None:
    """A mode in which the body moves, or None."""
    ways = (None, *itertools.product((0, 1, -1), repeat=len(problem.J) - 1))
    for mode in itertools.product(ways, repeat=problem.J.shape[2]):
        if _feasible(*_system(problem, mode)):
            return mode
    return None


def _system(problem: Problem, mode: Mode) -> tuple[np.ndarray, np.ndarray]:
    """A x = b, x >= 0 of one mode. Unknowns: the acceleration in two parts, forces at edges, slacks."""
    J, mu, load, mass = problem
    zero, forces, positive = [], [], []
    for i, slides in enumerate(mode):
        normal, tangents = J[0, :, i], J[1:, :, i]
        if slides is None:
            positive.append(normal)
            continue
        zero += [normal, *(way for way, side in zip(tangents, slides, strict=True) if not side)]
        positive += [side * way for way, side in zip(tangents, slides, strict=True) if side]
        for signs in itertools.product(*((-side,) if side else (1, -1) for side in slides)):
            forces.append(normal + mu[i] * np.array(signs) @ tangents)
    positive.append(load)
    w, z, s, f = len(load), len(zero), len(positive), len(forces)
    A, b = np.zeros((w + z + s, 2 * w + f + s)), np.zeros(w + z + s)
    motion = np.vstack([mass, *(row[None] for row in (*zero, *positive))])
    A[:, :w], A[:, w : 2 * w] = motion, -motion
    if forces:
        A[:w, 2 * w : 2 * w + f] = -np.array(forces).T
    A[w + z :, 2 * w + f :] = -np.eye(s)
    b[:w], b[-1] = load, LEAST * float(load @ np.linalg.solve(mass, load))
    return A, b


def _feasible(A: np.ndarray, b: np.ndarray) -> bool:
    try:
        return bool(nnls(A, b)[1] <= FEASIBLE * np.linalg.norm(b))
    except RuntimeError:
        return bool(linprog(np.zeros(A.shape[1]), A_eq=A, b_eq=b, method="highs").status == 0)


def agrees(make: Callable[[np.random.Generator, int], Problem], most: int, rng: np.random.Generator) -> bool:
    """The search and the enumeration, on one random problem of up to `most` contacts."""
    problem = make(rng, int(rng.integers(1, most + 1)))
    return problem.strong() is (moving_mode(problem) is None)


def _wall(rng: np.random.Generator) -> bool:
    """The whole of it: 33 bricks and 220 contacts."""
    return stability.inspect_scene(bonded_wall(6, 5))[0].level == "fine"


def _brick(rng: np.random.Generator) -> bool:
    """A random brick in it, pushed with a newton."""
    bricks = bonded_wall(6, 5).bodies
    brick = bricks[int(rng.integers(len(bricks)))]
    found = stability.inspect_body(bonded_wall(6, 5), brick.id, ((1.0, 0.0, 0.0), brick.position))
    return found.level == "fine"


STABILITY = (
    Case("stability", "against all modes, in the plane", "n <= 5", 2000, 20, partial(agrees, in_plane, 5), seed=7),
    Case("stability", "against all modes, in space", "n <= 3", 200, 3, partial(agrees, in_space, 3), seed=8),
    Case("stability", "does the wall stand", "33 bricks", 10, 1, _wall, seed=0),
    Case("stability", "does a brick of it take a push", "33 bricks", 20, 1, _brick, seed=0),
)
