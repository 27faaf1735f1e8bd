"""Polish: poses that nearly rest become poses that touch exactly.

The fast engine leaves resting bodies some 0.1 mm inside each other. The contact law knows a contact only where the gap
is at most its slop, and the scene's rules call more overlap than that a problem. So each round finds all contacts
nearer than REACH and moves the bodies by the smallest displacement (weighted by mass) that closes what presses and
opens what overlaps, to first order; a few rounds reach 1e-9 m. One round is a convex problem per island:

    minimise   1/2 u'Mu - fall (M g)'u + 1/2 sum_c k_c |T_c u|^2 + 1/2 sum_c s_c^2 hard_c
    so that    gap_c + N_c u + s_c >= 0

u: displacement and turn of every body. The second term lets bodies sink onto what should carry them, the third keeps
pressed contacts from slipping, as friction does. The slack s makes every problem solvable (a body jammed between
walls); where one can be solved anyway it stays below 1e-8 m.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import clarabel
import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from engine.collide.detect import Detector
from engine.errors import CapacityError
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.rest import REST_OF_POLISHING
from engine.shapes.turns import rotation_matrix
from engine.status import CONTACTS_FULL, PAIRS_FULL

REACH = 5e-4  # m: contacts nearer than this take part
PRESSED = 5e-5  # m: contacts nearer than this resist slipping
FALL = 2e-4  # m: how far a body with nothing below it sinks in a round; without it contacts would not stay closed
CALM_ROUNDS, LONGEST_FALL = 3, 5e-3  # then it doubles up to this: a stack that stands on its edge tips only slowly
GRIP, HARD = 100.0, 1e6  # weights of slip and slack against the bodies' masses
LARGEST_MOVE = 0.02  # m per round: beyond it the first order says nothing
ROUNDS = 24  # at most; usually 3 to 8, more where something creeps toward its support
STEADY_ROUNDS = 4  # of the same movement: that is something sliding on a slope, which touches well enough
BATCH = 240  # bodies solved together, so that a request to stop is heard in between
MOST_CONTACTS = 1 << 22


def polish(model: Model, state: State, go_on: Callable[[], bool]) -> bool:
    """Move the bodies of `state` (in place) until they touch exactly; velocities become zero. False: told to stop."""
    state.v[:], state.l[:] = 0.0, 0.0
    down = model.gravity / max(float(np.linalg.norm(model.gravity)), 1e-300)
    settled = np.zeros(len(model.names), bool)
    fastest, steady = 0.0, 0
    for k in range(ROUNDS):
        fall = min(FALL * 2.0 ** max(0, k - CALM_ROUNDS), LONGEST_FALL) * down
        moved = _round(model, state, fall, settled, go_on)
        if moved is None:
            return False
        settled = moved < REST_OF_POLISHING
        steady = steady + 1 if abs(moved.max() - fastest) < 0.01 * fastest else 0
        fastest = float(moved.max())
        if settled.all() or steady == STEADY_ROUNDS:
            break
    return True


def _round(
    model: Model, state: State, fall: np.ndarray, settled: np.ndarray, go_on: Callable[[], bool]
) -> np.ndarray | None:
    """One round over the islands with a body that is not settled; returns how far every body moved (m), or None when
    told to stop."""
    touch = _Touch(model, state)
    step = np.zeros((len(model.names), 6))
    for batch in touch.batches(settled):
        if not go_on():
            return None
        step[batch] = touch.solve(batch, fall)
    reach = np.maximum(model.bodies.size, 1e-9)[:, None]
    length = np.maximum(np.linalg.norm(step[:, :3], axis=1), np.linalg.norm(step[:, 3:] * reach, axis=1))
    step *= np.minimum(1.0, LARGEST_MOVE / np.maximum(length, LARGEST_MOVE))[:, None]
    state.x[:] += step[:, :3]
    state.q[:] = turned(state.q, step[:, 3:])
    return length


def find_near(model: Model, state: State, reach: float) -> tuple[Contacts, int]:
    """All contacts with a gap of at most `reach`, and how many there are."""
    moves = model.bodies.inverse_mass > 0.0
    capacity = 64 + 16 * int(moves.sum())
    while True:
        detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
        count = detector.find(state.x, state.q, state.x, state.q, moves, reach)
        if not detector.status & (CONTACTS_FULL | PAIRS_FULL):
            return detector.contacts, count
        capacity *= 4
        if capacity > MOST_CONTACTS:
            raise CapacityError("too many contacts at once to settle; the scene is too dense")


class _Touch:
    """Contacts of a configuration as sparse rows over the bodies' displacements (x, y, z, turn about x, y, z)."""

    def __init__(self, model: Model, state: State) -> None:
        found, count = find_near(model, state, REACH)
        self.model, self.moves = model, model.bodies.inverse_mass > 0.0
        self.a, self.b = found.a[:count].copy(), found.b[:count].copy()
        self.gap = found.gap[:count].copy()
        point, normal = found.point[:count], found.normal[:count]
        self.normal_rows = self._rows(state, point, normal)
        first = np.cross(normal, np.where(np.abs(normal[:, :1]) < 0.7, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]))
        first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-300)
        self.slip_rows = [self._rows(state, point, t) for t in (first, np.cross(normal, first))]
        turns = np.array([rotation_matrix(q) for q in state.q]).reshape(-1, 3, 3)
        self.inertia = turns @ model.bodies.inertia @ turns.transpose(0, 2, 1)

    def _rows(self, state: State, point: np.ndarray, along: np.ndarray) -> np.ndarray:
        """(C, 12): how fast a moves away from b along a direction, by the displacements of a and of b."""
        arm_a, arm_b = point - state.x[self.a], point - state.x[self.b]
        return np.hstack([along, np.cross(arm_a, along), -along, -np.cross(arm_b, along)])

    def batches(self, settled: np.ndarray) -> Iterator[np.ndarray]:
        """Moving bodies of the islands that are not settled, islands kept whole, in portions of about BATCH."""
        n = len(self.moves)
        both = self.moves[self.b]
        links = sparse.coo_array((np.ones(int(both.sum())), (self.a[both], self.b[both])), shape=(n, n))
        _, label = csgraph.connected_components(links, directed=False)
        touched = np.zeros(n, bool)
        touched[self.a] = touched[self.b] = True
        unsettled = np.zeros(n, bool)
        unsettled[label[self.moves & ~settled]] = True
        rows = np.flatnonzero(self.moves & touched & unsettled[label])
        rows = rows[np.argsort(label[rows], kind="stable")]
        start = 0
        for end in range(1, len(rows) + 1):
            last = end == len(rows)
            if last or (end - start >= BATCH and label[rows[end]] != label[rows[end - 1]]):
                yield rows[start:end]
                start = end

    def solve(self, rows: np.ndarray, fall: np.ndarray) -> np.ndarray:
        """(k, 6) displacements of the bodies `rows`."""
        place = np.full(len(self.moves), -1)
        place[rows] = np.arange(len(rows))
        mine = np.flatnonzero(place[self.a] >= 0)
        size = np.maximum(self.model.bodies.size[rows], 1e-9)
        scale = np.hstack([np.ones((len(rows), 3)), np.repeat(1.0 / size[:, None], 3, axis=1)]).ravel()
        mass = self.model.bodies.mass[rows]
        unit = float(np.exp(np.mean(np.log(mass))))
        normal, first, second = (
            self._sparse(block[mine], place[self.a[mine]], place[self.b[mine]], len(rows)) @ sparse.diags_array(scale)
            for block in (self.normal_rows, *self.slip_rows)
        )
        lightest = np.minimum(self.model.bodies.mass[self.a[mine]], self.model.bodies.mass[self.b[mine]]) / unit
        grip = sparse.diags_array(GRIP * lightest * (self.gap[mine] < PRESSED))
        weight = sparse.diags_array(scale) @ self._mass_matrix(rows, mass, unit) @ sparse.diags_array(scale)
        quadratic = weight + first.T @ grip @ first + second.T @ grip @ second
        linear = -np.hstack([np.outer(mass / unit, fall), np.zeros((len(rows), 3))]).ravel()
        answer = _closest(quadratic, linear, normal, self.gap[mine], HARD * lightest)
        return (answer * scale).reshape(-1, 6)

    def _mass_matrix(self, rows: np.ndarray, mass: np.ndarray, unit: float) -> sparse.csc_array:
        blocks = np.zeros((len(rows), 6, 6))
        blocks[:, range(3), range(3)] = (mass / unit)[:, None]
        blocks[:, 3:, 3:] = self.inertia[rows] / unit
        return sparse.csc_array(sparse.block_diag(list(blocks), format="csc"))

    def _sparse(self, rows: np.ndarray, a: np.ndarray, b: np.ndarray, bodies: int) -> sparse.csr_array:
        count = len(rows)
        column = np.hstack([6 * a[:, None] + np.arange(6), 6 * b[:, None] + np.arange(6)])
        known = np.repeat(np.stack([a >= 0, b >= 0], axis=1), 6, axis=1)
        line = np.repeat(np.arange(count)[:, None], 12, axis=1)
        return sparse.csr_array((rows[known], (line[known], column[known])), shape=(count, 6 * bodies))


