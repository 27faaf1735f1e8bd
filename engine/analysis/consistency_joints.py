"""Joints of bodies in motion. They hold whatever contacts do, so they are worked into how bodies answer a force,

    a = M^-1 F + M^-1 G^T y,   G a + g = 0,

with equations G and g their second derivative in free flight; what is left is R F + given. Limits that are reached
push, as contacts without friction do, and stay unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.analysis.consistency_flight import NOW, Poses, curving, rate
from engine.joint.closure import closure, place_equations, travel
from engine.joint.limits import limit_length
from engine.model.compile import Model
from engine.model.joints import HINGE
from engine.params import SLOP
from engine.rest import REST_OF_SEPARATION
from engine.shapes.turns import rotation_matrix

DEPENDENT = 1e-10  # relative: equations of closed loops repeat each other to rounding


class Response(NamedTuple):
    """Accelerations of the bodies, matrix @ force + given."""

    matrix: np.ndarray  # (w, w)
    given: np.ndarray  # (w,) what joints add without any contact force


def joints_of(model: Model, index: dict[int, int]) -> list[int]:
    """Joints that a body of the question hangs on."""
    joints = model.joints
    return [j for j in range(len(joints.kind)) if int(joints.a[j]) in index or int(joints.b[j]) in index]


def jointed(model: Model, inverse: np.ndarray, index: dict[int, int], poses: Sequence[Poses]) -> Response:
    """inverse: (w, w) inverse mass; index: place of each body of the question."""
    number = joints_of(model, index)
    if not number:
        return Response(inverse, np.zeros(len(inverse)))
    joints, now = model.joints, poses[NOW]
    row_a, row_b = np.zeros((len(joints.kind), 6, 6)), np.zeros((len(joints.kind), 6, 6))
    rows, bends = [], []
    for j in number:
        place_equations(joints, j, now.x, now.q, row_a, row_b)
        count = int(joints.rows[j])
        equations = np.zeros((count, len(inverse)))
        for body, part in ((int(joints.a[j]), row_a), (int(joints.b[j]), row_b)):
            if body in index:
                equations[:, 6 * index[body] : 6 * index[body] + 6] += part[j, :count]
        rows.append(equations)
        bends.append(curving([np.array(closure(joints, j, *_pair(model, j, at))) for at in poses])[:count])
    G, g = np.vstack(rows), np.concatenate(bends)
    moved = G @ inverse
    back = moved.T @ np.linalg.pinv(moved @ G.T, rcond=DEPENDENT, hermitian=True)
    return Response(inverse - back @ moved, -back @ g)


def limits(model: Model, index: dict[int, int], poses: Sequence[Poses]) -> tuple[np.ndarray, np.ndarray]:
    """(k, w) force of a unit of each limit that is reached and not being left, and (k,) m/s^2 by which its way left
    curves in free flight."""
    joints = model.joints
    rows, bends = [np.zeros((0, 6 * len(index)))], [np.zeros(0)]
    for j in joints_of(model, index):
        length = float(limit_length(joints, j))
        there = np.array([travel(joints, j, *_pair(model, j, at)) for at in poses])
        for bound, sign in ((joints.lo[j], 1.0), (joints.hi[j], -1.0)):
            if not np.isfinite(bound):
                continue
            left = sign * length * (there - bound)
            if left[NOW] <= SLOP and rate(left) <= REST_OF_SEPARATION:
                rows.append(_limit_row(model, index, j, poses[NOW], sign * length)[None])
                bends.append(curving(left)[None])
    return np.vstack(rows), np.concatenate(bends)


def _limit_row(model: Model, index: dict[int, int], j: int, now: Poses, unit: float) -> np.ndarray:
    """A hinge's limit is a torque about its axis, a slider's a force along it where b's anchor is."""
    joints, row = model.joints, np.zeros(6 * len(index))
    a, b = int(joints.a[j]), int(joints.b[j])
    axis = rotation_matrix(now.q[a]) @ joints.frame_a[j, 2]
    at = now.x[b] + rotation_matrix(now.q[b]) @ joints.point_b[j]
    for body, sign in ((b, unit), (a, -unit)):
        if body not in index:
            continue
        push = np.zeros(3) if joints.kind[j] == HINGE else axis
        turn = axis if joints.kind[j] == HINGE else np.cross(at - now.x[body], axis)
        row[6 * index[body] : 6 * index[body] + 6] = sign * np.concatenate([push, turn])
    return row


def _pair(model: Model, j: int, at: Poses) -> tuple[tuple[float, ...], ...]:
    """Place and orientation of both bodies of a joint."""
    a, b = int(model.joints.a[j]), int(model.joints.b[j])
    return tuple(tuple(float(value) for value in values) for values in (at.x[a], at.q[a], at.x[b], at.q[b]))
