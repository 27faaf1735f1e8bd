"""Scratch: everything a step reuses. Allocated once per run; nothing in it means anything between steps except the
warm impulses, who is asleep, and what the broad phase keeps."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.collide.detect import DetectScratch, make_detect_scratch
from engine.collide.islands import Islands, empty_islands
from engine.collide.passing import Passing, make_passing
from engine.contact.island_solver import SolverWork, empty_solver_work
from engine.contact.kick import (
    CONTACTS,
    JOINED_BODIES,
    JOINED_CONTACTS,
    ROOM_BODIES,
    ROOM_CONTACTS,
    Kick,
    empty_kick,
)
from engine.contact.material import PairMaterial, empty_materials
from engine.contact.rows import Rows, empty_rows
from engine.errors import CapacityError
from engine.factors import singular
from engine.joint.linkage import Linkage, make_linkage
from engine.kick.backward import Choice, empty_choice
from engine.kick.jointed import JointWork, empty_joint_work
from engine.model.arrays import Bodies, Contacts, Geometry, empty_contacts
from engine.model.compile import Model
from engine.record import Record
from engine.status import CONTACTS_FULL, ISLAND_FULL, JOINTS_FULL, MANIFOLD_FULL, PAIRS_FULL

CONTACTS_PER_BODY, LEAST_CONTACTS = 2, 64
PAIRS_PER_PART = 24
ISLAND_BODIES, ISLAND_CONTACTS = 8, 64  # room for islands at first; it doubles when one is larger
MOST_CONTACTS = 50_000_000


class Warm(Record):
    """Impulses of the last step's contacts, by their names."""

    keys: np.ndarray  # (C, 3) int64  part a, part b, feature
    impulse: np.ndarray  # (C, 3)
    torque: np.ndarray  # (C, 3)


class Touching(Record):
    """Contacts by body: those of body i are contacts[start[i]:start[i+1]]."""

    start: np.ndarray  # (n + 1,) int64
    contacts: np.ndarray  # (2 C,) int64


class Scratch(Record):
    """Work of one run: n bodies, room for C contacts."""

    geometry: Geometry
    bodies: Bodies
    is_static: np.ndarray  # (n,) bool
    reach: np.ndarray  # (n,) m       how far a body may come in the step (reach.py)
    margin: np.ndarray  # (1,) m      to which contacts are looked for, beyond the slop
    awake: np.ndarray  # (n,) bool    moving and not asleep, as contact detection asks for it
    root: np.ndarray  # (n, 3, 3)     I_body^-1 = root root^T
    root_mass: np.ndarray  # (n,)     sqrt of the inverse mass
    detect: DetectScratch
    passing: Passing
    contacts: Contacts
    ahead: Contacts  #                those that are met before they would be passed (ahead.py)
    islands: Islands
    touching: Touching
    kick: Kick
    rows: Rows
    solver: SolverWork
    choice: Choice
    material: PairMaterial
    base: np.ndarray  # (C,) m/s       normal right-hand sides of a kick without the secants
    tier: np.ndarray  # (C,) int64
    residual: np.ndarray  # (C,) m/s
    spin: np.ndarray  # (n, 3) rad/s   midpoint spins of the drift
    other_spin: np.ndarray  # (n, 3)   spins the kicks use while they search
    asleep: np.ndarray  # (n,) bool
    ring: np.ndarray  # (n,) int64     bodies that fell asleep together, each pointing to the next
    warm: Warm
    linkage: Linkage
    joint_work: JointWork
    counts: np.ndarray  # (8,) int64   contact/kick.py says of what
    clock: np.ndarray  # (stages + 1,) int64  CPU ticks per stage and the last reading; (0,) when nobody measures

    @property
    def found(self) -> int:
        """Contacts found in the last step."""
        return int(self.counts[CONTACTS])


def make_scratch(model: Model, clock: np.ndarray | None = None) -> Scratch:
    bodies = model.bodies
    n = bodies.mass.shape[0]
    moving = int((bodies.inverse_mass > 0.0).sum())
    parts = len(model.geometry.part_body)
    contacts = LEAST_CONTACTS + CONTACTS_PER_BODY * moving + 2 * len(model.joints.kind)
    is_static = np.ascontiguousarray(bodies.inverse_mass == 0.0)
    return Scratch(
        geometry=model.geometry,
        bodies=bodies,
        is_static=is_static,
        reach=np.zeros(n),
        margin=np.zeros(1),
        awake=~is_static,
        root=_roots(bodies.inverse_inertia, ~is_static),
        root_mass=np.sqrt(bodies.inverse_mass),
        detect=make_detect_scratch(model.geometry, 1024 + PAIRS_PER_PART * parts),
        passing=make_passing(model.geometry, bodies, model.joints.linked),
        rows=empty_rows(ISLAND_CONTACTS),
        solver=empty_solver_work(ISLAND_BODIES, ISLAND_CONTACTS),
        spin=np.zeros((n, 3)),
        other_spin=np.zeros((n, 3)),
        asleep=np.zeros(n, bool),
        ring=np.arange(n),
        linkage=make_linkage(model.joints, n),
        joint_work=_joint_work(model),
        counts=np.zeros(8, np.int64),
        clock=np.zeros(0, np.int64) if clock is None else clock,
        warm=Warm(np.zeros((contacts, 3), np.int64), np.zeros((contacts, 3)), np.zeros((contacts, 3))),
        **_contact_arrays(n, contacts),
    )


