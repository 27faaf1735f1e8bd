"""From arrivals to a tape: the flights side by side, and under them the structure that carries them.

A resting body sleeps through a step unless something touches its part of the structure then; in the first step, and
when a neighbour has just left, what it bears is written once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.arrivals.ahead.arrival import Arrival
from engine.arrivals.ahead.carry import Bears
from engine.arrivals.ahead.search import Search
from engine.contact.energy import own_energies
from engine.model.arrays import State, copy_state
from engine.tape.block import Block
from engine.tape.pieces import Contacts, Pushes, block_of_pieces, strip_of
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS, Strip
from engine.tape.tape import Tape


class Assembly:
    """Writes the tape of a finished search."""

    def __init__(self, search: Search) -> None:
        self.search, self.structure = search, search.structure
        self.model, self.params, self.steps = search.structure.model, search.params, search.steps
        self.arrivals: Mapping[int, Arrival] = search.found
        self._sheet = strip_of(search.structure.count, search.structure.columns)  # bearing nothing yet
        self._nothing = Strip(*(column[:0] for column in self._sheet))
        self._until = search.until()
        self._pushed = self._by_step()
        self._bearing = search.bearing()
        self._fresh = {1, *(each.moves_from for each in self.arrivals.values())}
        self._events: dict[int, list[tuple[Arrival, int]]] = {}
        for each in self.arrivals.values():
            for e, step in enumerate(each.event_step):
                if step >= each.moves_from:
                    self._events.setdefault(int(step), []).append((each, e))

    def tape(self) -> Tape:
        energy = self._energies()
        recorder = Recorder(self.model, self.params, self.model.start, float(energy[0]), backward=True)
        for first in range(0, self.steps, BLOCK_STEPS):
            recorder.add(self._block(first, min(first + BLOCK_STEPS, self.steps), energy))
        return recorder.finish(self.model.start)

    def _block(self, first: int, last: int, energy: np.ndarray) -> Block:
        """Of the steps after `first`, counted from the ending."""
        asleep = np.zeros((last - first, len(self.model.names)), bool)
        contacts: list[Contacts] = []
        pushes: list[Pushes] = []
        for step in range(first + 1, last + 1):
            when = last - step  # in forward time
            strip, awake = self._contacts(step)
            asleep[when] = self._resting(step) & ~awake
            contacts.append((np.full(len(strip.tier), when), strip))
            for body, v, l in self._pushes(step, awake):
                pushes.append((np.array([when]), np.array([body], np.int32), v[None], l[None]))
        return block_of_pieces(contacts, pushes, asleep, energy[last:first:-1], self._state(first))

    def _contacts(self, step: int) -> tuple[Strip, np.ndarray]:
        """Contacts of a step, sorted as detection sorts them, and the resting bodies that are awake in it."""
        search, structure = self.search, self.structure
        pieces = [
            Strip(*(column[each.start[e] : each.start[e + 1]] for column in each.strip))
            for each, e in self._events.get(step, ())
        ]
        awake = np.zeros(len(self.model.names), bool)
        touched = self._bearing.pressed_at(step)
        if touched or step in self._fresh:
            resting = self._resting(step)
            standing = search.remainders.standing(resting)
            # What was given up since may leave a push that nothing carries: written as it is, it is judged ASSISTED.
            bears = (self._bearing.at(step) if touched else None) or Bears(standing.impulse, standing.torque)
            if step in self._fresh:
                touched |= self._freshly_left(step, resting)
            awake[list(structure.neighbours(touched, resting))] = True
            a, b = structure.contacts.a, structure.contacts.b
            there = (awake[a] | awake[b]) & (awake | ~structure.moves)[a] & (awake | ~structure.moves)[b]
            rows = np.flatnonzero(there)
            piece = Strip(*(column[rows].copy() for column in self._sheet))
            piece.impulse[:] = bears.impulse[rows]
            piece.torque[:] = bears.torque[rows]
            self._tell_landings(step, rows, piece)
            pieces.append(piece)
        if not pieces:
            return self._nothing, awake
        strip = Strip(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))
        order = np.lexsort((strip.feature, strip.part_b, strip.part_a))
        return Strip(*(column[order] for column in strip)), awake

    def _tell_landings(self, step: int, rows: np.ndarray, piece: Strip) -> None:
        """Tiers and closing speeds of the contacts of those who come to rest in this step."""
        contacts = self.structure.contacts
        for each in self.arrivals.values():
            if each.first != step or each.moves_from == step:
                continue
            own = np.flatnonzero((contacts.a[rows] == each.body) | (contacts.b[rows] == each.body))
            met = slice(int(each.start[0]), int(each.start[1]))
            names = {
                name: i
                for i, name in enumerate(
                    zip(each.strip.part_a[met], each.strip.part_b[met], each.strip.feature[met], strict=True)
                )
            }
            for r in own:
                i = names.get((piece.part_a[r], piece.part_b[r], piece.feature[r]))
                if i is not None:
                    piece.tier[r], piece.before[r] = each.strip.tier[met][i], each.strip.before[met][i]
                    piece.restitution[r] = 0.0 if piece.tier[r] else piece.restitution[r]

    def _freshly_left(self, step: int, resting: np.ndarray) -> set[int]:
        """Resting bodies whose neighbour is gone for the first time in this step; all of them in the first."""
        if step == 1:
            return {int(i) for i in np.flatnonzero(resting)}
        left = [each.body for each in self.arrivals.values() if each.moves_from == step]
        return {int(o) for body in left for o in self.structure.others_of(body) if resting[o]}

    def _resting(self, step: int) -> np.ndarray:
        """(n,) bool: whose contacts are the structure's in that step."""
        return self.structure.moves & (self._until >= step)

    def _by_step(self) -> dict[int, list[tuple[int, np.ndarray, np.ndarray]]]:
        """(body, v, l) reached in a step by those under way whom free flight does not explain."""
        gravity = np.array([self.params.gravity_x, self.params.gravity_y, self.params.gravity_z])
        found: dict[int, list[tuple[int, np.ndarray, np.ndarray]]] = {}
        for each in self.arrivals.values():
            v, l = each.v[each.first - 1 :].copy(), each.l[each.first - 1 :].copy()
            v[0], l[0] = 0.0, 0.0
            free = (v[1:] == v[:-1] + -self.params.dt * gravity).all(axis=1) & (l[1:] == l[:-1]).all(axis=1)
            for i in np.flatnonzero(~free):
                found.setdefault(each.first + int(i), []).append((each.body, v[i + 1], l[i + 1]))
        return found

    def _pushes(self, step: int, awake: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """(body, v, l) reached in a step, of those whom free flight does not explain."""
        under_way = self._pushed.get(step, [])
        names = {body for body, _, _ in under_way}
        found = [(int(i), np.zeros(3), np.zeros(3)) for i in np.flatnonzero(awake) if int(i) not in names]
        return sorted(found + under_way, key=lambda one: one[0])

    def _state(self, step: int) -> State:
        state = copy_state(self.model.start)
        for each in self.arrivals.values():
            if step >= each.first:
                for part, path in zip(state, (each.x, each.q, each.v, each.l), strict=True):
                    part[each.body] = path[step]
        return state

    def _energies(self) -> np.ndarray:
        """(steps + 1,) J of all moving bodies, from the ending backward."""
        model, bodies = self.model, self.model.bodies
        resting = np.zeros(len(model.names))
        own_energies(bodies, self.params, self._state(0), resting)
        total = np.full(self.steps + 1, resting.sum())
        for each in self.arrivals.values():
            count = self.steps + 1 - each.first
            alike = bodies._replace(  # the same body, once per step
                mass=np.repeat(bodies.mass[each.body], count),
                inverse_mass=np.repeat(bodies.inverse_mass[each.body], count),
                inverse_inertia=np.repeat(bodies.inverse_inertia[each.body][None], count, axis=0),
            )
            own = np.zeros(count)
            x, q, v, l = (part[each.first : self.steps + 1] for part in (each.x, each.q, each.v, each.l))
            own_energies(alike, self.params, State(x, q, v, l), own)
            total[each.first :] += own - resting[each.body]
        return total
