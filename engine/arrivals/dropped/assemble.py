"""From motions of single bodies, each on its own ground, to the tape of a take that ends in the authored poses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.algebra import dots, each_times, times
from engine.arrivals.dropped.motion import Motion
from engine.model.arrays import State
from engine.model.compile import Model
from engine.params import Params
from engine.tape.block import Block
from engine.tape.pieces import Contacts, Pushes, block_of_pieces, strip_of
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS, Strip
from engine.tape.tape import Tape


class Retargeted(NamedTuple):
    """A motion that ends in a body's authored pose (moved to the ground it stands on there)."""

    motion: Motion
    states: State  # (motion.steps + 1, ...)


def tape_of(
    model: Model, params: Params, steps: int, arrivals: Mapping[int, Retargeted], rests: Mapping[int, int]
) -> Tape:
    """A tape of `steps` steps. Body row i rests from step rests[i] on; whoever has no arrival rests all the time. The
    motions reach back to the start of the tape at least."""
    states = whole_states(model, steps, arrivals, rests)
    energy = _energies(model, params, states)
    motions = {row: arrival.motion for row, arrival in arrivals.items()}
    pieces = {row: strip_of(int(motion.start[-1]), motion.contacts) for row, motion in motions.items()}
    recorder = Recorder(model, params, model.start, float(energy[-1]), backward=True)
    for first in reversed(range(0, steps, BLOCK_STEPS)):
        last = min(first + BLOCK_STEPS, steps)
        recorder.add(_block(model, states, energy, arrivals, rests, pieces, first, last))
    return recorder.finish(model.start)


def whole_states(model: Model, steps: int, arrivals: Mapping[int, Retargeted], rests: Mapping[int, int]) -> State:
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
    arrivals: Mapping[int, Retargeted],
    rests: Mapping[int, int],
    pieces: Mapping[int, Strip],
    first: int,
    last: int,
) -> Block:
    asleep = np.zeros((last - first, len(model.names)), bool)
    contacts: list[Contacts] = []
    pushes: list[Pushes] = []
    for row in map(int, np.flatnonzero(model.bodies.inverse_mass > 0.0)):
        if row not in arrivals:
            asleep[:, row] = True
            continue
        motion = arrivals[row].motion
        begin = rests[row] - motion.steps
        asleep[:, row] = np.arange(first, last) > rests[row]
        low, high = (int(i) for i in np.searchsorted(motion.step, (first - begin, last - begin)))
        rows = slice(int(motion.start[low]), int(motion.start[high]))
        when = motion.step[low:high] + begin - first
        each = np.diff(motion.start[low : high + 1])
        contacts.append((np.repeat(when, each), Strip(*(column[rows] for column in pieces[row]))))
        pushes.append((when, np.full(high - low, row, np.int32), motion.v[low:high], motion.l[low:high]))
    anchor = State(*(part[last] for part in states))
    return block_of_pieces(contacts, pushes, asleep, energy[first:last], anchor)


def _energies(model: Model, params: Params, states: State) -> np.ndarray:
    """(k,) J of the moving bodies, as contact/energy.py counts it."""
    moves = model.bodies.inverse_mass > 0.0
    mass, g = model.bodies.mass[moves], np.array([params.gravity_x, params.gravity_y, params.gravity_z])
    x, q, v, l = (part[:, moves] for part in states)
    u = -q[..., 1:]
    t = 2.0 * np.cross(u, l)
    own = l + q[..., :1] * t + np.cross(u, t)  # momentum in the frames of the bodies
    turning = dots(own, each_times(model.bodies.inverse_inertia[moves], own))
    each = 0.5 * mass * (v * v).sum(-1) + 0.5 * turning + mass * (0.5 * params.dt * times(v, g) - times(x, g))
    return each.sum(1)
