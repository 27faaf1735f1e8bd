"""What a load does where contacts press only as hard as the load makes them.

Forces of a balance may be chosen (balance.py): a book between two walls that only touch it "can" be held by any
squeeze. Nothing makes the walls squeeze, so nobody may count on it. Here friction is given what the load itself presses
together, from below: first none, then what the normal forces of that motion allow, until nothing changes. Each round is
Gauss' principle: the least acceleration that forces within fixed bounds leave. What comes out obeys Coulomb's law, so
a motion is one that the law allows, of any number of bodies and with round cones: a load under which something moves is
not strongly stable (Pang and Trinkle 1998)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import clarabel
import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular

from engine.analysis.asked import LookUp, go_on
from engine.analysis.stability.balance import HeldBy, columns_of, furthest, solved, unit_of

ROUNDS = 32  # then what still slows down counts as moving: it does so within a thousandth of where it stops
SETTLED = 1e-4  # change of the acceleration from round to round, as a share of it
SOFT = 1e-4  # share by which contacts give way under force: of many ways to press, the least and most even one
EXACT = 1e-12  # of the solver: what it leaves of a squeeze that nothing asks for is the root of this over SOFT
NEARLY = 2e-2  # acceleration, as below, under which it may be that of contacts giving way: asked again without
SETS_OFF = 1e-4  # acceleration, as a share of the load's on free bodies, that counts as motion
SLACK = 1e-3  # of a limit that may be taken: what is held there is held up to the limit
CLOSE, ROUGHLY = 4e-4, 1e-2  # width of the bracket of a limit
TRIES = 30


class Onset(NamedTuple):
    left: np.ndarray  # (w,) what of the load no force balances, in the metric of the mass; zero where nothing moves
    normal: np.ndarray  # (n,) normal forces as shares of the load
    sure: bool  # it is fast, or settled in a few rounds: not on its way to rest


class Unforced:
    """Motions of what is held so, under any load."""

    def __init__(self, s: HeldBy, look_up: LookUp = go_on) -> None:
        self.s, self.look_up = s, look_up
        columns = solve_triangular(s.root, columns_of(s), lower=True)
        self._reach = columns / unit_of(columns)
        (w, count), n = self._reach.shape, s.J.shape[2]
        rows, cones, self._heads, self._share = _bounded(s)
        # Least |y|^2 with y = load + reach @ x: what is left is a variable, so that nothing but its w rows is dense.
        equal = sparse.hstack([sparse.csc_matrix(self._reach), -sparse.eye(w)])
        bounds = sparse.hstack([rows, sparse.csc_matrix((rows.shape[0], w))])
        self._rows, self._cones = sparse.vstack([equal, bounds], format="csc"), [clarabel.ZeroConeT(w), *cones]
        give = SOFT * np.sum(self._reach[:, :n] ** 2, axis=0)
        self._soft = sparse.diags(np.r_[give, np.zeros(count - n), np.ones(w)], format="csc")
        self._hard = sparse.diags(np.r_[np.zeros(count), np.ones(w)], format="csc")

    def motion(self, load: np.ndarray, start: np.ndarray | None = None) -> Onset:
        """`start`: normal forces of a motion near by, to go on from."""
        target = solve_triangular(self.s.root, load, lower=True)
        size, n = float(np.linalg.norm(target)), self.s.J.shape[2]
        normal = np.zeros(n) if start is None else start
        if size == 0.0:
            return Onset(target, normal, True)
        target = target / size
        left, soft, settled, right = target, target, False, np.zeros(self._rows.shape[0] - len(target))
        for _ in range(ROUNDS):
            self.look_up()
            right[self._heads] = self._share * np.tile(normal, len(self._heads) // max(n, 1))
            x = self._least(self._soft, target, right)
            before, soft, normal = soft, target + self._reach @ x, np.maximum(x[:n], 0.0)
            settled, left = np.linalg.norm(soft - before) <= SETTLED * np.linalg.norm(soft), soft
            if settled or np.linalg.norm(soft) <= NEARLY:
                left = target + self._reach @ self._least(self._hard, target, right)
                if np.linalg.norm(left) <= SETS_OFF:
                    return Onset(np.zeros(len(load)), normal, True)
            if settled:
                break
        return Onset(left * size, normal, bool(settled or np.linalg.norm(left) > NEARLY))

    def _least(self, square: sparse.csc_matrix, target: np.ndarray, bounds: np.ndarray) -> np.ndarray:
        right = np.r_[-target, bounds]
        return solved(square, np.zeros(self._rows.shape[1]), self._rows, right, self._cones, EXACT)[: -len(target)]

    def stands(self, load: np.ndarray) -> bool:
        return not self.motion(load).left.any()

    def reaches(self, load: np.ndarray, ways: Sequence[np.ndarray], most: float) -> np.ndarray:
        """(k,) the largest factor up to `most`, of each way, for which load + factor * way moves nothing; the least of
        them is found more closely than the others."""
        found = np.array([self.furthest(load, way, most, ROUGHLY) for way in ways])
        least = int(np.argmin(found))
        found[least] = self.furthest(load, ways[least], most, CLOSE)
        return found

    def furthest(self, load: np.ndarray, way: np.ndarray, most: float, close: float = CLOSE) -> float:
        """The largest factor up to `most` for which load + factor * way moves nothing. Zero where the load does."""
        top = furthest(self.s, load, way, most)
        if top <= 0.0:
            return 0.0
        start: np.ndarray | None = None

        def speed(factor: float) -> float:
            nonlocal start
            found = self.motion(load + factor * way, start)
            if start is not None and not (found.left.any() and found.sure):  # more was pressed there: ask from below
                found = self.motion(load + factor * way)
            if found.left.any():
                start = found.normal
            return float(np.linalg.norm(found.left))

        if (fastest := speed((1.0 - SLACK) * top)) == 0.0:
            return top
        if not self.stands(load):
            return 0.0
        low, moving = 0.0, [((1.0 - SLACK) * top, fastest)]
        steps = True
        for _ in range(TRIES):
            high = moving[-1][0]
            if high - low <= close * high:
                break
            factor = _next(moving, low, steps, close)
            found = speed(factor)
            if found > 0.0:
                moving = [*moving[-1:], (factor, found)]
            else:
                low = factor
                if len(moving) == 1:  # a second point of the line
                    moving.insert(0, (2.0 * high, speed(2.0 * high)))
            steps = moving[-1][0] - low <= 0.5 * (high - low)  # or half way next time
        root = _root(moving)
        return root if root is not None and low <= root <= moving[-1][0] else low


def _next(moving: list[tuple[float, float]], low: float, step: bool, close: float) -> float:
    """Just above where it would stop, then just below; half way, where that does not tell."""
    high, root = moving[-1][0], _root(moving)
    if root is None or not step or root >= high:
        return 0.5 * (low + high)
    above, below = (1.0 + 0.4 * close) * max(root, low), (1.0 - 0.4 * close) * root
    return above if above < high else below if below > low else 0.5 * (low + high)


def _root(moving: list[tuple[float, float]]) -> float | None:
    """Where the acceleration vanishes, by the line through the last two: it grows with the load, while the way to move
    stays the same."""
    if len(moving) < 2:
        return None
    (far, fast), (near, slow) = moving[-2:]
    return near - slow * (far - near) / (fast - slow) if fast > slow else None


def _bounded(s: HeldBy) -> tuple[sparse.csc_matrix, list[object], np.ndarray, np.ndarray]:
    """Rows and cones of forces within bounds: normals that push, tangents and torques in balls. `heads`: the rows
    in which the radii stand, which are `share` of the normal forces."""
    directions, _, n = s.J.shape
    rolls = np.flatnonzero(s.rolling > 0.0) if s.spin is not None and s.rolling is not None else np.zeros(0, int)
    width = directions * n + 3 * len(rolls) + (0 if s.held is None else s.held.shape[1])
    heads = n + directions * np.arange(n)
    entries = [(np.arange(n), np.arange(n))]
    entries += [(heads + d, d * n + np.arange(n)) for d in range(1, directions)]
    top = (1 + directions) * n
    turning = top + 4 * np.arange(n if len(rolls) else 0)
    if len(rolls):  # contacts that do not roll have a ball without a centre
        at = directions * n + np.arange(len(rolls))
        entries += [(turning[rolls] + 1 + d, at + d * len(rolls)) for d in range(3)]
        top += 4 * n
    row, column = (np.concatenate(each) for each in zip(*entries, strict=True))
    rows = sparse.csc_matrix((-np.ones(len(row)), (row, column)), shape=(top, width))
    cones: list[object] = [clarabel.NonnegativeConeT(n)] if n else []
    cones += [clarabel.SecondOrderConeT(directions)] * n + [clarabel.SecondOrderConeT(4)] * len(turning)
    share = np.r_[s.mu, s.rolling] if len(rolls) and s.rolling is not None else s.mu
    return rows, cones, np.r_[heads, turning], share
