"""Which edges of a triangle surface are creases, and the normals of what is smooth between them."""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norms
from engine.functions import cosine

CREASE = math.radians(32.0)  # faces that turn by more than this meet in a visible edge


def welded(corners: np.ndarray) -> np.ndarray:
    """Numbers (m, 3) of the corners (m, 3, 3): corners at the same place share one."""
    span = float(np.ptp(corners.reshape(-1, 3), axis=0).max()) if len(corners) else 1.0
    grid = np.rint(corners.reshape(-1, 3) / max(span * 1e-6, 1e-12)).astype(np.int64)
    _, number = np.unique(grid, axis=0, return_inverse=True)
    return np.asarray(number).reshape(-1, 3)


def smooth_corners(corners: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Unit normals (m, 3, 3) at the corners of triangles; `normal` (m, 3) are their area normals.

    A corner takes the sum over the faces round it that lie within the crease angle of its own face."""
    unit = normal / norms(normal)[:, None]
    number = welded(corners).ravel()
    face = np.repeat(np.arange(len(corners)), 3)
    order = np.argsort(number, kind="stable")
    counts = np.bincount(number)
    start = np.cumsum(counts) - counts
    own, other = _pairs(order, start, counts)
    near = (unit[face[own]] * unit[face[other]]).sum(axis=1) > cosine(CREASE)
    total = np.zeros((len(face), 3))
    np.add.at(total, own[near], normal[face[other[near]]])
    return (total / norms(total)[:, None]).reshape(-1, 3, 3)


def _pairs(order: np.ndarray, start: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All ordered pairs of corners that share a place, each corner with itself included."""
    per_corner = np.repeat(counts, counts)  # how many corners share the place, corner by corner in sorted order
    own = np.repeat(order, per_corner)
    first = np.repeat(np.repeat(start, counts), per_corner)
    step = np.arange(len(own)) - np.repeat(np.cumsum(per_corner) - per_corner, per_corner)
    return own, order[first + step]


def creases(corners: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(k, 4, 3) edges where faces turn sharply, and borders (there the second normal looks the other way)."""
    if not len(corners):
        return np.zeros((0, 4, 3))
    unit = normal / norms(normal)[:, None]
    number = welded(corners)
    ends = np.concatenate([number[:, [0, 1]], number[:, [1, 2]], number[:, [2, 0]]])
    face = np.tile(np.arange(len(corners)), 3)
    points = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    key = np.sort(ends, axis=1)
    order = np.lexsort((key[:, 1], key[:, 0]))
    _, first, counts = np.unique(key[order], axis=0, return_index=True, return_counts=True)
    a = order[first]
    b = order[np.minimum(first + 1, len(order) - 1)]
    normals = np.stack([unit[face[a]], np.where((counts == 1)[:, None], -unit[face[a]], unit[face[b]])], axis=1)
    sharp = (normals[:, 0] * normals[:, 1]).sum(axis=1) < cosine(CREASE)
    return np.concatenate([points[a], normals], axis=1)[sharp]
