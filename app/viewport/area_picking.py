"""Which bodies' pictures touch an area of the screen. No GL, no Qt.

A body is in or out by the box of its picture where that decides; else by the triangles of its picture.
"""

from __future__ import annotations

import numpy as np

from app.camera import Camera
from app.viewport.layout import PLANE_HALF, Layout, Solids, local_box
from app.viewport.meshes import Mesh, levels
from engine.shapes.box import SIGNS

LEVEL = 1  # of detail of round solids: the outline is right to a fraction of a pixel
Rect = tuple[float, float, float, float]  # px: left, top, right, bottom


def rows_inside(layout: Layout, camera: Camera, extent: tuple[int, int], area: Rect) -> list[int]:
    """Rows of bodies whose picture touches the area, hidden behind others or not."""
    touched = np.zeros(len(layout.bodies), bool)
    for kind, solids in layout.kinds.items():
        least, most, ahead = _picture_boxes(kind, solids, camera, extent)
        left, top, right, bottom = area
        overlap = (least[:, 0] <= right) & (most[:, 0] >= left) & (least[:, 1] <= bottom) & (most[:, 1] >= top)
        overlap = np.where(ahead.all(axis=1), overlap, ahead.any(axis=1))  # reaching behind the camera: look closer
        within = (least >= (left, top)).all(axis=1) & (most <= (right, bottom)).all(axis=1) & ahead.all(axis=1)
        touched[solids.rows[within]] = True
        for k in np.flatnonzero(overlap & ~within):
            if not touched[solids.rows[k]] and _touches(kind, solids, int(k), camera, extent, area):
                touched[solids.rows[k]] = True
    return np.flatnonzero(touched).tolist()


def _picture_boxes(
    kind: str, solids: Solids, camera: Camera, extent: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Box (m, 2) to (m, 2) round the picture of each solid's box, and which corners (m, 8) lie in front."""
    middle, half = local_box(kind, solids)
    corners = middle[:, None] + SIGNS * half[:, None]
    world = np.einsum("nij,nkj->nki", solids.turn, corners) + solids.place[:, None]
    pixels, ahead = camera.project(world.reshape(-1, 3), *extent)
    pixels = pixels.reshape(-1, 8, 2)
    return pixels.min(axis=1), pixels.max(axis=1), ahead.reshape(-1, 8)


def _touches(kind: str, solids: Solids, k: int, camera: Camera, extent: tuple[int, int], area: Rect) -> bool:
    for vertices, triangles in _surfaces(kind, solids, k):
        world = vertices @ solids.turn[k].T + solids.place[k]
        pixels, ahead = camera.project(world, *extent)
        seen = ahead[triangles].all(axis=1)
        if seen.any() and _triangles_touch(pixels[triangles[seen]], area):
            return True
    return False


def _surfaces(kind: str, solids: Solids, k: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Vertices in the solid's frame, and triangles."""
    size = solids.size[k]
    if solids.mesh is not None:
        return [_scaled(solids.mesh, np.ones(3))]
    if kind in ("sphere", "capsule"):
        tube = [_scaled(_level("tube"), size)] if kind == "capsule" else []
        domes = [_scaled(_level("dome"), size[0] * np.array([1.0, s, s])) for s in (1.0, -1.0)]
        up = np.array([0.0, 0.0, size[2] if tube else 0.0])
        return [*tube, (domes[0][0] + up, domes[0][1]), (domes[1][0] - up, domes[1][1])]
    if kind == "plane":
        size = np.array([PLANE_HALF, PLANE_HALF, 1.0])
    return [_scaled(_level(kind), size)]


def _level(kind: str) -> Mesh:
    meshes = levels(kind)
    return meshes[min(LEVEL, len(meshes) - 1)]


def _scaled(mesh: Mesh, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return mesh.vertices.astype(float) * size, mesh.triangles


def _triangles_touch(corners: np.ndarray, area: Rect) -> bool:
    """Does any flat triangle (m, 3, 2) meet the rectangle? By separating axes: the two of the rectangle, and the three
    across each triangle's sides."""
    low, high = np.array(area[:2]), np.array(area[2:])
    apart = (corners.min(axis=1) > high).any(axis=1) | (corners.max(axis=1) < low).any(axis=1)
    frame = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    for k in range(3):
        side = corners[:, (k + 1) % 3] - corners[:, k]
        across = np.stack([-side[:, 1], side[:, 0]], axis=1)
        own = np.einsum("nkj,nj->nk", corners, across)
        other = across @ frame.T
        apart |= (own.min(axis=1) > other.max(axis=1)) | (own.max(axis=1) < other.min(axis=1))
    return bool((~apart).any())
