"""A second opinion on a take, from its states alone: neither its tape of contacts nor any contact solver is asked.

For every island of every step: are there impulses in the cones of its contacts, with restitution and friction in the
artist's ranges, that change the velocities as they changed? The contacts are found anew, their speeds are differences
of gaps between poses, and the impulses are a non-negative combination of cone edges (a disc of sticking friction is
circumscribed by FACETS edges, which allows half a percent more than the law).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from engine.collide.detect import Detector
from engine.collide.recorded import place_contacts
from engine.contact.material import PairMaterial, empty_materials, pair_materials
from engine.model.arrays import Contacts
from engine.shapes.turns import rotation_matrix
from engine.tape.take import Take

FACETS = 32
SPEED = 1e-7  # m/s: what closes faster is unexplained, what slides slower sticks
RATIO = 1e-6  # by which a restitution may lie outside its range


@dataclass
class Opinion:
    islands: int = 0  # looked at; those that rest on both sides of a kick are left out
    closing: int = 0  # contacts that close after the kick
    out_of_range: int = 0  # contacts whose restitution no range explains
    worst: float = 0.0  # m/s of velocity that no impulse in the cones explains
    flight: float = 0.0  # m/s by which bodies without contact leave free flight
    drift: float = 0.0  # m by which positions do not follow from velocities


class States:
    """The states of a take, and what the law makes of them."""

    def __init__(self, take: Take) -> None:
        self.model, self.tape = take.model, take.tape
        self.params, self.gravity = take.tape.params, take.model.gravity
        self.x, self.q, self.v, self.l = (getattr(take.tape, name) for name in ("x", "q", "v", "l"))
        self.moves = self.model.bodies.inverse_mass > 0.0
        self._detector = Detector(self.model.geometry, self.model.bodies.inverse_mass, 64 + 16 * len(self.moves))

    def judge(self, every: int = 1) -> Opinion:
        """Every so many steps (all by default)."""
        found = Opinion()
        for i in range(0, self.tape.steps, every):
            self._judge_step(i, found)
        return found

    def _judge_step(self, i: int, found: Opinion) -> None:
        dt, moves = self.params.dt, self.moves
        away = np.abs(self.x[i] + dt * self.v[i + 1] - self.x[i + 1]).max()
        found.drift = max(found.drift, float(away))
        awake = moves & (self._stirs(i) | self._stirs(i + 1))
        contacts = self._contacts(i, awake)
        change = self.v[i + 1] - self.v[i] - dt * self.gravity
        turn = self.l[i + 1] - self.l[i]
        alone = awake.copy()
        alone[np.concatenate([contacts.a, contacts.b])] = False
        for body in map(int, np.flatnonzero(alone)):
            found.flight = max(found.flight, float(np.abs(change[body]).max()), self._spin_size(body, turn[body]))
        for members, rows in self._islands(contacts):
            found.islands += 1
            here = Contacts(*(column[rows] for column in contacts))
            edges, owner = self._edges(i, here, found)
            found.worst = max(found.worst, self._missing(i, members, here, edges, owner, change, turn))

    def _stirs(self, i: int) -> np.ndarray:
        return self.v[i].any(axis=1) | self.l[i].any(axis=1)

    def _contacts(self, i: int, awake: np.ndarray) -> Contacts:
        """Contacts at state i, first met as seen from the state after it, of bodies that stir and whom they touch."""
        while True:
            count = self._detector.find(
                self.x[i], self.q[i], self.x[i + 1], self.q[i + 1], np.ascontiguousarray(awake), self.params.slop
            )
            assert not self._detector.status, "the pose has more contacts than were made room for"
            contacts = Contacts(*(column[:count].copy() for column in self._detector.contacts))
            touched = np.zeros_like(awake)
            touched[np.concatenate([contacts.a, contacts.b])] = True
            if not (touched & self.moves & ~awake).any():
                break
            awake = awake | (touched & self.moves)
        place_contacts(count, contacts, self.x[i], self.q[i])
        return contacts

    def _islands(self, contacts: Contacts) -> list[tuple[np.ndarray, np.ndarray]]:
        """(bodies, contact rows) of each."""
        group = np.arange(len(self.moves))
        for a, b in zip(contacts.a, contacts.b, strict=True):
            if self.moves[b]:
                group[group == group[b]] = group[a]
        owner = group[contacts.a]
        return [
            (np.flatnonzero((group == name) & self.moves), np.flatnonzero(owner == name)) for name in np.unique(owner)
        ]

    def _gap_speeds(self, i: int, contacts: Contacts) -> tuple[np.ndarray, np.ndarray]:
        """Rates of the gaps before and after the kick (m/s): differences between poses, one step apart."""
        there = Contacts(*(column.copy() for column in contacts))
        place_contacts(len(there.a), there, self.x[i + 1], self.q[i + 1])
        after = (there.gap - contacts.gap) / self.params.dt
        if i == 0:
            return np.full_like(after, math.nan), after
        there = Contacts(*(column.copy() for column in contacts))
        place_contacts(len(there.a), there, self.x[i - 1], self.q[i - 1])
        return (contacts.gap - there.gap) / self.params.dt, after

    def _edges(self, i: int, contacts: Contacts, found: Opinion) -> tuple[np.ndarray, np.ndarray]:
        """Edges of the cones that the law leaves to each contact, and whose they are."""
        before, after = self._gap_speeds(i, contacts)
        material = empty_materials(len(contacts.a))
        pair_materials(len(contacts.a), contacts.a, contacts.b, self.model.bodies, material)
        edges: list[np.ndarray] = []
        owner: list[int] = []
        for c in range(len(contacts.a)):
            if after[c] < -SPEED:
                found.closing += 1
            low, top = material.restitution_low[c], material.restitution_top[c]
            ratio = after[c] / max(-before[c], 1e-300) if before[c] < 0.0 else math.inf
            pushes = abs(after[c]) <= SPEED or low - RATIO <= ratio <= top + RATIO or math.isnan(before[c])
            if not pushes:
                # Nothing pushed: the law then asks that it opens at least as fast as the least restitution wants.
                fast = -before[c] > self.params.bounce_speed
                found.out_of_range += bool(fast and after[c] < low * -before[c] - SPEED)
                continue
            own = self._cone(i, contacts, c, material)
            edges += own
            owner += [c] * len(own)
        return np.array(edges).reshape(-1, 3), np.array(owner, np.int64)

    def _cone(self, i: int, contacts: Contacts, c: int, material: PairMaterial) -> list[np.ndarray]:
        n = contacts.normal[c]
        slide = self._velocity(i, contacts, c, contacts.a[c]) - self._velocity(i, contacts, c, contacts.b[c])
        slide = slide - float(slide @ n) * n
        fast = float(np.linalg.norm(slide))
        if fast > SPEED:
            return [n - mu / fast * slide for mu in (material.friction_low[c], material.friction_top[c])]
        mu = material.friction[c] / math.cos(math.pi / FACETS)
        first = np.cross(n, [1.0, 0.0, 0.0] if abs(n[0]) < 0.9 else [0.0, 1.0, 0.0])
        first /= np.linalg.norm(first)
        second = np.cross(n, first)
        turns = 2.0 * math.pi * np.arange(FACETS) / FACETS
        return [n, *(n + mu * (math.cos(angle) * first + math.sin(angle) * second) for angle in turns)]

    def _velocity(self, i: int, contacts: Contacts, c: int, body: int) -> np.ndarray:
        """Of the body's material point there after the kick, m/s."""
        spin = self._turning(i, body) @ self.l[i + 1, body]
        return self.v[i + 1, body] + np.cross(spin, contacts.point[c] - self.x[i, body])

    def _turning(self, i: int, body: int) -> np.ndarray:
        """World inverse inertia at state i."""
        turn = rotation_matrix(self.q[i, body])
        return turn @ self.model.bodies.inverse_inertia[body] @ turn.T

    def _spin_size(self, body: int, turn: np.ndarray) -> float:
        bodies = self.model.bodies
        return float(np.abs(turn).max() * bodies.inverse_mass[body] / bodies.size[body])

    def _missing(
        self,
        i: int,
        members: np.ndarray,
        contacts: Contacts,
        edges: np.ndarray,
        owner: np.ndarray,
        change: np.ndarray,
        turn: np.ndarray,
    ) -> float:
        """m/s of the island's change of velocity that no combination of edges explains. Rows are in m/s per N s."""
        bodies = self.model.bodies
        rows, wanted = [], []
        for body in members:
            sign = (contacts.a[owner] == body) * 1.0 - (contacts.b[owner] == body) * 1.0
            scale = bodies.inverse_mass[body]
            arm = contacts.point[owner] - self.x[i, body]
            rows += [
                scale * (sign[:, None] * edges).T,
                scale / bodies.size[body] * (sign[:, None] * np.cross(arm, edges)).T,
            ]
            wanted += [change[body], scale / bodies.size[body] * turn[body]]
        target = np.concatenate(wanted)
        if not len(owner):
            return float(np.linalg.norm(target))
        return float(nnls(np.concatenate(rows), target, maxiter=100 * len(owner) + 1000)[1])
