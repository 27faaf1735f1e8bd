"""Bodies that something static encloses, and the way out: the room a body has in there, and how far it is from every
place of it to the open, around corners.

The body counts as the ball around it, so that it fits however it turns. Its room is found on a coarse grid, a little
too large rather than too small: physics decides what fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from engine.algebra import norm
from engine.arrivals.structure import boxes_at_rest
from engine.collide.cores import build_cores
from engine.collide.distance import part_distance
from engine.collide.narrow import make_narrow
from engine.functions import around, cube_root
from engine.jit import kernel
from engine.model.arrays import PLANE
from engine.model.compile import Model, compile_scene
from engine.scene.spec import Body, Scene, Sphere
from engine.vec import put

FINE = 3.0  # cells of the grid per size of the body,
MOST_CELLS = 400_000  # as long as these are enough
MARGIN = 2.0  # sizes around what encloses it: there is the open
OPEN = 0.1  # share of the upper half of all directions: who sees more of the open than this is not enclosed
RAYS = 200  # directions that are looked at
FARTHEST = 40.0  # sizes of the way out: nobody comes in from farther away


@dataclass(frozen=True)
class WayOut:
    """m from places to the open, on a grid."""

    low: np.ndarray  # (3,) m, the first place
    cell: float  # m
    room: np.ndarray  # (i, j, k) bool: where the body fits
    left: np.ndarray  # (i, j, k) m; inf: it does not fit, not even nearly

    def at(self, x: np.ndarray) -> np.ndarray:
        """(k,) m from places (k, 3) to the open; 0 there."""
        index, inside = self._cells(x)
        found = np.zeros(len(index))
        found[inside] = self.left[tuple(index[inside].T)]
        return found

    def path(self, x: np.ndarray) -> np.ndarray:
        """(k, 3) m: the shortest way from x to the open."""
        (here,), _ = self._cells(x[None])
        places = [x]
        while not self.room[tuple(here)] and self.left[tuple(here)] > 0.0:
            here = self._nearer(here, self.left)
        walked = np.where(self.room, self.left, np.inf)
        while walked[tuple(here)] > 0.0:
            places.append(self.low + self.cell * here)
            here = self._nearer(here, walked)
        return np.stack([*places, self.low + self.cell * here])

    def seen(self, path: np.ndarray) -> np.ndarray:
        """(3,) the last place of a path that is seen along a straight line from where it begins."""
        last = 1
        while last + 1 < len(path) and self._sees(path[1], path[last + 1]):
            last += 1
        return path[min(last, len(path) - 1)]

    def _nearer(self, here: np.ndarray, left: np.ndarray) -> np.ndarray:
        """The cell beside this one from which the least is left."""
        beside = [cell for step in STEPS if self._has(cell := here + step)]
        return min(beside, key=lambda cell: float(left[tuple(cell)]))

    def _sees(self, x: np.ndarray, y: np.ndarray) -> bool:
        """Whether the body fits everywhere between two places."""
        count = 2 + int(norm(y - x) / (0.5 * self.cell))
        index, inside = self._cells(x + np.linspace(0.0, 1.0, count)[:, None] * (y - x))
        return bool(self.room[tuple(index[inside].T)].all())

    def _cells(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(k, 3) indices of places, and which of them are on the grid."""
        index = np.rint((np.asarray(x, float) - self.low) / self.cell).astype(np.int64)
        return index, ((index >= 0) & (index < self.left.shape)).all(axis=1)

    def _has(self, cell: np.ndarray) -> bool:
        return bool(((cell >= 0) & (cell < self.left.shape)).all())


STEPS = [step for step in product((-1, 0, 1), repeat=3) if any(step)]


def ways_out(scene: Scene, model: Model, rows: Sequence[int]) -> Mapping[int, WayOut]:
    """Of those of the bodies that are enclosed and for whom there is a way out."""
    still = [body for body in scene.bodies if body.static]
    if not still or not model.gravity.any():
        return {}
    up = -model.gravity / norm(model.gravity)
    boxes = boxes_at_rest(model, build_cores(model.geometry))
    static = (model.bodies.inverse_mass == 0.0)[model.geometry.part_body] & (model.geometry.part_kind != PLANE)
    found = {}
    rooms: dict[float, _Room] = {}
    for row in rows:
        size, x = float(model.bodies.size[row]), model.start.x[row]
        if not _is_covered(boxes[static], x, up, size):
            continue
        if size not in rooms:
            rooms[size] = _Room(scene, still, boxes[static], size)
        way = rooms[size].way_out
        reach = way.at(x[None])[0]
        if 0.0 < reach <= FARTHEST * size and _open_share(way, x, up) < OPEN:
            found[row] = way
    return found


def _is_covered(boxes: np.ndarray, x: np.ndarray, up: np.ndarray, size: float) -> bool:
    """Whether anything may be right above a body."""
    if not len(boxes):
        return False
    end = x + up * float(norm(boxes[:, 3:].max(0) - boxes[:, :3].min(0)) + size)
    low, high = np.minimum(x + 0.5 * size * up, end) - 0.5 * size, np.maximum(x + 0.5 * size * up, end) + 0.5 * size
    return bool(((boxes[:, :3] < high) & (boxes[:, 3:] > low)).all(axis=1).any())


