"""The fast forward engine: settling and previews. Quick and steady, never certified."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.collide.narrow import make_narrow
from engine.collide.passing import make_passing
from engine.fast.candidates import make_candidates
from engine.fast.movers import AWAKE, MOVING, ROWS, begin_bodies, make_movers
from engine.fast.near import make_near
from engine.fast.pairs import Pairs, larger_pairs, make_pairs
from engine.fast.parts import OTHER, make_parts
from engine.fast.row_columns import GAP, FastRows, make_rows
from engine.fast.run import Work, run_steps
from engine.fast.sleep import list_awake
from engine.model.arrays import State
from engine.model.compile import Model
from engine.params import make_params
from engine.status import CONTACTS_FULL, PAIRS_FULL

NO_RECORD = State(np.zeros((0, 0, 3)), np.zeros((0, 0, 4)), np.zeros((0, 0, 3)), np.zeros((0, 0, 3)))


class FastWorld:
    """A compiled scene under way. `state` holds live arrays; `reset` starts over without compiling anything."""

    def __init__(
        self, model: Model, dt: float, gravity: Sequence[float] | np.ndarray | None = None, sleep: bool = True
    ) -> None:
        bodies = model.bodies
        self.model = model
        self.sleep = sleep
        g = model.gravity if gravity is None else gravity
        self.params = make_params(dt, (float(g[0]), float(g[1]), float(g[2])))
        self._moves = bodies.inverse_mass > 0.0
        parts, narrow, start = make_parts(model.geometry), make_narrow(model.geometry), model.start
        moving = int(self._moves.sum())
        self._others = bool((parts.kind == OTHER).any())
        self._work = Work(
            movers=make_movers(bodies, parts),
            parts=parts,
            near=make_near(model.geometry, narrow.cores, parts, self._moves, start.x, start.q),
            pairs=make_pairs(12 * moving + 64),
            narrow=narrow,
            passing=make_passing(model.geometry, bodies, np.zeros(0, np.int64)),
            found=make_candidates(),
            rows=make_rows(16 * moving + 64),
        )
        self._movers, self._near = self._work.movers, self._work.near
        self.state = State(self._movers.x, self._movers.q, self._movers.v, self._movers.l)
        self._place(start)
        self._movers.awake[:] = True  # once, for the frames of the static bodies
        list_awake(self._movers)
        begin_bodies(self._movers, parts, 0, self.params.dt)
        self.reset(start)

    def reset(self, state: State) -> None:
        """Start from this state, everything awake, no impulse remembered."""
        m = self._movers
        self._place(state)
        m.awake[:] = self._moves
        m.quiet[:] = 0.0
        m.travel[:] = 0.0
        m.spin_travel[:] = 0.0
        m.counts[:] = 0
        list_awake(m)
        m.counts[MOVING] = m.counts[AWAKE]
        self._near.margin[:] = -np.inf  # the list is old, whatever has turned how far
        self._pairs.counts[:] = 0

    def _place(self, state: State) -> None:
        for into, part in zip(self.state, state, strict=True):
            into[:] = part

    def run(self, steps: int, record: State | None = None) -> int:
        """Make `steps` steps; `record`, arrays (steps, n, 3 or 4), receives the state after each. Returns steps."""
        done, tape = 0, NO_RECORD if record is None else record
        while done < steps:
            made, status = run_steps(
                steps - done, self._work, self.model.bodies, self.params, self._others, self.sleep, tape, done
            )
            done += made
            if status & PAIRS_FULL:
                self._work = self._work._replace(pairs=larger_pairs(self._pairs, 2 * self._pairs.free.shape[0]))
                self._near.margin[:] = -np.inf
            if status & CONTACTS_FULL:
                self._work = self._work._replace(rows=make_rows(2 * self._rows.a.shape[0]))
        return done

    @property
    def _pairs(self) -> Pairs:
        return self._work.pairs

    @property
    def _rows(self) -> FastRows:
        return self._work.rows

    @property
    def asleep(self) -> np.ndarray:
        """(n,) bool: moving bodies that sleep."""
        return self._moves & ~self._movers.awake

    @property
    def at_rest(self) -> bool:
        return bool(self._movers.counts[AWAKE] == 0)

    def overlaps(self) -> np.ndarray:
        """Overlaps (m, positive) of the contacts of the last step that had any."""
        gap = self._rows.hot[: self._movers.counts[ROWS], GAP]
        return -gap[gap < 0.0]

    def penetration(self) -> float:
        """The deepest of them, m."""
        return float(self.overlaps().max(initial=0.0))
