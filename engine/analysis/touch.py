"""Contacts of a scene as wrenches: what a force at a contact does to a body, or to all bodies that move.

Directions as in Pang and Trinkle 1998: a column of Wn is the wrench of a unit force along the normal, of Wt and Wo
along the two tangents, as (force, torque about the centre of mass) in world axes. Its transpose maps motions to the
relative motion at the contact, so a positive normal component of a motion opens it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.arrivals.ending import touching
from engine.contact.material import PairMaterial, empty_materials, pair_materials
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.shapes.turns import rotation_matrix

LEVEL = 1e-6  # sine between normal and gravity below which gravity gives no direction in the plane of contact


@dataclass(frozen=True)
class Wrenches:
    """k contacts acting on w coordinates: six of one body, or six of every body that moves."""

    rows: np.ndarray  # (k,) which contacts of the Touch
    Wn: np.ndarray  # (w, k)
    Wt: np.ndarray  # (w, k)
    Wo: np.ndarray  # (w, k)
    mu: np.ndarray  # (k,)
    mass: np.ndarray  # (w, w) kg and kg m^2
    gravity: np.ndarray  # (w,) N: weight, without torque


@dataclass(frozen=True)
class Touch:
    """C contacts. Rows of bodies as in the model; body a always moves."""

    model: Model
    a: np.ndarray  # (C,) int64 body rows
    b: np.ndarray  # (C,) int64
    point: np.ndarray  # (C, 3) m
    normal: np.ndarray  # (C, 3) from b to a
    tangent: np.ndarray  # (C, 3) as far down as the plane of contact goes
    other: np.ndarray  # (C, 3) normal x tangent
    friction: np.ndarray  # (C,)
    rolling: np.ndarray  # (C,) m, torque that a newton of normal force lets the contact resist
    contacts: Contacts  # as detection found them

    @property
    def count(self) -> int:
        return len(self.a)

    @cached_property
    def moving(self) -> np.ndarray:
        """(m,) rows of the bodies that are not static."""
        return np.flatnonzero(self.model.bodies.inverse_mass > 0.0)

    def rows_of(self, body: int) -> np.ndarray:
        """(k,) contacts of a body."""
        return np.flatnonzero((self.a == body) | (self.b == body))

    def side(self, body: int, rows: np.ndarray) -> np.ndarray:
        """(k,) 1 where the body is the contact's a, -1 where it is b: times a direction, the one toward it."""
        return np.where(self.a[rows] == body, 1.0, -1.0)

    def others_of(self, body: int) -> np.ndarray:
        """(k,) row of the body on the other side of each contact of a body."""
        rows = self.rows_of(body)
        return np.where(self.a[rows] == body, self.b[rows], self.a[rows])

    def mass_of(self, body: int) -> np.ndarray:
        """(6, 6) mass and inertia about the centre of mass, world axes."""
        turn = rotation_matrix(self.model.start.q[body])
        mass = np.zeros((6, 6))
        mass[:3, :3] = self.model.bodies.mass[body] * np.eye(3)
        mass[3:, 3:] = turn @ self.model.bodies.inertia[body] @ turn.T
        return mass

    def weight_of(self, body: int) -> np.ndarray:
        return np.concatenate([self.model.bodies.mass[body] * self.model.gravity, np.zeros(3)])

    def on_body(self, body: int, rows: np.ndarray | None = None) -> Wrenches:
        """Contacts of one body, or these of them, all others held; directions toward it."""
        rows = self.rows_of(body) if rows is None else rows
        side = self.side(body, rows)
        Wn, Wt, Wo = (side * self._columns(body, rows, way) for way in self._ways)
        return Wrenches(rows, Wn, Wt, Wo, self.friction[rows], self.mass_of(body), self.weight_of(body))

    def on_all(self, bodies: np.ndarray | None = None) -> Wrenches:
        """All contacts on all moving bodies, or on these, the others held; six coordinates per body, in their order.
        Directions are toward body a."""
        bodies = self.moving if bodies is None else bodies
        rows = np.flatnonzero(np.isin(self.a, bodies) | np.isin(self.b, bodies))
        size = 6 * len(bodies)
        Wn, Wt, Wo = (np.zeros((size, len(rows))) for _ in range(3))
        mass, gravity = np.zeros((size, size)), np.zeros(size)
        for i, body in enumerate(int(each) for each in bodies):
            six, own = slice(6 * i, 6 * i + 6), np.isin(rows, self.rows_of(body))
            for matrix, way in zip((Wn, Wt, Wo), self._ways, strict=True):
                matrix[six, own] = self.side(body, rows[own]) * self._columns(body, rows[own], way)
            mass[six, six], gravity[six] = self.mass_of(body), self.weight_of(body)
        return Wrenches(rows, Wn, Wt, Wo, self.friction[rows], mass, gravity)

    @property
    def _ways(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.normal, self.tangent, self.other

    def _columns(self, body: int, rows: np.ndarray, way: np.ndarray) -> np.ndarray:
        """(6, k) wrenches on a body of unit forces along `way`."""
        arms = self.point[rows] - self.model.start.x[body]
        return np.vstack([way[rows].T, np.cross(arms, way[rows]).T])


def touch_of(model: Model, state: State | None = None) -> Touch:
    """What touches at the ending, or in another state (centres of mass) of the same bodies."""
    if state is not None:
        model = replace(model, start=state)
    contacts = touching(model)
    a, b, normal = contacts.a, contacts.b, contacts.normal
    material = materials_of(model, a, b)
    tangent = tangents_of(normal, model.gravity)
    other = np.cross(normal, tangent)
    return Touch(model, a, b, contacts.point, normal, tangent, other, material.friction, material.rolling, contacts)


def materials_of(model: Model, a: np.ndarray, b: np.ndarray) -> PairMaterial:
    """How contacts of bodies `a` with bodies `b` behave, as authored."""
    material = empty_materials(len(a))
    pair_materials(len(a), a, b, model.bodies, material)
    return material


def tangents_of(normal: np.ndarray, along: np.ndarray) -> np.ndarray:
    """(k, 3) unit vectors at right angles to the normals, each as close to `along` as it can be; where that is the
    normal itself, a fixed choice."""
    strength = float(np.linalg.norm(along))
    wanted = np.broadcast_to(along / strength if strength > 0.0 else np.zeros(3), normal.shape)
    flat = wanted - (wanted * normal).sum(1, keepdims=True) * normal
    axis = np.eye(3)[np.argmin(np.abs(normal), axis=1)] if len(normal) else np.zeros((0, 3))
    spare = axis - (axis * normal).sum(1, keepdims=True) * normal
    slopes = np.linalg.norm(flat, axis=1, keepdims=True) > LEVEL
    flat = np.where(slopes, flat, spare)
    return flat / np.linalg.norm(flat, axis=1, keepdims=True)
