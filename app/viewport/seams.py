"""Seams: edges inside a body of several convex pieces that no line should show, as its surface goes on there. No GL."""

from __future__ import annotations

import math

import numpy as np

from app.viewport.meshes import Mesh
from app.viewport.smoothing import CREASE

STEP = 1e-3  # of the body's extent: how far beyond an edge its surface is looked for
MOST_TESTS = 50_000_000  # points times faces; beyond that lines stay as they are


def without_seams(pieces: list[tuple[Mesh, np.ndarray, np.ndarray]]) -> list[Mesh]:
    """The meshes of convex pieces (mesh, place, turn) with the edges left that the whole has too.

    An edge is a seam when, a step beyond it along one of its faces, the whole goes on: solid just below the face,
    free just above. "Just" leaves room for the turn of a curve up to the crease angle."""
    edges = [_placed_edges(*piece) for piece in pieces]
    solids = [_planes(*piece) for piece in pieces]
    faces = sum(len(normal) for normal, _ in solids)
    if 4 * sum(map(len, edges)) * faces > MOST_TESTS:
        return [mesh for mesh, _, _ in pieces]
    points = np.concatenate([mesh.vertices @ turn.T + place for mesh, place, turn in pieces])
    step = STEP * float(np.ptp(points, axis=0).max())
    found = []
    for number, (mesh, _, _) in enumerate(pieces):
        others = [solid for other, solid in enumerate(solids) if other != number]
        seam = np.zeros(len(edges[number]), bool)
        for first, second in ((2, 3), (3, 2)):
            below, above = _beyond(edges[number], first, second, step)
            seam |= _inside(below, others) & ~_inside(above, others)
        found.append(mesh._replace(edges=np.ascontiguousarray(mesh.edges[~seam])))
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
