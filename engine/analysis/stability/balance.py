"""Balance of forces with true friction cones: what forces could hold a load, and how far a load may go.

Weak stability (7): forces in the cones whose sum with the load is zero. The nearest such sum is sought instead, in the
metric of the mass, so that the answer for a load that cannot be held says how it fails: what is left over is the least
acceleration that no forces prevent, and only bodies that cannot be held have a share in it."""

from __future__ import annotations

from typing import NamedTuple

import clarabel
import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular

OPPOSED = 1e-3  # share of a motion that a contact may take back in a proof that nothing holds it
HOLDS = 1e-6  # share of the load that may be left over: a hundred times what the solver leaves


class HeldBy(NamedTuple):
    """n contacts and f forces of joints on w coordinates."""

    J: np.ndarray  # (directions, w, n), normal first
    mu: np.ndarray  # (n,)
    root: np.ndarray  # (w, w) lower triangular, root @ root.T = mass
    spin: np.ndarray | None = None  # (3, w, n) wrenches of unit torques between the two bodies of each contact
    rolling: np.ndarray | None = None  # (n,) m, torque that a newton of normal force allows
    held: np.ndarray | None = None  # (w, f) wrenches of joints, which push and pull


class Balance(NamedTuple):
    """Either way with its proof: forces that leave nothing, or a motion along `left` that no force of the cones opposes
    while the load drives it. `proven` is False where the solver found neither; it has not been seen."""

    holds: bool
    proven: bool
    forces: np.ndarray  # (directions, n) N
    left: np.ndarray  # (w,) wrench that nothing balances
    share: float  # of the load, in the metric of the mass


def nearest_balance(s: HeldBy, load: np.ndarray) -> Balance:
    root_load = solve_triangular(s.root, load, lower=True)
    size = float(np.linalg.norm(root_load))
    if size == 0.0:
        return Balance(True, True, np.zeros((len(s.J), s.J.shape[2])), np.zeros(len(load)), 0.0)
    columns = solve_triangular(s.root, columns_of(s), lower=True)
    unit = unit_of(columns)
    w, count = columns.shape
    # Least t with |load + columns x| <= t, everything in units of the load.
    reach = np.zeros((1 + w, count + 1))
    reach[0, -1], reach[1:, :-1] = -1.0, -columns / unit
    rows, cones = _cones(s, 1)
    right = np.concatenate([[0.0], root_load / size, np.zeros(rows.shape[0])])
    cost = np.append(np.zeros(count), 1.0)
    matrix = sparse.vstack([sparse.csc_matrix(reach), rows], format="csc")
    x = solved(None, cost, matrix, right, [clarabel.SecondOrderConeT(1 + w), *cones])
    forces = x[:-1] * (size / unit)
    left = load + columns_of(s) @ forces
    share = float(np.linalg.norm(solve_triangular(s.root, left, lower=True))) / size
    holds = share <= HOLDS
    return Balance(holds, holds or _unopposed(s, left), _contact_part(s, forces), left, share)


def _unopposed(s: HeldBy, left: np.ndarray) -> bool:
    """Whether no force of the cones does negative work on the motion that `left` causes (it is in their dual cone)."""
    push = solve_triangular(s.root, left, lower=True)
    push /= np.linalg.norm(push)

    def work(wrenches: np.ndarray) -> np.ndarray:
        columns = solve_triangular(s.root, wrenches, lower=True)
        return push @ columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300)

    reach = [np.linalg.norm(solve_triangular(s.root, each, lower=True), axis=0) for each in s.J]
    rates = [push @ solve_triangular(s.root, each, lower=True) for each in s.J]
    least = rates[0] - s.mu * np.sqrt(sum(rate**2 for rate in rates[1:]))
    if s.spin is not None and s.rolling is not None:
        least -= s.rolling * np.sqrt(sum((push @ solve_triangular(s.root, each, lower=True)) ** 2 for each in s.spin))
    held = np.abs(work(s.held)).max() if s.held is not None else 0.0
    return bool((least >= -OPPOSED * np.maximum(reach[0], reach[-1])).all() and held <= OPPOSED)


def least_forces(s: HeldBy, load: np.ndarray) -> np.ndarray:
    """(directions, n) forces of a balance, those with the least sum of squares: as even as they can be. For a load that
    can be held."""
    columns = solve_triangular(s.root, columns_of(s), lower=True)
    target = solve_triangular(s.root, load, lower=True)
    size, unit = float(np.linalg.norm(target)) or 1.0, unit_of(columns)
    rows, cones = _cones(s, 0)
    matrix = sparse.vstack([sparse.csc_matrix(columns / unit), rows], format="csc")
    right = np.concatenate([-target / size, np.zeros(rows.shape[0])])
    identity = sparse.eye_array(columns.shape[1], format="csc")
    x = solved(identity, np.zeros(columns.shape[1]), matrix, right, [clarabel.ZeroConeT(len(target)), *cones])
    return _contact_part(s, x * (size / unit))


