"""Draw list: what the renderer draws, as instanced batches. No GL, no Qt: arrays in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from app.viewport.layout import Layout, Solids
from app.viewport.meshes import COARSEN_BELOW, Mesh, levels

MOST_TRIANGLES = 80_000  # of one batch in one picture
NO_LINES_BELOW = 4.0  # px of radius on screen
BALL = "ball"  # key of the mesh that shaders turn toward the viewer
PER_INSTANCE = ("instances", "rows", "radius")  # arrays of a batch
INSTANCE = 16  # floats: three rows of the matrix, then red, green, blue, hatch


@dataclass(frozen=True)
class Batch:
    """One mesh, many times."""

    key: str  # of the mesh
    meshes: tuple[Mesh, ...]  # finest first
    instances: np.ndarray  # (n, 16) float32: 3x4 matrix row by row, colour, hatch
    rows: np.ndarray  # (n,) row of the body in the layout
    radius: np.ndarray  # (n,) m, of the ball round the instance's origin that holds it
    pips: bool = False  # dice

    def matrices(self) -> np.ndarray:
        """(n, 3, 4)"""
        return self.instances[:, :12].reshape(-1, 3, 4)


def draw_list(layout: Layout, colors: np.ndarray) -> list[Batch]:
    """Batches of a layout; `colors` (n, 4) by row: red, green, blue, hatch."""
    batches = []
    for kind, solids in layout.kinds.items():
        if kind == "capsule":
            batches += _capsules(solids, colors)
            continue
        if kind == "sphere":
            batches.append(_batch(BALL, levels(BALL), solids, colors))
            continue
        meshes = (solids.mesh,) if solids.mesh is not None else levels(kind)
        if kind == "box":
            dice = layout.dice[solids.rows]
            batches += [
                _batch(kind, meshes, solids.only(chosen), colors, pips)
                for chosen, pips in ((~dice, False), (dice, True))
                if chosen.any()
            ]
        else:
            batches.append(_batch(kind, meshes, solids, colors))
    return batches


def _batch(key: str, meshes: tuple[Mesh, ...], solids: Solids, colors: np.ndarray, pips: bool = False) -> Batch:
    instances = np.empty((len(solids.rows), INSTANCE), np.float32)
    matrix = instances[:, :12].reshape(-1, 3, 4)
    matrix[:, :, :3] = solids.turn * solids.size[:, None, :]
    matrix[:, :, 3] = solids.place
    instances[:, 12:] = colors[solids.rows]
    reach = float(np.linalg.norm(meshes[-1].vertices, axis=1).max()) if solids.mesh is not None else 1.0
    span = solids.size[:, 0] if key == BALL else np.linalg.norm(solids.size, axis=1)
    return Batch(key, meshes, instances, solids.rows, reach * span, pips)


def _capsules(solids: Solids, colors: np.ndarray) -> list[Batch]:
    """A tube and two domes: so every capsule, of any proportion, is an affine picture of the same three meshes."""
    up = solids.turn[:, :, 2] * solids.size[:, 2:]
    ball = np.repeat(solids.size[:, :1], 3, axis=1)
    flipped = solids.turn * np.array([1.0, -1.0, -1.0])
    ends = Solids(
        np.concatenate([solids.rows, solids.rows]),
        np.concatenate([solids.place + up, solids.place - up]),
        np.concatenate([solids.turn, flipped]),
        np.concatenate([ball, ball]),
    )
    return [_batch("tube", levels("tube"), solids, colors), _batch("dome", levels("dome"), ends, colors)]


def only(batches: list[Batch], rows: np.ndarray) -> list[Batch]:
    """The part of a draw list that belongs to some bodies."""
    found = []
    for batch in batches:
        chosen = np.isin(batch.rows, rows)
        if chosen.any():
            own = {name: getattr(batch, name)[chosen] for name in PER_INSTANCE}
            found.append(replace(batch, **own))
    return found


def _levels(batch: Batch, size: np.ndarray) -> np.ndarray:
    """Level of each instance by its radius on screen (px); coarser than wished where there would be too many
    triangles altogether."""
    triangles = np.array([len(mesh.triangles) for mesh in batch.meshes])
    allowed = max(MOST_TRIANGLES, len(size) * int(triangles[-1]))
    scale = 1.0
    while True:
        level = np.zeros(len(size), np.int64)
        for limit in COARSEN_BELOW[: len(batch.meshes) - 1]:
            level += size * scale < limit
        if triangles[level].sum() <= allowed:
            return level
        scale *= 0.7


class Detail(NamedTuple):
    """How finely to draw the instances of a batch."""

    order: np.ndarray  # (n,) instances: finest level first, those outside the picture last
    counts: list[int]  # instances of each level
    lined: list[int]  # of these, how many (at the front) are large enough for edge lines


def detail(batch: Batch, matrix: np.ndarray, pixels: float, farthest_first: bool = False) -> Detail:
    """Levels for a camera: `matrix` (4, 4) takes the world to clip space; `pixels` is the length on screen of one metre
    where clip depth is 1. `farthest_first`: for what shines through."""
    center = batch.instances[:, [3, 7, 11]].astype(float)
    clip = np.c_[center, np.ones(len(center))] @ matrix.T
    inside = clip[:, 3] > -batch.radius
    for axis in (0, 1):
        for sign in (-1.0, 1.0):  # distance to the side planes of the picture, in their own scale
            plane = matrix[3, :3] + sign * matrix[axis, :3]
            inside &= clip[:, 3] + sign * clip[:, axis] > -batch.radius * np.linalg.norm(plane)
    size = batch.radius * pixels / np.maximum(clip[:, 3], 1e-3)
    level = np.full(len(size), len(batch.meshes))
    level[inside] = _levels(batch, size[inside])  # what is out of sight leaves its triangles to the others
    rank = 2 * level + (size < NO_LINES_BELOW)
    order = np.lexsort((-clip[:, 2] if farthest_first else clip[:, 2], rank))  # hidden by nearer ones: no shading
    counts = np.bincount(rank, minlength=2 * len(batch.meshes) + 2)[: 2 * len(batch.meshes)].reshape(-1, 2)
    return Detail(order, counts.sum(axis=1).tolist(), counts[:, 0].tolist())
