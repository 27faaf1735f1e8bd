"""Cutting a tape: bodies of a run back from an ending are let go later than where it began.

Of a body before its release the tape says nothing any more: it sleeps there, a step's drift before it was let go, and
has no contacts. Whom it touched before that must be let go later, too, or never have moved."""

from __future__ import annotations

import numpy as np

from engine.contact.energy import own_energies
from engine.model.arrays import State
from engine.step.drift import drift
from engine.tape.block import STATE_PARTS, Block
from engine.tape.pieces import block_of_pieces
from engine.tape.reel import BLOCK_STEPS, JointStrip, Strip
from engine.tape.spool import Spool
from engine.tape.tape import Opened, Tape


def can_be_cut(tape: Tape, step: np.ndarray) -> bool:
    """Whether nobody who is let go was touched by somebody who is not, yet. step: (n,) the states of the releases."""
    for opened in tape.opened():
        when = opened.first + np.repeat(np.arange(opened.block.steps), np.diff(opened.start))
        late = (when < step[opened.contacts.a]) != (when < step[opened.contacts.b])
        pushed = (opened.column("impulse") != 0.0).any(axis=1)
        fixed = tape.model.bodies.inverse_mass == 0.0
        if (late & pushed & ~fixed[opened.contacts.a] & ~fixed[opened.contacts.b]).any():
            return False
    return True


def cut(tape: Tape, step: np.ndarray) -> Tape:
    """The tape of a backward run whose bodies are let go in states `step` (n,); its releases are still to be said."""
    spool = Spool()
    for opened in tape.opened():
        spool.append(_cut_block(tape, opened, step))
    return _of(tape, spool)


def lengthened(tape: Tape, steps: int) -> Tape:
    """The tape of a cut run in which everybody is in a hand at first, with `steps` more of that before."""
    if not steps:
        return tape
    state, moves = tape.state(0), tape.model.bodies.inverse_mass > 0.0
    spool, energy = Spool(), tape.energy[:1]
    for first in range(0, steps, BLOCK_STEPS):
        asleep = np.repeat(moves[None], min(BLOCK_STEPS, steps - first), axis=0)
        spool.append(block_of_pieces([], [], asleep, np.repeat(energy, len(asleep)), state))
    for block in tape.blocks:
        spool.append(block)
    return _of(tape, spool)


def _of(tape: Tape, spool: Spool) -> Tape:
    """Other blocks of the same run, whose releases are still to be said."""
    begun = tape.model, tape.params, tape.backward, spool, tape.first_energy
    return Tape(*begun, tape.damping, linear_damping=tape.linear_damping)


def _cut_block(tape: Tape, opened: Opened, step: np.ndarray) -> Block:
    block, first = opened.block, opened.first
    states = State(*(part.copy() for part in opened.states))
    _park(tape, states, first, step)
    steps = np.arange(first, first + block.steps)
    away = steps[:, None] < step
    fixed = tape.model.bodies.inverse_mass == 0.0
    row_step = np.repeat(np.arange(block.steps), np.diff(opened.start))
    a, b = opened.contacts.a, opened.contacts.b
    kept = ~(away & ~fixed)[row_step, a] & ~(away & ~fixed)[row_step, b]
    counts = np.bincount(row_step[kept], minlength=block.steps)
    arrays = dict(block.arrays)
    arrays["contact_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    arrays |= {name: block.arrays[name][kept] for name in Strip._fields if name in block.arrays}
    arrays["asleep"] = np.packbits(opened.asleep | (away & ~fixed), axis=1)
    arrays |= _cut_pushes(tape, opened, states, step)
    arrays["energy"] = _energies(tape, states, first, step)[:-1]
    if opened.joint_count:
        joints = tape.model.joints
        gone = away[:, joints.a] & ~fixed[joints.a] | away[:, joints.b] & ~fixed[joints.b]
        for name in JointStrip._fields:
            if name in arrays:
                column = arrays[name].copy()
                column[gone] = 0
                arrays[name] = column
    arrays |= {f"anchor_{name}": part[-1].copy() for name, part in zip(STATE_PARTS, states, strict=True)}
    return Block(block.steps, block.bodies, arrays)


def _park(tape: Tape, states: State, first: int, step: np.ndarray) -> None:
    """Whoever is in a hand stands a step's drift before where it is let go."""
    for body in map(int, np.flatnonzero(step > first)):
        let_go = tape.state(int(step[body]))
        one = slice(body, body + 1)
        x, q = np.empty((1, 3)), np.empty((1, 4))
        drift(
            let_go.x[one], let_go.q[one], let_go.v[one], let_go.l[one],
            np.ascontiguousarray(tape.model.bodies.inverse_inertia[one]), -tape.params.dt, x, q, np.empty((1, 3)),
        )  # fmt: skip
        until = int(step[body]) - first
        states.x[:until, body], states.q[:until, body] = x[0], q[0]
        states.v[:until, body], states.l[:until, body] = 0.0, 0.0


def _cut_pushes(tape: Tape, opened: Opened, states: State, step: np.ndarray) -> dict[str, np.ndarray]:
    """Of those under way, and of those who are put into a hand, seen backward."""
    arrays = opened.block.arrays
    when = np.repeat(np.arange(opened.block.steps), np.diff(arrays["push_start"]))
    body = arrays["push_body"]
    kept = opened.first + when >= step[body]
    ends = [int(i) for i in np.flatnonzero((step > opened.first) & (step <= opened.first + opened.block.steps))]
    when = np.concatenate([when[kept], [int(step[i]) - 1 - opened.first for i in ends]]).astype(np.int64)
    body = np.concatenate([body[kept], np.array(ends, np.int32)]).astype(np.int32)
    v = np.concatenate([arrays["push_v"][kept], np.zeros((len(ends), 3))])
    l = np.concatenate([arrays["push_l"][kept], np.zeros((len(ends), 3))])
    order = np.lexsort((body, when))
    start = np.searchsorted(when[order], np.arange(opened.block.steps + 1)).astype(np.int64)
    return {"push_start": start, "push_body": body[order], "push_v": v[order], "push_l": l[order]}


def _energies(tape: Tape, states: State, first: int, step: np.ndarray) -> np.ndarray:
    """J of every state; whoever is in a hand counts as at the ending."""
    bodies, params = tape.model.bodies, tape.params
    ending, own = np.zeros(len(step)), np.zeros(len(step))
    own_energies(bodies, params, tape.model.start, ending)
    total = np.zeros(len(states.x))
    for i in range(len(states.x)):
        own_energies(bodies, params, State(*(part[i] for part in states)), own)
        total[i] = np.where(first + i < step, ending, own).sum()
    return total
