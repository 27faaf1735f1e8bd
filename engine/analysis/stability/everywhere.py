"""Is every load that can be balanced also certain to be? Geometry and friction alone answer (Pang and Trinkle 1998,
theorem 4).

It is not when some forces balance a load while others, which obey the law too, let the body move under it. With forces
v of the balance and u of the motion, and signs sigma of the slides, they list the ways for that to happen: one
system of inequalities for every choice of signs and every set gamma of accelerations that are not zero (32 to 35).
`counterexample` searches all of them at once by branching (modes.py)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve

from engine.analysis.asked import LookUp, go_on
from engine.analysis.stability.cones import Pyramids
from engine.analysis.stability.modes import (
    NODES,
    Escape,
    System,
    coulomb_rules,
    forces_of,
    law_of,
    search,
)


@dataclass(frozen=True)
class Counterexample:
    """A load that can be balanced and can move the body. Without one: `load` None; not `proven`: not known."""

    load: np.ndarray | None
    motion: Escape | None
    proven: bool
    nodes: int


def counterexample(p: Pyramids, limit: int = NODES, look_up: LookUp = go_on) -> Counterexample:
    law = law_of(p)
    n, width = p.J.shape[2], law.matrix.shape[1]
    balance = width + np.arange(law.forces.size).reshape(law.forces.shape)
    matrix = np.zeros((len(law.matrix) + 1, width + law.forces.size))
    matrix[:-1, :width] = law.matrix
    matrix[:-1, width:] = -law.matrix[:, : law.forces.size]
    matrix[-1, law.opens] = 1.0
    matrix[-1, law.slides.ravel()] = 1.0  # all accelerations together: what is not rest may have any size
    right = np.zeros(len(matrix))
    right[-1] = 1.0
    one_way = tuple(
        (law.slides[0, each, i : i + 1], law.slides[1, each, i : i + 1])
        for each in range(len(law.slides[0]))
        for i in range(n)
    )
    answer = search(System(matrix, right, (*one_way, *coulomb_rules(p, law))), limit, look_up)
    if answer.x is None:
        return Counterexample(None, None, answer.proven, answer.nodes)
    load = -np.einsum("dwn,dn->w", p.J, forces_of(p, answer.x[balance]))
    forces = forces_of(p, answer.x[law.forces])
    acceleration = cho_solve((p.root, True), np.einsum("dwn,dn->w", p.J, forces) + load)
    return Counterexample(load, Escape(acceleration, forces), True, answer.nodes)
