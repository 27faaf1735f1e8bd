"""The complementarity problem of bodies in motion: A and b of consistency.py for the contacts of one moment.

Contacts that last and slide have one unknown, the normal force; friction (and rolling friction) is folded along the
slip. Those that last and stick have friction inside a pyramid of SIDES sides as further unknowns: it may hold or begin
to slip. What rests where the moving ones touch may begin to move too, and counts as a body as long as the contacts
stay few; what rests beyond is taken to stay so. Joints are worked into the response (consistency_joints). b is the
second derivative of the gap over free flight, by the gap of the recorded features, so centripetal terms and turning
normals are in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.analysis.consistency_flight import FLAT, Poses, curving, flight
from engine.analysis.consistency_joints import jointed, limits
from engine.collide.recorded import place_contacts
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.rest import REST_OF_BODY_IN_TAKE, REST_OF_SEPARATION, REST_OF_SLIP
from engine.shapes.turns import rotation_matrix

SIDES = 8
MOST_CONTACTS = 12  # with which bodies at rest are asked as bodies: what the answer takes doubles with each, at worst


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
class Island:
    """What goes on together."""

    rows: np.ndarray  # (k,) lasting contacts
    bodies: np.ndarray  # (m,) rows of the bodies that may move
    held: bool  # bodies at rest that touch them are taken as fixed


@dataclass(frozen=True)
class ForceProblem:
    """A and b, and what the unknowns are."""

    rows: np.ndarray  # (k,) contacts, one unknown each, before those of limits and of sticking ones
    bodies: np.ndarray  # (m,) rows, six coordinates each
    sliding: np.ndarray  # (k,) bool
    pushing: int  # unknowns that are normal forces: contacts, and limits of joints
    A: np.ndarray
    b: np.ndarray
    forces: np.ndarray  # (unknowns, w): force of a unit of each unknown on the coordinates of the bodies
    response: np.ndarray  # (w, w) inverse mass, of what joints leave free
    given: np.ndarray  # (w,) acceleration that joints add to free flight without any contact force

    def acceleration(self, answer: np.ndarray) -> np.ndarray:
        """(w,) that contacts and joints add to free flight."""
        return np.asarray(self.response @ (answer @ self.forces) + self.given)

    @property
    def gauge(self) -> np.ndarray:
        """(unknowns,) a sum of accelerations, of each with a weight of its own: where it is the same they are."""
        return np.asarray(self.forces @ self.response @ (1.5 + np.cos(1.0 + np.arange(len(self.response)))))


def islands_of(motion: Kinematics, body: int) -> list[Island]:
    """Of a moving body: all that moves with it, linked by contacts and joints; and wider ones, with the bodies that
    rest where those touch, and those that rest where these do, and so on, as long as contacts stay few."""
    if not motion.moving[body]:
        return []
    found: list[Island] = []
    free = motion.moving.copy()
    while True:
        rows, bodies, resting = _linked(motion, body, free)
        if found and len(rows) > MOST_CONTACTS:
            return found
        found.append(Island(rows, bodies, bool(len(resting))))
        if not len(resting):
            return found
        free[resting] = True


def island_of(motion: Kinematics, body: int) -> Island:
    """The widest."""
    nothing = np.zeros(0, np.int64)
    return (islands_of(motion, body) or [Island(nothing, nothing, False)])[-1]


def _linked(motion: Kinematics, body: int, free: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(contacts, free bodies, other bodies that are not static) that a free body is linked with through free ones."""
    a, b, joints = motion.contacts.a, motion.contacts.b, motion.model.joints
    lasting = (motion.opening <= REST_OF_SEPARATION) & (free[a] | free[b])
    found = np.zeros(len(free), bool)
    found[body] = True
    while True:
        linked = lasting & ((found & free)[a] | (found & free)[b])
        held = (found & free)[joints.a] | (found & free)[joints.b]
        more = found.copy()
        for ends in (a[linked], b[linked], joints.a[held], joints.b[held]):
            more[ends] = True
        if (more == found).all():
            able = found & (motion.model.bodies.inverse_mass > 0.0)
            return np.flatnonzero(linked), np.flatnonzero(able & free), np.flatnonzero(able & ~free)
        found = more


def question(motion: Kinematics, island: Island, share: float = 1.0) -> ForceProblem:
    """The problem of an island, with `share` of the authored friction."""
    rows, index = island.rows, {int(body): k for k, body in enumerate(island.bodies)}
    poses = flight(motion.model, motion.state, island.bodies)
    response, given = jointed(motion.model, _response(motion, index), index, poses)
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
    stops, curved = limits(motion.model, index, poses)
    measured = np.vstack([*opens, stops])
    free = np.concatenate([curving([_gaps(motion, at) for at in poses])[rows], curved]) + measured @ given
    normal = ForceRows(measured, np.vstack([*pushes, stops]), np.where(np.abs(free) > FLAT, free, 0.0))
    if not held:
        A, b, forces = normal.measured @ response @ normal.forces.T, normal.free, normal.forces
    else:
        bounds = [(rows.tolist().index(c), share * float(motion.friction[c])) for c in held]
        A, b, forces = _with_pyramids(normal, _tangents(motion, index, held, given), bounds, response)
    return ForceProblem(rows, island.bodies, sliding, len(free), A, b, forces, response, given)


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


def _tangents(motion: Kinematics, index: dict[int, int], held: list[int], given: np.ndarray) -> ForceRows:
    ways = [(c, way) for c in held for way in _ways(motion.contacts.normal[c])]
    rows = np.array([_row(motion, index, c, way) for c, way in ways])
    free = {c: _free_acceleration(motion, index, c) for c in held}
    return ForceRows(rows, rows, np.array([float(way @ free[c]) for c, way in ways]) + rows @ given)


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


def _gaps(motion: Kinematics, at: Poses) -> np.ndarray:
    """(C,) m, of every contact."""
    there = Contacts(*(column.copy() for column in motion.contacts))
    place_contacts(len(there.a), there, at.x, at.q)
    return there.gap


def _free_acceleration(motion: Kinematics, index: dict[int, int], c: int) -> np.ndarray:
    """(3,) m/s^2 of the material point of a against that of b, without contacts and joints."""
    total = np.zeros(3)
    for body, _, sign in _sides(motion, index, c):
        turn, w = rotation_matrix(motion.state.q[body]), motion.spin[body]
        inverse = turn @ motion.model.bodies.inverse_inertia[body] @ turn.T
        speeding = inverse @ np.cross(motion.state.l[body], w)  # Euler: I w' = l x w
        arm = motion.contacts.point[c] - motion.state.x[body]
        total += sign * (motion.model.gravity + np.cross(speeding, arm) + np.cross(w, np.cross(w, arm)))
    return total
