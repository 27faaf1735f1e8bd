"""How fast bodies go and turn, from their momenta."""

from __future__ import annotations

import numpy as np

from engine.model.arrays import State
from engine.model.compile import Model


def motion_of(model: Model, state: State) -> tuple[np.ndarray, np.ndarray]:
    """Velocities (n, 3) and spins (n, 3) rad/s of all bodies, world axes."""
    w, u = state.q[:, :1], state.q[:, 1:]
    local = np.einsum("bij,bj->bi", model.bodies.inverse_inertia, _turned(w, -u, state.l))
    return state.v, _turned(w, u, local)


def _turned(w: np.ndarray, u: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """(n, 3) vectors turned by unit quaternions (w, u)."""
    t = 2.0 * np.cross(u, vectors)
    return np.asarray(vectors + w * t + np.cross(u, t))
