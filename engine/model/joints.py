"""Joints of a scene as arrays. Where a joint sits in its two bodies follows from their poses at the ending, so at the
ending every joint is closed to rounding, with angle and distance zero."""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norm, times
from engine.record import Record
from engine.scene.spec import JOINT_KINDS, Joint
from engine.shapes.turns import rotation_matrix

# Joints.kind, in the order of the scene's names.
BALL, HINGE, FIXED, SLIDER = range(len(JOINT_KINDS))
ROWS = (3, 5, 6, 5)
"""Equations of each kind: three of place (a slider: two), then two or three of direction."""

SHORTEST = 1e-3  # m, of Joints.length


class Joints(Record):
    """J joints. Body a is the one against which angle and distance of b are measured; at most one of them is static."""

    kind: np.ndarray  # (J,) int64      BALL ... SLIDER
    a: np.ndarray  # (J,) int64         body rows
    b: np.ndarray  # (J,) int64
    rows: np.ndarray  # (J,) int64      equations
    point_a: np.ndarray  # (J, 3) m     the anchor in the frame of body a, from its centre of mass
    point_b: np.ndarray  # (J, 3) m
    frame_a: np.ndarray  # (J, 3, 3)    axes of the joint in the frame of body a, as rows; the last is its axis
    frame_b: np.ndarray  # (J, 3, 3)
    length: np.ndarray  # (J,) m        turns equations of direction and angles into metres
    lo: np.ndarray  # (J,) rad or m     -inf: none
    hi: np.ndarray  # (J,)              inf: none
    middle: np.ndarray  # (J,) rad      angles are unwrapped about it
    restitution: np.ndarray  # (J,)     at the limits
    linked: np.ndarray  # (K,) int64    pairs of bodies with a joint between them, lower row * n + higher row, sorted


def compile_joints(
    joints: list[Joint], partners: list[tuple[int, int]], x: np.ndarray, q: np.ndarray, size: np.ndarray
) -> Joints:
    """Arrays of joints between the body rows `partners`; x, q: centres of mass and orientations at the ending."""
    count, n = len(joints), len(x)
    arrays = Joints(
        kind=np.array([JOINT_KINDS.index(joint.kind) for joint in joints], np.int64),
        a=np.array([a for a, _ in partners], np.int64),
        b=np.array([b for _, b in partners], np.int64),
        rows=np.array([ROWS[JOINT_KINDS.index(joint.kind)] for joint in joints], np.int64),
        point_a=np.zeros((count, 3)),
        point_b=np.zeros((count, 3)),
        frame_a=np.zeros((count, 3, 3)),
        frame_b=np.zeros((count, 3, 3)),
        length=np.array([max(size[a], size[b], SHORTEST) for a, b in partners], float),
        lo=np.array([-math.inf if joint.lo is None else joint.lo for joint in joints], float),
        hi=np.array([math.inf if joint.hi is None else joint.hi for joint in joints], float),
        middle=np.array([_middle(joint) for joint in joints], float),
        restitution=np.array([joint.restitution for joint in joints], float),
        linked=_linked(joints, partners, n),
    )
    for j, joint in enumerate(joints):
        axes = _axes(np.array(joint.axis, float))
        for body, point, frame in (
            (arrays.a[j], arrays.point_a, arrays.frame_a),
            (arrays.b[j], arrays.point_b, arrays.frame_b),
        ):
            turn = rotation_matrix(q[body])
            point[j] = times(turn.T, np.array(joint.anchor, float) - x[body])
            frame[j] = times(axes, turn)
    return arrays


def _linked(joints: list[Joint], partners: list[tuple[int, int]], n: int) -> np.ndarray:
    """What hangs on the world collides with the ground all the same, though that row stands for both."""
    pairs = [pair for joint, pair in zip(joints, partners, strict=True) if joint.b]
    return np.unique(np.array([min(pair) * n + max(pair) for pair in pairs], np.int64))


def _middle(joint: Joint) -> float:
    """Angles are known up to full turns: beyond a limit there must be room before they wrap, most of it on the side
    where a hinge with one limit is free."""
    if joint.lo is None and joint.hi is None:
        return 0.0
    lo = joint.hi - math.pi if joint.lo is None and joint.hi is not None else joint.lo
    hi = joint.lo + math.pi if joint.hi is None and joint.lo is not None else joint.hi
    assert lo is not None and hi is not None
    return 0.5 * (lo + hi)


def _axes(axis: np.ndarray) -> np.ndarray:
    """Rows: two directions across the axis, and the axis, of unit length and right-handed."""
    along = axis / norm(axis)
    across = np.cross(along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.9 else [0.0, 1.0, 0.0])
    across /= norm(across)
    return np.stack([across, np.cross(along, across), along])
