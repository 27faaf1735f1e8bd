"""Scratch: everything a step reuses. Allocated once per run; nothing in it means anything between steps except the
warm impulses and who is asleep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.collide.detect import Detector
from engine.collide.islands import Islands, empty_islands
from engine.contact.backward_kick import Choice, empty_choice
from engine.contact.island_solver import SolverWork, empty_solver_work
from engine.contact.kick import Kick, empty_kick
from engine.contact.material import PairMaterial, empty_materials
from engine.contact.rows import Rows, empty_rows
from engine.model.arrays import Contacts
from engine.model.compile import Model
from engine.params import Params

CONTACTS_PER_BODY = 24


@dataclass
class Scratch:
    """Work of one run (see the module docstring)."""

    model: Model
    params: Params
    root: np.ndarray  # (n, 3, 3)    I_body^-1 = root root^T
    root_mass: np.ndarray  # (n,)    sqrt of the inverse mass
    moves: np.ndarray  # (n,) bool   not static
    detector: Detector
    islands: Islands
    kick: Kick
    rows: Rows
    solver: SolverWork
    choice: Choice
    material: PairMaterial
    base: np.ndarray  # (C,)
    tier: np.ndarray  # (C,) int64
    residual: np.ndarray  # (C,) m/s
    spin: np.ndarray  # (n, 3) rad/s   midpoint spins of the drift
    other_spin: np.ndarray  # (n, 3)   spins the kicks use while they search
    asleep: np.ndarray  # (n,) bool
    group: np.ndarray  # (n,) int64    bodies that fell asleep together have the same number
    warm_keys: np.ndarray  # (m, 3) int64  part a, part b, feature of last step's contacts
    warm_impulse: np.ndarray  # (m, 3)
    warm_torque: np.ndarray  # (m, 3)
    next_group: int = 0
    count: int = 0  # contacts found
    number: int = 0  # islands

    @property
    def contacts(self) -> Contacts:
        return self.detector.contacts

    def wake(self, bodies: np.ndarray) -> None:
        """Wake these bodies and all that fell asleep with them."""
        sleeping = bodies[self.asleep[bodies]]
        self.asleep &= ~np.isin(self.group, self.group[sleeping])

    def enlarge(self) -> None:
        """Double the room for contacts (what was found so far in this step is lost)."""
        larger = _contact_arrays(self.model, 2 * self.base.shape[0])
        for name, value in larger.items():
            setattr(self, name, value)


def make_scratch(model: Model, params: Params) -> Scratch:
    bodies = model.bodies
    n = bodies.mass.shape[0]
    moves = bodies.inverse_mass > 0.0
    parts = model.geometry.part_body.shape[0]
    capacity = CONTACTS_PER_BODY * (int(moves.sum()) + 4) + 8 * min(parts, 200)
    return Scratch(
        model=model,
        params=params,
        root=_roots(bodies.inverse_inertia, moves),
        root_mass=np.sqrt(bodies.inverse_mass),
        moves=moves,
        **_contact_arrays(model, capacity),
        spin=np.zeros((n, 3)),
        other_spin=np.zeros((n, 3)),
        asleep=np.zeros(n, bool),
        group=np.full(n, -1, np.int64),
        warm_keys=np.zeros((0, 3), np.int64),
        warm_impulse=np.zeros((0, 3)),
        warm_torque=np.zeros((0, 3)),
    )


def _contact_arrays(model: Model, capacity: int) -> dict[str, Any]:
    """Everything sized by the number of contacts."""
    inverse_mass = model.bodies.inverse_mass
    moving = int((inverse_mass > 0.0).sum())
    return dict(
        detector=Detector(model.geometry, inverse_mass, capacity),
        islands=empty_islands(inverse_mass.shape[0], capacity),
        kick=empty_kick(capacity),
        rows=empty_rows(capacity),
        solver=empty_solver_work(moving, capacity),
        choice=empty_choice(capacity),
        material=empty_materials(capacity),
        base=np.zeros(capacity),
        tier=np.zeros(capacity, np.int64),
        residual=np.zeros(capacity),
    )


def _roots(inverse_inertia: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """W with W W^T = I^-1, from the principal axes; diagonal tensors keep their bits."""
    roots = np.zeros_like(inverse_inertia)
    for i in np.flatnonzero(moves):
        tensor = inverse_inertia[i]
        if np.count_nonzero(tensor - np.diag(np.diag(tensor))) == 0:
            roots[i] = np.diag(np.sqrt(np.diag(tensor)))
        else:
            values, axes = np.linalg.eigh(tensor)
            roots[i] = axes * np.sqrt(values)
    return np.ascontiguousarray(roots)
