"""Motion: how one body came to rest on a level plane, as a record that can be moved as a whole.

Written are the resting pose, the velocities before every kick with a contact, and the contacts with their impulses;
everything between is free flight and is flown again. Steps count from the first state; the body rests in state `steps`
and the kick of that state, its weight borne by the plane, is the last one recorded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import determinant, norms, times
from engine.arrivals.dropped.ground import Ground
from engine.contact.kick import GHOST
from engine.factors import singular
from engine.model.arrays import Bodies, State
from engine.model.compile import Model
from engine.params import Params
from engine.rest import REST_OF_DROP
from engine.tape.block import Pushed, fly_backward
from engine.tape.tape import Tape

COLUMNS = {
    **{name: np.int8 for name in ("kind_a", "kind_b", "hold", "forced", "tier")},
    "part_a": np.int32,
    "feature": np.int64,
    **{name: np.float64 for name in ("point_a", "dir_a", "circle_a", "impulse", "torque")},
    **{name: np.float64 for name in ("restitution", "friction", "rolling")},
    **{name: np.float32 for name in ("before", "after")},
}
"""Columns of a contact (tape/reel.py, Strip) that are the body's own. The others are the ground's, and there once a
motion has been moved to some (`Motion.moved`)."""


@dataclass(frozen=True)
class Motion:
    steps: int
    x: np.ndarray  # (3,) m   resting pose of the centre of mass
    q: np.ndarray  # (4,)
    step: np.ndarray  # (e,) int32     kicks with contacts, increasing, the last one at rest
    v: np.ndarray  # (e, 3) m/s        velocities before those kicks
    l: np.ndarray  # (e, 3)
    start: np.ndarray  # (e + 1,) int32  contacts of each
    contacts: dict[str, np.ndarray]  # see COLUMNS

    def flown(self, params: Params, bodies: Bodies, row: int) -> State:
        """All states, arrays (steps + 1, ...), of body `row`."""
        states = State(*(np.zeros((self.steps + 1, 1, width)) for width in (3, 4, 3, 3)))
        states.x[-1, 0], states.q[-1, 0] = self.x, self.q
        moving = self.step < self.steps
        starts = np.searchsorted(self.step[moving], np.arange(self.steps + 1)).astype(np.int64)
        fly_backward(
            params, bodies.inverse_mass[row : row + 1], bodies.inverse_inertia[row : row + 1],
            np.zeros((self.steps, 1), bool), Pushed(starts, np.zeros(len(self.step), np.int32), self.v, self.l), states,
            np.zeros((1, 3)),
        )  # fmt: skip
        return State(*(np.ascontiguousarray(part[:, 0]) for part in states))

    def moved(
        self, world: np.ndarray, body: np.ndarray, heavier: float, x: np.ndarray, q: np.ndarray, ground: Ground
    ) -> Motion:
        """Turned or mirrored by `world`, with the body's points relabelled by its symmetry `body` and its mass times
        `heavier`, to rest at (x, q) on other ground. The motion's own body must have part 0.

        World points go p -> world p, so momentum, a pseudovector, takes the sign of a mirror."""
        turn = heavier * world
        spin = turn if determinant(world) > 0.0 else -turn
        contacts = dict(self.contacts)
        for name, by in (("point_a", body), ("dir_a", body), ("impulse", turn), ("torque", spin)):
            contacts[name] = times(self.contacts[name], by.T)
        count = len(contacts["feature"])
        contacts["part_a"] = contacts["part_a"] + np.int32(ground.own)
        contacts["part_b"] = np.full(count, ground.part, np.int32)
        contacts["circle_b"] = np.zeros(count)
        for name, value in (("point_b", ground.point), ("dir_b", ground.facing), ("normal", ground.normal)):
            contacts[name] = np.repeat(value[None], count, axis=0)
        return replace(self.turned(world, heavier, x, q), contacts=contacts)

    def turned(self, world: np.ndarray, heavier: float, x: np.ndarray, q: np.ndarray) -> Motion:
        """The same without its contacts: enough to fly it."""
        spin = heavier * world if determinant(world) > 0.0 else -(heavier * world)
        return replace(self, x=x, q=q, v=times(self.v, world.T), l=times(self.l, spin.T))

    def after(self, cut: int) -> Motion:
        """The part from state `cut` on."""
        first = int(np.searchsorted(self.step, cut))
        rows = slice(int(self.start[first]), None)
        return replace(
            self,
            steps=self.steps - cut,
            step=self.step[first:] - cut,
            v=self.v[first:],
            l=self.l[first:],
            start=self.start[first:] - self.start[first],
            contacts={name: column[rows] for name, column in self.contacts.items()},
        )

    def preceded_by(self, tape: Tape, row: int) -> Motion:
        """The same with a taped run of the body before it, which ends in its first state, on the same ground."""
        run = _Run(tape, row, self.contacts)
        step, v, l, start, contacts = run.events(0, tape.steps)
        return replace(
            self,
            steps=tape.steps + self.steps,
            step=np.concatenate([step, self.step + np.int32(tape.steps)]),
            v=np.concatenate([v, self.v]),
            l=np.concatenate([l, self.l]),
            start=np.concatenate([start[:-1], start[-1] + self.start]).astype(np.int32),
            contacts={name: np.concatenate([contacts[name], self.contacts[name]]) for name in self.contacts},
        )


def motion_of(tape: Tape, model: Model, row: int) -> Motion | None:
    """The motion of a forward tape's body up to its rest; None when it does not come to rest."""
    run = _Run(tape, row, COLUMNS)
    x, q, v, l = run.states
    if v[-1].any() or l[-1].any():
        return None
    sleeps = int(np.flatnonzero(~tape.asleep[:, row])[-1])  # the kick in which it falls asleep bears its weight
    stiff = float(singular(model.bodies.inverse_inertia[row]).values[0])
    fast = norms(v) + norms(l) * stiff * model.bodies.size[row]
    moving = np.flatnonzero(fast[: sleeps + 1] > REST_OF_DROP)
    rests = int(moving[-1]) + 1 if len(moving) else 0
    if rests > sleeps:
        return None
    step, v, l, start, contacts = run.events(0, rests)
    *_, count, last = run.events(sleeps, sleeps + 1)
    return Motion(
        steps=rests,
        x=x[sleeps].copy(),
        q=q[sleeps].copy(),
        step=np.append(step, np.int32(rests)),
        v=np.concatenate([v, np.zeros((1, 3))]),
        l=np.concatenate([l, np.zeros((1, 3))]),
        start=np.append(start, start[-1] + count[-1]).astype(np.int32),
        contacts={name: np.concatenate([contacts[name], last[name]]) for name in COLUMNS},
    )


