"""Collects convex parts and lays them out as the flat arrays of Geometry."""

from __future__ import annotations

import numpy as np

from engine.algebra import dots, norms
from engine.model.arrays import TRIANGLE, Geometry
from engine.shapes.polytope import Polytope

NO_VECTORS = np.zeros((0, 3))
NO_PAIRS = np.zeros((0, 2), np.int64)


class GeometryPacker:
    """Add parts in order, then `finish()`. Each chunk holds k parts with arrays of k rows."""

    def __init__(self) -> None:
        self.verts, self.faces, self.parts = 0, 0, 0
        self.chunks: dict[str, list[np.ndarray]] = {name: [] for name in Geometry._fields}
        for start in ("vert_start", "face_start", "edge_start", "loop_start"):
            self.chunks[start].append(np.zeros(1, np.int64))  # chunks hold counts; finish() sums them up

    def add_round(
        self, body: int, kind: int, center: np.ndarray, axis: np.ndarray, radius: float, half: float, bound: float
    ) -> None:
        """A part without corners: SPHERE, CAPSULE, CYLINDER or PLANE."""
        self._put_parts(body, kind, center[None], axis[None], np.array([bound]), radius, half)
        self._put_shape(NO_VECTORS, NO_VECTORS, np.zeros(0), [], np.zeros(0, np.int64), NO_PAIRS, NO_PAIRS)
        self._put_counts(1, 0, 0, 0)

    def add_polytope(self, body: int, kind: int, solid: Polytope) -> None:
        center = solid.vertices.mean(axis=0)
        bound = norms(solid.vertices - center).max()
        self._put_parts(body, kind, center[None], np.zeros((1, 3)), np.array([bound]), 0.0, 0.0)
        loop = np.array([i for face in solid.faces for i in face], np.int64)
        sizes = [len(face) for face in solid.faces]
        self._put_shape(solid.vertices, solid.normals, solid.offsets, sizes, loop, solid.edges, solid.edge_faces)
        self._put_counts(1, len(solid.vertices), len(solid.faces), len(solid.edges))

    def add_mesh(self, body: int, vertices: np.ndarray, triangles: np.ndarray) -> None:
        """One TRIANGLE part per triangle (the corners are repeated, the neighbours are known)."""
        count = len(triangles)
        corners = vertices[triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= norms(normals)[:, None]
        center = corners.mean(axis=1)
        bound = norms(corners - center[:, None]).max(axis=1)
        self._put_parts(body, TRIANGLE, center, normals, bound, 0.0, 0.0)
        first = 3 * np.arange(count)[:, None]
        edges = np.stack([first + [0, 1, 2], first + [1, 2, 0]], axis=2).reshape(-1, 2)
        faces = np.stack([np.repeat(np.arange(count), 3), neighbours(vertices, triangles).reshape(-1)], axis=1)
        offsets = dots(normals, center)
        sizes = [3] * count
        self._put_shape(corners.reshape(-1, 3), normals, offsets, sizes, np.arange(3 * count), edges, faces)
        self._put_counts(count, 3, 1, 3)

    def _put_parts(
        self, body: int, kind: int, center: np.ndarray, axis: np.ndarray, bound: np.ndarray, radius: float, half: float
    ) -> None:
        count = len(center)
        for name, column in (
            ("part_body", np.full(count, body, np.int64)),
            ("part_kind", np.full(count, kind, np.int64)),
            ("part_center", center),
            ("part_axis", axis),
            ("part_radius", np.full(count, radius)),
            ("part_half", np.full(count, half)),
            ("part_bound", bound),
        ):
            self.chunks[name].append(column)

    def _put_shape(
        self,
        verts: np.ndarray,
        normals: np.ndarray,
        offsets: np.ndarray,
        loop_sizes: list[int],
        loop: np.ndarray,
        edges: np.ndarray,
        edge_faces: np.ndarray,
    ) -> None:
        """Corners, faces and edges numbered from 0 within the chunk; -1 (no face) stays."""
        for name, column in (
            ("verts", verts),
            ("face_normal", normals),
            ("face_offset", offsets),
            ("loop_start", np.array(loop_sizes, np.int64)),
            ("loop", loop + self.verts),
            ("edge_verts", edges + self.verts),
            ("edge_faces", np.where(edge_faces < 0, -1, edge_faces + self.faces)),
        ):
            self.chunks[name].append(column)
        self.verts += len(verts)
        self.faces += len(normals)

    def _put_counts(self, parts: int, verts: int, faces: int, edges: int) -> None:
        """How many corners, faces and edges each of the `parts` new parts has."""
        for name, count in (("vert_start", verts), ("face_start", faces), ("edge_start", edges)):
            self.chunks[name].append(np.full(parts, count, np.int64))

    def finish(self) -> Geometry:
        whole = {"part_body", "part_kind", "loop", "edge_verts", "edge_faces"}
        columns = {}
        for name, chunks in self.chunks.items():
            rows = chunks or [_no_rows(name)]
            if name.endswith("_start"):
                columns[name] = np.cumsum(np.concatenate(rows), dtype=np.int64)
            else:
                columns[name] = np.ascontiguousarray(np.concatenate(rows), np.int64 if name in whole else np.float64)
        return Geometry(**columns)


def _no_rows(name: str) -> np.ndarray:
    vectors, pairs = {"part_center", "part_axis", "verts", "face_normal"}, {"edge_verts", "edge_faces"}
    return NO_VECTORS if name in vectors else NO_PAIRS if name in pairs else np.zeros(0)


def neighbours(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(m, 3): the triangle across edge k (corner k to corner k+1), or -1 at a rim.

    Corners at the same place are one corner even when the file lists them twice. Where more than two triangles
    share an edge there is no single neighbour: -1.
    """
    if len(triangles) == 0:
        return np.zeros((0, 3), np.int64)
    _, welded = np.unique(vertices, axis=0, return_inverse=True)
    corner = welded.reshape(-1)[triangles].astype(np.int64)
    start, end = corner.reshape(-1), np.roll(corner, -1, axis=1).reshape(-1)
    along, against = start * len(vertices) + end, end * len(vertices) + start
    keys, first, count = np.unique(along, return_index=True, return_counts=True)
    spot = np.minimum(np.searchsorted(keys, against), len(keys) - 1)
    alone = count[np.searchsorted(keys, along)] == 1
    found = alone & (keys[spot] == against) & (count[spot] == 1)
    return np.where(found, first[spot] // 3, -1).reshape(-1, 3)
