"""Picking: which body lies under a pixel or inside an area. Rays against solids in numpy, by kind. No GL, no Qt.

Balls, boxes, capsules and cylinders are met exactly; hulls and meshes by their triangles, after a box test.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.camera import Ray
from app.viewport.layout import Layout, Solids, local_box
from app.viewport.meshes import Mesh

NEAR = 1e-9  # m, hits closer to the ray's origin do not count


class Hit(NamedTuple):
    distance: float  # m along the ray
    row: int  # of the body in the layout
    normal: np.ndarray  # (3,) unit, toward the viewer


class _Local(NamedTuple):
    """A ray in the frames of the solids it may meet."""

    which: np.ndarray  # (k,) numbers of the solids
    origin: np.ndarray  # (k, 3)
    direction: np.ndarray  # (k, 3)


def cast(layout: Layout, ray: Ray, without: np.ndarray | None = None) -> Hit | None:
    """The nearest surface along a ray; `without` (n,) marks rows to look through."""
    best: Hit | None = None
    for kind, solids in layout.kinds.items():
        usable = None if without is None else ~without[solids.rows]
        local = _candidates(kind, solids, ray, usable)
        if not len(local.which):
            continue
        found = _meet(kind, solids, local, best.distance if best is not None else np.inf)
        if found is not None and (best is None or found[0] < best.distance):
            distance, place, normal = found
            out = solids.turn[place] @ normal
            if out @ ray.direction > 0.0:
                out = -out
            best = Hit(distance, int(solids.rows[place]), out / np.linalg.norm(out))
    return best


def _candidates(kind: str, solids: Solids, ray: Ray, usable: np.ndarray | None) -> _Local:
    """Solids whose bounding ball the ray meets."""
    middle, half = local_box(kind, solids)
    center = solids.place
    if solids.mesh is not None:
        center = center + np.einsum("nij,nj->ni", solids.turn, middle)
    radius = half[:, 0] if kind == "sphere" else np.linalg.norm(half, axis=1)
    away = center - ray.origin
    along = away @ ray.direction
    met = ((away * away).sum(axis=1) - along * along <= radius * radius * (1.0 + 1e-9)) & (along > -radius)
    if usable is not None:
        met &= usable
    index = np.flatnonzero(met)
    turn = solids.turn[index]
    origin = np.einsum("nji,nj->ni", turn, ray.origin - solids.place[index])
    return _Local(index, origin, np.einsum("nji,j->ni", turn, ray.direction))


def _meet(kind: str, solids: Solids, local: _Local, limit: float) -> tuple[float, int, np.ndarray] | None:
    """Nearest hit among candidates: distance, solid, normal in the solid's frame."""
    if solids.mesh is not None:
        return _meet_meshes(kind, solids, solids.mesh, local, limit)
    size = solids.size[local.which]
    meet = {"sphere": _ball, "box": _box, "capsule": _capsule, "cylinder": _cylinder, "plane": _plane}[kind]
    distance, normal = meet(local.origin, local.direction, size)
    distance = np.where(distance > NEAR, distance, np.inf)
    k = int(np.argmin(distance))
    if not np.isfinite(distance[k]):
        return None
    return float(distance[k]), int(local.which[k]), normal[k]


