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
follow each other from step to step. Ghosted contacts are not hidden.
"""

from __future__ import annotations

import numpy as np

from engine.collide.detect import Detector
from engine.collide.recorded import recorded_gap
from engine.contact.kick import GHOST
from engine.jit import kernel
from engine.model.arrays import Contacts
from engine.model.compile import poses_of
from engine.take.take import Take
from engine.vec import axpy, put, quat_exp, quat_mul, quat_put, quat_row, quat_unit, row, scale

MOST_SWEEPS = 60
STILL = 1e-9  # m and rad per step: less is rest, and bodies at rest are not moved aside


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
        tape, model = take.tape, take.model
        self._first, self._dt = float(take.times[0]), tape.params.dt
        self._contacts, self._start, active = _recorded(take)
        state = np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))
        share = np.where(_moving(tape.x, tape.q), model.bodies.inverse_mass, 0.0)
        self._share_a = np.where(active, share[state, self._contacts.a], 0.0)
        self._share_b = np.where(active, share[state, self._contacts.b], 0.0)
        n = tape.x.shape[1]
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
        authored, end = (tape.steps, take.times[-1]) if take.backward else (0, take.times[0])
        if (t >= end) if take.backward else (t <= end):
            return take.positions[authored].copy(), take.orientations[authored].copy()
        i = int(np.clip(np.floor((t - self._first) / self._dt), 0, max(tape.steps - 1, 0)))
        s = float(np.clip((t - self._first) / self._dt - i, 0.0, 1.0))
        j = min(i + 1, tape.steps)
        x, q = self._x, self._q
        interpolate(tape.x[i], tape.q[i], tape.x[j], tape.q[j], _turns(tape.q[i], tape.q[j]), s, x, q)
        move_apart(
            int(self._start[i]), int(self._start[j + 1]), self._contacts, self._share_a, self._share_b,
            tape.params.slop, x, q,
        )  # fmt: skip
        rows = take.model.row_of
        return poses_of(take.model, x[None], q[None])[0][rows], q[rows]


def _recorded(take: Take) -> tuple[Contacts, np.ndarray, np.ndarray]:
    """Contacts of all states (the last one's are found here: no kick follows it), their first rows (k + 1,), and which
    of them were not ignored."""
    tape, model = take.tape, take.model
    last = tape.steps
    before = max(last - 1, 0)
    capacity = 64
    while True:
        detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
        moves = np.ascontiguousarray(model.bodies.inverse_mass > 0.0)
        count = detector.find(tape.x[last], tape.q[last], tape.x[before], tape.q[before], moves, tape.params.slop)
        if detector.status == 0 or capacity > 1_000_000:
            break
        capacity *= 4
    columns = []
    for name in Contacts._fields:
        extra = getattr(detector.contacts, name)[:count]
        recorded = np.asarray(tape.contacts[name]).reshape(-1, *extra.shape[1:]).astype(extra.dtype)
        columns.append(np.ascontiguousarray(np.concatenate([recorded, extra])))
    active = np.concatenate([tape.contacts["hold"] != GHOST, np.ones(count, bool)])
    return Contacts(*columns), np.append(tape.start, tape.start[-1] + count), active


def _moving(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(k, n) bool: the body moves in the step before or after state k."""
    stirs = (np.abs(np.diff(x, axis=0)).max(2) > STILL) | (np.abs(np.diff(q, axis=0)).max(2) > STILL)
    moving = np.zeros(x.shape[:2], bool)
    moving[:-1] |= stirs
    moving[1:] |= stirs
    return moving


def _turns(q0: np.ndarray, q1: np.ndarray) -> np.ndarray:
    """Rotation vectors (n, 3) of the shortest turns from q0 to q1; exactly zero where they are equal."""
    w0, u0, w1, u1 = q0[:, :1], q0[:, 1:], q1[:, :1], q1[:, 1:]
    cosine = w1 * w0 + (u1 * u0).sum(1, keepdims=True)
    vector = w0 * u1 - w1 * u0 - np.cross(u1, u0)
    vector = np.where(cosine < 0.0, -vector, vector)
    length = np.linalg.norm(vector, axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(length, np.abs(cosine))
    factor = np.divide(angle, length, out=np.full_like(length, 2.0), where=length > 1e-12)
    vector = factor * vector
    vector[(q0 == q1).all(1)] = 0.0
    return np.ascontiguousarray(vector)
