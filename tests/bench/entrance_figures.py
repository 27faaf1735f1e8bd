"""What is measured of one take with entrances: who came in how, how honestly, from how far and with what energy.

*By physics* means let go well before its rest and well away from its place, and lawful from there on. What is let go
later or nearer was placed, whatever it says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from engine.certificate.audit import Report
from engine.contact.tiers import ASSISTED, EXACT, GHOSTED
from engine.model.arrays import State
from engine.model.compile import poses_of
from engine.scene.spec import Scene
from engine.shapes.extent import AXIS_DIRECTIONS, reach
from engine.shapes.turns import rotation_matrix
from engine.tape.take import Take

EARLY = 0.15  # s before its rest that a body is let go, at least, to have come by physics
HALF_SIZES = 1.0  # of the ball around it that it is away then, at least: half its size is that ball's radius
IN_PLACE = 1e-9  # m, and of a quaternion: what is nearer to the ending is there
ROOM = 2.5  # the stage beside the ending's own box
ROUNDING = 1e-9  # s

BY_PHYSICS, HELD, PLACED, STILL = "physics", "held", "placed", "still"
WAYS = (BY_PHYSICS, HELD, PLACED, STILL)


@dataclass(frozen=True)
class Entry:
    """How one body came in. Steps are states of the tape."""

    name: str
    row: int
    step: int  # let go
    rest: int  # in place from here on
    away: float  # m from its place when let go
    way: str  # one of WAYS
    inside: bool  # first seen within the stage
    popped: bool  # that, and in nobody's hand


class Figures:
    """Of a take and its verdict. Whole arrays of states are never asked for: takes may be long and many-bodied."""

    def __init__(self, take: Take, report: Report) -> None:
        self.take, self.report = take, report
        self.rows = np.flatnonzero(take.model.bodies.inverse_mass > 0.0)
        tape = take.tape
        self.dt, self.ending = tape.params.dt, tape.state(tape.steps)
        self.releases = tape.releases

    @cached_property
    def rests(self) -> np.ndarray:
        """(n,) first state from which on a body is where it ends; its release when it is there by then."""
        found = self.releases.step.astype(np.int64).copy()
        for opened in self.take.tape.opened():
            x, q = opened.states.x, opened.states.q
            off = (np.abs(x - self.ending.x) > IN_PLACE).any(axis=2) | (np.abs(q - self.ending.q) > IN_PLACE).any(
                axis=2
            )
            number = opened.first + np.arange(len(off))[:, None]
            last = np.where(off & (number >= self.releases.step), number, -1).max(axis=0)
            found = np.maximum(found, last + 1)
        return np.minimum(found, self.take.tape.steps)

    @cached_property
    def let_go(self) -> State:
        """States (n, ...) of the bodies, each at its own release."""
        parts = State(*(part.copy() for part in self.ending))
        for row in sorted(map(int, self.rows), key=lambda row: self.releases.step[row]):  # few blocks are open at once
            state = self.take.tape.state(int(self.releases.step[row]))
            for part, now in zip(parts, state, strict=True):
                part[row] = now[row]
        return parts

    @cached_property
    def first_seen(self) -> np.ndarray:
        """(n, 3) m: centres of mass when bodies are first shown, in a hand or not."""
        return self._first_poses[0]

    @cached_property
    def _first_poses(self) -> tuple[np.ndarray, np.ndarray]:
        places, turns = self.ending.x.copy(), self.ending.q.copy()
        shown, step = self.releases.shown, self.releases.step
        for row in sorted(map(int, self.rows), key=lambda row: shown[row]):
            if shown[row] < step[row]:
                x, q = self.take.in_hand(row, np.array([shown[row]]))
                places[row], turns[row] = x[0], q[0]
            else:
                state = self.take.tape.state(int(shown[row]))
                places[row], turns[row] = state.x[row], state.q[row]
        return places, turns

    def corners_first_seen(self, row: int, half: Sequence[float]) -> np.ndarray:
        """(9, 3) m: middle and corners of a box when it is first shown."""
        places, turns = self._first_poses
        signs = np.array([(0, 0, 0), *product((-1, 1), repeat=3)])
        found: np.ndarray = places[row] + (signs * np.asarray(half)) @ rotation_matrix(turns[row]).T
        return found

    @cached_property
    def entries(self) -> list[Entry]:
        """Of every body that is not static, in the rows of the model."""
        low, high = stage_box(self.take.scene)
        bodies, releases = self.take.model.bodies, self.releases
        found = []
        for row in map(int, self.rows):
            away = float(np.linalg.norm(self.let_go.x[row] - self.ending.x[row]))
            seen, step = int(releases.shown[row]), int(releases.step[row])
            inside = bool((self.first_seen[row] > low).all() and (self.first_seen[row] < high).all())
            in_hand = seen < step and row in releases.hands
            way = self._way(row, away, HALF_SIZES * float(bodies.size[row]))
            name = self.take.model.names[row]
            found.append(Entry(name, row, step, int(self.rests[row]), away, way, inside, inside and not in_hand))
        return found

    def _way(self, row: int, away: float, far: float) -> str:
        releases = self.releases
        if self._never_came(row):
            return STILL
        if releases.held[row]:
            return HELD
        early = (self.rests[row] - releases.step[row]) * self.dt >= EARLY - ROUNDING
        return BY_PHYSICS if early and away >= far - IN_PLACE else PLACED

    def _never_came(self, row: int) -> bool:
        """It was seen at its place from the first moment on: no motion, no hand that brought it, and not unseen."""
        releases = self.releases
        if self.rests[row] > releases.step[row] or releases.shown[row] > 0:
            return False
        hand = releases.hands.get(row)
        if hand is not None:
            way = np.linspace(max(float(hand.step[0]), 0.0), float(hand.step[-1]), 33)
            x, q = hand.at(way, self.dt)
            return bool((np.abs(x - self.ending.x[row]) <= IN_PLACE).all() and _turned_less(q, self.ending.q[row]))
        return bool((np.abs(self.let_go.x[row] - self.ending.x[row]) <= IN_PLACE).all())

    def count(self, way: str) -> int:
        return sum(entry.way == way for entry in self.entries)

    @property
    def exact_in_motion(self) -> float | None:
        """Share of EXACT among steps with a contact of a body under way; None when there is no such step."""
        if hasattr(self.report, "exact_in_motion"):
            share: float | None = self.report.exact_in_motion
            return share
        steps = self.steps_in_motion
        return float((self.report.tiers[steps] == EXACT).mean()) if len(steps) else None

    @cached_property
    def steps_in_motion(self) -> np.ndarray:
        """Steps with a contact of a body between its release and its rest."""
        mass, found = self.take.model.bodies.inverse_mass, []
        for opened in self.take.tape.opened():
            step = opened.first + np.repeat(np.arange(opened.block.steps), np.diff(opened.start))
            under_way = np.zeros(len(step), bool)
            for bodies in (opened.contacts.a, opened.contacts.b):
                of = bodies[: len(step)]
                under_way |= (mass[of] > 0.0) & (step >= self.releases.step[of]) & (step < self.rests[of])
            found.append(np.unique(step[under_way]))
        return np.concatenate([*found, np.zeros(0, np.int64)]).astype(np.int64)

    @property
    def unlawful(self) -> float:
        """Share of contact steps that are GHOSTED or ASSISTED."""
        return self.report.fraction(GHOSTED) + self.report.fraction(ASSISTED)

    @property
    def energy_ratio(self) -> float:
        """Energy of all bodies, each at its release, over that of the ending; heights from its lowest point."""
        end = self._energy(self.ending)
        return self._energy(self.let_go) / end if end > 0.0 else float("inf")

    def _energy(self, state: State) -> float:
        model, rows = self.take.model, self.rows
        g = np.asarray(model.gravity, float)
        strength = float(np.linalg.norm(g))
        up = -g / strength if strength > 0.0 else np.array([0.0, 0.0, 1.0])
        mass = 1.0 / model.bodies.inverse_mass[rows]
        spin = angular_velocities(state.q[rows], state.l[rows], model.bodies.inverse_inertia[rows])
        height = state.x[rows] @ up - lowest_point(self.take.scene, up)
        kinetic = 0.5 * mass * (state.v[rows] ** 2).sum(axis=1) + 0.5 * (spin * state.l[rows]).sum(axis=1)
        return float((kinetic + mass * strength * height).sum())

    @property
    def distances(self) -> np.ndarray:
        """(m,) m from their places, of those that were let go on the way."""
        return np.array([entry.away for entry in self.entries if entry.way in (BY_PHYSICS, PLACED)])

    def let_go_place(self, name: str) -> np.ndarray:
        """(3,) m: authored origin of a body at its release."""
        row = self.take.model.names.index(name)
        found: np.ndarray = poses_of(self.take.model, self.let_go.x, self.let_go.q)[row]
        return found


def _turned_less(q: np.ndarray, end: np.ndarray) -> bool:
    return bool((np.abs(np.abs(q @ end) - 1.0) <= IN_PLACE).all())


def angular_velocities(q: np.ndarray, l: np.ndarray, inverse_inertia: np.ndarray) -> np.ndarray:
    """(m, 3) rad/s in the world, from orientations (m, 4), momenta (m, 3) and inverse inertias (m, 3, 3) in bodies."""
    w, u = q[:, :1], q[:, 1:]

    def turned(sign: float, vectors: np.ndarray) -> np.ndarray:
        t = 2.0 * np.cross(sign * u, vectors)
        return vectors + w * t + np.cross(sign * u, t)

    own = np.einsum("mij,mj->mi", inverse_inertia, turned(-1.0, l))
    return turned(1.0, own)


def bounds(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (m) of the box around all bodies of an ending that move."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for body in scene.bodies:
        if not body.static:
            reached = reach(body.shape, body.orientation, AXIS_DIRECTIONS)
            place = np.asarray(body.position, float)
            low, high = np.minimum(low, place - reached[3:]), np.maximum(high, place + reached[:3])
    return low, high


def stage_box(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (m) of the space that bodies enter: the ending's box enlarged about its centre."""
    low, high = bounds(scene)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    return middle - ROOM * half, middle + ROOM * half


