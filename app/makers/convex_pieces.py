"""Convex pieces of a plane region with holes: triangles, flipped until none is needlessly thin, then merged over
diagonals that are not needed.

After Lawson, and Hertel and Mehlhorn: at most four times as many pieces as there must be. Longest diagonals go first.
Contacts with slivers have poor normals, so compact pieces are worth the flips.
"""

from __future__ import annotations

import mapbox_earcut
import numpy as np

from app.makers.regions import Region, without_collinear

THIN = 1e-6  # pieces thinner than this fraction of the region are dropped: rounding, not shape


def convex_pieces(region: Region) -> list[np.ndarray]:
    """Convex polygons (n, 2), counter-clockwise, that do not overlap and together fill the region."""
    points = np.concatenate(region.loops)
    triangles = _compact(points, _triangles(region))
    size = float(np.ptp(points, axis=0).max())
    return [
        piece
        for loop in _merged(points, triangles)
        if _thickness(piece := without_collinear(points[loop])) > THIN * size
    ]


def _triangles(region: Region) -> list[list[int]]:
    """Counter-clockwise triangles as indices into the corners of all loops."""
    ends = np.cumsum([len(loop) for loop in region.loops]).astype(np.uint32)
    points = np.concatenate(region.loops)
    found = mapbox_earcut.triangulate_float64(np.ascontiguousarray(points), ends).reshape(-1, 3).astype(int)
    a, b, c = points[found[:, 0]], points[found[:, 1]], points[found[:, 2]]
    turn = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    found[turn < 0.0] = found[turn < 0.0][:, ::-1]
    return [list(map(int, row)) for row in found[turn != 0.0]]


def _compact(points: np.ndarray, triangles: list[list[int]]) -> list[list[int]]:
    """Flip diagonals whose opposite angles sum to more than half a turn, until there are none."""
    owner = {edge: k for k, loop in enumerate(triangles) for edge in _edges(loop)}
    waiting = [edge for edge in owner if edge[0] < edge[1] and edge[::-1] in owner]
    left = 20 * len(waiting) + 20  # flips end by themselves but for rounding
    while waiting and left > 0:
        a, b = waiting.pop()
        one, two = owner.get((a, b)), owner.get((b, a))
        if one is None or two is None or one == two:
            continue
        (c,) = set(triangles[one]) - {a, b}
        (d,) = set(triangles[two]) - {a, b}
        if not _flippable(points[a], points[b], points[c], points[d]):
            continue
        left -= 1
        del owner[a, b], owner[b, a]
        for k, loop in ((one, [c, a, d]), (two, [d, b, c])):
            triangles[k] = loop
            owner.update((edge, k) for edge in _edges(loop))
        waiting += [(c, a), (a, d), (d, b), (b, c)]
    return triangles


def _flippable(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """Would the diagonal c-d serve two triangles a-b-c and b-a-d better than a-b? Only inside a convex outline."""
    if _turn(c, a, d) <= 0.0 or _turn(d, b, c) <= 0.0:
        return False
    at_c, at_d = (a - c, b - c), (b - d, a - d)
    sines = [p[0] * q[1] - p[1] * q[0] for p, q in (at_c, at_d)]
    cosines = [float(p @ q) for p, q in (at_c, at_d)]
    return bool(sines[0] * cosines[1] + cosines[0] * sines[1] < -1e-12 * abs(sines[0] * sines[1]))


def _turn(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> float:
    """Positive where p, q, r turn left."""
    return float((q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]))


def _merged(points: np.ndarray, pieces: list[list[int]]) -> list[list[int]]:
    """Polygons merged over every shared edge whose two ends stay convex."""
    owner = {edge: k for k, loop in enumerate(pieces) for edge in _edges(loop)}
    diagonals = [edge for edge in owner if edge[0] < edge[1] and edge[::-1] in owner]
    diagonals.sort(key=lambda edge: -float(np.hypot(*(points[edge[0]] - points[edge[1]]))))
    for edge in diagonals:
        left, right = owner[edge], owner[edge[::-1]]
        if left == right:
            continue
        joined = _joined(points, pieces[left], pieces[right], edge)
        if joined is None:
            continue
        pieces[left], pieces[right] = joined, []
        for side in _edges(joined):
            owner[side] = left
    return [loop for loop in pieces if loop]


def _joined(points: np.ndarray, left: list[int], right: list[int], edge: tuple[int, int]) -> list[int] | None:
    """One loop from two that share an edge (left runs along it, right against it); None if it would not be convex."""
    start, end = edge
    i, j = left.index(end), right.index(start)
    loop = left[i:] + left[:i]  # end ... start
    other = right[j:] + right[:j]  # start ... end
    joined = loop[:-1] + other[:-1]
    if loop[-1] != start or other[-1] != end or len(set(joined)) < len(joined):
        return None  # a corner met twice (holes that touch): two pieces are right, one would fold over itself
    at = len(loop) - 1  # where `start` is now; `end` is at 0
    for k in (0, at):
        if _turn(points[joined[k - 1]], points[joined[k]], points[joined[(k + 1) % len(joined)]]) < 0.0:
            return None
    return joined


def _edges(loop: list[int]) -> list[tuple[int, int]]:
    return list(zip(loop, loop[1:] + loop[:1], strict=True))


def _thickness(piece: np.ndarray) -> float:
    """Smallest width of a convex polygon, m."""
    if len(piece) < 3:
        return 0.0
    along = np.roll(piece, -1, axis=0) - piece
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
    distance = normal @ piece.T - np.sum(normal * piece, axis=1)[:, None]
    return float(distance.max(axis=1).min())


def clipped_above(piece: np.ndarray, y: float) -> np.ndarray:
    """The part of a convex polygon with second coordinate >= y; corners on the cut have exactly that coordinate."""
    kept: list[np.ndarray] = []
    for p, q in zip(piece, np.roll(piece, -1, axis=0), strict=True):
        if p[1] >= y:
            kept.append(p)
        if (p[1] < y) != (q[1] < y):
            kept.append(np.array([p[0] + (y - p[1]) * (q[0] - p[0]) / (q[1] - p[1]), y]))
    return without_collinear(np.array(kept)) if len(kept) >= 3 else np.zeros((0, 2))
