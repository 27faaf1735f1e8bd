"""Path: where bodies are *shown* at any time of a take. Every consumer (viewport, export, pictures) asks here.

Between two states of the tape a body moves as the drift moved it: x straight, q about one axis. The states themselves
overlap at impacts by up to speed times dt, because the law kicks at the first configuration that touches:

    gap    \\        /                         shown  \\        /
    ------- \\ ---- / -----  surface           -------- \\____/ -----
             \\ o  /         o: state k, gap < 0

What is shown must not overlap, so between the moments at which a recorded contact's gap passes through zero its bodies
are moved apart until the features just touch. A contact recorded at state k is looked at from state k-1 to k+1; at both
its gap is zero or more unless it is recorded there too, so the path is continuous. Moving apart (rather than blending
the poses before and after) also takes out the dip of a turning corner between states, and stays local where bounces
follow each other from step to step. Ghosted contacts are not hidden. What joints hold together moves aside as one, by
what its deepest contact needs; what they hold to the world does not.
"""

from __future__ import annotations

import numpy as np

from engine.algebra import norms
from engine.collide.detect import Detector
from engine.collide.recorded import recorded_gap
from engine.contact.kick import GHOST
from engine.functions import arc_tangent
from engine.jit import kernel
from engine.joint.linkage import drop_linked
from engine.model.arrays import Contacts
from engine.model.articulations import groups_of, is_anchored
from engine.model.compile import poses_of
from engine.rest import REST_OF_SHOWN_STEP
from engine.tape.take import Take
from engine.vec import axpy, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale

MOST_SWEEPS = 60
MOST_CONTACTS = 10_000_000


@kernel
def interpolate(x0, q0, x1, q1, turn, s, x, q):
    """Poses at the fraction s between two states; `turn` (n, 3) is the rotation vector from q0 to q1."""
    for body in range(x.shape[0]):
        for k in range(3):
            x[body, k] = x0[body, k] + s * (x1[body, k] - x0[body, k])
        r = row(turn, body)
        if r[0] == 0.0 and r[1] == 0.0 and r[2] == 0.0:
            quat_put(q, body, quat_row(q0, body))
        else:
            quat_put(q, body, quat_unit(quat_mul(quat_exp(scale(s, r)), quat_row(q0, body))))


@kernel
def move_apart(first, last, contacts, share_a, share_b, slop, x, q):
    """Shift bodies along the normals of contacts first .. last until none overlaps by more than the slop.

    share_a, share_b (rows,) say how much of a shift each body takes; both are zero for contacts to leave alone."""
    for _ in range(MOST_SWEEPS):
        worst = 0.0
        for c in range(first, last):
            total = share_a[c] + share_b[c]
            if total == 0.0:
                continue
            gap, n, _ = recorded_gap(contacts, c, x, q)
            if gap >= -slop:
                continue
            worst = min(worst, gap + slop)
            put(x, contacts.a[c], axpy(-(gap + slop) * share_a[c] / total, n, row(x, contacts.a[c])))
            put(x, contacts.b[c], axpy((gap + slop) * share_b[c] / total, n, row(x, contacts.b[c])))
        if worst > -0.01 * slop:
            break