def _joint_work(model: Model) -> JointWork:
    """Room for small articulations; none without joints."""
    equations = int(model.joints.rows.sum())
    return empty_joint_work(*((ISLAND_BODIES, equations, ISLAND_CONTACTS) if equations else (1, 1, 1)))


def _contact_arrays(n: int, capacity: int) -> dict[str, Any]:
    """Everything sized by the number of contacts, except the warm start."""
    return dict(
        contacts=empty_contacts(capacity),
        ahead=empty_contacts(capacity),
        islands=empty_islands(n, capacity),
        touching=Touching(np.zeros(n + 1, np.int64), np.zeros(2 * capacity, np.int64)),
        kick=empty_kick(capacity),
        choice=empty_choice(capacity),
        material=empty_materials(capacity),
        base=np.zeros(capacity),
        tier=np.zeros(capacity, np.int64),
        residual=np.zeros(capacity),
    )


def enlarge(s: Scratch, status: int) -> Scratch:
    """More room for what `status` says is full. Sleep and warm impulses are kept; the step must be done again."""
    if status & MANIFOLD_FULL:
        raise CapacityError("two parts touch in more points than contact detection has room for; simplify the meshes")
    if status & PAIRS_FULL:
        s = s._replace(detect=make_detect_scratch(s.geometry, 2 * len(s.detect.near.pairs)))
    if status & CONTACTS_FULL:
        capacity = 2 * len(s.base)
        if capacity > MOST_CONTACTS:
            raise CapacityError(f"more than {MOST_CONTACTS} contacts at once; the scene is too dense")
        known = len(s.warm.keys)
        warm = Warm(*(np.concatenate([part, np.zeros((capacity - known, 3), part.dtype)]) for part in s.warm))
        s = s._replace(warm=warm, **_contact_arrays(len(s.asleep), capacity))
    if status & ISLAND_FULL:
        bodies, contacts = 2 * int(s.counts[ROOM_BODIES]), 2 * int(s.counts[ROOM_CONTACTS])
        s = s._replace(rows=empty_rows(contacts), solver=empty_solver_work(bodies, contacts))
    if status & JOINTS_FULL:
        bodies, contacts = 2 * int(s.counts[JOINED_BODIES]), 2 * int(s.counts[JOINED_CONTACTS])
        equations = int(s.linkage.joints.rows.sum())
        s = s._replace(joint_work=empty_joint_work(bodies, equations, contacts))
    return s


def holding(s: Scratch, fixed: np.ndarray) -> Scratch:
    """The same scratch with bodies that nothing moves. fixed: (n,) bool."""
    if not fixed.any():
        return s
    bodies = s.bodies
    return s._replace(
        bodies=bodies._replace(
            inverse_mass=np.where(fixed, 0.0, bodies.inverse_mass),
            inverse_inertia=np.where(fixed[:, None, None], 0.0, bodies.inverse_inertia),
        ),
        root=np.where(fixed[:, None, None], 0.0, s.root),
        root_mass=np.where(fixed, 0.0, s.root_mass),
    )


def forget(s: Scratch) -> None:
    """Everybody awake, no warm impulses, nothing kept by the broad phase: as if newly made."""
    s.asleep[:] = False
    s.counts[:] = 0
    s.detect.near.counts[:] = 0
    s.linkage.push[:] = 0.0


def _roots(inverse_inertia: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """W with W W^T = I^-1, from the principal axes; diagonal tensors keep their bits."""
    roots = np.zeros_like(inverse_inertia)
    off = inverse_inertia.copy()
    off[:, range(3), range(3)] = 0.0
    diagonal = moves & ~off.any(axis=(1, 2))
    roots[diagonal] = np.sqrt(inverse_inertia[diagonal] * np.eye(3))
    for i in np.flatnonzero(moves & ~diagonal):
        values, axes, _ = singular(inverse_inertia[i])  # of a positive definite tensor: what it is worth along its axes
        roots[i] = axes.T * np.sqrt(values)
    return np.ascontiguousarray(roots)