def _ball(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    t = _ball_entry(o, d, size[:, 0])
    return t, _at(o, d, t)


def _ball_entry(o: np.ndarray, d: np.ndarray, radius: np.ndarray) -> np.ndarray:
    b = (o * d).sum(axis=1)
    room = b * b - ((o * o).sum(axis=1) - radius * radius)
    return np.where(room >= 0.0, -b - np.sqrt(np.maximum(room, 0.0)), np.inf)


def _at(o: np.ndarray, d: np.ndarray, t: np.ndarray) -> np.ndarray:
    return o + np.where(np.isfinite(t), t, 0.0)[:, None] * d


def _slabs(o: np.ndarray, d: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where a ray enters each pair of planes at -half and half, and leaves it, (k, 3) each."""
    safe = np.where(np.abs(d) < 1e-300, 1e-300, d)
    first, second = (-half - o) / safe, (half - o) / safe
    return np.minimum(first, second), np.maximum(first, second)


def _box(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    enter, leave = _slabs(o, d, size)
    axis = enter.argmax(axis=1)
    near = enter.max(axis=1)
    normal = np.eye(3)[axis]
    return np.where(near <= leave.min(axis=1), near, np.inf), normal


def _plane(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    safe = np.where(np.abs(d[:, 2]) < 1e-12, 1e-12, d[:, 2])
    t = -o[:, 2] / safe
    on = (np.abs(_at(o, d, t)[:, :2]) <= size[:, :2]).all(axis=1)
    return np.where(on, t, np.inf), np.tile([0.0, 0.0, 1.0], (len(o), 1))


def _side(o: np.ndarray, d: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where a ray is inside an endless cylinder about z; an empty span where it never is."""
    a = np.maximum((d[:, :2] ** 2).sum(axis=1), 1e-300)
    b = (o[:, :2] * d[:, :2]).sum(axis=1)
    room = b * b - a * ((o[:, :2] ** 2).sum(axis=1) - radius * radius)
    root = np.sqrt(np.maximum(room, 0.0))
    return np.where(room >= 0.0, (-b - root) / a, np.inf), np.where(room >= 0.0, (-b + root) / a, -np.inf)


def _cylinder(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    enter, leave = _slabs(o[:, 2:], d[:, 2:], size[:, 2:])
    side_enter, side_leave = _side(o, d, size[:, 0])
    near, far = np.maximum(side_enter, enter[:, 0]), np.minimum(side_leave, leave[:, 0])
    t = np.where(near <= far, near, np.inf)
    capped = enter[:, 0] > side_enter
    round_ = _at(o, d, t) * np.array([1.0, 1.0, 0.0])
    return t, np.where(capped[:, None], np.array([0.0, 0.0, 1.0]), round_)


def _capsule(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    radius, half = size[:, 0], size[:, 2]
    t, _ = _side(o, d, radius)
    t = np.where(np.abs(_at(o, d, t)[:, 2]) <= half, t, np.inf)
    for sign in (-1.0, 1.0):
        middle = np.zeros_like(o)
        middle[:, 2] = sign * half
        t = np.minimum(t, _ball_entry(o - middle, d, radius))
    point = _at(o, d, t)
    core = np.clip(point[:, 2], -half, half)
    return t, point - np.stack([np.zeros_like(core), np.zeros_like(core), core], axis=1)


def _meet_meshes(
    kind: str, solids: Solids, mesh: Mesh, local: _Local, limit: float
) -> tuple[float, int, np.ndarray] | None:
    """Candidates by their boxes, nearest first, until the next box begins behind the best hit."""
    middle, half = local_box(kind, solids)
    enter, leave = _slabs(local.origin - middle[local.which], local.direction, half[local.which] + 1e-9)
    near, far = enter.max(axis=1), leave.min(axis=1)
    best: tuple[float, int, np.ndarray] | None = None
    for k in np.argsort(near):
        if near[k] > (best[0] if best is not None else limit):
            break
        if near[k] > far[k] or far[k] < 0.0:
            continue
        distance, normal = _triangles(local.origin[k], local.direction[k], mesh)
        if distance < (best[0] if best is not None else np.inf):
            best = (distance, int(local.which[k]), normal)
    return best


def _triangles(o: np.ndarray, d: np.ndarray, mesh: Mesh) -> tuple[float, np.ndarray]:
    corners = mesh.vertices.astype(float)[mesh.triangles]
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = np.cross(d, v)
    area = (u * p).sum(axis=1)
    safe = np.where(np.abs(area) < 1e-300, 1e-300, area)
    from_a = o - a
    first = (from_a * p).sum(axis=1) / safe
    q = np.cross(from_a, u)
    second = q @ d / safe
    t = (v * q).sum(axis=1) / safe
    slack = 1e-9  # neighbours share a side: a ray along it must not slip between them
    met = (first >= -slack) & (second >= -slack) & (first + second <= 1.0 + slack) & (t > NEAR) & (np.abs(area) > 0.0)
    t = np.where(met, t, np.inf)
    k = int(np.argmin(t)) if len(t) else 0
    if not len(t) or not np.isfinite(t[k]):
        return np.inf, np.zeros(3)
    return float(t[k]), np.cross(u[k], v[k])