def _closest(
    quadratic: sparse.csc_array, linear: np.ndarray, rows: sparse.csr_array, gap: np.ndarray, hard: np.ndarray
) -> np.ndarray:
    """The minimiser over (u, s); zero when the solver gives up, which leaves the bodies where they are."""
    count, width = rows.shape
    unit = REACH  # lengths of order one keep the solver's tolerances meaningful
    everything = sparse.block_diag([quadratic, sparse.diags_array(hard)], format="csc")
    gaps = sparse.hstack([-rows, -sparse.eye_array(count)], format="csc")
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    settings.max_threads = 1
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(sparse.triu(everything)),
        np.concatenate([linear / unit, np.zeros(count)]),
        sparse.csc_matrix(gaps),
        gap / unit,
        [clarabel.NonnegativeConeT(count)],
        settings,
    )
    answer = solver.solve()
    u = np.asarray(answer.x[:width]) * unit
    return u if np.isfinite(u).all() else np.zeros(width)


def turned(q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Unit quaternions turned by rotation vectors (world axes, rad); rows without a turn keep their bits."""
    angle = np.linalg.norm(turn, axis=1)
    half = 0.5 * angle
    w, v = np.cos(half), turn * np.where(angle > 0.0, np.sin(half) / np.maximum(angle, 1e-300), 0.5)[:, None]
    turned = np.empty_like(q)
    turned[:, 0] = w * q[:, 0] - np.einsum("ij,ij->i", v, q[:, 1:])
    turned[:, 1:] = w[:, None] * q[:, 1:] + q[:, :1] * v + np.cross(v, q[:, 1:])
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return np.where(angle[:, None] > 0.0, turned, q)