def lowest_point(scene: Scene, up: np.ndarray) -> float:
    """Height (m) along `up` of the lowest point of the bodies that move, at the ending."""
    moving = [body for body in scene.bodies if not body.static]
    return min(float(np.dot(body.position, up) - reach(body.shape, body.orientation, -up)[0]) for body in moving)


def moments(figures: Figures, count: int = 8) -> np.ndarray:
    """(count,) s on take.times, spread from where the first body begins to move to where the last one rests; the last
    moment is the ending."""
    releases, steps = figures.releases, figures.take.tape.steps
    begins, rests = [], []
    for entry in figures.entries:
        if entry.way != STILL:
            hand = releases.hands.get(entry.row)
            begins.append(max(int(hand.step[0]) if hand else entry.step, int(releases.shown[entry.row]), 0))
            rests.append(entry.rest)
    first, last = min(begins, default=0), max(rests, default=steps)
    found = float(figures.take.times[0]) + figures.dt * np.linspace(first, max(last, first + 1), count)
    found[-1] = figures.take.times[-1]
    return found


def ks(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    """Kolmogorov-Smirnov distance: the largest difference of the shares of two samples up to some value."""
    first, second = np.sort(np.asarray(a, float)), np.sort(np.asarray(b, float))
    if not len(first) or not len(second):
        return float("nan")
    at = np.concatenate([first, second])
    shares = [np.searchsorted(each, at, side="right") / len(each) for each in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())
