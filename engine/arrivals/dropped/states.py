"""Contact states: how many points touch, step by step before rest, and how far two sets of motions differ in them.

The state of a step is 0, 1, 2 or 3 and more points within a margin of the ground (Twigg and James 2008, figs 9 and 10).
Runs are aligned at rest and read backward: entry 0 is the last step in motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.collide.broad import READY
from engine.collide.detect import detect, make_detect_scratch
from engine.jit import kernel
from engine.model.arrays import State, empty_contacts
from engine.model.compile import Model

STATES = 4
MARGIN = 1e-3  # of the radius of the body's ball: as near as this is touching
WINDOW = 1.0  # s before rest that are compared
BINS = 20
SOON = 0.5  # s before rest in which contact events are counted
LEAST_RUNS = 5  # durations of a state to compare at all
CAPACITY = 64  # contacts of one body


@kernel
def count_contacts(geometry, scratch, contacts, x, q, awake, is_static, margin, states):
    """Contacts within the margin in each of the configurations x, q (k, n, ...)."""
    for k in range(x.shape[0]):
        scratch.near.counts[READY] = 0  # poses may jump
        count, _ = detect(geometry, scratch, contacts, x[k], q[k], x[k], q[k], awake, is_static, margin)
        states[k] = count


class Counter:
    """Reads contact states of body `row` of a model."""

    def __init__(self, model: Model, row: int) -> None:
        self.model, self.row = model, row
        self._scratch = make_detect_scratch(model.geometry, 1024)
        self._contacts = empty_contacts(CAPACITY)
        self._awake = np.arange(len(model.names)) == row
        self._static = np.ascontiguousarray(model.bodies.inverse_mass == 0.0)

    def run(self, states: State) -> np.ndarray:
        """(k - 1,) int8: contact states before rest, latest first, of a body whose last state is the resting one."""
        steps = len(states.x)
        x, q = (np.repeat(part[None], steps, axis=0) for part in (self.model.start.x, self.model.start.q))
        x[:, self.row], q[:, self.row] = states.x, states.q
        found = np.zeros(steps, np.int64)
        margin = MARGIN * float(self.model.bodies.size[self.row])
        count_contacts(
            self.model.geometry, self._scratch, self._contacts, x, q, self._awake, self._static, margin, found
        )
        return np.minimum(found[:-1], STATES - 1)[::-1].astype(np.int8)


@dataclass(frozen=True)
class Difference:
    """Of two sets of runs."""

    marginal: float  # total variation of the shares of states over the window
    by_time: float  # mean over the bins of the total variation in each
    durations: tuple[float, ...]  # Kolmogorov-Smirnov distance of the durations of each state; nan: too few


def difference(first: Sequence[np.ndarray], second: Sequence[np.ndarray], dt: float) -> Difference:
    a, b = shares(first, dt), shares(second, dt)
    by_time = 0.5 * np.abs(a - b).sum(1)
    marginal = 0.5 * float(np.abs(a.mean(0) - b.mean(0)).sum())
    apart = zip(durations(first, dt), durations(second, dt), strict=True)
    return Difference(marginal, float(by_time.mean()), tuple(_kolmogorov(x, y) for x, y in apart))


def shares(runs: Sequence[np.ndarray], dt: float) -> np.ndarray:
    """(BINS, STATES): shares of the states in each part of the window before rest."""
    steps = round(WINDOW / dt)
    table = np.zeros((BINS, STATES))
    for run in runs:
        part = run[:steps]
        np.add.at(table, (np.arange(len(part)) * BINS // steps, part), 1.0)
    return table / np.maximum(table.sum(1, keepdims=True), 1.0)


def durations(runs: Sequence[np.ndarray], dt: float) -> list[np.ndarray]:
    """For each state, how long (s) it lasted, of those that began within the window."""
    found: list[list[np.ndarray]] = [[np.zeros(0)] for _ in range(STATES)]
    for run in runs:
        part = run[: round(WINDOW / dt)]
        changes = np.flatnonzero(np.diff(part)) + 1
        begins = np.concatenate([[0], changes[:-1]]).astype(np.int64)
        for state in range(STATES):
            mine = part[begins[: len(changes)]] == state
            found[state].append((changes - begins[: len(changes)])[mine] * dt)
    return [np.concatenate(each) for each in found]


def events(runs: Sequence[np.ndarray], dt: float) -> np.ndarray:
    """(runs,) int: how often each touched the ground anew in the last half second."""
    found = []
    for run in runs:
        touches = (run[: round(SOON / dt)] > 0).astype(np.int8)
        found.append(int((np.diff(touches) < 0).sum()) + int(touches[-1] if len(touches) else 0))
    return np.array(found, np.int64)


def _kolmogorov(a: np.ndarray, b: np.ndarray) -> float:
    if min(len(a), len(b)) < LEAST_RUNS:
        return float("nan")
    a, b = np.sort(a), np.sort(b)
    at = np.concatenate([a, b])
    below = np.searchsorted(a, at, side="right") / len(a) - np.searchsorted(b, at, side="right") / len(b)
    return float(np.abs(below).max())


def transitions(runs: Sequence[np.ndarray]) -> np.ndarray:
    """(STATES, STATES): shares of the state one step earlier, by row the later one. Runs are latest first."""
    counts = np.zeros((STATES, STATES))
    for run in runs:
        np.add.at(counts, (run[:-1], run[1:]), 1.0)
    return counts / np.maximum(counts.sum(1, keepdims=True), 1.0)
