"""Seams: a body of several convex pieces is drawn as one, without lines where its surface goes on. No GL."""

from __future__ import annotations

import math

import numpy as np

from app.viewport.meshes import Mesh
from app.viewport.smoothing import CREASE

STEP = 1e-3  # of the body's extent: how far beyond an edge its surface is looked for
WELD = 2.0**-22  # of the body's extent: corners nearer than this are one
MOST_TESTS = 50_000_000  # points times faces; beyond that lines stay as they are


def joined(pieces: list[tuple[Mesh, np.ndarray, np.ndarray]]) -> Mesh:
    """One mesh of convex pieces (mesh, place, turn), in the body's frame, with the edges that the whole has too.

    Corners that pieces share become the same number, so that no gap shows between them."""
    placed = [(mesh.vertices.astype(float) @ turn.T + place, mesh, turn) for mesh, place, turn in pieces]
    vertices = np.concatenate([points for points, _, _ in placed])
    extent = float(np.ptp(vertices, axis=0).max())
    grid = max(extent * WELD, 1e-12)
    starts = np.cumsum([0, *(len(points) for points, _, _ in placed[:-1])])
    numbers = [mesh.triangles + start for (_, mesh, _), start in zip(placed, starts, strict=True)]
    return Mesh(
        (np.rint(vertices / grid) * grid).astype(np.float32),
        np.concatenate([mesh.normals.astype(float) @ turn.T for _, mesh, turn in placed]).astype(np.float32),
        np.concatenate(numbers).astype(np.uint32),
        np.concatenate(_own_edges(pieces, STEP * extent)).astype(np.float32),
    )


def _own_edges(pieces: list[tuple[Mesh, np.ndarray, np.ndarray]], step: float) -> list[np.ndarray]:
    """The edges (k, 4, 3) of each piece that are no seams.

    An edge is a seam when, a step beyond it along one of its faces, the whole goes on: solid just below the face,
    free just above. "Just" leaves room for the turn of a curve up to the crease angle."""
    edges = [_placed_edges(*piece) for piece in pieces]
    solids = [_planes(*piece) for piece in pieces]
    if 4 * sum(map(len, edges)) * sum(len(normal) for normal, _ in solids) > MOST_TESTS:
        return edges
    found = []
    for number, own in enumerate(edges):
        others = [solid for other, solid in enumerate(solids) if other != number]
        seam = np.zeros(len(own), bool)
        for first, second in ((2, 3), (3, 2)):
            below, above = _beyond(own, first, second, step)
            seam |= _inside(below, others) & ~_inside(above, others)
        found.append(own[~seam])
    return found


def _placed_edges(mesh: Mesh, place: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """(k, 4, 3) in the body's frame: two ends, two normals."""
    turned = mesh.edges.astype(float) @ turn.T
    turned[:, :2] += place
    return np.asarray(turned)


def _planes(mesh: Mesh, place: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Outward normals (f, 3) and offsets (f,) of a convex piece."""
    corner = mesh.triangles[:, 0]
    normal = mesh.normals[corner].astype(float) @ turn.T
    point = mesh.vertices[corner].astype(float) @ turn.T + place
    return normal, (normal * point).sum(axis=1)


def _beyond(edges: np.ndarray, face: int, other: int, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Points a step past the middle of each edge along a face: just below it and just above."""
    along = edges[:, 1] - edges[:, 0]
    out = np.cross(along, edges[:, face])
    out /= np.maximum(np.linalg.norm(out, axis=1), 1e-30)[:, None]
    out *= np.where((out * edges[:, other]).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    middle = 0.5 * (edges[:, 0] + edges[:, 1]) + step * out
    lift = step * math.tan(CREASE) * edges[:, face]
    return middle - lift, middle + lift


def _inside(points: np.ndarray, solids: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Which points lie in one of the solids."""
    found = np.zeros(len(points), bool)
    for normal, offset in solids:
        found |= (points @ normal.T < offset).all(axis=1)
    return found
