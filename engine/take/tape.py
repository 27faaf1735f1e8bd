"""Tape: the record of one run, in forward time: k states, and for each of the k - 1 steps between them its kick.

State i is (x, q, v, l) at time i dt with the velocities *before* the kick there. Step i kicks at the configuration of
state i and drifts to state i + 1. Its contacts are rows start[i] .. start[i+1] of the contact columns: geometry,
impulses, and the coefficients under which the contact law holds. Contacts of sleeping bodies are written once, when
they fall asleep; `asleep` says who sleeps through a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.model.arrays import Contacts, State
from engine.params import Params
from engine.step.scratch import Scratch

KICK_COLUMNS = ("hold", "impulse", "torque", "restitution", "forced", "friction", "rolling", "before", "after")
CONTACT_COLUMNS = Contacts._fields + KICK_COLUMNS + ("tier", "residual")


@dataclass(frozen=True)
class Tape:
    params: Params
    x: np.ndarray  # (k, n, 3) m       centres of mass
    q: np.ndarray  # (k, n, 4)
    v: np.ndarray  # (k, n, 3) m/s
    l: np.ndarray  # (k, n, 3) kg m^2/s
    energy: np.ndarray  # (k,) J
    start: np.ndarray  # (k,) int64    first contact row of step i; start[k-1] = number of rows
    contacts: Mapping[str, np.ndarray]  # CONTACT_COLUMNS -> (rows, ...)
    asleep: np.ndarray  # (k-1, n) bool
    outside_v: np.ndarray  # (k-1, n, 3) m/s            outside changes of velocity (damping), added after the kick;
    outside_l: np.ndarray  # (k-1, n, 3) kg m^2/s       arrays of length 0 when there were none

    def state(self, i: int) -> State:
        return State(self.x[i], self.q[i], self.v[i], self.l[i])

    @property
    def steps(self) -> int:
        return self.x.shape[0] - 1

    def rows(self, i: int) -> slice:
        return slice(int(self.start[i]), int(self.start[i + 1]))


class Recorder:
    """Fills a tape from either end."""

    def __init__(self, params: Params, steps: int, first: State, backward: bool) -> None:
        n = first.x.shape[0]
        self.params, self.steps, self.backward = params, steps, backward
        self._states = State(*(np.zeros((steps + 1, n, part.shape[1])) for part in first))
        self._energy = np.zeros(steps + 1)
        self._asleep = np.zeros((steps, n), bool)
        self._outside: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._contacts: list[dict[str, np.ndarray]] = []
        self.done = 0  # steps recorded

    def state(self, state: State, energy: float) -> None:
        """Record the state reached after `done` steps."""
        i = self.steps - self.done if self.backward else self.done
        for column, part in zip(self._states, state, strict=True):
            column[i] = part
        self._energy[i] = energy

    def step(self, s: Scratch, asleep: np.ndarray, outside: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """Record the kick left in the scratch; `asleep` is who slept through it."""
        i = self.steps - 1 - self.done if self.backward else self.done
        self._asleep[i] = asleep
        columns = {name: getattr(s.contacts, name)[: s.count].copy() for name in Contacts._fields}
        columns |= {name: getattr(s.kick, name)[: s.count].copy() for name in KICK_COLUMNS}
        columns |= {"tier": s.tier[: s.count].copy(), "residual": s.residual[: s.count].copy()}
        self._contacts.append(columns)
        if outside is not None:
            self._outside[i] = outside
        self.done += 1

    def finish(self) -> Tape:
        """The tape of the steps recorded so far (a run that stopped early keeps what it has)."""
        blocks = self._contacts[::-1] if self.backward else self._contacts
        first = self.steps - self.done if self.backward else 0
        kept = slice(first, first + self.done + 1)
        counts = [len(block["tier"]) for block in blocks]
        columns = {
            name: np.concatenate([block[name] for block in blocks]) if blocks else np.zeros(0)
            for name in CONTACT_COLUMNS
        }
        n = self._asleep.shape[1]
        outside = np.zeros((2, self.done if self._outside else 0, n, 3))
        for i, (dv, dl) in self._outside.items():
            if i >= first:
                outside[0, i - first], outside[1, i - first] = dv, dl
        x, q, v, l = (np.ascontiguousarray(column[kept]) for column in self._states)
        return Tape(
            params=self.params,
            x=x,
            q=q,
            v=v,
            l=l,
            energy=self._energy[kept].copy(),
            start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            contacts=columns,
            asleep=self._asleep[first : first + self.done].copy(),
            outside_v=outside[0],
            outside_l=outside[1],
        )
