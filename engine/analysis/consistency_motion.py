"""The complementarity problem of bodies in motion: A and b of consistency.py for the contacts of one moment.

Contacts that last and slide have one unknown, the normal force; friction (and rolling friction) is folded along the
slip. Those that last and stick have friction inside a pyramid of SIDES sides as further unknowns: it may hold or begin
to slip. What is at rest is taken to stay so and counts as fixed. b is the second derivative of the gap over free
flight, by the gap of the recorded features, so centripetal terms and turning normals are in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.collide.recorded import place_contacts
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.rest import REST_OF_BODY_IN_TAKE, REST_OF_SEPARATION, REST_OF_SLIP
from engine.shapes.turns import rotation_matrix
from engine.step.drift import drift

SIDES = 8
INSTANT = 1e-4  # s, step of the second difference of gaps

FLAT = 1e-6  # m/s^2: what rounding leaves of a second difference


@dataclass(frozen=True)
class Kinematics:
    """The state at a moment: poses, velocities after the kick, and C contacts placed there."""

    model: Model
    state: State
    contacts: Contacts
    opening: np.ndarray  # (C,) m/s, at which each contact separates
    friction: np.ndarray  # (C,) authored
    rolling: np.ndarray  # (C,) m
    spin: np.ndarray  # (n, 3) rad/s

    @cached_property
    def moving(self) -> np.ndarray:
        """(n,) bool: bodies that move at all."""
        bodies = self.model.bodies
        speed = np.linalg.norm(self.state.v, axis=1) + np.linalg.norm(self.spin, axis=1) * bodies.size
        return (bodies.inverse_mass > 0.0) & (speed > REST_OF_BODY_IN_TAKE)

    def slip(self, c: int) -> np.ndarray:
        """(3,) m/s: tangential velocity of body a against b at contact c."""
        a, b, point, n = self.contacts.a[c], self.contacts.b[c], self.contacts.point[c], self.contacts.normal[c]
        u = self.state.v[a] + np.cross(self.spin[a], point - self.state.x[a])
        u = u - self.state.v[b] - np.cross(self.spin[b], point - self.state.x[b])
        return np.asarray(u - (u @ n) * n)


@dataclass(frozen=True)
class ForceProblem:
    """A and b, and what the unknowns are."""

    rows: np.ndarray  # (k,) contacts, one unknown each, before those of sticking ones
    sliding: np.ndarray  # (k,) bool
    A: np.ndarray
    b: np.ndarray
    forces: np.ndarray  # (unknowns, w): force of a unit of each unknown on the coordinates of the moving bodies
    response: np.ndarray  # (w, w) inverse mass

    def acceleration(self, answer: np.ndarray) -> np.ndarray:
        """(w,) that contact forces add to free flight."""
        return np.asarray(self.response @ (answer @ self.forces))


def island_of(motion: Kinematics, body: int) -> np.ndarray:
    """(k,) lasting contacts of a moving body and of all that moves with it, linked by contacts."""
    moving = motion.moving
    if not moving[body]:
        return np.zeros(0, np.int64)
    a, b = motion.contacts.a, motion.contacts.b
    lasting = (motion.opening <= REST_OF_SEPARATION) & (moving[a] | moving[b])
    found = {body}
    while True:
        linked = lasting & (np.isin(a, list(found)) | np.isin(b, list(found)))
        more = {int(i) for i in (*a[linked], *b[linked]) if moving[i]} | found
        if more == found:
            return np.flatnonzero(linked)
        found = more


def question(motion: Kinematics, rows: np.ndarray, share: float = 1.0) -> ForceProblem:
    """The problem of some contacts, with `share` of the authored friction."""
    touched = np.unique([motion.contacts.a[rows], motion.contacts.b[rows]])
    index = {int(i): k for k, i in enumerate(touched[motion.moving[touched]])}
    response = _response(motion, index)
    slips = [motion.slip(int(c)) for c in rows]
    sliding = np.array([np.linalg.norm(u) > REST_OF_SLIP for u in slips], bool)
    opens, pushes, held = [], [], []
    for c, u in zip(rows.tolist(), slips, strict=True):
        n, mu = motion.contacts.normal[c], share * motion.friction[c]
        fast = float(np.linalg.norm(u))
        along = n - mu * u / fast if fast > REST_OF_SLIP else n
        opens.append(_row(motion, index, c, n))
        pushes.append(_row(motion, index, c, along) + _rolling_row(motion, index, c, share))
        if fast <= REST_OF_SLIP and mu > 0.0:
            held.append(c)
    normal = ForceRows(np.array(opens), np.array(pushes), _gap_accelerations(motion)[rows])
    if not held:
        A = normal.measured @ response @ normal.forces.T
        return ForceProblem(rows, sliding, A, normal.free, normal.forces, response)
    limits = [(rows.tolist().index(c), share * float(motion.friction[c])) for c in held]
    A, b, forces = _with_pyramids(normal, _tangents(motion, index, held), limits, response)
    return ForceProblem(rows, sliding, A, b, forces, response)


class ForceRows(NamedTuple):
    """Unknown forces and the accelerations that answer them."""

    measured: np.ndarray  # (k, w) row times an acceleration of the bodies: that of the contact
    forces: np.ndarray  # (k, w) force of a unit on the bodies
    free: np.ndarray  # (k,) m/s^2 without any force


def _with_pyramids(
    normal: ForceRows, tangent: ForceRows, limits: list[tuple[int, float]], response: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, b and forces with SIDES friction forces d for each sticking contact and one more unknown s (Stewart and
    Trinkle 1996): d.acceleration + s >= 0 against the force along d, friction f - sum of its forces >= 0 against s.

    limits: of each sticking contact its place among the normal forces, and its friction."""
    k, m = len(normal.free), len(limits)
    known = k + SIDES * m
    forces = np.vstack([normal.forces, tangent.forces, np.zeros((m, len(response)))])
    A = np.zeros((known + m, known + m))
    A[:known] = np.vstack([normal.measured, tangent.measured]) @ response @ forces.T
    for j, (place, friction) in enumerate(limits):
        own = slice(k + SIDES * j, k + SIDES * (j + 1))
        A[own, known + j] = 1.0
        A[known + j, place] = friction
        A[known + j, own] = -1.0
    return A, np.concatenate([normal.free, tangent.free, np.zeros(m)]), forces


