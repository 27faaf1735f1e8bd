"""ReachMap: where random throws of one body come to rest, and where they were before (Twigg and James 2008, fig. 5).

Nothing here is simulated: whoever shows a map asks it for another plane, another moment, only some of its throws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from engine.scene.record import Quaternion, Vector
from engine.scene.spec import Body

Plane: TypeAlias = Literal["top", "front", "side"]
PLANES: dict[Plane, tuple[int, int, tuple[float, float, float]]] = {  # to the right, up, toward whoever looks
    "top": (0, 1, (0.0, 0.0, 1.0)),
    "front": (0, 2, (0.0, -1.0, 0.0)),
    "side": (1, 2, (1.0, 0.0, 0.0)),
}
Turns: TypeAlias = Literal["all", "axis", "none"]
"""Which turns of a body are seen: all, those of its axis z (round bodies), none (balls)."""

NO_ROOM, RESTED, FELL, MOVING = range(4)  # what became of a throw
BEAT = 0.05  # s between two moments of a map
BEATS = 40  # moments before rest that are kept
CELLS = 96  # of a map, each way
SMOOTH = (1.0, 4.0, 6.0, 4.0, 1.0)  # over neighbouring cells, so that single throws do not look like noise
REACHED = 0.95  # of the endings have another one as near as this; yours is reached when it has one, too
NEAREST = 8  # endings that are tried before none is near enough
HANDFUL = 20  # endings without which nothing is said about how near they are to each other


class Density(NamedTuple):
    """A picture of throws: columns to the right, rows downward."""

    left: float  # of the picture, in m (to the right) and m or degrees (up)
    right: float
    low: float
    high: float
    shares: np.ndarray  # (CELLS, CELLS), the fullest cell is 1
    points: np.ndarray  # (m, 2) the throws themselves, in the same units
    mark: tuple[float, float]  # the authored ending


@dataclass(frozen=True)
class ReachMap:
    """n throws. Moment k is k beats before the throw came to rest; before it was let go its places are not numbers."""

    body: str  # id
    name: str
    seed: int
    size: float  # m, radius of a ball about the body
    room: np.ndarray  # (2, 3) m, lowest and highest corner of where throws begin and end
    turns: Turns
    fate: np.ndarray  # (n,) int8
    start: np.ndarray  # (n, 7) float32  place (m) and turn as it was let go
    rest: np.ndarray  # (n, 7) float64   as the run ended
    way: np.ndarray  # (n, BEATS + 1, 7) float32
    ending: np.ndarray  # (7,)  authored
    stays: bool  # the authored ending does not move when it is let go
    outlines: dict[Plane, tuple[np.ndarray, ...]]  # (h, 2) m corners of what the others look like

    def count(self, fate: int) -> int:
        return int((self.fate == fate).sum())

    @property
    def rested(self) -> np.ndarray:
        """Indices of the throws that came to rest."""
        return np.flatnonzero(self.fate == RESTED)

    def features(self, poses: np.ndarray) -> np.ndarray:
        """(m, 3 or 12) m: poses as points whose distance says how different they look. A turn by an angle a counts as
        2 size sin(a / 2), how far it moves the surface at most."""
        return np.concatenate([poses[:, :3], self._looks(poses[:, 3:])], axis=1)

    def _looks(self, q: np.ndarray) -> np.ndarray:
        if self.turns == "none":
            return np.zeros((len(q), 0))
        matrices = _matrices(q)
        if self.turns == "all":
            return matrices.reshape(-1, 9) * (self.size / np.sqrt(2.0))
        axis = matrices[:, :, 2]  # an axis and its opposite are one
        return (axis[:, :, None] * axis[:, None, :]).reshape(-1, 9) * (self.size * np.sqrt(2.0))

    @cached_property
    def _endings(self) -> np.ndarray:
        return self.features(self.rest[self.rested])

    def distances(self, pose: np.ndarray) -> np.ndarray:
        """(rested,) m, from a pose to every ending, in the order of `rested`."""
        found: np.ndarray = np.linalg.norm(self._endings - self.features(pose[None]), axis=1)
        return found

    @cached_property
    def spacing(self) -> float:
        """m: nearly all endings have another one as near as this."""
        if len(self._endings) < HANDFUL:
            return 0.0
        from scipy.spatial import cKDTree  # it takes a while to load

        nearest = np.asarray(cKDTree(self._endings).query(self._endings, 2)[0])[:, 1]
        return float(np.quantile(nearest, REACHED))

    def apart(self, a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
        """How far two poses are from each other: m, and degrees as far as turns are seen."""
        looks = np.linalg.norm(self._looks(a[None, 3:]) - self._looks(b[None, 3:]))
        half = min(1.0, float(looks) / (2.0 * self.size))
        angle = np.degrees(np.arcsin(half)) * (2.0 if self.turns == "all" else 1.0)
        return float(np.linalg.norm(a[:3] - b[:3])), float(angle)

    def nearest(self, pose: np.ndarray, count: int) -> np.ndarray:
        """Indices of the throws that come to rest nearest to a pose, the nearest first."""
        found: np.ndarray = self.rested[np.argsort(self.distances(pose), kind="stable")][:count]
        return found

    def nearest_to(self, body: Body, count: int = NEAREST) -> ReachMap:
        """Only the throws that end nearest to where a body is, the nearest first."""
        those = self.nearest(pose_of(body.position, body.orientation), count)
        columns = {name: getattr(self, name)[those] for name in ("fate", "start", "rest", "way")}
        return replace(self, **columns)

    def density(
        self,
        plane: Plane,
        what: Literal["place", "turn"] = "place",
        before: float | None = 0.0,
        chosen: np.ndarray | None = None,
        pose: np.ndarray | None = None,
    ) -> Density:
        """Of the throws `chosen` (those that came to rest), so many s before they rested; None: as they were let go.
        "turn": what is to the right stays, upward stands the turn about the line of sight. `pose` is marked (the
        authored ending)."""
        right, up, toward = PLANES[plane]
        those = self.rested if chosen is None else chosen
        poses = self.start[those] if before is None else self.way[those, min(round(before / BEAT), BEATS)]
        poses = poses[np.isfinite(poses[:, 0])].astype(float)
        marked = self.ending if pose is None else pose
        center, half = self.room.mean(axis=0), 0.53 * float(np.ptp(self.room, axis=0)[[right, up]].max())
        box = (center[right] - half, center[right] + half, center[up] - half, center[up] + half)
        high = poses[:, up]
        mark = float(marked[right]), float(marked[up])
        if what == "turn":
            box = (*box[:2], -180.0, 180.0)
            high = _twists(poses[:, 3:], self.ending[3:], np.array(toward))
            mark = mark[0], float(_twists(marked[None, 3:], self.ending[3:], np.array(toward))[0])
        points = np.stack([poses[:, right], high], axis=1)
        return Density(*box, _smooth_shares(points, box, around=what == "turn"), points, mark)


class Verdict(NamedTuple):
    """What a map says about a pose of its body."""

    level: Literal["fine", "warning", "bad"]
    title: str
    words: str
    nearest: int | None  # the throw that ends nearest
    place: float  # m, from it
    turn: float  # degrees
    near: int  # throws that end within the body's size of the pose
    spacing: float  # m, as near endings are to each other

    @property
    def is_reached(self) -> bool:
        return self.level == "fine"


def verdict(found: ReachMap, pose: np.ndarray, stays: bool = True) -> Verdict:
    """Does a throw come to rest there? `stays`: the pose does not move when it is let go."""
    rested = found.rested
    if not len(rested):
        many = "falls away" if found.count(FELL) >= found.count(MOVING) else "still moves after eight seconds"
        words = f"No throw of {found.name} comes to rest: it {many}."
        return Verdict("bad", "Nothing comes to rest", words, None, np.inf, np.inf, 0, np.inf)
    distances = found.distances(pose)
    first = int(distances.argmin())
    nearest = int(rested[first])
    place, turn = found.apart(pose, found.rest[nearest])
    count, spacing = int((distances <= found.size).sum()), found.spacing
    away = f"{_length(place)} away" + (f" and {turn:.0f}° turned" if found.turns != "none" else "")
    numbers = nearest, place, turn, count, spacing
    throws = f"{count:,} of {len(found.fate):,} throws end near it"
    if not stays:
        return Verdict("bad", "Not at rest", f"{found.name} moves when it is let go here. The nearest "
                       f"ending that throws reach is {away}.", *numbers)  # fmt: skip
    if distances[first] <= min(spacing, found.size):
        return Verdict("fine", "Within reach", f"{throws}, the nearest one {away}.", *numbers)
    if count:
        return Verdict("warning", "Hardly within reach", f"{throws}, the nearest one {away}.", *numbers)
    return Verdict("bad", "Out of reach", f"No throw ends near it, the nearest one {away}.", *numbers)


def pose_of(position: Vector, orientation: Quaternion) -> np.ndarray:
    """(7,) with a unit quaternion."""
    q = np.array(orientation, float)
    return np.concatenate([np.array(position, float), q / np.linalg.norm(q)])


def _length(metres: float) -> str:
    return f"{1000.0 * metres:.1f} mm" if metres < 0.01 else f"{100.0 * metres:.1f} cm"


def _matrices(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q.T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=1) for row in rows], axis=1)


def _twists(q: np.ndarray, still: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """(m,) degrees from -180 to 180: how far turns are from `still`, about an axis."""
    w, v = still[0], still[1:]
    real = q[:, 0] * w + q[:, 1:] @ v
    imaginary = w * q[:, 1:] - q[:, :1] * v - np.cross(q[:, 1:], v)
    angle = 2.0 * np.degrees(np.arctan2(imaginary @ axis, real))
    return (angle + 180.0) % 360.0 - 180.0


def _smooth_shares(points: np.ndarray, box: tuple[float, float, float, float], around: bool) -> np.ndarray:
    """`around`: the lower end of the picture is its upper end."""
    left, right, low, high = box
    counts = np.histogram2d(points[:, 1], points[:, 0], CELLS, ((low, high), (left, right)))[0]
    weights = np.array(SMOOTH) / sum(SMOOTH)
    reach = len(SMOOTH) // 2
    for axis in (0, 1):
        wide = [(0, 0), (0, 0)]
        wide[axis] = (reach, reach)
        padded = np.pad(counts, wide, mode="wrap" if around and axis == 0 else "constant")
        moved = [np.take(padded, range(k, k + CELLS), axis) for k in range(len(SMOOTH))]
        counts = np.sum([weight * each for weight, each in zip(weights, moved, strict=True)], axis=0)
    return counts[::-1] / max(float(counts.max()), 1e-300)
