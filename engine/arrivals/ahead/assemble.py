"""From arrivals to a tape: the flights side by side, and under them the structure that carries them.

What the contacts of the structure bear in a step follows from who rests then and from what the flights put on them. A
resting body is awake in a step, with all its contacts on record, when one of them bears something else than in the step
before, seen forward; else it sleeps, and bears what it bore.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from engine.arrivals.ahead.arrival import Arrival
from engine.arrivals.ahead.carry import Bears
from engine.arrivals.ahead.order import NEVER
from engine.arrivals.ahead.search import Search
from engine.contact.energy import own_energies
from engine.contact.tiers import HELD
from engine.model.arrays import State, copy_state
from engine.step.drift import drift
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
        self._there = self._last_step_there()
        self._pushed = self._by_step()
        self._bearing = search.bearing()
        self._landings: dict[int, list[Arrival]] = {}
        self._events: dict[int, list[tuple[Arrival, int]]] = {}
        for each in self.arrivals.values():
            self._landings.setdefault(each.first, []).append(each)
            for e, step in enumerate(each.event_step):
                if step >= each.moves_from:
                    self._events.setdefault(int(step), []).append((each, e))
        self._changes = self._when_bearing_changes()
        self.leaves_a_push = False  # known once the tape is made
        self._known: tuple[int, np.ndarray, Bears] | None = None
        self._parked: dict[int, State] = {}

    def tape(self) -> Tape:
        energy = self._energies()
        recorder = Recorder(self.model, self.params, self.model.start, float(energy[0]), backward=True)
        for first in range(0, self.steps, BLOCK_STEPS):
            recorder.add(self._block(first, min(first + BLOCK_STEPS, self.steps), energy))
        return recorder.finish(self.model.start)

    @property
    def let_go(self) -> np.ndarray:
        """(n,) int64: the step, counted from the ending, in whose state a body is let go; the last one for those under
        way, or at rest, from the start."""
        found = np.minimum(self._there, self.steps)
        held = self.search.held_from
        for body in map(int, np.flatnonzero(held < NEVER)):
            found[body] = self._until[self.search.order[held[body] - 1]] if held[body] else 0
        return found

    def _last_step_there(self) -> np.ndarray:
        """(n,) int64: the last step, counted from the ending, in which a body is part of what happens."""
        there = np.full(len(self.model.names), NEVER, np.int64)
        if self.search.ways.lets_go:
            for each in self.arrivals.values():
                there[each.body] = each.last
        return there

    def _block(self, first: int, last: int, energy: np.ndarray) -> Block:
        """Of the steps after `first`, counted from the ending."""
        asleep = np.zeros((last - first, len(self.model.names)), bool)
        contacts: list[Contacts] = []
        pushes: list[Pushes] = []
        for step in range(first + 1, last + 1):
            when = last - step  # in forward time
            strip, awake = self._contacts(step)
            asleep[when] = (self._resting(step) & ~awake) | (self._there < step)
            contacts.append((np.full(len(strip.tier), when), strip))
            for body, v, l in self._pushes(step, awake):
                pushes.append((np.array([when]), np.array([body], np.int32), v[None], l[None]))
        return block_of_pieces(contacts, pushes, asleep, energy[last:first:-1], self._state(first))

    # ---- contacts -------------------------------------------------------------------------------------------------

    def _when_bearing_changes(self) -> set[int]:
        """Steps in which the structure may bear something else than a step before, seen forward."""
        pushed = {int(step) for step in self._bearing.rests.others.step}
        left = {int(step) for step in self._until if step < NEVER}
        return {1, self.steps, *pushed, *(step - 1 for step in pushed), *left}

    def _contacts(self, step: int) -> tuple[Strip, np.ndarray]:
        """Contacts of a step, sorted as detection sorts them, and the resting bodies that are awake in it."""
        pieces = [
            Strip(*(column[each.start[e] : each.start[e + 1]] for column in each.strip))
            for each, e in self._events.get(step, ())
        ]
        awake = np.zeros(len(self.model.names), bool)
        if step in self._changes:
            awake, rows, bears = self._awake(step)
            piece = Strip(*(column[rows].copy() for column in self._sheet))
            piece.impulse[:] = bears.impulse[rows]
            piece.torque[:] = bears.torque[rows]
            for each in self._landings.get(step, ()):
                self._tell_landing(each, rows, piece)
            pieces.append(piece)
        if not pieces:
            return self._nothing, awake
        strip = Strip(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))
        held = self._held(step)
        if held.any():
            body = self.model.geometry.part_body
            strip.tier[held[body[strip.part_a]] | held[body[strip.part_b]]] = HELD
        order = np.lexsort((strip.feature, strip.part_b, strip.part_a))
        return Strip(*(column[order] for column in strip)), awake

    def _awake(self, step: int) -> tuple[np.ndarray, np.ndarray, Bears]:
        """(n,) who is awake among the resting, the contacts (rows of the structure) to write, and what all bear."""
        there, now = self._bears(step)
        a, b = self.structure.contacts.a, self.structure.contacts.b
        changed = there
        if 1 < step < self.steps:
            before, then = self._bears(step + 1)
            changed = there & (~before | _differ(now.impulse, then.impulse) | _differ(now.torque, then.torque))
        awake = np.zeros(len(self.model.names), bool)
        awake[a[changed]] = True
        awake[b[changed]] = True
        for each in self._landings.get(step, ()):
            awake[each.body] = each.moves_from > step
        awake &= self._resting(step) & ~self._held(step)
        return awake, np.flatnonzero(there & (awake[a] | awake[b])), now

    def _bears(self, step: int) -> tuple[np.ndarray, Bears]:
        """(C,) which contacts of the structure are there, and what they bear."""
        if self._known is None or self._known[0] != step:
            resting = self._resting(step)
            present = resting | ~self.structure.moves
            a, b = self.structure.contacts.a, self.structure.contacts.b
            bears = self._bearing.at(step) if self._bearing.pressed_at(step) else None
            # What was given up since may leave a push that nothing carries: written as it is, it is judged ASSISTED.
            if bears is None:
                self.leaves_a_push |= bool(self._bearing.pressed_at(step))
                standing = self.search.remainders.standing(resting, self._held(step))
                bears = Bears(standing.impulse, standing.torque)
            self._known = (step, present[a] & present[b], bears)
        return self._known[1:]

    def _tell_landing(self, each: Arrival, rows: np.ndarray, piece: Strip) -> None:
        """Tiers and closing speeds of the contacts of one who comes to rest in this step."""
        if each.moves_from == each.first or not len(each.event_step):
            return
        contacts = self.structure.contacts
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

    def _resting(self, step: int) -> np.ndarray:
        """(n,) bool: whose contacts are the structure's in that step."""
        return self.structure.moves & (self._until >= step)

    def _held(self, step: int) -> np.ndarray:
        """(n,) bool: whom a hand holds in that step."""
        resting = self._resting(step)
        return self.search.held(resting, int((self._until[self.search.order] < step).sum()))

    # ---- bodies ---------------------------------------------------------------------------------------------------

    def _by_step(self) -> dict[int, list[tuple[int, np.ndarray, np.ndarray]]]:
        """(body, v, l) reached in a step by those under way whom free flight does not explain, and by those who are in
        a hand there: they stand still."""
        gravity = np.array([self.params.gravity_x, self.params.gravity_y, self.params.gravity_z])
        found: dict[int, list[tuple[int, np.ndarray, np.ndarray]]] = {}
        for each in self.arrivals.values():
            v, l = each.v.copy(), each.l.copy()
            v[0], l[0] = 0.0, 0.0
            free = (v[1:] == v[:-1] + -self.params.dt * gravity).all(axis=1) & (l[1:] == l[:-1]).all(axis=1)
            for i in np.flatnonzero(~free):
                found.setdefault(each.first + int(i), []).append((each.body, v[i + 1], l[i + 1]))
            if self._there[each.body] < self.steps:
                found.setdefault(each.last + 1, []).append((each.body, np.zeros(3), np.zeros(3)))
        return found

    def _pushes(self, step: int, awake: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """(body, v, l) reached in a step, of those whom free flight does not explain."""
        under_way = self._pushed.get(step, [])
        names = {body for body, _, _ in under_way}
        found = [(int(i), np.zeros(3), np.zeros(3)) for i in np.flatnonzero(awake) if int(i) not in names]
        yield from sorted(found + under_way, key=lambda one: one[0])

    def _state(self, step: int) -> State:
        """Of everybody; whoever is in a hand stands a step's drift before where it was let go."""
        state = copy_state(self.model.start)
        for each in self.arrivals.values():
            if each.first <= step <= each.last:
                for part, own in zip(state, each.state(step), strict=True):
                    part[each.body] = own
            elif step > each.last:
                for part, own in zip(state, self._in_hand(each), strict=True):
                    part[each.body] = own
        return state

    def _in_hand(self, each: Arrival) -> State:
        """Where opening the tape finds a body before it is let go: its last state, drifted back by a step, stopped."""
        if each.body not in self._parked:
            let_go = each.state(each.last)
            one = slice(each.body, each.body + 1)
            x, q = np.empty((1, 3)), np.empty((1, 4))
            drift(
                let_go.x[None], let_go.q[None], let_go.v[None], let_go.l[None],
                np.ascontiguousarray(self.model.bodies.inverse_inertia[one]), -self.params.dt, x, q, np.empty((1, 3)),
            )  # fmt: skip
            self._parked[each.body] = State(x[0], q[0], np.zeros(3), np.zeros(3))
        return self._parked[each.body]

    def _energies(self) -> np.ndarray:
        """(steps + 1,) J of all moving bodies, from the ending backward; whoever is in a hand counts as at rest."""
        model, bodies = self.model, self.model.bodies
        resting = np.zeros(len(model.names))
        own_energies(bodies, self.params, self._state(0), resting)
        total = np.full(self.steps + 1, resting.sum())
        for each in self.arrivals.values():
            count = len(each.x) - 1
            alike = bodies._replace(  # the same body, once per step
                mass=np.repeat(bodies.mass[each.body], count),
                inverse_mass=np.repeat(bodies.inverse_mass[each.body], count),
                inverse_inertia=np.repeat(bodies.inverse_inertia[each.body][None], count, axis=0),
            )
            own = np.zeros(count)
            own_energies(alike, self.params, State(each.x[1:], each.q[1:], each.v[1:], each.l[1:]), own)
            total[each.first : each.last + 1] += own - resting[each.body]
        return total


def _differ(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(C,) which rows (C, 3) are not the same. By columns: numpy is slow along short axes."""
    other = a != b
    found: np.ndarray = other[:, 0] | other[:, 1] | other[:, 2]
    return found
