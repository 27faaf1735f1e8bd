"""The structure of an ending: what rests on what, with every contact as the tape will name it."""

from __future__ import annotations

import math
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.algebra import times
from engine.arrivals.ending import touching
from engine.collide.part_boxes import fit_box
from engine.collide.recorded import place_contacts
from engine.contact.material import PairMaterial, empty_materials, pair_materials
from engine.model.arrays import PLANE, Contacts
from engine.model.compile import Model
from engine.scene.vectors import up_of

LEANS = 0.05  # cosine: what touches a body with a normal this far from level carries some of it


@dataclass(frozen=True)
class Structure:
    """C contacts of the ending. Rows of bodies as in the model."""

    model: Model
    contacts: Contacts  # (C, ...) in the order of detection
    material: PairMaterial

    @property
    def count(self) -> int:
        return len(self.contacts.a)

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """All that is known of the contacts, by name."""
        known = (self.contacts, self.material)
        return {name: column for part in known for name, column in zip(part._fields, part, strict=True)}

    @cached_property
    def up(self) -> np.ndarray:
        return np.asarray(up_of(tuple(self.model.gravity)), float)

    @cached_property
    def moves(self) -> np.ndarray:
        """(n,) bool: bodies that are not static."""
        return self.model.bodies.inverse_mass > 0.0

    @cached_property
    def rows_of(self) -> tuple[np.ndarray, ...]:
        """Contact rows of every body."""
        rows: list[list[int]] = [[] for _ in self.moves]
        for c, (a, b) in enumerate(zip(self.contacts.a, self.contacts.b, strict=True)):
            rows[a].append(c)
            rows[b].append(c)
        return tuple(np.array(each, np.int64) for each in rows)

    def normals_toward(self, body: int) -> np.ndarray:
        """(k, 3) unit normals of a body's contacts, toward it."""
        rows = self.rows_of[body]
        return np.where(self.contacts.a[rows] == body, 1.0, -1.0)[:, None] * self.contacts.normal[rows]

    def others_of(self, body: int) -> np.ndarray:
        """(k,) the body on the other side of each contact."""
        rows = self.rows_of[body]
        return np.where(self.contacts.a[rows] == body, self.contacts.b[rows], self.contacts.a[rows])

    @cached_property
    def carriers(self) -> tuple[frozenset[int], ...]:
        """Moving bodies that carry each body."""
        return tuple(
            frozenset(
                int(other)
                for other, lift in zip(self.others_of(i), times(self.normals_toward(i), self.up), strict=True)
                if self.moves[other] and lift > LEANS
            )
            for i in range(len(self.moves))
        )

    @cached_property
    def carried(self) -> tuple[frozenset[int], ...]:
        """Moving bodies that each body carries."""
        lists: list[set[int]] = [set() for _ in self.moves]
        for i, carriers in enumerate(self.carriers):
            for carrier in carriers:
                lists[carrier].add(i)
        return tuple(frozenset(each) for each in lists)

    @cached_property
    def beside(self) -> tuple[frozenset[int], ...]:
        """Moving bodies that lean on each body from the side."""
        return tuple(
            frozenset(int(other) for other in self.others_of(i) if self.moves[other])
            - self.carriers[i]
            - self.carried[i]
            for i in range(len(self.moves))
        )

    def with_carriers(self, bodies: Set[int], free: Set[int] = frozenset()) -> set[int]:
        """The bodies and everything that must be there to carry them. The free may be missing."""
        return _spread(bodies, lambda body: self.carriers[body] - free)

    def bearers(self, bodies: Set[int], resting: np.ndarray, most: float = math.inf) -> list[int]:
        """Those among the resting who help to carry the bodies: what is under them, and what that leans on; sorted.
        Where they are more than `most`, not all of them."""
        beneath = self._beneath
        return sorted(_spread(bodies, lambda body: {o for o in beneath[body] if resting[o]}, most))

    @cached_property
    def _beneath(self) -> tuple[frozenset[int], ...]:
        return tuple(carriers | beside for carriers, beside in zip(self.carriers, self.beside, strict=True))

    def neighbours(self, bodies: Set[int], resting: np.ndarray) -> set[int]:
        """The bodies and all moving ones linked to them by contacts, among those that rest."""
        there = self.moves & resting
        return _spread(bodies, lambda body: {int(other) for other in self.others_of(body) if there[other]})


def _spread(bodies: Set[int], further: Callable[[int], Set[int]], most: float = math.inf) -> set[int]:
    """The bodies, and those that lie further on from them and from each other, as long as they are not too many."""
    found, pending = set(bodies), list(bodies)
    while pending and len(found) <= most:
        more = further(pending.pop()) - found
        found |= more
        pending += more
    return found


def structure_of(model: Model) -> Structure:
    contacts = touching(model)
    count = len(contacts.a)
    place_contacts(count, contacts, model.start.x, model.start.q)
    material = empty_materials(count)
    pair_materials(count, contacts.a, contacts.b, model.bodies, material)
    return Structure(model, contacts, material)


def boxes_at_rest(model: Model, detector_cores: object) -> np.ndarray:
    """(P, 6) m around every part at the ending; zeros for planes."""
    boxes = np.zeros((len(model.geometry.part_body), 6))
    for part in np.flatnonzero(model.geometry.part_kind != PLANE):
        fit_box(model.geometry, detector_cores, part, model.start.x, model.start.q, 0.0, boxes)
    return boxes