class _Run:
    """States and contacts of one body of a tape, read once."""

    def __init__(self, tape: Tape, row: int, names: Iterable[str]) -> None:
        opened = list(tape.opened())
        parts = ([getattr(each.states, part)[:, row] for each in opened] for part in State._fields)
        self.states = State(*(np.concatenate([*(a[:-1] for a in part), part[-1][-1:]]) for part in parts))
        self._columns = {name: np.concatenate([each.column(name) for each in opened]) for name in names}
        self._gap = np.concatenate([each.contacts.gap for each in opened])
        self._start, self._slop = tape.start, tape.params.slop

    def events(
        self, first: int, end: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Kicks with contacts in steps first .. end: (step, v, l, start, contacts). Contacts that came near and were
        not touched are left out: the certificate of the run itself has seen them."""
        count = np.diff(self._start[first : end + 1])
        rows = slice(int(self._start[first]), int(self._start[end]))
        columns = {name: column[rows] for name, column in self._columns.items()}
        touched = (columns["impulse"] != 0.0).any(axis=1) | (self._gap[rows] <= self._slop)
        touched &= columns["hold"] != GHOST
        step, each = np.unique(np.repeat(np.arange(first, end), count)[touched], return_counts=True)
        start = np.concatenate([[0], np.cumsum(each)]).astype(np.int32)
        contacts = {name: column[touched].astype(COLUMNS.get(name, column.dtype)) for name, column in columns.items()}
        return step.astype(np.int32), self.states.v[step], self.states.l[step], start, contacts
