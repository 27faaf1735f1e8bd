"""Triangles as files have them made fit for use: points welded, and whether they close up around a volume."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.algebra import dots, norms

FILLS_ITS_HULL = 0.999  # of its hull's volume: what is missing then is noise of the mesh


@dataclass(frozen=True, eq=False)
class Welded:
    vertices: np.ndarray  # (n, 3), no two alike
    triangles: np.ndarray  # (m, 3), none without area, outward where they close up
    open_edges: int  # edges with one triangle
    shared_edges: int  # edges with more than two
    volume: float  # of the solid; 0 when neighbours do not agree on which side is out


def welded(vertices: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points at the same place made one (STL has three to a triangle), triangles without area and doubles dropped."""
    used, triangles = np.unique(triangles, return_inverse=True)
    points = vertices[used]
    points, where = np.unique(points + 0.0, axis=0, return_inverse=True)
    triangles = where.reshape(-1)[triangles.reshape(-1)].reshape(-1, 3)
    sides = points[triangles] - np.roll(points[triangles], 1, axis=1)
    longest = np.abs(sides).max(axis=(1, 2))
    with np.errstate(all="ignore"):
        scaled = sides / longest[:, None, None]
        area = norms(np.cross(scaled[:, 0], scaled[:, 1]))
    triangles = triangles[area > 1e-11]
    _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    return points, triangles[np.sort(first)]


def described(vertices: np.ndarray, triangles: np.ndarray) -> Welded:
    """Of welded triangles; those that face inward all together are turned."""
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    _, uses = np.unique(edges, axis=0, return_counts=True)
    volume = _volume(vertices, triangles)
    consistent = _consistent(triangles)
    if volume < 0.0 and consistent:
        triangles, volume = triangles[:, ::-1].copy(), -volume
    open_edges, shared_edges = int((uses == 1).sum()), int((uses > 2).sum())
    return Welded(vertices, triangles, open_edges, shared_edges, volume if consistent else 0.0)


def hull_volume(points: np.ndarray) -> float:
    from scipy.spatial import ConvexHull

    return float(ConvexHull(points - points.mean(axis=0), qhull_options="QJ").volume)


def _consistent(triangles: np.ndarray) -> bool:
    """Do neighbours agree on which side is out? Then no directed edge occurs twice."""
    directed = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return len(np.unique(directed, axis=0)) == len(directed)


def _volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (vertices - vertices.mean(axis=0))[triangles].transpose(1, 0, 2)
    return float(dots(a, np.cross(b, c)).sum()) / 6.0
