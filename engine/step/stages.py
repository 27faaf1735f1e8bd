"""Stages that forward and backward steps share, on the arrays of a Scratch."""

from __future__ import annotations

import numpy as np

from engine.collide.islands import find_islands
from engine.contact.kick import frames
from engine.contact.material import pair_materials
from engine.errors import CapacityError
from engine.status import CONTACTS_FULL, MANIFOLD_FULL, PAIRS_FULL
from engine.step.scratch import Scratch
from engine.step.stage_kernels import decide_as_authored, drop_ghosts, judge_contacts, put_to_rest, recall_impulses

SLEEP_FACTOR = 10.0  # speeds up to this many solver tolerances are rest


def detect(
    s: Scratch, x: np.ndarray, q: np.ndarray, x_from: np.ndarray, q_from: np.ndarray, margin: float | None = None
) -> None:
    """Contacts at (x, q), coming from (x_from, q_from), with frames and materials. Wakes sleepers that are touched.

    `margin` (m) is the largest gap of a contact, by default the slop."""
    reach = s.params.slop if margin is None else margin
    while True:
        s.count = s.detector.find(x, q, x_from, q_from, s.moves & ~s.asleep, reach)
        status = s.detector.status
        if status & (PAIRS_FULL | MANIFOLD_FULL):
            raise CapacityError("contact detection ran out of room for pairs of parts; the scene is too dense")
        if status & CONTACTS_FULL:
            s.enlarge()
            continue
        if not _wake_touched(s):
            break
    frames(s.count, s.contacts, x, s.model.bodies.size, s.kick)
    pair_materials(s.count, s.contacts.a, s.contacts.b, s.model.bodies, s.material)
    recall_impulses(s.count, s.contacts, s.kick, s.warm_keys, s.warm_impulse, s.warm_torque)
    decide_as_authored(s.count, s.kick, s.material)


def _wake_touched(s: Scratch) -> bool:
    """Wake every sleeping group that an awake body touches; True when there was one."""
    a, b = s.contacts.a[: s.count], s.contacts.b[: s.count]
    touched = np.concatenate([a[s.asleep[a]], b[s.asleep[b]]])
    if touched.size == 0:
        return False
    s.wake(touched)
    return True


def link(s: Scratch) -> None:
    """Islands of the contacts that are not ghosts."""
    drop_ghosts(s.count, s.kick)
    s.number = int(
        find_islands(s.count, s.contacts.a, s.contacts.b, s.kick.used, s.model.bodies.inverse_mass, s.islands)
    )


def rest(s: Scratch, q: np.ndarray, v_in: np.ndarray, l_in: np.ndarray, v_out: np.ndarray, l_out: np.ndarray) -> None:
    """Put islands to sleep that are at rest before and after."""
    limit = SLEEP_FACTOR * s.params.solver_tolerance
    s.next_group = int(
        put_to_rest(s.islands, s.number, s.kick, s.model.bodies, q, v_in, l_in, v_out, l_out, limit, s.asleep,
                    s.group, s.next_group)
    )  # fmt: skip


def certify(s: Scratch, q: np.ndarray, v: np.ndarray, l: np.ndarray) -> None:
    """Tier and residual of every contact."""
    judge_contacts(s.count, s.contacts, s.kick, q, s.model.bodies, s.material, s.params, v, l, s.tier, s.residual)


def remember(s: Scratch) -> None:
    """Keep this step's impulses for the next one's warm start."""
    c = s.contacts
    s.warm_keys = np.stack([c.part_a[: s.count], c.part_b[: s.count], c.feature[: s.count]], axis=1)
    s.warm_impulse = s.kick.impulse[: s.count].copy()
    s.warm_torque = s.kick.torque[: s.count].copy()
