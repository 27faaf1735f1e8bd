"""Can a rigid body be wedged between things that do not give way? Two questions, each with the least friction for yes.

*Holds*: there are reactions that balance each other. Squeezed by something else it could keep the squeeze; but every
body that fits snugly between parallel walls can do that without friction.

*Stays*: the body itself was pushed in, against a spring pad at every contact, and its own push keeps it. A motion q
presses a contact by what it would go into it, r_n = max(0, -J_n q), and these reactions balance each other with
friction. That is the problem of Fujita and Kanno 2009 with u = J q + r: every answer is one of the first kind, too.

Which contacts press is a choice of the side of each contact's plane J_n q = 0 on which q lies. The sides are tried by
branch and bound; each branch must leave some room for q, and reactions that balance with less friction than the best
found so far."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from engine.analysis.asked import LookUp, go_on
from engine.analysis.wedged.programs import Answer, WedgeProblem, nearest_balance

NEVER = 10.0  # friction from which on nothing is called possible
CLOSE = 1e-5  # to which a friction is found
ROOM = 1e-9  # of normals and motions of unit size: less is nothing
SLIGHT = 1e-6  # of all normal reactions together: less is none
MOST_BRANCHES = 3000


@dataclass(frozen=True)
class Wedge:
    """Frictions are inf where none up to NEVER will do."""

    holds: float  # least friction with which some reactions balance
    stays: float  # least friction with which the body keeps itself in place once pushed in
    proven: bool  # False: `stays` may be less, the search was given up
    motion: np.ndarray | None  # (w,) how it was pushed in
    reactions: np.ndarray | None  # (m, d) normal first, normal parts sum up to 1; of what stays, or else of what holds


def rigid(
    Wn: np.ndarray,
    Wt: np.ndarray,
    Wo: np.ndarray | None = None,
    friction: np.ndarray | None = None,
    look_up: LookUp = go_on,
    most_branches: int = MOST_BRANCHES,
) -> Wedge:
    """A body against all that it touches. Wn, Wt, Wo: (w, m) wrenches of unit forces along normal and tangents; w is 3
    in the plane, without Wo, or 6. friction: (m,) of the contacts as multiples of the friction that is told; 1 each.

    `look_up` is called between programs and may raise, to stop."""
    ways = [Wn, Wt] if Wo is None else [Wn, Wt, Wo]
    w, m = Wn.shape
    turns = 1 if w == 3 else 3
    reach = max((float(np.linalg.norm(way[-turns:], axis=0).max(initial=0.0)) for way in ways), default=1.0) or 1.0
    scale = np.concatenate([np.ones(w - turns), np.full(turns, 1.0 / reach)])
    wrenches = scale[:, None, None] * np.stack(ways, axis=2)  # (w, m, d)
    ratios = np.ones(m) if friction is None else np.asarray(friction, float)
    search = _Search(wrenches, ratios, look_up, most_branches)
    return search.wedge(scale)


class _Search:
    def __init__(self, wrenches: np.ndarray, friction: np.ndarray, look_up: LookUp, most: int) -> None:
        w, m, d = wrenches.shape
        balance = np.concatenate([np.zeros((w, w)), wrenches.reshape(w, m * d)], axis=1)
        reactions = np.concatenate([np.zeros((m * d, w)), np.eye(m * d)], axis=1).reshape(m, d, w + m * d)
        self.normals = wrenches[:, :, 0].T  # (m, w): J_n
        gaps = np.concatenate([self.normals, reactions[:, 0, w:]], axis=1)
        self.pads = WedgeProblem(gaps, reactions, balance, friction)
        self.loose = WedgeProblem(np.zeros((m, m * d)), reactions[:, :, w:], balance[:, w:], friction)
        self.look_up = look_up
        self.most = most
        self.proven = True
        self.width = w
        self.planes = _planes(self.normals)

    def wedge(self, scale: np.ndarray) -> Wedge:
        holds, held = self._least(self.loose, [], [], 0.0, NEVER)
        if held is None:
            return Wedge(math.inf, math.inf, True, None, None)
        stays, kept = self._pushed_in(holds)
        if kept is None:
            return Wedge(holds, math.inf, self.proven, None, self.loose.reactions @ held.unknowns)
        reactions = self.pads.reactions @ kept.unknowns
        motion = self._plainest(kept.unknowns[: self.width], reactions[:, 0])
        return Wedge(holds, stays, self.proven, scale * motion, reactions)

    def _least(
        self, problem: WedgeProblem, closed: list[int], opened: list[int], low: float, high: float
    ) -> tuple[float, Answer | None]:
        """The least friction between low and high with which there is balance, by bisection; inf and None: there is
        none."""
        best = self._ask(problem, high, closed, opened)
        if not best.exists:
            return math.inf, None
        at_low = self._ask(problem, low, closed, opened)
        if at_low.exists:
            return low, at_low
        while high - low > CLOSE:
            middle = 0.5 * (low + high)
            answer = self._ask(problem, middle, closed, opened)
            if answer.exists:
                high, best = middle, answer
            else:
                low = middle
        return high, best

    def _ask(self, problem: WedgeProblem, mu: float, closed: list[int], opened: list[int]) -> Answer:
        self.look_up()
        return nearest_balance(problem, mu, closed, opened)

    def _pushed_in(self, low: float) -> tuple[float, Answer | None]:
        """Depth first. A branch is the side of every plane settled so far, with a motion that lies there."""
        best, kept = math.inf, None
        start: tuple[dict[int, int], np.ndarray] = ({}, np.zeros(self.width))
        pending = [start]
        for _ in range(self.most):
            if not pending:
                return best, kept
            sides, inside = pending.pop()
            closed, opened = self._contacts(sides)
            below = NEVER if kept is None else best - 10.0 * CLOSE
            if below < low:
                return best, kept
            answer = self._ask(self.pads, below, closed, opened)
            if not answer.exists:
                continue
            if len(sides) == len(self.planes):
                best, kept = self._least(self.pads, closed, opened, low, below)
                continue
            pending += self._branches(sides, inside, answer)
        self.proven = not pending
        return best, kept

    def _branches(
        self, sides: dict[int, int], inside: np.ndarray, answer: Answer
    ) -> list[tuple[dict[int, int], np.ndarray]]:
        """The two sides of the plane at which the answer is furthest from a choice; the one that presses last, so that
        it is tried first: what presses at many places looks as it would be."""
        reactions = self.pads.reactions[:, 0] @ answer.unknowns
        gaps = self.pads.gaps @ answer.unknowns
        doubt = np.minimum(gaps, reactions)
        left = [k for k in range(len(self.planes)) if k not in sides]
        plane = max(left, key=lambda k: max(doubt[contact] for contact, _ in self.planes[k]))
        contact, sign = max(self.planes[plane], key=lambda each: reactions[each[0]])
        found = []
        for side in (sign, -sign):
            more = {**sides, plane: side}
            motion = inside if side * self._normal(plane) @ inside > ROOM else self._room(more)
            if motion is not None:
                found.append((more, motion))
        return found

    def _plainest(self, motion: np.ndarray, presses: np.ndarray) -> np.ndarray:
        """The smallest motion that presses just as this one, unless it would go into other contacts."""
        pressed = presses > SLIGHT
        plain = np.linalg.lstsq(self.normals[pressed], -presses[pressed], rcond=1e-9)[0]
        return plain if (self.normals[~pressed] @ plain > -SLIGHT).all() else motion

    def _normal(self, plane: int) -> np.ndarray:
        contact, sign = self.planes[plane][0]
        return sign * self.normals[contact]

    def _room(self, sides: dict[int, int]) -> np.ndarray | None:
        """A motion on these sides, away from all of these planes; None when there is none.

        There is one unless a mean of the planes' normals, each toward its side, is zero (Gordan). What is left of the
        mean that comes closest to zero is such a motion."""
        rows = np.array([side * self._normal(plane) for plane, side in sides.items()])
        matrix = np.concatenate([rows.T, np.ones((1, len(rows)))])
        wanted = np.append(np.zeros(self.width), 1.0)
        missing = wanted - matrix @ nnls(matrix, wanted)[0]
        return -missing[:-1] / missing[-1] if missing[-1] > ROOM else None

    def _contacts(self, sides: dict[int, int]) -> tuple[list[int], list[int]]:
        """Contacts into which motions on these sides go, and those that they leave."""
        closed: list[int] = []
        opened: list[int] = []
        for plane, side in sides.items():
            for contact, sign in self.planes[plane]:
                (opened if sign * side > 0 else closed).append(contact)
        return closed, opened


def _planes(normals: np.ndarray) -> list[list[tuple[int, int]]]:
    """Contacts by the plane J_n q = 0 that they share, each with the side of it on which the contact opens."""
    planes: list[list[tuple[int, int]]] = []
    units = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    for contact, unit in enumerate(units):
        for plane in planes:
            first = units[plane[0][0]]
            if min(np.abs(unit - first).max(), np.abs(unit + first).max()) < 1e-7:
                plane.append((contact, 1 if unit @ first > 0.0 else -1))
                break
        else:
            planes.append([(contact, 1)])
    return planes
