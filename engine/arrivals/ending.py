"""What touches what at the ending, for decisions made before a run starts."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from engine.algebra import times
from engine.collide.detect import Detector
from engine.contact.material import empty_materials, pair_materials
from engine.decide.support import CONSTRAINED, RIGHT_ANGLE, support_of
from engine.joint.linkage import drop_linked
from engine.model.arrays import Contacts
from engine.model.compile import Model
from engine.params import SLOP
from engine.status import CONTACTS_FULL

CONTACTS_PER_PART = 32


class Ending(NamedTuple):
    """C contacts; the normal points from body b to body a."""

    a: np.ndarray  # (C,) int64 body rows
    b: np.ndarray  # (C,) int64
    point: np.ndarray  # (C, 3) m
    normal: np.ndarray  # (C, 3)
    friction: np.ndarray  # (C,)


def touching(model: Model, margin: float = SLOP) -> Contacts:
    """Every contact of the ending, as detection finds and orders them; with a margin (m) also those not closed yet."""
    moves = model.bodies.inverse_mass > 0.0
    capacity = CONTACTS_PER_PART * (len(model.geometry.part_body) + 1)
    start = model.start
    while True:
        detector = Detector(model.geometry, model.bodies.inverse_mass, capacity)
        count = detector.find(start.x, start.q, start.x, start.q, moves, margin)
        if not detector.status & CONTACTS_FULL:
            break
        capacity *= 2
    count = drop_linked(count, detector.contacts, model.joints.linked, len(model.names))
    return Contacts(*(column[:count].copy() for column in detector.contacts))


def ending_of(model: Model) -> Ending:
    contacts = touching(model)
    material = empty_materials(len(contacts.a))
    pair_materials(len(contacts.a), contacts.a, contacts.b, model.bodies, material)
    return Ending(contacts.a, contacts.b, contacts.point, contacts.normal, material.friction)


def contacts_of(ending: Ending, body: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the contacts of a body, and their normals toward it."""
    mine = np.flatnonzero((ending.a == body) | (ending.b == body))
    sign = np.where(ending.a[mine] == body, 1.0, -1.0)
    return mine, sign[:, None] * ending.normal[mine]


def before(ending: Ending, body: int, later: Collection[int]) -> Ending:
    """What a body touches before others have come."""
    mine = (ending.a == body) | (ending.b == body)
    others = np.where(ending.a == body, ending.b, ending.a)
    there = ~(mine & np.isin(others, sorted(later)))
    return ending if there.all() else Ending(*(column[there] for column in ending))


def is_constrained(ending: Ending, body: int) -> bool:
    """Whether something holds the body from the other side (support.py)."""
    mine, _ = contacts_of(ending, body)
    unheeded = np.zeros(len(ending.a), np.int64)
    return bool(support_of(body, mine, ending.a, ending.normal, unheeded) == CONSTRAINED)


def holders_of(ending: Ending, body: int, up: np.ndarray) -> list[int]:
    """Rows of the bodies that hold a body in place: of two that press against each other through it the upper one, or
    both where neither is. Empty when it is free."""
    mine, normal = contacts_of(ending, body)
    other = np.where(ending.a[mine] == body, ending.b[mine], ending.a[mine])
    against = times(normal, normal.T) < -RIGHT_ANGLE
    lift = times(normal, up)
    upper = lift[:, None] <= lift[None, :] + RIGHT_ANGLE
    return sorted({int(row) for row in other[(against & upper).any(axis=1)]})
