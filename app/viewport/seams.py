"""Seams: a body of several convex pieces is drawn as one, without lines where its surface goes on. No GL."""

from __future__ import annotations

import math

import numpy as np

from app.viewport.meshes import Mesh
from engine.shapes.smoothing import CREASE

Planes = tuple[np.ndarray, np.ndarray]  # outward normals (f, 3) and offsets (f,) of a convex piece

STEP = 1e-3  # of the body's extent: how far beyond an edge its surface is looked for
WELD = 2.0**-22  # of the body's extent: corners nearer than this are one
MOST_TESTS = 50_000_000  # points times faces; beyond that lines stay as they are


def joined(pieces: list[tuple[Mesh, np.ndarray, np.ndarray]]) -> Mesh:
    """One mesh of convex pieces (mesh, place, turn), in the body's frame, with the edges and faces of the whole.

    Corners that pieces share become the same number, so that no gap shows between them; faces inside would cast
    shadows through the seams."""
    placed = [_placed(*piece) for piece in pieces]
    solids = [_planes(mesh) for mesh in placed]
    points = np.concatenate([mesh.vertices for mesh in placed])
    extent = float(np.ptp(points, axis=0).max())
    grid, step = max(extent * WELD, 1e-12), STEP * extent
    own_edges, own_triangles, start = [], [], 0
    large = 4 * sum(len(m.edges) + len(m.triangles) for m in placed) * sum(len(n) for n, _ in solids) > MOST_TESTS
    for number, mesh in enumerate(placed):
        others = [] if large else [solid for other, solid in enumerate(solids) if other != number]
        own_edges.append(mesh.edges[~_is_seam(mesh.edges, others, step)])
        own_triangles.append(mesh.triangles[~_is_covered(mesh, others, step)] + start)
        start += len(mesh.vertices)
    return Mesh(
        (np.rint(points / grid) * grid).astype(np.float32),
        np.concatenate([mesh.normals for mesh in placed]).astype(np.float32),
        np.concatenate(own_triangles).astype(np.uint32),
        np.concatenate(own_edges).astype(np.float32),
    )


def _is_seam(edges: np.ndarray, others: list[Planes], step: float) -> np.ndarray:
    """Which edges (k, 4, 3) the whole has not: a step beyond them along one of their faces it goes on, solid just below
    the face and free just above. "Just" leaves room for the turn of a curve up to the crease angle."""
    seam = np.zeros(len(edges), bool)
    for first, second in ((2, 3), (3, 2)):
        below, above = _beyond(edges, first, second, step)
        seam |= _inside(below, others) & ~_inside(above, others)
    return seam


def _is_covered(mesh: Mesh, others: list[Planes], step: float) -> np.ndarray:
    """Which triangles lie inside the whole: the middle and all corners, drawn in a little, have a piece above them."""
    corners = mesh.vertices[mesh.triangles]
    middle = corners.mean(axis=1)
    lift = 0.1 * step * mesh.normals[mesh.triangles[:, 0]]
    covered = _inside(middle + lift, others)
    for k in range(3):
        covered &= _inside(middle + 0.95 * (corners[:, k] - middle) + lift, others)
    return covered


def _placed(mesh: Mesh, place: np.ndarray, turn: np.ndarray) -> Mesh:
    """In the body's frame, in double precision."""
    edges = mesh.edges.astype(float) @ turn.T
    edges[:, :2] += place
    vertices = mesh.vertices.astype(float) @ turn.T + place
    return Mesh(vertices, mesh.normals.astype(float) @ turn.T, mesh.triangles, edges)


def _planes(mesh: Mesh) -> Planes:
    corner = mesh.triangles[:, 0]
    normal = mesh.normals[corner]
    return normal, (normal * mesh.vertices[corner]).sum(axis=1)


def _beyond(edges: np.ndarray, face: int, other: int, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Points a step past the middle of each edge along a face: just below it and just above."""
    along = edges[:, 1] - edges[:, 0]
    out = np.cross(along, edges[:, face])
    out /= np.maximum(np.linalg.norm(out, axis=1), 1e-30)[:, None]
    out *= np.where((out * edges[:, other]).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    middle = 0.5 * (edges[:, 0] + edges[:, 1]) + step * out
    lift = step * math.tan(CREASE) * edges[:, face]
    return middle - lift, middle + lift


def _inside(points: np.ndarray, solids: list[Planes]) -> np.ndarray:
    """Which points lie in one of the solids."""
    found = np.zeros(len(points), bool)
    for normal, offset in solids:
        found |= (points @ normal.T < offset).all(axis=1)
    return found
