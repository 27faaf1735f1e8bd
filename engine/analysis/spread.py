"""Spread: how much takes of one scene differ - where bodies start, and from which side they arrive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.rest import REST_OF_ARRIVAL
from engine.tape.take import Take

APPROACH = 0.25  # s before a body comes to rest, over which its direction of arrival is taken


@dataclass(frozen=True)
class Arrivals:
    """Of one take, body by body in the order of scene.bodies."""

    seed: int
    starts: np.ndarray  # (n, 3) m, at the start of the take
    directions: np.ndarray  # (n, 3) unit vectors, of the way in the last quarter of a second before rest; nan: it stays


@dataclass(frozen=True)
class Spread:
    """0 everywhere means that all takes are the same."""

    takes: int
    bodies: int  # that move in at least two takes
    starts: float  # m, rms distance of a body's starting points from their mean, over all bodies
    directions: float  # 0 all from one side, 1 from all sides: one minus the length of the mean direction
    closest: tuple[int, int] | None  # seeds of the two takes that are most alike
    closest_starts: float  # m, rms distance between the starting points of those two
    by_body: dict[str, tuple[float, float]]  # name -> (starts, directions)

    def summary(self) -> dict[str, object]:
        return {
            "takes": self.takes,
            "bodies": self.bodies,
            "starts_m": self.starts,
            "directions": self.directions,
            "closest_seeds": self.closest,
            "closest_starts_m": self.closest_starts,
            "by_body": {name: {"starts_m": s, "directions": d} for name, (s, d) in self.by_body.items()},
        }

    def __str__(self) -> str:
        if self.closest is None or not self.bodies:
            return "the takes cannot be compared: fewer than two, or nothing moves"
        a, b = self.closest
        return (
            f"starting points spread by {self.starts:.3g} m, arrival directions by {self.directions:.2f} (0: one side, "
            f"1: all sides); most alike are seeds {a} and {b}, {self.closest_starts:.3g} m apart"
        )


def arrivals(take: Take) -> Arrivals:
    x = take.positions
    k, n = x.shape[:2]
    moved = np.linalg.norm(x - x[-1], axis=2) > REST_OF_ARRIVAL
    rest = np.where(moved.any(0), k - np.argmax(moved[::-1], axis=0), 0)  # the first state from which a body rests
    before = np.maximum(rest - max(1, round(APPROACH / take.tape.params.dt)), 0)
    way = x[-1] - x[before, np.arange(n)]
    length = np.linalg.norm(way, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        directions = np.where(length > REST_OF_ARRIVAL, way / length, np.nan)
    return Arrivals(take.seed, x[0].copy(), directions)


def spread(takes: Sequence[Take]) -> Spread:
    """Of takes of one scene; bodies that move in fewer than two of them do not count."""
    each = [arrivals(take) for take in takes]
    if len(each) < 2:
        return Spread(len(each), 0, 0.0, 0.0, None, 0.0, {})
    starts, directions = np.array([a.starts for a in each]), np.array([a.directions for a in each])
    moves = ~np.isnan(directions[:, :, 0])
    counted = np.flatnonzero(moves.sum(0) >= 2)
    names = [body.name for body in takes[0].scene.bodies]
    by_body = {names[b]: _of_body(starts[moves[:, b], b], directions[moves[:, b], b]) for b in counted}
    pairs = [(_apart(starts[i, counted], starts[j, counted]), i, j) for j in range(len(each)) for i in range(j)]
    apart, i, j = min(pairs)
    figures = np.array(list(by_body.values())).reshape(-1, 2)
    return Spread(
        takes=len(each),
        bodies=len(counted),
        starts=float(np.sqrt(np.mean(figures[:, 0] ** 2))) if len(counted) else 0.0,
        directions=float(np.mean(figures[:, 1])) if len(counted) else 0.0,
        closest=(each[i].seed, each[j].seed),
        closest_starts=apart,
        by_body=by_body,
    )


def _of_body(starts: np.ndarray, directions: np.ndarray) -> tuple[float, float]:
    """(m, 0 to 1) over the takes in which it moves."""
    return _apart(starts, starts.mean(0)), 1.0 - float(np.linalg.norm(directions.mean(0)))


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """m, root mean square."""
    return float(np.sqrt(np.mean(np.sum((a - b) ** 2, axis=-1)))) if len(a) else 0.0
