"""Does what is left of a structure stand by itself? The engine's own step answers, and what every contact bears.

Where bodies touch sideways, what they bear is not unique: a solver may squeeze a row of bricks between its ends by many
times their weight, and nothing that lands is carried then, since friction is used up. So such a structure is first
asked to stand without its sides, each body on what it rests on alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from engine.algebra import norms
from engine.arrivals.ahead.supports import (
    NEVER_HELD,
    clear_burden,
    hand_down,
    make_burden,
    press,
    settle,
    supports_of,
)
from engine.arrivals.structure import Structure
from engine.contact.kick import CONTACTS
from engine.decide.plan import CONSTANT, make_plan
from engine.model.arrays import copy_state
from engine.params import NOWHERE, Params
from engine.rest import REST_OF_REMAINDER
from engine.step.backward import backward_step
from engine.step.scratch import Scratch, enlarge, holding, make_scratch

MOST_BYTES, FEWEST_KNOWN = 1 << 28, 64  # of answers that are kept


@dataclass(frozen=True)
class Standing:
    """Impulses of a step at rest for the contacts of the structure (zero where a body is gone)."""

    impulse: np.ndarray  # (C, 3) N s on body a
    torque: np.ndarray  # (C, 3) N m s
    falls: tuple[int, ...]  # bodies that do not stay where they are, without the excused; empty when all stand


class Remainders:
    """What is left of a structure, for any set of bodies that rest."""

    def __init__(self, structure: Structure, params: Params, by_hand: bool = False) -> None:
        """by_hand: each body stands on what it rests on alone wherever it can, even if no sides touch. That is quick,
        and what does not lie under a body that comes in bears the same with it and without."""
        self.structure, self.params = structure, params
        self._scratch: Scratch = make_scratch(structure.model)
        self._known: OrderedDict[tuple[bytes, bytes], Standing] = OrderedDict()
        self._excused: frozenset[int] = frozenset()
        self._supports = supports_of(structure, params)
        self._burden = make_burden(self._supports)
        self._quick = by_hand or any(structure.beside)
        self._most = max(MOST_BYTES // (48 * max(structure.count, 1)), FEWEST_KNOWN)
        self._nobody = np.zeros(len(structure.moves), bool)
        contacts = structure.contacts
        names = zip(contacts.part_a, contacts.part_b, contacts.feature, strict=True)
        self._row = {(int(a), int(b), int(f)): c for c, (a, b, f) in enumerate(names)}

    def standing(self, resting: np.ndarray, held: np.ndarray | None = None) -> Standing:
        """resting: (n,) bool. held: (n,) bool, those of them whom nothing moves."""
        held = self._nobody if held is None else held
        key = (np.packbits(resting).tobytes(), np.packbits(held).tobytes())
        if key not in self._known:
            self._known[key] = self._stand_alone(resting, held) or self._stand(resting, held)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return self._known[key]

    def excuse(self, bodies: Set[int]) -> None:
        """These do not stand, whoever is there: from now on it is not asked of them."""
        self._excused |= bodies
        self._known.clear()

    def _stand_alone(self, resting: np.ndarray, held: np.ndarray) -> Standing | None:
        """Contacts between neighbours bear nothing; None where somebody needs them, or nobody has any, or where what
        carries a body has left."""
        there = {int(i) for i in np.flatnonzero(resting)}
        alone = [int(i) for i in np.flatnonzero(resting & ~held)]
        if not self._quick or any(self.structure.carriers[i] - there for i in alone):
            return None
        burden, nothing = self._burden, np.zeros((self.structure.count, 3))
        clear_burden(burden)
        for body in alone:
            press(burden, body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        burden.held_from[:] = np.where(held, 0, NEVER_HELD)
        if not hand_down(self._supports, 0, nothing, nothing, burden):
            return None
        impulse = np.empty_like(nothing)
        settle(burden, nothing, nothing, impulse, np.empty_like(nothing))
        return Standing(impulse, nothing, ())

    def _stand(self, resting: np.ndarray, held: np.ndarray) -> Standing:
        structure, model = self.structure, self.structure.model
        state = copy_state(model.start)
        state.v[:], state.l[:] = 0.0, 0.0
        gone = structure.moves & ~resting
        state.x[gone, 2] = NOWHERE
        before = copy_state(state)
        plan = make_plan(CONSTANT, 0.0, {}, np.zeros(len(gone)), np.zeros(len(gone)))
        status = -1
        while status != 0:
            s = self._scratch
            s.detect.near.counts[:] = 0
            s.asleep[:] = gone
            s.ring[:] = np.arange(len(gone))
            status, _, _ = backward_step(holding(s, held), plan, self.params.dt, self.params, state, before)
            if status != 0:
                self._scratch = enlarge(s, status)
        impulse, torque = np.zeros((structure.count, 3)), np.zeros((structure.count, 3))
        for c in range(int(s.counts[CONTACTS])):
            at = self._row[int(s.contacts.part_a[c]), int(s.contacts.part_b[c]), int(s.contacts.feature[c])]
            impulse[at], torque[at] = s.kick.impulse[c], s.kick.torque[c]
        speed = norms(before.v) + norms(before.l) / (
            np.where(structure.moves, model.bodies.mass, 1.0) * np.maximum(model.bodies.size, 1e-9)
        )
        restless = np.flatnonzero(structure.moves & resting & ~held & ~(speed <= REST_OF_REMAINDER))
        falls = tuple(int(i) for i in restless if int(i) not in self._excused)
        return Standing(impulse, torque, falls)
