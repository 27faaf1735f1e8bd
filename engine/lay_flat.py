"""The last bits of a settled pose: bodies that stand on one thing that stays get every gap to zero.

Polishing solves for all bodies at once and leaves some 1e-10 m. Drops come to rest with gaps of 1e-12 m and are moved
onto authored poses as they are (arrivals/dropped), so a pose has to lie as flat as that. For a body by itself this is a
few equations: the smallest displacement and turn that close its contacts, to first order, done again."""

from __future__ import annotations

import numpy as np

from engine.model.arrays import State
from engine.model.compile import Model
from engine.polish import find_near, turned

TOUCHING = 1e-8  # m: nearer contacts are those it stands on
FARTHEST = 1e-7  # m, of any point: what has to move further is not nearly flat, and stays
ROUNDS = 3
SIGNIFICANT = 1e-6  # singular values below this share tell nothing: corners on one line, or more than three


def lay_flat(model: Model, state: State) -> None:
    """Poses of `state`, in place. Bodies that touch others that move, or several things, stay as they are."""
    before = State(*(part.copy() for part in state))
    for _ in range(ROUNDS):
        found, count = find_near(model, state, TOUCHING)
        a, b, part = found.a[:count], found.b[:count], found.part_b[:count]
        moves = model.bodies.inverse_mass > 0.0
        among = set(a[moves[b]].tolist()) | set(b[moves[b]].tolist())
        for row in set(a.tolist()) - among:
            mine = np.flatnonzero(a == row)
            if moves[row] and len(set(part[mine].tolist())) == 1:
                _close(model, state, int(row), found.point[mine], found.normal[mine], found.gap[mine])
    way = np.linalg.norm(state.x - before.x, axis=1)
    turn = 2.0 * np.linalg.norm(state.q - before.q, axis=1) * model.bodies.size
    far = way + turn > FARTHEST
    state.x[far], state.q[far] = before.x[far], before.q[far]


def _close(model: Model, state: State, row: int, point: np.ndarray, normal: np.ndarray, gap: np.ndarray) -> None:
    size = max(float(model.bodies.size[row]), 1e-9)
    lines = np.hstack([normal, np.cross(point - state.x[row], normal) / size])
    move = np.linalg.lstsq(lines, -gap, rcond=SIGNIFICANT)[0]
    state.x[row] += move[:3]
    state.q[row] = turned(state.q[row : row + 1], move[None, 3:] / size)[0]
