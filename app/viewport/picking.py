"""Picking: which body lies under a pixel or inside an area. Rays against solids in numpy, by kind. No GL, no Qt.

Balls, boxes, capsules and cylinders are met exactly; hulls and meshes by their triangles, after a box test.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.camera import Ray
from app.viewport.layout import Layout, Solids, local_box
from app.viewport.meshes import Mesh
from engine.shapes import rays

MEET = {"sphere": rays.ball, "box": rays.box, "capsule": rays.capsule, "cylinder": rays.cylinder, "plane": rays.square}


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
    found = MEET[kind](local.origin, local.direction, solids.size[local.which])
    k = int(np.argmin(found.t))
    return (float(found.t[k]), int(local.which[k]), found.normal[k]) if np.isfinite(found.t[k]) else None


def _meet_meshes(
    kind: str, solids: Solids, mesh: Mesh, local: _Local, limit: float
) -> tuple[float, int, np.ndarray] | None:
    """Candidates by their boxes, nearest first, until the next box begins behind the best hit."""
    middle, half = local_box(kind, solids)
    enter, leave = rays.slabs(local.origin - middle[local.which], local.direction, half[local.which] + 1e-9)
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
    a, b, c = mesh.vertices.astype(float)[mesh.triangles].transpose(1, 0, 2)
    t = rays.triangle(o, d, a, b, c)
    k = int(np.argmin(t)) if len(t) else 0
    if not len(t) or not np.isfinite(t[k]):
        return np.inf, np.zeros(3)
    return float(t[k]), np.cross(b[k] - a[k], c[k] - a[k])
