"""Block: some consecutive steps of a tape, compact, and how it is opened again.

A block of s steps covers s + 1 states, in forward time. It holds one of them, where the run came in (the last one of a
backward run, the first of a forward run), and what pushed bodies off their free flight; `open_states` flies them again,
with the kernels that made them, to the same bits. Columns that are zero throughout are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.jit import kernel
from engine.model.arrays import LINE, Bodies, Contacts, State
from engine.params import Params
from engine.record import Record
from engine.step.drift import drift
from engine.step.stages import free_flight
from engine.tape.reel import KINDS, VECTORS, JointStrip, Reel, Strip, empty_joint_strip


class Pushed(Record):
    """Bodies whose velocities do not follow by free flight, step by step: those of step i are start[i]:start[i + 1]."""

    start: np.ndarray  # (s + 1,) int64
    body: np.ndarray  # (r,) int32
    v: np.ndarray  # (r, 3) m/s      velocities on the far side of the kick
    l: np.ndarray  # (r, 3)


STATE_PARTS = {"x": 3, "q": 4, "v": 3, "l": 3}


@dataclass(frozen=True)
class Block:
    """Plain arrays by name. Either anchor_* and push_* (flown again) or all states as they are (x, q, v, l)."""

    steps: int
    bodies: int
    arrays: Mapping[str, np.ndarray]

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.arrays.values())

    @property
    def contact_start(self) -> np.ndarray:
        """(s + 1,) int64: first contact row of every step."""
        return self.arrays["contact_start"]

    @property
    def energy(self) -> np.ndarray:
        """(s,) J, of the states the run reached in these steps, in forward time."""
        return self.arrays["energy"]

    @property
    def residual(self) -> np.ndarray:
        """(s,) of the kicks' solves, relative."""
        return self.arrays["residual"]

    @property
    def asleep(self) -> np.ndarray:
        """(s, n) bool: who slept through a step."""
        bits = np.unpackbits(self.arrays["asleep"], axis=1, count=self.bodies)
        return np.ascontiguousarray(bits.astype(bool))

    def column(self, name: str) -> np.ndarray:
        """A column of the contacts (Strip), zeros where it was left out."""
        if name in self.arrays:
            return self.arrays[name]
        rows = int(self.contact_start[-1])
        return np.zeros((rows, 3) if name in VECTORS else rows, KINDS.get(name, np.float64))

    def joints(self, count: int) -> JointStrip:
        """What `count` joints did, zeros where it was left out."""
        blank = empty_joint_strip(self.steps, count)
        return JointStrip(*(self.arrays.get(name, zeros) for name, zeros in zip(blank._fields, blank, strict=True)))

    def contacts(self, part_body: np.ndarray) -> Contacts:
        """The recorded contacts; gap and point are still to be worked out from the poses."""
        rows = int(self.contact_start[-1])
        part_a, part_b = self.column("part_a").astype(np.int64), self.column("part_b").astype(np.int64)
        kind_a, kind_b = self.column("kind_a").astype(np.int64), self.column("kind_b").astype(np.int64)
        circle_a, circle_b = self.column("circle_a"), self.column("circle_b")
        rounding = np.where(kind_a <= LINE, circle_a, 0.0) + np.where(kind_b <= LINE, circle_b, 0.0)
        return Contacts(
            a=part_body[part_a],
            b=part_body[part_b],
            part_a=part_a,
            part_b=part_b,
            feature=self.column("feature"),
            point=np.zeros((rows, 3)),
            normal=self.column("normal").astype(np.float64),
            gap=np.zeros(rows),
            kind_a=kind_a,
            kind_b=kind_b,
            point_a=self.column("point_a"),
            point_b=self.column("point_b"),
            dir_a=self.column("dir_a"),
            dir_b=self.column("dir_b"),
            circle_a=circle_a,
            circle_b=circle_b,
            round=rounding,
        )

    def states(self, params: Params, bodies: Bodies, backward: bool) -> State:
        """All s + 1 states: arrays (s + 1, n, ...)."""
        if "x" in self.arrays:
            return State(*(self.arrays[name] for name in STATE_PARTS))
        states = State(*(np.empty((self.steps + 1, self.bodies, width)) for width in STATE_PARTS.values()))
        anchor = self.steps if backward else 0
        for name, part in zip(STATE_PARTS, states, strict=True):
            part[anchor] = self.arrays[f"anchor_{name}"]
        spin = np.empty((self.bodies, 3))
        pushed = Pushed(*(self.arrays[f"push_{name}"] for name in Pushed._fields))
        fly = fly_backward if backward else fly_forward
        fly(params, bodies.inverse_mass, bodies.inverse_inertia, self.asleep, pushed, states, spin)
        return states


