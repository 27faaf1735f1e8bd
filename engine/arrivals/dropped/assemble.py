"""From motions of single bodies, each on its own ground, to the tape of a take that ends in the authored poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.arrivals.dropped.motion import Motion
from engine.model.arrays import State
from engine.model.compile import Model
from engine.params import Params
from engine.tape.block import Block
from engine.tape.reel import BLOCK_STEPS, KINDS, Strip
from engine.tape.spool import Spool
from engine.tape.tape import Tape


class Arrival(NamedTuple):
    """A motion that ends in a body's authored pose (moved to the ground it stands on there)."""

    motion: Motion
    states: State  # (motion.steps + 1, ...)


def tape_of(
    model: Model, params: Params, steps: int, arrivals: Mapping[int, Arrival], rests: Mapping[int, int]
) -> Tape:
    """A tape of `steps` steps. Body row i rests from step rests[i] on; whoever has no arrival rests all the time. The
    motions reach back to the start of the tape at least."""
    states = whole_states(model, steps, arrivals, rests)
    energy = _energies(model, params, states)
    pieces = {row: _strip(arrival) for row, arrival in arrivals.items()}
    spool = Spool()
    for first in range(0, steps, BLOCK_STEPS):
        last = min(first + BLOCK_STEPS, steps)
        spool.append(_block(model, states, energy, arrivals, rests, pieces, first, last))
    return Tape(model, params, True, spool, float(energy[-1]))


def whole_states(model: Model, steps: int, arrivals: Mapping[int, Arrival], rests: Mapping[int, int]) -> State:
    """(steps + 1, n, ...): bodies rest, and have come as their arrivals say."""
    states = State(*(np.repeat(part[None], steps + 1, axis=0) for part in model.start))
    for row, arrival in arrivals.items():
        begin = rests[row] - arrival.motion.steps  # at most 0
        for part, own in zip(states, arrival.states, strict=True):
            part[: rests[row] + 1, row] = own[-begin:]
    return states


def _block(
    model: Model,
    states: State,
    energy: np.ndarray,
    arrivals: Mapping[int, Arrival],
    rests: Mapping[int, int],
    pieces: Mapping[int, Strip],
    first: int,
    last: int,
) -> Block:
    n, count = len(model.names), last - first
    asleep = np.zeros((count, n), bool)
    owner, when, pushes, strips = [], [], [], []
    for row in range(n):
        if model.bodies.inverse_mass[row] == 0.0:
            continue
        if row not in arrivals:
            asleep[:, row] = True
            continue
        motion = arrivals[row].motion
        begin = rests[row] - motion.steps
        asleep[:, row] = np.arange(first, last) > rests[row]
        low, high = (int(i) for i in np.searchsorted(motion.step, (first - begin, last - begin)))
        rows = slice(int(motion.start[low]), int(motion.start[high]))
        steps = motion.step[low:high] + begin - first
        strips.append(Strip(*(column[rows] for column in pieces[row])))
        owner.append(np.repeat(steps, np.diff(motion.start[low : high + 1])))
        when.append(steps)
        pushes.append((np.full(high - low, row, np.int32), motion.v[low:high], motion.l[low:high]))
    arrays = _contacts(owner, strips, count) | _pushes(when, pushes, count)
    arrays |= {"asleep": np.packbits(asleep, axis=1), "energy": energy[first:last], "residual": np.zeros(count)}
    arrays |= {f"anchor_{name}": part[last].copy() for name, part in zip(State._fields, states, strict=True)}
    return Block(count, n, arrays)


def _contacts(owner: list[np.ndarray], strips: list[Strip], count: int) -> dict[str, np.ndarray]:
    """Contact columns by step, then body."""
    of = np.concatenate([*owner, np.zeros(0, np.int64)]).astype(np.int64)
    order = np.argsort(of, kind="stable")
    arrays = {"contact_start": np.searchsorted(of[order], np.arange(count + 1)).astype(np.int64)}
    for name in Strip._fields:
        column = np.concatenate([getattr(strip, name) for strip in strips])[order] if strips else np.zeros(0)
        if column.any():
            arrays[name] = np.ascontiguousarray(column)
    return arrays


def _pushes(
    when: list[np.ndarray], pushes: list[tuple[np.ndarray, np.ndarray, np.ndarray]], count: int
) -> dict[str, np.ndarray]:
    of = np.concatenate([*when, np.zeros(0, np.int64)]).astype(np.int64)
    order = np.argsort(of, kind="stable")
    nobody = (np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)))
    columns = [np.concatenate(part) for part in zip(nobody, *pushes, strict=True)]
    start = np.searchsorted(of[order], np.arange(count + 1)).astype(np.int64)
    names = ("push_body", "push_v", "push_l")
    return {"push_start": start} | {name: column[order] for name, column in zip(names, columns, strict=True)}


def _strip(arrival: Arrival) -> Strip:
    """The contacts of a motion."""
    own = arrival.motion.contacts
    return Strip(*(np.asarray(own[name], KINDS.get(name, np.float64)) for name in Strip._fields))


def _energies(model: Model, params: Params, states: State) -> np.ndarray:
    """(k,) J of the moving bodies, as contact/energy.py counts it."""
    moves = model.bodies.inverse_mass > 0.0
    mass, g = model.bodies.mass[moves], np.array([params.gravity_x, params.gravity_y, params.gravity_z])
    x, q, v, l = (part[:, moves] for part in states)
    u = -q[..., 1:]
    t = 2.0 * np.cross(u, l)
    own = l + q[..., :1] * t + np.cross(u, t)  # momentum in the frames of the bodies
    turning = np.einsum("kbi,bij,kbj->kb", own, model.bodies.inverse_inertia[moves], own)
    each = 0.5 * mass * (v * v).sum(-1) + 0.5 * turning + mass * (0.5 * params.dt * (v @ g) - x @ g)
    return each.sum(1)
