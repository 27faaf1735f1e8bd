"""From motions of single bodies, each on its own ground, to the tape of a take that ends in the authored poses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.algebra import dots, each_times, times
from engine.arrivals.dropped.motion import Motion
from engine.model.arrays import State, copy_state
from engine.model.compile import Model
from engine.params import Params
from engine.tape.block import STATE_PARTS, Block, Pushed, fly_backward
from engine.tape.pieces import NOBODY, block_of_pieces, strip_of
from engine.tape.recorder import Recorder
from engine.tape.reel import BLOCK_STEPS
from engine.tape.release import Releases
from engine.tape.tape import Tape


class Retargeted(NamedTuple):
    """A motion that ends in a body's authored pose (moved to the ground it stands on there)."""

    motion: Motion
    states: State  # (motion.steps + 1, ...)


def tape_of(
    model: Model,
    params: Params,
    steps: int,
    arrivals: Mapping[int, Retargeted],
    rests: Mapping[int, int],
    hows: Mapping[int, str] | None = None,
) -> Tape:
    """A tape of `steps` steps. Body row i rests from step rests[i] on; whoever has no arrival rests all the time.

    Without `hows` everybody is under way from the start, and the motions reach back to it at least. With them every
    body is let go in the first state of its motion, and they say how, by row ("drop" where they are silent); a motion
    that is longer than the take is cut at its start, where the body is under way ("flight")."""
    timeline = _Timeline(model, params, arrivals, rests)
    if hows is None:
        energy = _energies(model, params, whole_states(model, steps, arrivals, rests))
    else:
        energy = timeline.energies(steps)
    recorder = Recorder(model, params, model.start, float(energy[-1]), backward=True)
    for first in reversed(range(0, steps, BLOCK_STEPS)):
        last = min(first + BLOCK_STEPS, steps)
        recorder.add(timeline.block(energy, first, last))
    released = None if hows is None else releases_of(model, arrivals, rests, hows)
    return recorder.finish(model.start, released=released)


def releases_of(
    model: Model, arrivals: Mapping[int, Retargeted], rests: Mapping[int, int], hows: Mapping[int, str]
) -> Releases:
    """Everybody is let go where its motion begins, and first seen there."""
    step, how = np.zeros(len(model.names), np.int64), [""] * len(model.names)
    for row, arrival in arrivals.items():
        begin = rests[row] - arrival.motion.steps
        step[row] = max(begin, 0)
        how[row] = hows.get(row, "drop") if begin > 0 else "flight"
    return Releases(step, step, step, tuple(how))


def whole_states(model: Model, steps: int, arrivals: Mapping[int, Retargeted], rests: Mapping[int, int]) -> State:
    """(steps + 1, n, ...): bodies rest, and have come as their arrivals say."""
    states = State(*(np.repeat(part[None], steps + 1, axis=0) for part in model.start))
    for row, arrival in arrivals.items():
        begin = rests[row] - arrival.motion.steps  # at most 0
        for part, own in zip(states, arrival.states, strict=True):
            part[: rests[row] + 1, row] = own[-begin:]
    return states