def furthest(s: HeldBy, load: np.ndarray, way: np.ndarray, most: float) -> float:
    """The largest factor up to `most` for which load + factor * way can be held; `load` itself can."""
    columns = solve_triangular(s.root, columns_of(s), lower=True)
    target, turn = (solve_triangular(s.root, each, lower=True) for each in (load, way))
    size, unit = float(np.linalg.norm(target)) or 1.0, unit_of(columns)
    rows, cones = _cones(s, 1)
    matrix = np.hstack([columns / unit, turn[:, None] * (most / size)])
    limits = np.zeros((2, columns.shape[1] + 1))
    limits[:, -1] = 1.0, -1.0
    whole = sparse.vstack([sparse.csc_matrix(matrix), sparse.csc_matrix(limits), rows], format="csc")
    right = np.concatenate([-target / size, [1.0, 0.0], np.zeros(rows.shape[0])])
    cost = np.append(np.zeros(columns.shape[1]), -1.0)
    x = solved(None, cost, whole, right, [clarabel.ZeroConeT(len(target)), clarabel.NonnegativeConeT(2), *cones])
    return most * float(np.clip(x[-1], 0.0, 1.0))


def columns_of(s: HeldBy) -> np.ndarray:
    """(w, variables): normals, tangents, torques of rolling contacts, joints."""
    parts = [*s.J]
    if s.spin is not None and s.rolling is not None:
        rolls = s.rolling > 0.0
        parts += [each[:, rolls] for each in s.spin]
    if s.held is not None:
        parts.append(s.held)
    return np.hstack(parts)


def unit_of(columns: np.ndarray) -> float:
    """A usual length of columns, so that forces come out of order one."""
    length = np.linalg.norm(columns, axis=0)
    return float(np.median(length[length > 0.0])) if (length > 0.0).any() else 1.0


def _contact_part(s: HeldBy, forces: np.ndarray) -> np.ndarray:
    return forces[: len(s.J) * s.J.shape[2]].reshape(len(s.J), -1)


def _cones(s: HeldBy, more: int) -> tuple[sparse.csc_matrix, list[object]]:
    """Rows and cones of the contact law, for `more` variables behind the forces."""
    directions, _, n = s.J.shape
    rolls = np.flatnonzero(s.rolling > 0.0) if s.spin is not None and s.rolling is not None else np.zeros(0, int)
    held = 0 if s.held is None else s.held.shape[1]
    width = directions * n + 3 * len(rolls) + held + more
    entries: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = [(np.arange(n), np.arange(n), -np.ones(n))]
    top = n
    heads = top + directions * np.arange(n)
    entries.append((heads, np.arange(n), -s.mu))
    entries += [(heads + d, d * n + np.arange(n), -np.ones(n)) for d in range(1, directions)]
    top += directions * n
    heads = top + 4 * np.arange(len(rolls))
    if len(rolls) and s.rolling is not None:
        entries.append((heads, rolls, -s.rolling[rolls]))
        at = directions * n + np.arange(len(rolls))
        entries += [(heads + 1 + d, at + d * len(rolls), -np.ones(len(rolls))) for d in range(3)]
    top += 4 * len(rolls)
    row, column, value = (np.concatenate(each) for each in zip(*entries, strict=True))
    cones: list[object] = [clarabel.NonnegativeConeT(n)] if n else []
    cones += [clarabel.SecondOrderConeT(directions)] * n + [clarabel.SecondOrderConeT(4)] * len(rolls)
    return sparse.csc_matrix((value, (row, column)), shape=(top, width)), cones


def solved(
    quadratic: sparse.csc_array | sparse.csc_matrix | None,
    cost: np.ndarray,
    matrix: sparse.csc_matrix,
    right: np.ndarray,
    cones: list,
    tolerance: float = 1e-9,
) -> np.ndarray:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    settings.max_threads = 1
    square = sparse.csc_matrix((len(cost), len(cost))) if quadratic is None else sparse.csc_matrix(quadratic)
    answer = clarabel.DefaultSolver(square, cost, sparse.csc_matrix(matrix), right, cones, settings).solve()
    x = np.asarray(answer.x)
    return x if np.isfinite(x).all() else np.zeros(len(cost))
