"""Every wedged configuration of a structure in the plane: extreme rays, and the cones they span together.

Fujita and Kanno 2009, sections 3.1 and 4: the solutions of K u = r, u_n >= 0, r_n >= 0, u_n . r_n = 0,
|r_t| <= mu r_n are a union of cones, each spanned by rays that may be open or pressed at a node, not both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.analysis.asked import LookUp, go_on
from engine.analysis.wedged.cliques import maximal_cliques
from engine.analysis.wedged.extreme import Extreme, extreme_rays
from engine.errors import ForegoneError


@dataclass(frozen=True)
class Rays:
    """p extreme rays at m nodes, each of normal reactions that sum up to 1, in a fixed order."""

    rays: np.ndarray  # (p, 2 m) reactions (rn1, rt1, rn2, rt2, ...)
    gaps: np.ndarray  # (p, m) normal displacements
    pressed: np.ndarray  # (p, m) bool: the normal reaction is not zero
    open: np.ndarray  # (p, m) bool: the gap is not zero
    cones: tuple[tuple[int, ...], ...]  # maximal sets of rays of which every combination is wedged

    def closed_in(self, cone: tuple[int, ...]) -> frozenset[int]:
        """Nodes pressed somewhere in a cone."""
        return frozenset(np.flatnonzero(self.pressed[list(cone)].any(axis=0)).tolist())


def rays(K: np.ndarray, mu: float, look_up: LookUp = go_on) -> Rays:
    """All of them. K: (2 m, 2 m) positive definite stiffness at the contact nodes, rows (n1, t1, n2, t2, ...); mu: the
    friction of all nodes, > 0. Up to 21 nodes; `look_up` is called now and then and may raise, to stop."""
    compliance = compliance_of(K, 2)
    if not mu > 0.0:
        raise ForegoneError(f"friction must be above 0 to list rays, not {mu}")
    generators = np.kron(np.eye(len(compliance) // 2), np.array([[1.0, 1.0], [mu, -mu]]))
    found = extreme_rays(compliance[0::2] @ generators, 2, look_up)
    order = np.lexsort((*found.shares.T, *(found.pressed | ~found.open).T[::-1]))
    found = Extreme(*(part[order] for part in found))
    return Rays(found.shares @ generators.T, found.gaps, found.pressed, found.open, _cones(found))


def compliance_of(K: np.ndarray, d: int) -> np.ndarray:
    """The inverse of a stiffness, checked."""
    K = np.asarray(K, float)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or K.shape[0] % d or not len(K):
        raise ForegoneError(f"a stiffness has {d} rows and columns per contact node, not the shape {K.shape}")
    if not np.isfinite(K).all() or not np.allclose(K, K.T, rtol=1e-6, atol=1e-9 * np.abs(K).max()):
        raise ForegoneError("a stiffness is symmetric and finite")
    if np.linalg.eigvalsh(K)[0] <= 0.0:
        raise ForegoneError("the structure is not held: its stiffness is not positive definite")
    return np.linalg.inv(K)


def _cones(found: Extreme) -> tuple[tuple[int, ...], ...]:
    """Maximal cliques of rays that are nowhere pressed where another is open (proposition 4.9). Rays with equal signs
    have equal neighbours, so they are taken together."""
    weights = 1 << np.arange(found.open.shape[1], dtype=object)
    pressed, opened = found.pressed.astype(object) @ weights, found.open.astype(object) @ weights
    groups: dict[tuple[int, int], list[int]] = {}
    for ray, pattern in enumerate(zip(pressed.tolist(), opened.tolist(), strict=True)):
        groups.setdefault(pattern, []).append(ray)
    signs, members = list(groups), list(groups.values())
    friends = [
        sum(1 << j for j, (p, o) in enumerate(signs) if j != i and not (p & mine[1]) and not (mine[0] & o))
        for i, mine in enumerate(signs)
    ]
    cliques = maximal_cliques(friends)
    return tuple(sorted(tuple(sorted(ray for group in clique for ray in members[group])) for clique in cliques))