@kernel
def _push(pushed, step, v, l):
    """Overwrite the velocities of the bodies pushed in a step."""
    for i in range(pushed.start[step], pushed.start[step + 1]):
        for k in range(3):
            v[pushed.body[i], k] = pushed.v[i, k]
            l[pushed.body[i], k] = pushed.l[i, k]


@kernel
def fly_backward(params, inverse_mass, inverse_inertia, asleep, pushed, states, spin):
    """States from the last one to the first: drift back, then undo the kick."""
    x, q, v, l = states.x, states.q, states.v, states.l
    for i in range(asleep.shape[0] - 1, -1, -1):
        drift(x[i + 1], q[i + 1], v[i + 1], l[i + 1], inverse_inertia, -params.dt, x[i], q[i], spin)
        free_flight(-1.0, params, inverse_mass, asleep[i], v[i + 1], l[i + 1], v[i], l[i])
        _push(pushed, i, v[i], l[i])


@kernel
def fly_forward(params, inverse_mass, inverse_inertia, asleep, pushed, states, spin):
    """States from the first one to the last: kick, then drift."""
    x, q, v, l = states.x, states.q, states.v, states.l
    for i in range(asleep.shape[0]):
        free_flight(1.0, params, inverse_mass, asleep[i], v[i], l[i], v[i + 1], l[i + 1])
        _push(pushed, i, v[i + 1], l[i + 1])
        drift(x[i], q[i], v[i + 1], l[i + 1], inverse_inertia, params.dt, x[i + 1], q[i + 1], spin)


def block_of_reel(reel: Reel, steps: int, anchor: State, backward: bool) -> Block:
    """The first `steps` steps of a reel, put into forward time."""
    contact_order, contact_start = _in_time(reel.contact_start[: steps + 1], backward)
    push_order, push_start = _in_time(reel.push_start[: steps + 1], backward)
    way = slice(None, None, -1) if backward else slice(None)
    arrays = {
        "contact_start": contact_start,
        "push_start": push_start,
        "push_body": reel.body[push_order],
        "push_v": reel.v[push_order],
        "push_l": reel.l[push_order],
        "asleep": np.packbits(reel.asleep[:steps][way], axis=1),
        "energy": reel.energy[:steps][way].copy(),
        "residual": reel.residual[:steps][way].copy(),
    }
    arrays |= {f"anchor_{name}": part.copy() for name, part in zip(STATE_PARTS, anchor, strict=True)}
    for name in Strip._fields:
        column = getattr(reel.strip, name)[contact_order]
        if column.any():
            arrays[name] = column
    for name in JointStrip._fields:
        column = getattr(reel.joints, name)[:steps][way].copy()
        if column.any():
            arrays[name] = column
    return Block(steps, anchor.x.shape[0], arrays)


def block_of_states(states: State, energy: np.ndarray) -> Block:
    """Steps of which only the states are known (fast runs); energy is that of the states after the first."""
    steps, n = states.x.shape[0] - 1, states.x.shape[1]
    arrays = {
        "contact_start": np.zeros(steps + 1, np.int64),
        "asleep": np.packbits(np.zeros((steps, n), bool), axis=1),
        "energy": energy,
        "residual": np.zeros(steps),
    }
    return Block(steps, n, arrays | dict(zip(STATE_PARTS, states, strict=True)))


def _in_time(start: np.ndarray, backward: bool) -> tuple[np.ndarray, np.ndarray]:
    """Order of rows and starts in forward time, of rows recorded step after step. (An array, not a slice: what it picks
    from a reel is a copy, and the reel is written to again.)"""
    if not backward:
        return np.arange(int(start[-1])), start.copy()
    counts = np.diff(start)[::-1]
    flipped = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    order = np.repeat(start[:-1][::-1] - flipped[:-1], counts) + np.arange(int(start[-1]))
    return order, flipped