class _Timeline:
    """Motions of single bodies side by side. Only their own lengths are kept: thousands of bodies rest most of the
    time, and every block asks only those that are under way in it."""

    def __init__(
        self, model: Model, params: Params, arrivals: Mapping[int, Retargeted], rests: Mapping[int, int]
    ) -> None:
        self.model, self.params, self.arrivals, self.rests = model, params, arrivals, rests
        self.rows = np.array(sorted(arrivals), np.int64)
        self.begin = np.array([rests[row] - arrivals[row].motion.steps for row in sorted(arrivals)], np.int64)
        self.end = np.array([rests[row] for row in sorted(arrivals)], np.int64)
        self._contacts, self._pushes = self._in_time()
        self._moves = np.flatnonzero(model.bodies.inverse_mass > 0.0)
        self._waits = self._before_release()

    def _before_release(self) -> State:
        """(n, ...) where a tape has bodies before they are let go: still, one step back of their first state. That
        means nothing, but opening a block backward leads there."""
        model, waits = self.model, copy_state(self.model.start)
        n = len(model.names)
        states = State(*(np.zeros((2, n, width)) for width in STATE_PARTS.values()))
        for part, still in zip(states, model.start, strict=True):
            part[1] = still
        for row in self.rows[self.begin > 0]:
            for part, own in zip(states, self.arrivals[int(row)].states, strict=True):
                part[1, row] = own[0]
        nobody = Pushed(np.zeros(2, np.int64), np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)))
        bodies = model.bodies
        asleep = np.ones((1, n), bool)
        fly_backward(self.params, bodies.inverse_mass, bodies.inverse_inertia, asleep, nobody, states, np.zeros((n, 3)))
        for row in self.rows[self.begin > 0]:
            waits.x[row], waits.q[row], waits.v[row], waits.l[row] = states.x[0, row], states.q[0, row], 0.0, 0.0
        return waits

    def at(self, step: int) -> State:
        """(n, ...) the state in which a block ends."""
        state = copy_state(self.model.start)
        early = self.rows[step < self.begin]
        for part, waits in zip(state, self._waits, strict=True):
            part[early] = waits[early]
        for i in np.flatnonzero((self.begin <= step) & (step < self.end)):
            for part, own in zip(state, self.arrivals[int(self.rows[i])].states, strict=True):
                part[self.rows[i]] = own[step - self.begin[i]]
        return state

    def energies(self, steps: int) -> np.ndarray:
        """(steps + 1,) J of the moving bodies; one that is not let go yet counts as at rest at its ending."""
        model, total = self.model, np.zeros(steps + 1)
        rest = _energies(model, self.params, State(*(part[None] for part in model.start)))
        for row, begin, end in zip(self.rows, self.begin, self.end, strict=True):
            one = _Bodies(*(part[row : row + 1] for part in (model.bodies.mass, model.bodies.inverse_inertia)))
            own = _sums(one, self.params, State(*(part[:, None] for part in self.arrivals[int(row)].states)))
            total[max(begin, 0) : end + 1] += (own - own[-1])[max(-begin, 0) :]
        return rest[0] + total

    def block(self, energy: np.ndarray, first: int, last: int) -> Block:
        """Steps first .. last."""
        asleep = np.zeros((last - first, len(self.model.names)), bool)
        asleep[:, self._moves] = True
        for i in np.flatnonzero((self.begin <= last) & (self.end >= first)):
            begin, end = int(self.begin[i]), int(self.end[i])
            asleep[max(begin - first, 0) : max(end + 1 - first, 0), self.rows[i]] = False
        when, contacts = self._contacts.between(first, last)
        pushed, pushes = self._pushes.between(first, last)
        push = (pushed, pushes["body"], pushes["v"], pushes["l"]) if pushes else NOBODY
        strip = strip_of(len(when), contacts)
        return block_of_pieces([(when, strip)], [push], asleep, energy[first:last], self.at(last))

    def _in_time(self) -> tuple[_InTime, _InTime]:
        """Contacts and pushes of everybody. Whoever is let go is still in the step before."""
        motions = [self.arrivals[int(row)].motion for row in self.rows]
        begins = self.begin.tolist()
        contacts: dict[str, list[np.ndarray]] = {name: [] for motion in motions[:1] for name in motion.contacts}
        for name, columns in contacts.items():
            columns.extend(motion.contacts[name] for motion in motions)
        when = [np.repeat(m.step + begin, np.diff(m.start)) for m, begin in zip(motions, begins, strict=True)]
        still = np.zeros((1, 3))
        pushes: dict[str, list[np.ndarray]] = {
            "body": [np.full(len(m.step) + 1, row, np.int32) for m, row in zip(motions, self.rows, strict=True)],
            "v": [part for motion in motions for part in (motion.v, still)],
            "l": [part for motion in motions for part in (motion.l, still)],
        }
        pushed = [np.append(m.step + begin, begin - 1) for m, begin in zip(motions, begins, strict=True)]
        return _InTime(when, contacts), _InTime(pushed, pushes)


class _InTime:
    """Rows of many bodies, found by their steps; those of one step in the order of the bodies."""

    def __init__(self, when: Sequence[np.ndarray], columns: Mapping[str, Sequence[np.ndarray]]) -> None:
        """Of each body the steps of its rows, and its part of every column."""
        steps = np.concatenate([*when, np.zeros(0, np.int64)]).astype(np.int64)
        self._order = np.argsort(steps, kind="stable")
        self._when = steps[self._order]
        self._columns = {name: np.concatenate(parts) for name, parts in columns.items() if parts}

    def between(self, first: int, last: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The rows of steps first .. last, with their steps from the first on."""
        low, high = np.searchsorted(self._when, (first, last))
        rows = self._order[low:high]
        return self._when[low:high] - first, {name: column[rows] for name, column in self._columns.items()}


class _Bodies(NamedTuple):
    mass: np.ndarray  # (m,) kg
    inverse_inertia: np.ndarray  # (m, 3, 3)


def _energies(model: Model, params: Params, states: State) -> np.ndarray:
    """(k,) J of the moving bodies, as contact/energy.py counts it."""
    moves = model.bodies.inverse_mass > 0.0
    moving = _Bodies(model.bodies.mass[moves], model.bodies.inverse_inertia[moves])
    return _sums(moving, params, State(*(part[:, moves] for part in states)))


def _sums(bodies: _Bodies, params: Params, states: State) -> np.ndarray:
    """(k,) J of all these bodies, whose states are (k, m, ...)."""
    mass, g = bodies.mass, np.array([params.gravity_x, params.gravity_y, params.gravity_z])
    x, q, v, l = states
    u = -q[..., 1:]
    t = 2.0 * np.cross(u, l)
    own = l + q[..., :1] * t + np.cross(u, t)  # momentum in the frames of the bodies
    turning = dots(own, each_times(bodies.inverse_inertia, own))
    each = 0.5 * mass * (v * v).sum(-1) + 0.5 * turning + mass * (0.5 * params.dt * times(v, g) - times(x, g))
    return each.sum(1)
