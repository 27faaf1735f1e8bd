"""Strong stability in the plane against every contact mode in turn, an oracle that knows nothing of branching; and how
long it takes to tell whether a wall stands."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.optimize import linprog, nnls

from engine.analysis import stability
from engine.bench.inspector_case import Case
from engine.bench.scenes_director import bonded_wall

OPEN, STAY, ALONG, AGAINST = range(4)
LEAST = 1e-5  # power of the load, as a share of that on the free body, that counts as motion
FEASIBLE = 1e-12


def random_problem(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """Wn, Wt, mu, load, mass of a body with contacts around it, some of them smooth; most loads can be balanced."""
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    point = np.c_[np.cos(angle), np.sin(angle)] * rng.uniform(0.3, 1.5, (n, 1))
    inward = angle + np.pi + rng.uniform(-1.2, 1.2, n)
    normal = np.c_[np.cos(inward), np.sin(inward)]
    Wn, Wt = (_wrenches(point, way) for way in (normal, np.c_[-normal[:, 1], normal[:, 0]]))
    mu = rng.uniform(0.0, 2.0, n) * (rng.random(n) > 0.1)
    load = rng.normal(size=3)
    press = rng.uniform(0.0, 1.0, n) * (rng.random(n) > 0.3)
    if rng.random() < 0.7 and press.any():
        load = -(Wn @ press + Wt @ (press * mu * rng.uniform(-1.0, 1.0, n)))
    return Wn, Wt, mu, load, np.diag([1.0, 1.0, rng.uniform(0.2, 2.0)])


def _wrenches(point: np.ndarray, way: np.ndarray) -> np.ndarray:
    return np.vstack([way.T, point[:, 0] * way[:, 1] - point[:, 1] * way[:, 0]])


def moving_mode(
    Wn: np.ndarray, Wt: np.ndarray, mu: np.ndarray, load: np.ndarray, mass: np.ndarray
) -> tuple[int, ...] | None:
    """A mode in which the body moves, or None."""
    for mode in itertools.product((OPEN, STAY, ALONG, AGAINST), repeat=Wn.shape[1]):
        if _feasible(*_system(Wn, Wt, mu, load, mass, mode)):
            return mode
    return None


def _system(
    Wn: np.ndarray, Wt: np.ndarray, mu: np.ndarray, load: np.ndarray, mass: np.ndarray, mode: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """A x = b, x >= 0 of one mode. Unknowns: the acceleration in two parts, forces at edges, slacks."""
    zero, forces, positive = [], [], []
    for i, how in enumerate(mode):
        if how == OPEN:
            positive.append(Wn[:, i])
            continue
        zero.append(Wn[:, i])
        if how == STAY:
            zero.append(Wt[:, i])
            forces += [Wn[:, i] + mu[i] * Wt[:, i], Wn[:, i] - mu[i] * Wt[:, i]]
        else:
            sign = 1.0 if how == ALONG else -1.0
            positive.append(sign * Wt[:, i])
            forces.append(Wn[:, i] - sign * mu[i] * Wt[:, i])
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


def agrees(rng: np.random.Generator) -> bool:
    """The search and the enumeration, on one random problem of up to five contacts."""
    Wn, Wt, mu, load, mass = random_problem(rng, int(rng.integers(1, 6)))
    moves = moving_mode(Wn, Wt, mu, load, mass) is not None
    return stability.classify(Wn, Wt, None, mu, load, mass).strong is not moves


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
    Case("stability", "against all modes, in the plane", "n <= 5", 2000, 20, agrees, seed=7),
    Case("stability", "does the wall stand", "33 bricks", 10, 1, _wall, seed=0),
    Case("stability", "does a brick of it take a push", "33 bricks", 20, 1, _brick, seed=0),
)
