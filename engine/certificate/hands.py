"""That hands and releases (tape/release.py) are what they say. No law holds in a hand, so little is asked, in words.

Before its release a body is marked asleep and has no momentum on the tape. One that is held stands still, where it is
at the ending. A hand ends where and when the body is there: in the state of its release, with its velocities, so that
nothing jumps when it lets go. Nobody is there unseen.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.algebra import each_times, norm
from engine.model.arrays import State
from engine.shapes.turns import rotation_matrices
from engine.tape.take import Take
from engine.tape.tape import Opened

SAME_PLACE = 1e-9  # m, and of a quaternion
SAME_SPEED = 1e-6  # m/s, and rad/s


class HandCheck:
    """Sees the blocks of a take in turn; `found` tells what is wrong, once of every body and kind."""

    def __init__(self, take: Take) -> None:
        self.take, self.releases, self.names = take, take.tape.releases, take.model.names
        self.found: list[str] = []
        self._told: set[tuple[int, str]] = set()
        self._standing: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # poses of the held, by row
        self._any = bool(self.releases.step.any())
        self._see_times()

    def _tell(self, row: int, step: int, what: str) -> None:
        if (row, what) not in self._told:
            self._told.add((row, what))
            time = float(self.take.times[min(max(step, 0), self.take.tape.steps)])
            self.found.append(f'"{self.names[row]}" {what} ({time:.3f} s)')

    def _see_times(self) -> None:
        releases, steps = self.releases, self.take.tape.steps
        static = self.take.model.bodies.inverse_mass == 0.0
        for row in range(len(self.names)):
            step, there, shown = int(releases.step[row]), int(releases.there[row]), int(releases.shown[row])
            if not 0 <= there <= step <= steps:
                self._tell(row, step, "is let go at no moment of the take")
            if not 0 <= shown <= there:
                self._tell(row, there, "is there before it is seen")
            if static[row] and step != 0:
                self._tell(row, step, "never moves and is let go")
            hand = releases.hands.get(row)
            if hand is not None and (step == 0 or hand.step[-1] != there):
                self._tell(row, there, "is brought by a hand that ends at another moment")

    def see(self, opened: Opened) -> None:
        """The next block."""
        if not self._any:
            return
        first, steps, release = opened.first, opened.block.steps, self.releases.step
        for row in self._restless(opened):
            self._tell(row, first, "moves before it is let go")
        for row in map(int, np.flatnonzero(self.releases.held)):
            self._see_held(row, opened)
        for row in map(int, np.flatnonzero((release > 0) & (release >= first) & (release <= first + steps))):
            self._see_release(row, State(*(part[release[row] - first, row] for part in opened.states)))

    def _restless(self, opened: Opened) -> Iterator[int]:
        """Rows of those who are awake, or have momentum, before their release."""
        v, l, steps = opened.states.v[:-1], opened.states.l[:-1], np.arange(opened.block.steps)
        before = opened.first + steps[:, None] < self.releases.step
        if before.any():
            stirs = ~opened.asleep | v.any(axis=2) | l.any(axis=2)
            yield from map(int, np.flatnonzero((stirs & before).any(axis=0)))

    def _see_held(self, row: int, opened: Opened) -> None:
        """From when it is there until it is let go, and at the last state of the tape."""
        steps = opened.first + np.arange(opened.block.steps + 1)
        x, q = opened.states.x[:, row], opened.states.q[:, row]
        stands = (steps >= self.releases.there[row]) & (steps <= self.releases.step[row])
        for j in np.flatnonzero(stands | (steps == self.take.tape.steps)):
            pose = self._standing.setdefault(row, (x[j], q[j]))
            if not (np.array_equal(x[j], pose[0]) and np.array_equal(q[j], pose[1])):
                self._tell(row, int(steps[j]), "is held where it does not stay")

    def _see_release(self, row: int, let_go: State) -> None:
        step, there = int(self.releases.step[row]), int(self.releases.there[row])
        if self.releases.held[row] and (let_go.v.any() or let_go.l.any()):
            self._tell(row, step, "is held and let go with a speed")
        for what in self._faults_of_hand(row, let_go):
            self._tell(row, there, what)

    def _faults_of_hand(self, row: int, let_go: State) -> Iterator[str]:
        hand = self.releases.hands.get(row)
        if hand is None:
            return
        turned = max(min(norm(hand.q - let_go.q), norm(hand.q + let_go.q)), norm(hand.turn[-1]))
        if not (norm(hand.x[-1] - let_go.x) <= SAME_PLACE and turned <= SAME_PLACE):
            yield "is let go elsewhere than its hand ends"
        turn = rotation_matrices(let_go.q)
        inertia = self.take.model.bodies.inverse_inertia[row]
        spin = each_times(turn, each_times(inertia, each_times(turn.T, let_go.l)))
        if not (norm(hand.v[-1] - let_go.v) <= SAME_SPEED and norm(hand.spin[-1] - spin) <= SAME_SPEED):
            yield "is let go with another speed than its hand has"


def hand_faults(take: Take) -> list[str]:
    """What is wrong with hands and releases of a take, in words; nothing: all is well."""
    check = HandCheck(take)
    for opened in take.tape.opened():
        check.see(opened)
    return check.found
