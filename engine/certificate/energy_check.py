"""That the energies a take tells are those of its states. Whoever is in a hand counts as at rest, where it ends."""

from __future__ import annotations

import numpy as np

from engine.contact.energy import own_energies
from engine.jit import kernel
from engine.model.arrays import copy_state
from engine.model.states import recall_state
from engine.tape.take import Take
from engine.tape.tape import Opened

SAME_ENERGY = 1e-12  # relative to the largest: sums are made in another order where motions were found one by one


@kernel
def _add_up(bodies, params, path, release, resting, state, own, energy):
    for j in range(energy.shape[0]):
        recall_state(path, j, state)
        own_energies(bodies, params, state, own)
        energy[j] = 0.0
        for body in range(own.shape[0]):
            energy[j] += own[body] if j >= release[body] else resting[body]


class EnergyCheck:
    """Sees the blocks of a take in turn."""

    def __init__(self, take: Take) -> None:
        self.take, tape = take, take.tape
        self.found: list[str] = []
        self._told = tape.energy
        self._scale = SAME_ENERGY * max(float(np.abs(self._told).max(initial=0.0)), 1e-12)
        last = tape.state(tape.steps)
        self._work, self._own, self._resting = copy_state(last), np.zeros(len(last.x)), np.zeros(len(last.x))
        own_energies(tape.model.bodies, tape.params, last, self._resting)

    def see(self, opened: Opened) -> None:
        """The next block."""
        if self.found:
            return
        tape, found = self.take.tape, np.zeros(opened.block.steps + 1)
        release = opened.releases.step - opened.first
        _add_up(tape.model.bodies, tape.params, opened.states, release, self._resting, self._work, self._own, found)
        off = np.abs(found - self._told[opened.first : opened.first + len(found)])
        wrong = np.flatnonzero(~(off <= self._scale))
        if len(wrong):
            time = float(self.take.times[opened.first + wrong[0]])
            self.found.append(f"the take tells other energies than its motion has ({time:.3f} s)")
