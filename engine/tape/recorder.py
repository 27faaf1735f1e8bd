"""Recorder: fills a tape from either end, a block at a time."""

from __future__ import annotations

from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.params import Params
from engine.tape.block import Block, block_of_reel
from engine.tape.reel import enlarge_reel, make_reel
from engine.tape.release import Releases
from engine.tape.spool import Spool
from engine.tape.tape import Tape

CONTACTS_AT_FIRST, PUSHES_AT_FIRST = 4096, 4096


class Recorder:
    """One run. `reel` is what kernels write to; `in_block` of its steps are written."""

    def __init__(self, model: Model, params: Params, state: State, energy: float, backward: bool) -> None:
        self.model, self.params, self.backward, self.first_energy = model, params, backward, energy
        n = state.x.shape[0]
        self.reel = make_reel(n, CONTACTS_AT_FIRST, PUSHES_AT_FIRST + n, len(model.joints.kind))
        self.in_block = 0
        self.done = 0  # steps in finished blocks
        self._spool = Spool()
        self._anchor = copy_state(state)

    def enlarge(self) -> None:
        self.reel = enlarge_reel(self.reel)

    def close_block(self, state: State) -> None:
        """The block is full, or the run over; the next one begins at `state`."""
        if self.in_block == 0 and len(self._spool):
            return
        self._spool.append(block_of_reel(self.reel, self.in_block, self._anchor, self.backward))
        self._anchor = copy_state(state)
        self.done += self.in_block
        self.in_block = 0

    def add(self, block: Block) -> None:
        """A block made elsewhere."""
        self._spool.append(block)
        self.done += block.steps

    def finish(
        self, state: State, damping: float = 0.0, linear_damping: float = 0.0, released: Releases | None = None
    ) -> Tape:
        """The tape of the steps recorded so far (a run that stopped early keeps what it has)."""
        self.close_block(state)
        if self.backward:
            self._spool.reverse()
        begun = self.model, self.params, self.backward, self._spool, self.first_energy
        return Tape(*begun, damping, released, linear_damping)
