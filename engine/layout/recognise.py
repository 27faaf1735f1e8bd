"""Which simple solid a closed mesh is: box, ball, cylinder or capsule, wherever it lies in its frame.

Exact solids collide exactly and cheaply; a mesh counts as one only when every point agrees.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np

from engine.layout.tidy import tidy, tidy_length
from engine.scene.spec import Box, Capsule, Cylinder, Shape, Sphere
from engine.shapes.box import SIGNS
from engine.shapes.turns import between, rotation_matrix

CLOSE = 1e-5  # of the size: points nearer than this to where they should be agree
BOX_FILL = 1e-4  # relative difference of volumes
BALL_FILL = 0.85  # of the ball's volume: an icosahedron (0.61) is a die, a sphere of 42 points (0.87) a ball
ROUND_FILL = 0.95  # of the cylinder's volume: twelve sides and more are meant to be round


class Found(NamedTuple):
    shape: Shape
    center: np.ndarray  # (3,) in the mesh's frame
    turn: np.ndarray  # (3, 3) from the solid's frame to the mesh's


def recognise(points: np.ndarray, triangles: np.ndarray, volume: float) -> Found | None:
    """Of a closed mesh with welded points."""
    if volume <= 0.0:
        return None
    found = _box(points, triangles, volume) or _ball(points, volume)
    if found is not None or len(points) < 24:
        return found
    axes = _likely_axes(points, triangles)
    for solid in (_cylinder, _capsule):
        for axis in axes:
            found = solid(points, _straightened(points, axis), volume)
            if found is not None:
                return found
    return None


def _box(points: np.ndarray, triangles: np.ndarray, volume: float) -> Found | None:
    """All eight corners are there, and nothing is missing between them."""
    found = _aligned_box(points, np.eye(3), volume)
    if found is not None:
        return found
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    first = normals[areas.argmax()] / areas.max()
    across = np.where(np.abs(normals @ first) < 0.1 * areas, areas, 0.0)
    if not across.any():
        return None
    second = normals[across.argmax()] - (normals[across.argmax()] @ first) * first
    second /= np.linalg.norm(second)
    axes = _refined(points, np.stack([first, second, np.cross(first, second)], axis=1))
    return _aligned_box(points, _like_identity(axes), volume)


def _aligned_box(points: np.ndarray, axes: np.ndarray, volume: float) -> Found | None:
    along = points @ axes
    low, high = along.min(axis=0), along.max(axis=0)
    half, middle = 0.5 * (high - low), 0.5 * (high + low)
    if abs(volume - 8.0 * float(np.prod(half))) > BOX_FILL * volume:
        return None
    corners = middle + SIGNS * half
    apart = np.linalg.norm(along[None] - corners[:, None], axis=-1).min(axis=1)
    if apart.max() > CLOSE * float(half.max()):
        return None
    x, y, z = tidy(half).tolist()
    return Found(Box((x, y, z)), _origin(axes @ middle, float(half.max())), axes)


def _refined(points: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Axes as the mean of the four edges along each, which loses fewer digits than one triangle."""
    along = points @ axes
    low, high = along.min(axis=0), along.max(axis=0)
    corners = 0.5 * (low + high) + SIGNS * 0.5 * (high - low)
    place = np.linalg.norm(along[None] - corners[:, None], axis=-1).argmin(axis=1)
    edges = np.stack([SIGNS[:, k] @ points[place] for k in range(3)], axis=1)
    lengths = np.linalg.norm(edges, axis=0)
    if lengths.min() <= 0.0:
        return axes
    u, _, vt = np.linalg.svd(edges / lengths)
    return np.asarray(u @ vt)


def _like_identity(axes: np.ndarray) -> np.ndarray:
    """The same three axes in the order and with the signs that turn least."""
    best = max(itertools.permutations(range(3)), key=lambda order: sum(abs(axes[i, k]) for i, k in enumerate(order)))
    ordered = axes[:, best]
    ordered = ordered * np.where(np.diag(ordered) < 0.0, -1.0, 1.0)
    if np.linalg.det(ordered) < 0.0:
        ordered[:, int(np.abs(np.diag(ordered)).argmin())] *= -1.0
    return np.asarray(ordered)


