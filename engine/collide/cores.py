"""Convex parts as polyhedral cores with a rounding radius.

A SPHERE is a point, a CAPSULE a segment, a TRIANGLE a single face and a POLYTOPE itself: corners, edges and faces
numbered within the part. A CYLINDER or PLANE has an empty core; they have code of their own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.algebra import norm, times
from engine.jit import kernel
from engine.model.arrays import CAPSULE, SPHERE, TRIANGLE, Geometry
from engine.record import Record
from engine.vec import add, dot, put, rotate, row, sub

# How the surface goes on across an edge of a TRIANGLE (Cores.edge_bend).
INNER, CONVEX, RIM = range(3)
FLAT_BEND = 1e-7  # an edge of a mesh bends outward when the neighbour's normal leans over it by more (sine)


class Cores(Record):
    """Cores of P parts, constant, in body frames. Corner, edge and face numbers start at 0 in each part."""

    vert_start: np.ndarray  # (P+1,) int64
    edge_start: np.ndarray  # (P+1,) int64
    face_start: np.ndarray  # (P+1,) int64
    verts: np.ndarray  # (V, 3) m
    edges: np.ndarray  # (E, 2) int64       corner numbers; face edge_faces[0] lies to the left of 0 -> 1
    edge_faces: np.ndarray  # (E, 2) int64  face numbers, -1 for none
    edge_bend: np.ndarray  # (E,) int64     TRIANGLE only: INNER (flat or concave), CONVEX or RIM
    edge_beyond: np.ndarray  # (E, 3)       TRIANGLE only: normal of the neighbour
    normals: np.ndarray  # (F, 3)
    offsets: np.ndarray  # (F,) m
    loop_start: np.ndarray  # (F+1,) int64  corners of face f (counted over all parts): loop[loop_start[f]:...]
    loop: np.ndarray  # int64               corner numbers


class Core(NamedTuple):
    """One core, turned and moved to where it is (world axes, origin as the caller chose)."""

    verts: np.ndarray
    normals: np.ndarray
    offsets: np.ndarray
    edges: np.ndarray
    edge_faces: np.ndarray
    loop_start: np.ndarray
    loop: np.ndarray


class Place(Record):
    """Room for one placed core."""

    verts: np.ndarray
    normals: np.ndarray
    offsets: np.ndarray


class Places(Record):
    """Room for two parts now, and for the same two in the past."""

    first: Place
    second: Place
    past_first: Place
    past_second: Place


def build_cores(geometry: Geometry) -> Cores:
    """Cores of all parts of a geometry."""
    counts = np.zeros((3, len(geometry.part_kind) + 1), np.int64)
    verts: list[np.ndarray] = []
    edges: list[np.ndarray] = []
    edge_faces: list[np.ndarray] = []
    loops: list[np.ndarray] = []
    for part, kind in enumerate(geometry.part_kind):
        own = _segment(geometry, part) if kind in (SPHERE, CAPSULE) else _polyhedron(geometry, part)
        verts.append(own[0])
        edges.append(own[1])
        edge_faces.append(own[2])
        loops.append(own[3])
        counts[:, part + 1] = len(own[0]), len(own[1]), geometry.face_start[part + 1] - geometry.face_start[part]
    start = np.cumsum(counts, axis=1)
    bend, beyond = _bends(geometry, int(start[1, -1]), start[1])
    return Cores(
        vert_start=start[0].copy(),
        edge_start=start[1].copy(),
        face_start=start[2].copy(),
        verts=np.ascontiguousarray(np.concatenate([*verts, np.zeros((0, 3))])),
        edges=np.ascontiguousarray(np.concatenate([*edges, np.zeros((0, 2), np.int64)])),
        edge_faces=np.ascontiguousarray(np.concatenate([*edge_faces, np.zeros((0, 2), np.int64)])),
        edge_bend=bend,
        edge_beyond=beyond,
        normals=np.ascontiguousarray(geometry.face_normal),
        offsets=np.ascontiguousarray(geometry.face_offset),
        loop_start=np.ascontiguousarray(geometry.loop_start),
        loop=np.ascontiguousarray(np.concatenate([*loops, np.zeros(0, np.int64)])),
    )


def _segment(geometry: Geometry, part: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Corners, edges, edge faces and loops of a ball's or a capsule's core."""
    centre, none = geometry.part_center[part], np.zeros((0, 2), np.int64)
    if geometry.part_kind[part] == SPHERE:
        return centre[None], none, none, np.zeros(0, np.int64)
    arm = geometry.part_half[part] * geometry.part_axis[part]
    return (
        np.array([centre - arm, centre + arm]),
        np.array([[0, 1]], np.int64),
        np.array([[-1, -1]], np.int64),
        np.zeros(0, np.int64),
    )


