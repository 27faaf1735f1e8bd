"""Level ground: a plane, or the top of something static, as motions need it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.algebra import norm, norms, times
from engine.model.arrays import PLANE, POLYTOPE
from engine.model.compile import Model
from engine.shapes.turns import rotation_matrix

LEVEL = 1e-12  # sine between a normal and the vertical


class Ground(NamedTuple):
    own: int  # first part of the body that stands there
    part: int
    point: np.ndarray  # (3,) m   of the surface, in the frame of the part's body
    facing: np.ndarray  # (3,)    outward normal, in that frame
    normal: np.ndarray  # (3,)    in the world
    outline: np.ndarray  # (k, 2) m  corners in the world, counter-clockwise seen from above; none: it has no end


def ground_of(model: Model, row: int, part: int) -> Ground | None:
    """The ground of body `row` on the given part of something static; None when that has no level face."""
    geometry = model.geometry
    body = int(geometry.part_body[part])
    own = int(np.flatnonzero(geometry.part_body == row)[0])
    turn, place = rotation_matrix(model.start.q[body]), model.start.x[body]
    up = -model.gravity / norm(model.gravity)
    if model.bodies.inverse_mass[body] > 0.0:
        return None
    if geometry.part_kind[part] == PLANE:
        facing = geometry.part_axis[part]
        normal = times(turn, facing)
        level = norm(np.cross(normal, up)) <= LEVEL and times(normal, up) > 0.0
        nowhere = np.zeros((0, 2))
        return Ground(own, part, geometry.part_center[part], facing, normal, nowhere) if level else None
    if geometry.part_kind[part] != POLYTOPE:
        return None
    for face in range(int(geometry.face_start[part]), int(geometry.face_start[part + 1])):
        facing = geometry.face_normal[face]
        normal = times(turn, facing)
        if norm(np.cross(normal, up)) <= LEVEL and times(normal, up) > 0.0:
            loop = geometry.loop[geometry.loop_start[face] : geometry.loop_start[face + 1]]
            corners = geometry.verts[loop]
            return Ground(own, part, corners[0], facing, normal, _seen_from(up, place + times(corners, turn.T)))
    return None


def lies_within(ground: Ground, up: np.ndarray, points: np.ndarray, reach: np.ndarray) -> bool:
    """Whether world points (k, 3), each with as much ground around it as `reach` (k,) says, are all over the ground."""
    if not len(ground.outline):
        return True
    flat = _seen_from(up, points)
    following = np.roll(ground.outline, -1, axis=0)
    along = following - ground.outline
    along /= norms(along)[:, None]
    away = flat[:, None] - ground.outline[None]
    inside = along[None, :, 0] * away[..., 1] - along[None, :, 1] * away[..., 0]
    return bool((inside >= reach[:, None]).all())


def _seen_from(up: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(k, 2): points as seen from above."""
    first = np.cross([0.0, 1.0, 0.0] if abs(up[1]) < 0.9 else [0.0, 0.0, 1.0], up)
    first /= norm(first)
    return times(points, np.stack([first, np.cross(up, first)], axis=1))