def _tangents(motion: Kinematics, index: dict[int, int], held: list[int]) -> ForceRows:
    ways = [(c, way) for c in held for way in _ways(motion.contacts.normal[c])]
    rows = np.array([_row(motion, index, c, way) for c, way in ways])
    free = {c: _free_acceleration(motion, c) for c in held}
    return ForceRows(rows, rows, np.array([float(way @ free[c]) for c, way in ways]))


def _response(motion: Kinematics, index: dict[int, int]) -> np.ndarray:
    inverse = np.zeros((6 * len(index), 6 * len(index)))
    for body, k in index.items():
        turn = rotation_matrix(motion.state.q[body])
        inverse[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = motion.model.bodies.inverse_mass[body] * np.eye(3)
        inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = (
            turn @ motion.model.bodies.inverse_inertia[body] @ turn.T
        )
    return inverse


def _sides(motion: Kinematics, index: dict[int, int], c: int) -> list[tuple[int, int, float]]:
    """(body, place among the moving, sign) of the sides of a contact that move."""
    both = ((int(motion.contacts.a[c]), 1.0), (int(motion.contacts.b[c]), -1.0))
    return [(body, index[body], sign) for body, sign in both if body in index]


def _row(motion: Kinematics, index: dict[int, int], c: int, way: np.ndarray) -> np.ndarray:
    """(w,) force and torque of a unit force along `way` on body a of a contact, and against it on body b."""
    row = np.zeros(6 * len(index))
    for body, k, sign in _sides(motion, index, c):
        arm = motion.contacts.point[c] - motion.state.x[body]
        row[6 * k : 6 * k + 6] = sign * np.concatenate([way, np.cross(arm, way)])
    return row


def _rolling_row(motion: Kinematics, index: dict[int, int], c: int, share: float) -> np.ndarray:
    """Rolling friction of a unit of normal force, against the relative spin."""
    row = np.zeros(6 * len(index))
    spin = motion.spin[motion.contacts.a[c]] - motion.spin[motion.contacts.b[c]]
    fast = float(np.linalg.norm(spin))
    if motion.rolling[c] <= 0.0 or fast <= REST_OF_SLIP:
        return row
    for _, k, sign in _sides(motion, index, c):
        row[6 * k + 3 : 6 * k + 6] = -sign * share * motion.rolling[c] * spin / fast
    return row


def _ways(normal: np.ndarray) -> list[np.ndarray]:
    first = np.cross(np.eye(3)[int(np.argmin(np.abs(normal)))], normal)
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    turns = 2.0 * np.pi * np.arange(SIDES) / SIDES
    return [np.cos(t) * first + np.sin(t) * second for t in turns]


def _falling(motion: Kinematics) -> np.ndarray:
    """(n, 3) m/s^2: gravity on what moves; what rests is held."""
    return np.where(motion.moving[:, None], motion.model.gravity, 0.0)


def _gap_accelerations(motion: Kinematics) -> np.ndarray:
    """(C,) m/s^2: how each gap would curve without contact forces."""
    gaps = [_gaps(motion, h) for h in (-INSTANT, 0.0, INSTANT)]
    curving = (gaps[0] - 2.0 * gaps[1] + gaps[2]) / INSTANT**2
    return np.where(np.abs(curving) > FLAT, curving, 0.0)


def _gaps(motion: Kinematics, h: float) -> np.ndarray:
    state, bodies = motion.state, motion.model.bodies
    x, q, spin = np.empty_like(state.x), np.empty_like(state.q), np.empty_like(state.x)
    drift(state.x, state.q, state.v, state.l, bodies.inverse_inertia, h, x, q, spin)
    x += 0.5 * h * h * _falling(motion)
    there = Contacts(*(column.copy() for column in motion.contacts))
    place_contacts(len(there.a), there, x, q)
    return there.gap


def _free_acceleration(motion: Kinematics, c: int) -> np.ndarray:
    """(3,) m/s^2 of the material point of a against that of b, without contact forces."""
    total = np.zeros(3)
    fall = _falling(motion)
    for body, sign in ((int(motion.contacts.a[c]), 1.0), (int(motion.contacts.b[c]), -1.0)):
        if not motion.moving[body]:
            continue
        turn, w = rotation_matrix(motion.state.q[body]), motion.spin[body]
        inverse = turn @ motion.model.bodies.inverse_inertia[body] @ turn.T
        speeding = inverse @ np.cross(motion.state.l[body], w)  # Euler: I w' = l x w
        arm = motion.contacts.point[c] - motion.state.x[body]
        total += sign * (fall[body] + np.cross(speeding, arm) + np.cross(w, np.cross(w, arm)))
    return total
