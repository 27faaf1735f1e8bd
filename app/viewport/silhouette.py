"""The outline of a body's picture, as lines in pixels: convex solids by the hull of their corners. No GL, no Qt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.camera import Camera
from app.viewport.layout import Layout, Solids
from app.viewport.meshes import levels
from engine.analysis.patch_hull import hull_of
from engine.scene.vectors import across

ROUND = 40  # corners of a circle
MOST_EDGES = 60  # of a solid whose inner edges are drawn too


class Silhouette(NamedTuple):
    areas: list[np.ndarray]  # each (k, 2) px, round one solid
    edges: list[np.ndarray]  # each (2, 2) px: between two faces that are both seen
    low: np.ndarray  # (2,) px, corner of the box round all of it
    high: np.ndarray


def silhouette(body: Layout, camera: Camera, extent: tuple[int, int]) -> Silhouette | None:
    """Of a layout of one body; None when a part of it lies behind the camera."""
    areas, edges = [], []
    for kind, solids in body.kinds.items():
        for k in range(len(solids.rows)):
            pixels, ahead = camera.project(_corners(kind, solids, k, camera), *extent)
            if not ahead.all():
                return None
            areas.append(hull_of(pixels).corners)
            edges += _inner_edges(kind, solids, k, camera, extent)
    if not areas:
        return None
    every = np.concatenate(areas)
    return Silhouette(areas, edges, every.min(axis=0), every.max(axis=0))


def _corners(kind: str, solids: Solids, k: int, camera: Camera) -> np.ndarray:
    """(n, 3) m: points whose picture has the outline of the solid's."""
    place, turn, size = solids.place[k], solids.turn[k], solids.size[k]
    if kind == "sphere":
        return _rim(place, float(size[0]), camera)
    if kind == "capsule":
        ends = (place + turn[:, 2] * size[2], place - turn[:, 2] * size[2])
        return np.concatenate([_rim(end, float(size[0]), camera) for end in ends])
    if solids.mesh is not None:
        local = solids.mesh.vertices.astype(float)
    elif kind == "cylinder":
        local = np.concatenate([np.c_[_circle(), np.full(ROUND, z)] for z in (-1.0, 1.0)])
    else:
        local = levels(kind)[0].vertices.astype(float)
    return place + (local * size) @ turn.T


def _circle() -> np.ndarray:
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND, endpoint=False)
    return np.c_[np.cos(angle), np.sin(angle)]


def _rim(center: np.ndarray, radius: float, camera: Camera) -> np.ndarray:
    """(n, 3) m: where lines of sight touch a ball."""
    toward = camera.axes()[2] if camera.orthographic else camera.eye - center
    away = float(np.linalg.norm(toward))
    toward = toward / max(away, 1e-12)
    near = 0.0 if camera.orthographic else min(radius / max(away, 1e-12), 0.99)  # sine of half the angle it is seen at
    frame = np.stack(across(toward))
    return center + radius * near * toward + radius * np.sqrt(1.0 - near * near) * (_circle() @ frame)


def _inner_edges(kind: str, solids: Solids, k: int, camera: Camera, extent: tuple[int, int]) -> list[np.ndarray]:
    """Edges of flat-sided solids with a face on either side that is seen."""
    mesh = levels(kind)[0] if kind == "box" else solids.mesh
    if mesh is None or len(mesh.edges) > MOST_EDGES or mesh.two_sided:
        return []
    ends = solids.place[k] + (mesh.edges[:, :2].astype(float) * solids.size[k]) @ solids.turn[k].T
    normals = mesh.edges[:, 2:].astype(float) @ solids.turn[k].T
    sight = camera.axes()[2] if camera.orthographic else camera.eye - ends[:, :1]
    seen = ((normals * sight).sum(axis=2) > 0.0).all(axis=1)
    pixels, _ = camera.project(ends[seen].reshape(-1, 3), *extent)
    return list(pixels.reshape(-1, 2, 2))