def _open_share(way: WayOut, x: np.ndarray, up: np.ndarray) -> float:
    """Share of the upper half of all directions in which a straight line leads to the open."""
    height = (np.arange(RAYS) + 0.5) / RAYS
    c, s = around(RAYS)
    golden = (np.arange(RAYS) * round(RAYS * 0.381966)) % RAYS
    first = np.cross(up, (1.0, 0.0, 0.0) if abs(up[0]) < 0.9 else (0.0, 1.0, 0.0))
    first /= norm(first)
    level = np.array(c)[golden, None] * first + np.array(s)[golden, None] * np.cross(up, first)
    rays = height[:, None] * up + np.sqrt(1.0 - height * height)[:, None] * level
    reach = way.cell * float(norm(np.array(way.left.shape, float)))
    far = np.arange(0.0, reach, way.cell)
    left = way.at((x + far[:, None, None] * rays).reshape(-1, 3)).reshape(len(far), RAYS)
    blocked, outside = np.isinf(left), left == 0.0
    until = np.where(blocked.any(axis=0), blocked.argmax(axis=0), len(far))
    return float((np.where(outside.any(axis=0), outside.argmax(axis=0), len(far)) < until).mean())


class _Room:
    """The room of a ball of one size among everything static."""

    def __init__(self, scene: Scene, still: list[Body], boxes: np.ndarray, size: float) -> None:
        low, high = boxes[:, :3].min(0) - MARGIN * size, boxes[:, 3:].max(0) + MARGIN * size
        self.cell = max(size / FINE, cube_root(float(np.prod(high - low)) / MOST_CELLS))
        self.low, self.shape = low, tuple(int(n) for n in np.ceil((high - low) / self.cell))
        probe = Body("probe", Sphere(max(size - 0.5 * self.cell, 0.5 * size)))
        self._model = compile_scene(Scene([*still, probe], ground=scene.ground, gravity=scene.gravity))
        free = self._free(self._model.index(probe))
        self.way_out = WayOut(self.low, self.cell, free, _grown(self._distances(free), free, self.cell))

    def _free(self, probe: int) -> np.ndarray:
        """(i, j, k) bool: where the ball touches nothing."""
        model, geometry = self._model, self._model.geometry
        boxes, narrow = boxes_at_rest(model, build_cores(geometry)), make_narrow(geometry)
        own = int(np.flatnonzero(geometry.part_body == probe)[0])
        reach = float(geometry.part_radius[own])
        free = np.ones(self.shape, bool)
        x = model.start.x.copy()
        for part in np.flatnonzero(geometry.part_body != probe):
            first, last = np.zeros(3, np.int64), np.array(self.shape)
            if geometry.part_kind[part] != PLANE:
                first = np.maximum(np.floor((boxes[part, :3] - reach - self.low) / self.cell), 0).astype(np.int64)
                last = np.minimum(np.ceil((boxes[part, 3:] + reach - self.low) / self.cell) + 1, last).astype(np.int64)
            keep_out(narrow, (own, int(part), probe), first, last, (self.low, self.cell), x, model.start.q, free)
        return free

    def _distances(self, free: np.ndarray) -> np.ndarray:
        """(i, j, k) m to the nearest cell at the rim of the grid, through free ones."""
        rim = np.ones(self.shape, bool)
        rim[1:-1, 1:-1, 1:-1] = False
        left = np.where(rim & free, 0.0, np.inf)
        spread(
            free, np.array(STEPS), self.cell * np.sqrt((np.array(STEPS) * np.array(STEPS)).sum(1).astype(float)), left
        )
        return left


@kernel
def spread(free, steps, length, left):
    """Shorten what is left of every free cell by way of those beside it, sweeping to and fro until nothing changes."""
    ni, nj, nk = left.shape
    changed, forth = True, True
    while changed:
        changed = False
        for number in range(left.size):
            cell = number if forth else left.size - 1 - number
            i, j, k = cell // (nj * nk), (cell // nk) % nj, cell % nk
            if not free[i, j, k]:
                continue
            for m in range(steps.shape[0]):
                a, b, c = i + steps[m, 0], j + steps[m, 1], k + steps[m, 2]
                if 0 <= a < ni and 0 <= b < nj and 0 <= c < nk and left[a, b, c] + length[m] < left[i, j, k]:
                    left[i, j, k] = left[a, b, c] + length[m]
                    changed = True
        forth = not forth


@kernel
def keep_out(narrow, parts, first, last, grid, x, q, free):
    """Mark the cells first .. last in which the probe overlaps a part. parts: (probe's, the part, probe's body)."""
    own, part, probe = parts
    low, cell = grid
    for i in range(first[0], last[0]):
        for j in range(first[1], last[1]):
            for k in range(first[2], last[2]):
                if free[i, j, k]:
                    put(x, probe, (low[0] + i * cell, low[1] + j * cell, low[2] + k * cell))
                    apart, _ = part_distance(narrow, own, part, x, q)
                    free[i, j, k] = apart >= 0.0
    return 0


def _grown(left: np.ndarray, room: np.ndarray, cell: float) -> np.ndarray:
    """The same with the rim of what is blocked counted to the room: bodies that rest touch what they rest on."""
    for _ in range(2):
        wide = np.pad(left, 1, constant_values=np.inf)
        near = [wide[tuple(slice(1 + s, n + 1 + s) for s, n in zip(step, left.shape, strict=True))] for step in STEPS]
        left = np.where(room, left, np.minimum(left, np.min(near, axis=0) + cell))
    return left
