"""Convex polytopes as the contact code wants them: whole faces (coplanar triangles merged), and who meets where."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from engine.algebra import dots, norm, norms, times
from engine.errors import GeometryError
from engine.scene.flatness import is_flat

COPLANAR = 1e-9  # facets whose corners lie within this fraction of the size from a plane are one face


class Polytope(NamedTuple):
    vertices: np.ndarray  # (V, 3)
    faces: tuple[tuple[int, ...], ...]  # vertex loops, counter-clockwise seen from outside
    normals: np.ndarray  # (F, 3) outward unit normals
    offsets: np.ndarray  # (F,) normals . p = offsets on the face
    edges: np.ndarray  # (E, 2) int64 vertices, lower index first
    edge_faces: np.ndarray  # (E, 2) int64 the face whose loop runs along the edge, then the one running against it


def box_polytope(half: tuple[float, float, float]) -> Polytope:
    """A box from its half edges: coordinates, normals and offsets are exact, no hull computation."""
    corners = np.array([[sx, sy, sz] for sx in (-1.0, 1.0) for sy in (-1.0, 1.0) for sz in (-1.0, 1.0)])
    # Corner number 4 (x > 0) + 2 (y > 0) + (z > 0).
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    normals = np.array([[-1.0, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]])
    offsets = np.repeat(np.array(half, float), 2)
    edges, edge_faces = edges_of(faces)
    return Polytope(corners * np.array(half, float), faces, normals, offsets, edges, edge_faces)


def convex_polytope(points: np.ndarray) -> Polytope:
    """The convex hull of points (n, 3); raises GeometryError when they span no solid."""
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise GeometryError("a hull needs points as rows of three coordinates")
    return _hull(array.tobytes())


@functools.lru_cache(maxsize=256)
def _hull(data: bytes) -> Polytope:
    """convex_polytope of the points in `data`; a scene often has hundreds of bodies of one hull."""
    points = np.unique(np.frombuffer(data).reshape(-1, 3), axis=0)
    if is_flat(points):
        raise GeometryError("the points of a hull must not all lie in one plane")
    from scipy.spatial import ConvexHull, QhullError  # slow to import, and most scenes have no hull

    try:
        hull = ConvexHull(points - points.mean(axis=0))  # far from the origin qhull would lose digits
    except QhullError as error:
        raise GeometryError("the points of a hull must not all lie in one plane") from error
    triangles = _outward(points, hull.simplices, hull.equations[:, :3])
    try:
        loops = _merged_loops(points, triangles)
        return _assemble(points, loops)
    except GeometryError:  # slivers can make a merged outline ambiguous; the triangles themselves never are
        return _assemble(points, [tuple(int(i) for i in t) for t in triangles])


def _outward(points: np.ndarray, simplices: np.ndarray, normals: np.ndarray) -> np.ndarray:
    a, b, c = (points[simplices[:, k]] for k in range(3))
    inward = dots(np.cross(b - a, c - a), normals) < 0.0
    triangles = simplices.astype(np.int64)
    triangles[inward] = triangles[inward][:, [0, 2, 1]]
    return triangles


def _merged_loops(points: np.ndarray, triangles: np.ndarray) -> list[tuple[int, ...]]:
    """Outlines of the coplanar regions, grown from the largest triangles (theirs is the best-known plane)."""
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = norms(normals)
    size = np.ptp(points, axis=0).max()
    across = {(int(t[k]), int(t[(k + 1) % 3])): i for i, t in enumerate(triangles) for k in range(3)}
    region = np.full(len(triangles), -1)
    outlines = []
    for seed in np.argsort(-areas, kind="stable"):
        if region[seed] >= 0:
            continue
        if areas[seed] == 0.0:
            raise GeometryError("a facet without area")
        heights = times(corners - corners[seed, 0], normals[seed] / areas[seed])
        flat = np.abs(heights).max(axis=1) <= COPLANAR * size
        members, pending = {int(seed)}, [int(seed)]
        while pending:
            t = triangles[pending.pop()]
            for k in range(3):
                other = across[int(t[(k + 1) % 3]), int(t[k])]
                if other not in members and region[other] < 0 and flat[other]:
                    members.add(other)
                    pending.append(other)
        region[sorted(members)] = seed
        outlines.append(_outline(triangles[sorted(members)]))
    return _without_straight_corners(outlines)


def _outline(triangles: np.ndarray) -> tuple[int, ...]:
    """The boundary of a patch of triangles as one loop."""
    directed = {(int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3)}
    following = {i: j for i, j in directed if (j, i) not in directed}
    start = min(following)
    loop = [start]
    while following[loop[-1]] != start:
        loop.append(following[loop[-1]])
        if len(loop) > len(following):
            raise GeometryError("a face whose outline is not one loop")
    if len(loop) != len(following):
        raise GeometryError("a face whose outline is not one loop")
    return tuple(loop)


def _without_straight_corners(loops: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Drop points in the middle of an edge: a true corner belongs to three faces at least."""
    count: dict[int, int] = {}
    for loop in loops:
        for i in loop:
            count[i] = count.get(i, 0) + 1
    return [tuple(i for i in loop if count[i] >= 3) for loop in loops]


def _assemble(points: np.ndarray, loops: list[tuple[int, ...]]) -> Polytope:
    """Renumber the corners in use, fit the face planes, find the edges; GeometryError if it does not close up."""
    if any(len(loop) < 3 for loop in loops):
        raise GeometryError("a face with fewer than three corners")
    used = sorted({i for loop in loops for i in loop})
    number = {old: new for new, old in enumerate(used)}
    faces = []
    for loop in loops:
        renumbered = [number[i] for i in loop]
        first = renumbered.index(min(renumbered))
        faces.append(tuple(renumbered[first:] + renumbered[:first]))
    faces.sort()
    vertices = np.ascontiguousarray(points[used])
    normals = np.array([face_normal(vertices[list(face)]) for face in faces])
    offsets = np.array([float(np.mean(times(vertices[list(f)], n))) for f, n in zip(faces, normals, strict=True)])
    edges, edge_faces = edges_of(tuple(faces))
    if len(vertices) - len(edges) + len(faces) != 2:
        raise GeometryError("a hull that does not close up")
    return Polytope(vertices, tuple(faces), normals, offsets, edges, edge_faces)


def face_normal(corners: np.ndarray) -> np.ndarray:
    """Unit normal of a planar polygon, from a fan about its first corner.

    Differences come first, so that a polygon in a coordinate plane has an exact normal.
    """
    spokes = corners[1:] - corners[0]
    total = np.cross(spokes[:-1], spokes[1:]).sum(axis=0)
    return total / norm(total)


def edges_of(faces: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, np.ndarray]:
    """Edges of a closed surface (sorted) and the two faces at each."""
    left = {(f[k], f[(k + 1) % len(f)]): number for number, f in enumerate(faces) for k in range(len(f))}
    if any((j, i) not in left for i, j in left):
        raise GeometryError("an edge with one face only")
    edges = sorted((i, j) for i, j in left if i < j)
    pairs = [(left[i, j], left[j, i]) for i, j in edges]
    return np.array(edges, np.int64).reshape(-1, 2), np.array(pairs, np.int64).reshape(-1, 2)
