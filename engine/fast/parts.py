"""Convex parts as the fast engine sees them: balls, bricks and planes have kernels of their own, the rest has not.

A brick is a box anywhere in its body's frame; the model keeps it as a polytope of eight corners, so it is recognised
by its corners.
"""

from __future__ import annotations

import numpy as np

from engine.algebra import determinant, dots, norm, norms, times
from engine.model.arrays import PLANE, POLYTOPE, SPHERE, Geometry
from engine.record import Record

BALL, BRICK, FLAT, OTHER = range(4)
SAME = 1e-9  # relative: a polytope is a brick when its corners are those of one to this accuracy


class Parts(Record):
    """P parts, constant, in body frames."""

    body: np.ndarray  # (P,) int64
    kind: np.ndarray  # (P,) int64    BALL, BRICK, FLAT, OTHER
    center: np.ndarray  # (P, 3) m    a point on it for FLAT
    turn: np.ndarray  # (P, 9)        axes of a BRICK as columns; the third column is the normal of a FLAT
    half: np.ndarray  # (P, 3) m      half edges of a BRICK; radius of a BALL three times
    bound: np.ndarray  # (P,) m       radius about the centre, inf for FLAT


def make_parts(geometry: Geometry) -> Parts:
    count = len(geometry.part_kind)
    kind = np.full(count, OTHER, np.int64)
    turn = np.tile(np.eye(3).reshape(9), (count, 1))
    half = np.zeros((count, 3))
    for p, shape in enumerate(geometry.part_kind):
        if shape == SPHERE:
            kind[p] = BALL
            half[p] = geometry.part_radius[p]
        elif shape == PLANE:
            kind[p] = FLAT
            turn[p] = _with_third_column(geometry.part_axis[p]).reshape(9)
        elif shape == POLYTOPE:
            corners = geometry.verts[geometry.vert_start[p] : geometry.vert_start[p + 1]]
            brick = as_brick(corners - geometry.part_center[p])
            if brick is not None:
                kind[p] = BRICK
                turn[p], half[p] = brick[0].reshape(9), brick[1]
    return Parts(geometry.part_body, kind, geometry.part_center, np.ascontiguousarray(turn), half, geometry.part_bound)


def as_brick(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Axes (columns) and half edges of the box with these corners about its centre, or None."""
    if len(corners) != 8:
        return None
    first = corners[0]
    edges = corners[1:] - first
    near = edges[np.argsort(dots(edges, edges), kind="stable")]
    # Three edges meet in a corner; a face diagonal can be shorter than the longest of them, so try all triples.
    for i in range(5):
        for j in range(i + 1, 6):
            for k in range(j + 1, 7):
                sides = near[[i, j, k]]
                lengths = norms(sides)
                axes = sides / lengths[:, None]
                if np.abs(times(axes, axes.T) - np.eye(3)).max() > SAME:
                    continue
                if determinant(axes) < 0.0:
                    axes[2] = -axes[2]
                half = 0.5 * lengths
                if np.abs(np.abs(times(corners, axes.T)) - half).max() <= SAME * lengths.max():
                    return _in_order(axes, half)
    return None


def _in_order(axes: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same box with axes nearest to x, y, z, so that an upright box has the identity as its frame."""
    order = [int(np.argmax(np.abs(axes[:, 0])))]
    order.append(max((i for i in range(3) if i not in order), key=lambda i: abs(axes[i, 1])))
    order.append(3 - sum(order))
    axes, half = axes[order], half[order]
    axes = axes * np.where(axes[range(3), range(3)] < 0.0, -1.0, 1.0)[:, None]
    if determinant(axes) < 0.0:
        axes[2] = -axes[2]
    return np.ascontiguousarray(axes.T), half


def _with_third_column(n: np.ndarray) -> np.ndarray:
    """A rotation whose third column is the unit vector n."""
    start = np.eye(3)[int(np.argmin(np.abs(n)))]
    first = np.cross(start, n)
    first /= norm(first)
    return np.stack([first, np.cross(n, first), n], axis=1)
