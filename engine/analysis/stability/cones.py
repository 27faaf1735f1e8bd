"""Cones of contact forces with flat sides, and whether a load lies in one.

A contact's friction pyramid (Pang and Trinkle 1998, law (5); in the plane the true cone) is spanned by its edges, two
in the plane and four in space, so a balance of forces is a sum of edges with weights that are not negative. The
question is answered by the nearest sum, which is also the proof when there is none: what is left of the load then is at
right angles to, or away from, every edge."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import linprog, nnls

BALANCED = 1e-9  # share of the load that may be left over in a balance: rounding of sums


class Pyramids(NamedTuple):
    """Contacts of a body with mass, as Pang and Trinkle 1998 write them, and their forces by edges. k edges per
    contact, each with normal part 1 and tangential parts of size mu; `signs` of those parts are (k, 1) in the plane,
    (k, 2) in space."""

    J: np.ndarray  # (w, n) per direction, stacked: (directions, w, n), normal first
    mu: np.ndarray  # (n,)
    signs: np.ndarray  # (k, directions - 1)
    edges: np.ndarray  # (w, n, k) wrenches
    root: np.ndarray  # (w, w) lower triangular, root @ root.T = mass


def pyramids_of(Wn: np.ndarray, Wt: np.ndarray, Wo: np.ndarray | None, mu: np.ndarray, mass: np.ndarray) -> Pyramids:
    """Checked and made uniform. `mass` may be the matrix or its diagonal."""
    Wn = np.asarray(Wn, float)
    if Wn.ndim != 2:
        raise ValueError(f"Wn has {Wn.ndim} dimensions; it is a matrix with a column per contact.")
    J = np.stack([Wn, *(_like(Wn, W, name) for W, name in ((Wt, "Wt"), (Wo, "Wo")) if W is not None)])
    mu = np.broadcast_to(np.asarray(mu, float), Wn.shape[1:])
    if (mu < 0.0).any() or not np.isfinite(mu).all():
        raise ValueError("mu has a coefficient of friction that is negative or not a number.")
    signs = np.array(np.meshgrid(*[(1.0, -1.0)] * (len(J) - 1), indexing="ij")).reshape(len(J) - 1, -1).T
    edges = J[0][:, :, None] + np.einsum("kd,dwn,n->wnk", signs, J[1:], mu)
    return Pyramids(J, mu, signs, edges, np.linalg.cholesky(mass_matrix(mass, len(Wn))))


def mass_matrix(mass: np.ndarray, size: int) -> np.ndarray:
    mass = np.asarray(mass, float)
    whole = mass if mass.ndim == 2 else np.eye(size) * mass
    if whole.shape != (size, size):
        raise ValueError(f"mass is {mass.shape}; with wrenches of {size} components it is ({size}, {size}).")
    return whole


def _like(Wn: np.ndarray, W: np.ndarray, name: str) -> np.ndarray:
    W = np.asarray(W, float)
    if W.shape != Wn.shape:
        raise ValueError(f"{name} is {W.shape} and Wn {Wn.shape}; they have a column per contact each.")
    return W


class Nearest(NamedTuple):
    """weights @ columns comes as close to the target as weights that are not negative can."""

    weights: np.ndarray
    left: np.ndarray  # target less the sum
    inside: bool


def nearest(columns: np.ndarray, target: np.ndarray, tolerance: float = BALANCED) -> Nearest:
    """The point of pos(columns) nearest to the target. Where the fast method does not end, an exact one decides."""
    scale = float(np.linalg.norm(target))
    length = np.linalg.norm(columns, axis=0)
    kept = np.flatnonzero(length > 1e-14 * max(float(length.max(initial=0.0)), 1e-300))
    weights = np.zeros(columns.shape[1])
    if scale == 0.0 or not len(kept):
        return Nearest(weights, np.array(target), scale == 0.0)
    unit = np.ascontiguousarray(columns[:, kept] / length[kept])
    try:
        part, _ = nnls(unit, target / scale)
    except RuntimeError:  # too many exchanges of columns
        answer = linprog(np.ones(len(kept)), A_eq=unit, b_eq=target / scale, method="highs")
        if answer.status != 0:
            return Nearest(weights, np.array(target), False)
        part = answer.x
    weights[kept] = part / length[kept] * scale
    left = target - scale * (unit @ part)
    return Nearest(weights, left, float(np.linalg.norm(left)) <= tolerance * scale)


def balance_by_edges(columns: np.ndarray, root: np.ndarray, load: np.ndarray) -> Nearest:
    """Whether sums of the columns balance the load, distances measured by the mass: what is left is then the least
    acceleration (times the root of the mass) that no forces of the cone can prevent."""
    return nearest(solve_triangular(root, columns, lower=True), solve_triangular(root, -load, lower=True))
