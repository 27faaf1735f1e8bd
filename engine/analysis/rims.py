"""Round rims are round: a standing cylinder touches along all of its rim, of which the engine's step looks at eight
points (collide/cylinder_flat.py), and at the lowest one as soon as it leans. A body at rest would have an octagon for
a foot, and fall where it has cos(22.5 degrees) of what it takes.

The points that are added lie on the rim and over the face it stands on, so forces there are forces that the contact can
have: what is found with them is never too much, and short of the circle by 1 - cos(half a step)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.analysis.touch import Touch
from engine.collide.manifold import RIM_POINT
from engine.model.arrays import CYLINDER, PLANE, POINT, Contacts, State
from engine.model.compile import Model
from engine.params import SLOP
from engine.shapes.turns import rotation_matrix

ROUND, MANY_ROUND = 80, 24  # points of a rim: short by 0.08 %; of each of many by 0.9 %
FEW = 2  # rims that are not many
INSIDE = 1e-9  # m: a point this far beyond a face is still over it


class Rim(NamedTuple):
    """The rim of a cylinder over one part."""

    rows: list[int]  # contacts that detection found on it
    points: np.ndarray  # (k, 3) m, in order around it


def rims_of(model: Model, state: State, found: Contacts, count: int) -> list[Rim]:
    """All rims that stand, with `count` points around each of which those are kept that touch."""
    named: dict[tuple[int, int, int], list[int]] = {}
    for row in np.flatnonzero(found.feature >> 48 == int(RIM_POINT) >> 48).tolist():
        end = int(found.feature[row] >> 16 & 1)
        named.setdefault((int(found.part_a[row]), int(found.part_b[row]), end), []).append(row)
    return [Rim(rows, _around(model, state, found, rows[0], count)) for rows in named.values()]


class Rounded(NamedTuple):
    """Contacts with more points on rims. The contacts of the scene come first, in their order, then rims."""

    touch: Touch
    of: np.ndarray  # (C,) the contact of the scene that each belongs to: itself, or the nearest on its rim
    rims: list[np.ndarray]  # rows around each


def rounded(touch: Touch) -> Rounded:
    most = ROUND
    found = rims_of(touch.model, touch.model.start, touch.contacts, most)
    if len(found) > FEW:
        most = MANY_ROUND
        found = rims_of(touch.model, touch.model.start, touch.contacts, most)
    of, rims = [np.arange(touch.count)], []
    for rim in found:
        apart = np.linalg.norm(rim.points[:, None] - touch.point[rim.rows], axis=2)
        rims.append(sum(len(each) for each in of) + np.arange(len(rim.points)))
        of.append(np.array(rim.rows)[np.argmin(apart, axis=1)])
    row = np.concatenate(of)
    more = {name: getattr(touch, name)[row] for name in ("a", "b", "normal", "tangent", "other", "friction", "rolling")}
    point = np.concatenate([touch.point, *(rim.points for rim in found)])
    return Rounded(replace(touch, point=point, **more), row, rims)


def _around(model: Model, state: State, found: Contacts, row: int, count: int) -> np.ndarray:
    """(k, 3) points of the rim of a contact, where it touches the face it stands on."""
    geometry = model.geometry
    on_a = found.kind_a[row] == POINT
    guest, holder = (found.part_a, found.part_b) if on_a else (found.part_b, found.part_a)
    part, normal, here = int(guest[row]), found.normal[row], found.point[row]
    body = int(geometry.part_body[part])
    turn = rotation_matrix(state.q[body])
    axis = turn @ geometry.part_axis[part]
    centre = state.x[body] + turn @ geometry.part_center[part]
    centre = centre + math.copysign(geometry.part_half[part], axis @ (here - centre)) * axis
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= np.linalg.norm(first)
    angle = 2.0 * math.pi * np.arange(count)[:, None] / count
    rim = centre + geometry.part_radius[part] * (np.cos(angle) * first + np.sin(angle) * np.cross(axis, first))
    off = (rim - here) @ normal
    rim = rim - off[:, None] * normal
    return rim[(np.abs(off) <= SLOP) & _over(model, state, int(holder[row]), rim, normal)]


def _over(model: Model, state: State, part: int, points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(k,) which points in the plane of a face of a part are over that face. `normal`: of it, either way."""
    geometry = model.geometry
    body = int(geometry.part_body[part])
    turn = rotation_matrix(state.q[body])
    if geometry.part_kind[part] == PLANE:
        return np.ones(len(points), bool)
    if geometry.part_kind[part] == CYLINDER:
        axis = turn @ geometry.part_axis[part]
        out = points - (state.x[body] + turn @ geometry.part_center[part])
        return np.linalg.norm(out - (out @ axis)[:, None] * axis, axis=1) <= geometry.part_radius[part] + INSIDE
    faces = np.arange(geometry.face_start[part], geometry.face_start[part + 1])
    flat = np.abs(geometry.face_normal[faces] @ turn.T @ normal)
    away = np.abs((points[0] - state.x[body]) @ turn @ geometry.face_normal[faces].T - geometry.face_offset[faces])
    face = int(faces[np.argmin((1.0 - flat) + away)])
    loop = geometry.loop[geometry.loop_start[face] : geometry.loop_start[face + 1]]
    corners = state.x[body] + geometry.verts[loop] @ turn.T
    outward = turn @ geometry.face_normal[face]
    sides = np.roll(corners, -1, axis=0) - corners
    beyond = np.cross(sides, outward) / np.linalg.norm(sides, axis=1)[:, None]
    return ((points[:, None] - corners) * beyond).sum(2).max(1) <= INSIDE
