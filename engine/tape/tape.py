"""Tape: the record of one run, in forward time: k states, and for each of the k - 1 steps between them its kick.

State i is (x, q, v, l) at time i dt with the velocities *before* the kick there. Step i kicks at the configuration of
state i and drifts to state i + 1. Contacts of sleeping bodies are written once, when they fall asleep. A tape is a row
of compact blocks (block.py) that are opened when somebody looks; whole arrays of long takes are better left unasked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.collide.recorded import place_by_step
from engine.contact.kick import CONTACTS
from engine.jit import kernel
from engine.joint.linkage import copy_contacts
from engine.model.arrays import Contacts, State
from engine.model.compile import Model
from engine.params import Params
from engine.record import Record
from engine.tape.block import Block, block_of_states
from engine.tape.reel import JointStrip, Strip
from engine.tape.release import Releases, from_the_start
from engine.tape.spool import Spool

OPEN_BLOCKS = 4  # opened blocks kept for the next look


@dataclass(frozen=True)
class Opened:
    """A block with its states and placed contacts. Step first + j is row j; contact rows start[j]:start[j+1]."""

    first: int  # step of the tape
    block: Block
    states: State  # (s + 1, n, ...)
    contacts: Contacts
    asleep: np.ndarray  # (s, n) bool
    joint_count: int
    releases: Releases

    def column(self, name: str) -> np.ndarray:
        return self.block.column(name)

    @property
    def start(self) -> np.ndarray:
        return self.block.contact_start

    @property
    def joints(self) -> JointStrip:
        return self.block.joints(self.joint_count)

    def recorded(self) -> Recorded:
        """As kernels see it."""
        columns = {name: self.column(name) for name in Recorded._fields if name in Strip._fields}
        return Recorded(
            start=self.start,
            states=self.states,
            contacts=self.contacts,
            asleep=self.asleep,
            joints=self.joints,
            release=self.releases.step - self.first,
            there=self.releases.there - self.first,
            **columns,
        )

    def rows(self, step: int) -> slice:
        """Contact rows of a step of the tape."""
        j = step - self.first
        return slice(int(self.start[j]), int(self.start[j + 1]))


class Recorded(Record):
    """An opened block: s steps of n bodies with C contacts, those of step j are start[j]:start[j + 1]."""

    start: np.ndarray  # (s + 1,) int64
    states: State  # (s + 1, n, ...)
    contacts: Contacts
    hold: np.ndarray  # (C,) ...       what was decided and found (reel.Strip)
    forced: np.ndarray
    impulse: np.ndarray
    torque: np.ndarray
    restitution: np.ndarray
    friction: np.ndarray
    rolling: np.ndarray
    tier: np.ndarray
    before: np.ndarray
    after: np.ndarray
    asleep: np.ndarray  # (s, n) bool
    joints: JointStrip
    release: np.ndarray  # (n,) int64  first step of the block in which physics has a body (release.py)
    there: np.ndarray  # (n,) int64    and in which it is there, held until then


@kernel
def recall_contacts(recorded, step, s):
    """Contacts of a step with what was decided about them and their impulses, into a scratch."""
    first, kick = recorded.start[step], s.kick
    s.counts[CONTACTS] = recorded.start[step + 1] - first
    copy_contacts(recorded.contacts, first, s.counts[CONTACTS], s.contacts)
    for c in range(s.counts[CONTACTS]):
        i = first + c
        kick.hold[c] = recorded.hold[i]
        kick.forced[c] = recorded.forced[i]
        kick.restitution[c] = recorded.restitution[i]
        kick.friction[c] = recorded.friction[i]
        kick.rolling[c] = recorded.rolling[i]
        for k in range(3):
            kick.impulse[c, k] = recorded.impulse[i, k]
            kick.torque[c, k] = recorded.torque[i, k]


@dataclass(frozen=True)
class Tape:
    model: Model
    params: Params
    backward: bool
    blocks: Spool
    first_energy: float  # J, of the state the run began with
    damping: float = 0.0  # 1/s, angular damping (Twigg and James 2008): an outside torque on every step
    released: Releases | None = None  # None: everybody is under way from the start
    linear_damping: float = 0.0  # 1/s, of the same: an outside force on every step
    _opened: OrderedDict[int, Opened] = field(default_factory=OrderedDict, repr=False, compare=False)

    @cached_property
    def releases(self) -> Releases:
        return self.released if self.released is not None else from_the_start(len(self.model.names))

    @cached_property
    def _bounds(self) -> np.ndarray:
        """(blocks + 1,) first step of every block."""
        return np.concatenate([[0], np.cumsum([block.steps for block in self.blocks])]).astype(np.int64)

    @property
    def steps(self) -> int:
        return int(self._bounds[-1])

    @cached_property
    def energy(self) -> np.ndarray:
        """(k,) J."""
        first = np.array([self.first_energy])
        rest = [block.energy for block in self.blocks]
        return np.concatenate([*rest, first] if self.backward else [first, *rest])

    @cached_property
    def start(self) -> np.ndarray:
        """(k,) int64: first contact row of step i, counted over the whole tape; the last is their number."""
        counts = [np.diff(block.contact_start) for block in self.blocks]
        return np.concatenate([[0], np.cumsum(np.concatenate([*counts, np.zeros(0, np.int64)]))]).astype(np.int64)

    @cached_property
    def residual(self) -> np.ndarray:
        """(k-1,) relative residual that the kicks' solves reached."""
        return np.concatenate([*(block.residual for block in self.blocks), np.zeros(0)])

    def opened(self) -> Iterator[Opened]:
        """Every block in turn. None is kept open."""
        for i in range(len(self.blocks)):
            yield self._open(i)

    def _open(self, i: int) -> Opened:
        block, model = self.blocks[i], self.model
        states = block.states(self.params, model.bodies, self.backward)
        contacts = block.contacts(model.geometry.part_body)
        place_by_step(block.contact_start, contacts, states.x, states.q)
        joints = len(model.joints.kind)
        return Opened(int(self._bounds[i]), block, states, contacts, block.asleep, joints, self.releases)

    def at_step(self, i: int) -> Opened:
        """The opened block with step i (the last state belongs to the last block)."""
        index = int(np.clip(np.searchsorted(self._bounds, i, "right") - 1, 0, len(self.blocks) - 1))
        if index not in self._opened:
            self._opened[index] = self._open(index)
            while len(self._opened) > OPEN_BLOCKS:
                self._opened.popitem(last=False)
        return self._opened[index]

    def state(self, i: int) -> State:
        opened = self.at_step(i)
        return State(*(part[i - opened.first] for part in opened.states))

    def _whole(self, part: str) -> np.ndarray:
        """(k, n, ...) of all states."""
        pieces = [getattr(opened.states, part) for opened in self.opened()]
        return np.concatenate([*(piece[:-1] for piece in pieces), pieces[-1][-1:]])

    @cached_property
    def x(self) -> np.ndarray:
        """(k, n, 3) m, centres of mass."""
        return self._whole("x")

    @cached_property
    def q(self) -> np.ndarray:
        """(k, n, 4)."""
        return self._whole("q")

    @cached_property
    def v(self) -> np.ndarray:
        """(k, n, 3) m/s."""
        return self._whole("v")

    @cached_property
    def l(self) -> np.ndarray:  # noqa: E743
        """(k, n, 3) kg m^2/s."""
        return self._whole("l")

    @cached_property
    def asleep(self) -> np.ndarray:
        """(k-1, n) bool: who sleeps through a step."""
        return np.concatenate([block.asleep for block in self.blocks])

    def contact_column(self, name: str) -> np.ndarray:
        """One column of all recorded contacts: of Contacts (placed) or of Strip."""
        if name in Strip._fields and name != "normal":
            pieces = [block.column(name) for block in self.blocks]
        else:
            pieces = [getattr(opened.contacts, name) for opened in self.opened()]
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def joint_column(self, name: str) -> np.ndarray:
        """One column of JointStrip over the whole tape: (k-1, J, ...)."""
        count = len(self.model.joints.kind)
        return np.concatenate([getattr(block.joints(count), name) for block in self.blocks])

    def spread(self) -> Tape:
        """The same tape as one block that holds every state and column as it is."""
        blocks = list(self.blocks)
        reached = np.delete(self.energy, -1 if self.backward else 0)
        block = block_of_states(State(self.x, self.q, self.v, self.l), reached)
        arrays = {**block.arrays, "contact_start": self.start, "residual": self.residual}
        arrays["asleep"] = np.packbits(self.asleep, axis=1)
        arrays |= {name: np.concatenate([each.column(name) for each in blocks]) for name in Strip._fields}
        if len(self.model.joints.kind):
            arrays |= {name: self.joint_column(name) for name in JointStrip._fields}
        spool = Spool()
        spool.append(Block(self.steps, block.bodies, arrays))
        begun = self.model, self.params, self.backward, spool, self.first_energy
        return Tape(*begun, self.damping, self.released, self.linear_damping)