def _ball(points: np.ndarray, volume: float) -> Found | None:
    if len(points) < 24:
        return None
    # |p|^2 = 2 c . p + (r^2 - |c|^2) is linear in what is sought.
    middle = points.mean(axis=0)
    arms = points - middle
    rows = np.c_[2.0 * arms, np.ones(len(arms))]
    answer = np.linalg.lstsq(rows, (arms * arms).sum(axis=1), rcond=None)[0]
    away = np.linalg.norm(arms - answer[:3], axis=1)
    radius = float(away.mean())
    if np.abs(away - radius).max() > CLOSE * radius or volume < BALL_FILL * 4.0 / 3.0 * math.pi * radius**3:
        return None
    return Found(Sphere(tidy_length(radius)), _origin(middle + answer[:3], radius), np.eye(3))


def _likely_axes(points: np.ndarray, triangles: np.ndarray) -> list[np.ndarray]:
    """The frame's own axes, then the principal axes of faces and of points."""
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    weighed = normals / np.sqrt(np.linalg.norm(normals, axis=1))[:, None]
    arms = points - points.mean(axis=0)
    tried = [np.eye(3)[[2, 0, 1]]]
    tried += [np.linalg.eigh(rows.T @ rows)[1].T for rows in (weighed, arms)]
    return [axis * math.copysign(1.0, float(axis[np.abs(axis).argmax()])) for axis in np.concatenate(tried)]


def _straightened(points: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The axis from the middle of one half's points to that of the other's: rings stand evenly round it, and many
    points lose fewer digits than principal axes do. An axis of the frame stays one."""
    height = (points - points.mean(axis=0)) @ axis
    size = float(np.abs(height).max())
    upper, lower = height > 0.01 * size, height < -0.01 * size
    if not (upper.any() and lower.any()):
        return axis
    better = points[upper].mean(axis=0) - points[lower].mean(axis=0)
    better /= np.linalg.norm(better)
    return better if float(better @ axis) < 1.0 - 1e-12 else axis


def _about(points: np.ndarray, axis: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre, and of every point the height over it along the axis and the distance from the axis. Points of a solid of
    revolution stand evenly around it, so their mean is on it."""
    mean = points.mean(axis=0)
    height = (points - mean) @ axis
    middle = mean + 0.5 * (height.max() + height.min()) * axis
    arms = points - middle
    height = arms @ axis
    return middle, height, np.linalg.norm(arms - height[:, None] * axis, axis=1)


def _cylinder(points: np.ndarray, axis: np.ndarray, volume: float) -> Found | None:
    middle, height, away = _about(points, axis)
    radius, half = float(away.max()), float(height.max())
    close = CLOSE * max(radius, half)
    on_side, on_end = np.abs(away - radius) <= close, np.abs(np.abs(height) - half) <= close
    whole = 2.0 * math.pi * radius**2 * half
    if not (on_side | on_end).all() or not ROUND_FILL * whole <= volume <= (1.0 + BOX_FILL) * whole:
        return None
    return Found(Cylinder(tidy_length(radius), tidy_length(half)), _origin(middle, radius), _along(axis))


def _capsule(points: np.ndarray, axis: np.ndarray, volume: float) -> Found | None:
    middle, height, away = _about(points, axis)
    radius = float(away.max())
    half = float(height.max()) - radius
    if half <= CLOSE * radius:
        return None
    beyond = np.maximum(np.abs(height) - half, 0.0)
    whole = 2.0 * math.pi * radius**2 * half + 4.0 / 3.0 * math.pi * radius**3
    if np.abs(np.hypot(beyond, away) - radius).max() > CLOSE * (radius + half) or volume < BALL_FILL * whole:
        return None
    return Found(Capsule(tidy_length(radius), tidy_length(half)), _origin(middle, radius), _along(axis))


def _along(axis: np.ndarray) -> np.ndarray:
    """The least turn that takes z to the axis."""
    return np.eye(3) if axis[2] >= 1.0 - 1e-12 else rotation_matrix(between((0.0, 0.0, 1.0), axis.tolist()))


def _origin(center: np.ndarray, size: float) -> np.ndarray:
    """A centre this near to the origin of the frame is meant to be there."""
    return np.where(np.abs(center) <= 1e-6 * size, 0.0, center)