def _polyhedron(geometry: Geometry, part: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The same of a part that lists its corners, with numbers made local."""
    v0, v1 = geometry.vert_start[part : part + 2]
    e0, e1 = geometry.edge_start[part : part + 2]
    f0, f1 = geometry.face_start[part : part + 2]
    faces = geometry.edge_faces[e0:e1]
    own = (faces >= f0) & (faces < f1)
    loop = geometry.loop[geometry.loop_start[f0] : geometry.loop_start[f1]] - v0
    return geometry.verts[v0:v1], geometry.edge_verts[e0:e1] - v0, np.where(own, faces - f0, -1), loop


def _bends(geometry: Geometry, count: int, edge_start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """edge_bend and edge_beyond: whether a mesh is convex across each edge of its triangles."""
    bend, beyond = np.zeros(count, np.int64), np.zeros((count, 3))
    for part in np.flatnonzero(geometry.part_kind == TRIANGLE):
        normal = geometry.face_normal[geometry.face_start[part]]
        for k in range(geometry.edge_start[part + 1] - geometry.edge_start[part]):
            e, target = geometry.edge_start[part] + k, edge_start[part] + k
            other = geometry.edge_faces[e, 1]
            if other < 0:
                bend[target] = RIM
                continue
            start, end = geometry.verts[geometry.edge_verts[e]]
            outward = np.cross((end - start) / norm(end - start), normal)
            beyond[target] = geometry.face_normal[other]
            bend[target] = CONVEX if times(beyond[target], outward) > FLAT_BEND else INNER
    return bend, beyond


def make_places(cores: Cores) -> Places:
    return Places(_make_place(cores), _make_place(cores), _make_place(cores), _make_place(cores))


def _make_place(cores: Cores) -> Place:
    """Room for the largest core."""
    verts = int(np.max(np.diff(cores.vert_start), initial=0)) + 1
    faces = int(np.max(np.diff(cores.face_start), initial=0)) + 1
    return Place(np.zeros((verts, 3)), np.zeros((faces, 3)), np.zeros(faces))


@kernel
def place_core(cores, part, x, q, origin, place):
    """The core of a part whose body is at (x, q), in world axes with the given origin."""
    v0, v1 = cores.vert_start[part], cores.vert_start[part + 1]
    f0, f1 = cores.face_start[part], cores.face_start[part + 1]
    e0, e1 = cores.edge_start[part], cores.edge_start[part + 1]
    shift = sub(x, origin)
    for i in range(v1 - v0):
        put(place.verts, i, add(shift, rotate(q, row(cores.verts, v0 + i))))
    for i in range(f1 - f0):
        n = rotate(q, row(cores.normals, f0 + i))
        put(place.normals, i, n)
        place.offsets[i] = cores.offsets[f0 + i] + dot(n, shift)
    return Core(
        place.verts[: v1 - v0],
        place.normals[: f1 - f0],
        place.offsets[: f1 - f0],
        cores.edges[e0:e1],
        cores.edge_faces[e0:e1],
        cores.loop_start[f0 : f1 + 1],
        cores.loop,
    )
