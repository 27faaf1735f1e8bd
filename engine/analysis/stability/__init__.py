"""Stability of bodies at rest under a load, after Pang and Trinkle 1998, whose theorems are meant here.

Weak: some contact forces balance the load. Strong: whatever forces the contact law allows, the body stays.
Frictionless: normal forces alone balance it, and then it is strongly stable with any friction (theorem 1). Contacts are
given by wrench matrices Wn, Wt, Wo (w, n), Wo None in the plane, their friction mu, and the mass (w, w) or its
diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import cho_solve

from engine.analysis.asked import LookUp, go_on
from engine.analysis.stability.balance import HeldBy, nearest_balance
from engine.analysis.stability.cones import Pyramids, balance_by_edges, pyramids_of
from engine.analysis.stability.everywhere import counterexample
from engine.analysis.stability.modes import NODES, motion_under, rolling_motion_under
from engine.analysis.stability.scene import inspect_body, inspect_scene

__all__ = ["Stability", "classify", "inspect_body", "inspect_scene", "moves_without_sliding", "weak_is_strong"]

Law = Literal["cone", "pyramid"]


@dataclass(frozen=True)
class Stability:
    """How a load is held. `witness` is an acceleration that the contact law allows, where the load is not strongly
    stable: (w,), with load . witness > 0."""

    frictionless: bool
    weak: bool
    strong: bool | None  # None: not proven within the limit of nodes
    witness: np.ndarray | None
    forces: np.ndarray  # (directions, n_c) that balance the load, or come closest to it
    nodes: int = 0


def classify(
    Wn: np.ndarray,
    Wt: np.ndarray,
    Wo: np.ndarray | None,
    mu: np.ndarray,
    load: np.ndarray,
    mass: np.ndarray,
    law: Law = "cone",
    limit: int = NODES,
    look_up: LookUp = go_on,
) -> Stability:
    """The stability of a load. By the law "cone" balance is asked of true friction cones, by "pyramid" of pyramids (5)
    about them, which are the same in the plane. Slides, for strong stability, are along the edges of pyramids always.

    `look_up` is called now and then and may raise, to stop."""
    p = pyramids_of(Wn, Wt, Wo, mu, mass)
    load = np.asarray(load, float)
    if load.shape != p.J.shape[1:2]:
        raise ValueError(f"load is {load.shape}; with these wrenches it has {p.J.shape[1]} components.")
    smooth = balance_by_edges(p.J[0], p.root, load)
    if smooth.inside:
        forces = np.zeros((len(p.J), p.J.shape[2]))
        forces[0] = smooth.weights
        return Stability(True, True, True, None, forces)
    weak, forces, left = _weak(p, load, law)
    found = motion_under(p, load, limit, look_up)
    if found.motion is not None:
        return Stability(False, weak, False, found.motion.acceleration, forces, found.nodes)
    if not weak:  # every motion the law allows is one; if the search met none, the least one shows the way
        return Stability(False, False, False, cho_solve((p.root, True), left), forces, found.nodes)
    return Stability(False, True, True if found.proven else None, None, forces, found.nodes)


def _weak(p: Pyramids, load: np.ndarray, law: Law) -> tuple[bool, np.ndarray, np.ndarray]:
    """Whether forces balance the load, these, and the wrench they leave."""
    if law == "cone" and len(p.J) > 2:
        balance = nearest_balance(HeldBy(p.J, p.mu, p.root), load)
        return balance.holds, balance.forces, balance.left
    found = balance_by_edges(p.edges.reshape(len(load), -1), p.root, load)
    weights = found.weights.reshape(p.edges.shape[1:])
    forces = np.vstack([weights.sum(1), (weights @ p.signs).T * p.mu])
    return found.inside, forces, load + np.einsum("dwn,dn->w", p.J, forces)


def weak_is_strong(
    Wn: np.ndarray,
    Wt: np.ndarray,
    Wo: np.ndarray | None,
    mu: np.ndarray,
    mass: np.ndarray,
    limit: int = NODES,
    look_up: LookUp = go_on,
) -> tuple[bool | None, np.ndarray | None]:
    """Whether every weakly stable load is strongly stable, by pyramids (theorem 4); if not, a load that is only weakly
    stable (proposition 5). (None, None): not known within the limit of nodes."""
    found = counterexample(pyramids_of(Wn, Wt, Wo, mu, mass), limit, look_up)
    if found.load is not None:
        return False, found.load
    return (True, None) if found.proven else (None, None)


def moves_without_sliding(
    Wn: np.ndarray,
    Wt: np.ndarray,
    Wo: np.ndarray | None,
    mu: np.ndarray,
    load: np.ndarray,
    mass: np.ndarray,
    limit: int = NODES,
) -> bool | None:
    """Whether the load is in WU_R(mu): a motion exists in which contacts open or stay and none slides. More friction
    then never makes the load strongly stable (theorem 3). None: not known within the limit of nodes."""
    found = rolling_motion_under(pyramids_of(Wn, Wt, Wo, mu, mass), np.asarray(load, float), limit)
    return True if found.motion is not None else False if found.proven else None
