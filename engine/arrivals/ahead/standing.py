"""Does what is left of a structure stand by itself? The engine's own step answers, and what every contact bears.

Where bodies touch sideways, what they bear is not unique: a solver may squeeze a row of bricks between its ends by many
times their weight, and nothing that lands is carried then, since friction is used up. So such a structure is first
asked to stand without its sides, each body on what it rests on alone.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from engine.algebra import norms
from engine.arrivals.ahead.supports import clear_burden, hand_down, make_burden, press, supports_of
from engine.arrivals.structure import Structure
from engine.contact.kick import CONTACTS
from engine.decide.plan import CONSTANT, make_plan
from engine.model.arrays import copy_state
from engine.params import Params
from engine.rest import REST_OF_REMAINDER
from engine.step.backward import backward_step
from engine.step.scratch import Scratch, enlarge, make_scratch

FAR_OFF = -1e6  # m: where bodies are put that are not part of what is left


@dataclass(frozen=True)
class Standing:
    """Impulses of a step at rest for the contacts of the structure (zero where a body is gone)."""

    impulse: np.ndarray  # (C, 3) N s on body a
    torque: np.ndarray  # (C, 3) N m s
    falls: tuple[int, ...]  # bodies that do not stay where they are, without the excused; empty when all stand


class Remainders:
    """What is left of a structure, for any set of bodies that rest."""

    def __init__(self, structure: Structure, params: Params) -> None:
        self.structure, self.params = structure, params
        self._scratch: Scratch = make_scratch(structure.model)
        self._known: dict[bytes, Standing] = {}
        self._excused: frozenset[int] = frozenset()
        self._supports = supports_of(structure, params)
        self._burden = make_burden(self._supports)
        self._touch_sideways = any(structure.beside)
        contacts = structure.contacts
        names = zip(contacts.part_a, contacts.part_b, contacts.feature, strict=True)
        self._row = {(int(a), int(b), int(f)): c for c, (a, b, f) in enumerate(names)}

    def standing(self, resting: np.ndarray) -> Standing:
        """resting: (n,) bool."""
        key = np.packbits(resting).tobytes()
        if key not in self._known:
            self._known[key] = self._stand_alone(resting) or self._stand(resting)
        return self._known[key]

    def excuse(self, bodies: Set[int]) -> None:
        """These do not stand, whoever is there: from now on it is not asked of them."""
        self._excused |= bodies
        self._known.clear()

    def _stand_alone(self, resting: np.ndarray) -> Standing | None:
        """Contacts between neighbours bear nothing; None where somebody needs them, or nobody has any, or where what
        carries a body has left."""
        there = {int(i) for i in np.flatnonzero(resting)}
        if not self._touch_sideways or any(self.structure.carriers[i] - there for i in there):
            return None
        burden, nothing = self._burden, np.zeros((self.structure.count, 3))
        clear_burden(burden)
        for body in sorted(there):
            press(burden, body, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        if not hand_down(self._supports, nothing, nothing, burden):
            return None
        return Standing(burden.impulse.copy(), nothing, ())

    def _stand(self, resting: np.ndarray) -> Standing:
        structure, model = self.structure, self.structure.model
        state = copy_state(model.start)
        state.v[:], state.l[:] = 0.0, 0.0
        gone = structure.moves & ~resting
        state.x[gone, 2] = FAR_OFF
        before = copy_state(state)
        plan = make_plan(CONSTANT, 0.0, {}, np.zeros(len(gone)), np.zeros(len(gone)))
        status = -1
        while status != 0:
            s = self._scratch
            s.detect.near.counts[:] = 0
            s.asleep[:] = gone
            s.ring[:] = np.arange(len(gone))
            status, _, _ = backward_step(s, plan, self.params.dt, self.params, state, before)
            if status != 0:
                self._scratch = enlarge(s, status)
        impulse, torque = np.zeros((structure.count, 3)), np.zeros((structure.count, 3))
        for c in range(int(s.counts[CONTACTS])):
            at = self._row[int(s.contacts.part_a[c]), int(s.contacts.part_b[c]), int(s.contacts.feature[c])]
            impulse[at], torque[at] = s.kick.impulse[c], s.kick.torque[c]
        speed = norms(before.v) + norms(before.l) / (
            np.where(structure.moves, model.bodies.mass, 1.0) * np.maximum(model.bodies.size, 1e-9)
        )
        restless = np.flatnonzero(structure.moves & resting & ~(speed <= REST_OF_REMAINDER))
        falls = tuple(int(i) for i in restless if int(i) not in self._excused)
        return Standing(impulse, torque, falls)