class Path:
    """The shown motion of one take. Times are those of `take.times`; earlier and later ones are clamped."""

    def __init__(self, take: Take) -> None:
        self.take = take
        tape = take.tape
        self._first, self._dt = float(take.times[0]), tape.params.dt
        self._last = _contacts_at_the_end(take)
        self._step = -1  # the step that was read last
        n = len(take.model.names)
        groups = groups_of(take.model)
        self._groups = [rows for rows in groups if not is_anchored(take.model, rows)]
        self._pushable = np.ones(n, bool)  # by contacts
        for rows in groups:
            self._pushable[rows] = not is_anchored(take.model, rows)
        self._x, self._q = np.zeros((n, 3)), np.zeros((n, 4))

    def at(self, t: float | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (n, 3) of the authored origins and orientations (n, 4) of the scene's bodies, in its order.

        An array of m times gives (m, n, 3) and (m, n, 4). The authored pose is returned bit for bit."""
        times = np.asarray(t, float)
        if times.ndim:
            both = [self._pose(float(each)) for each in times.ravel()]
            positions = np.array([pose[0] for pose in both]).reshape(*times.shape, self.take.model.count, 3)
            orientations = np.array([pose[1] for pose in both]).reshape(*times.shape, self.take.model.count, 4)
            return positions, orientations
        return self._pose(float(times))

    def _pose(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        take, tape = self.take, self.take.tape
        end = take.times[-1] if take.backward else take.times[0]
        if (t >= end) if take.backward else (t <= end):
            return take.authored_pose()
        i = int(np.clip(np.floor((t - self._first) / self._dt), 0, max(tape.steps - 1, 0)))
        s = float(np.clip((t - self._first) / self._dt - i, 0.0, 1.0))
        if i != self._step:
            self._open(i)
        x, q = self._x, self._q
        interpolate(*self._ends, s, x, q)
        contacts, share_a, share_b = self._between
        between = x.copy() if self._groups else x
        move_apart(0, len(share_a), contacts, share_a, share_b, tape.params.slop, x, q)
        for rows in self._groups:
            shift = x[rows] - between[rows]
            x[rows] = between[rows] + shift[norms(shift).argmax()]
        for body in map(int, np.flatnonzero(tape.releases.step > i)):
            x[body : body + 1], q[body : body + 1] = take.in_hand(body, np.array([i + s]))
        rows = take.model.row_of
        return poses_of(take.model, x[None], q[None])[0][rows], q[rows]

    def _open(self, i: int) -> None:
        """Read what lies between state i and the next; whoever asks for one time asks for others near it."""
        tape = self.take.tape
        j = min(i + 1, tape.steps)
        here, there = tape.state(i), tape.state(j)
        self._ends = here.x, here.q, there.x, there.q, _turns(here.q, there.q)
        self._between = self._acting((i, j))
        self._step = i

    def _acting(self, states: tuple[int, int]) -> tuple[Contacts, np.ndarray, np.ndarray]:
        """Contacts of two states, and how much of a shift each one's bodies take: none where a contact was ignored or
        its bodies are at rest."""
        pieces, shares = [], []
        for i in dict.fromkeys(states):
            contacts, active = self._contacts_at(i)
            share = np.where(self._moving(i) & self._pushable, self.take.model.bodies.inverse_mass, 0.0)
            pieces.append(contacts)
            shares.append(np.where(active, [share[contacts.a], share[contacts.b]], 0.0))
        both = Contacts(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))
        return both, *np.ascontiguousarray(np.concatenate(shares, axis=1))

    def _contacts_at(self, i: int) -> tuple[Contacts, np.ndarray]:
        """Contacts of state i and which of them act; no kick follows the last one, its contacts were found here."""
        if i == self.take.tape.steps:
            return self._last, np.ones(len(self._last.a), bool)
        opened = self.take.tape.at_step(i)
        rows = opened.rows(i)
        return Contacts(*(column[rows] for column in opened.contacts)), opened.column("hold")[rows] != GHOST

    def _moving(self, i: int) -> np.ndarray:
        """(n,) bool: the body moves in the step before or after state i."""
        tape = self.take.tape
        moving = np.zeros(len(self.take.model.names), bool)
        for first in (i - 1, i):
            if 0 <= first < tape.steps:
                a, b = tape.state(first), tape.state(first + 1)
                way, turn = np.abs(b.x - a.x).max(1), np.abs(b.q - a.q).max(1)
                moving |= (way > REST_OF_SHOWN_STEP) | (turn > REST_OF_SHOWN_STEP)
        return moving


def _contacts_at_the_end(take: Take) -> Contacts:
    """Contacts of the last state."""
    tape, model = take.tape, take.model
    last, before = tape.state(tape.steps), tape.state(max(tape.steps - 1, 0))
    moves = np.ascontiguousarray(model.bodies.inverse_mass > 0.0)
    capacity = 64
    while True:
        detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
        count = detector.find(last.x, last.q, before.x, before.q, moves, tape.params.slop)
        if detector.status == 0 or capacity > MOST_CONTACTS:
            count = drop_linked(count, detector.contacts, model.joints.linked, len(model.names))
            return Contacts(*(column[:count].copy() for column in detector.contacts))
        capacity *= 4


def _turns(q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    """Rotation vectors (n, 3) of the shortest turns from q0 to q1; exactly zero where they are equal."""
    w0, u0, w1, u1 = q0[:, :1], q0[:, 1:], q1[:, :1], q1[:, 1:]
    cosine = w1 * w0 + (u1 * u0).sum(1, keepdims=True)
    vector = w0 * u1 - w1 * u0 - np.cross(u1, u0)
    vector = np.where(cosine < 0.0, -vector, vector)
    length = norms(vector, keepdims=True)
    pairs = zip(length.ravel().tolist(), np.abs(cosine).ravel().tolist(), strict=True)
    angle = 2.0 * np.array([arc_tangent(s, c) for s, c in pairs]).reshape(-1, 1)
    factor = np.divide(angle, length, out=np.full_like(length, 2.0), where=length > 1e-12)
    vector = factor * vector
    vector[(q0 == q1).all(1)] = 0.0
    return np.ascontiguousarray(vector)
