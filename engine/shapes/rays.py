"""Rays against simple solids in their own frames, many at once: one ray against many solids, or many against one.

Origins o and directions d are (m, 3); o may be one point (3,). `size` is (3,), or (m, 3) where each ray has a solid of
its own: the `span` that its shape answers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.algebra import norm, norms, times

FAR = np.inf
NEAR = 1e-9  # m, what is met closer to the ray's origin does not count
SLACK = 1e-9  # of a triangle: neighbours share a side, and a ray along it must not slip between them
TOGETHER = 4  # triangles that are asked one by one
TINY = 1e-300  # in place of nothing, to divide by

Span = tuple[np.ndarray, np.ndarray]  # where rays enter something, and where they leave it


class Hit(NamedTuple):
    t: np.ndarray  # (m,) m along the ray; infinite where it misses
    normal: np.ndarray  # (m, 3) unit, out of the solid; of no meaning where it misses
    edge: np.ndarray  # (m,) m to the nearest edge of the surface; infinite on round ones


def ball(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    t = _ahead(_ball_entry(o, d, size[..., 0]))
    return Hit(t, _at(o, d, t) / size[..., :1], np.full(len(t), FAR))


def box(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    enter, leave = slabs(o, d, size)
    axis = enter.argmax(axis=1)[:, None]
    t = _ahead(np.where(enter.max(axis=1) <= leave.min(axis=1), enter.max(axis=1), FAR))
    normal = np.zeros_like(enter)
    np.put_along_axis(normal, axis, -np.sign(np.take_along_axis(d, axis, 1)), 1)
    room = size - np.abs(_at(o, d, t))
    np.put_along_axis(room, axis, FAR, 1)
    return Hit(t, normal, room.min(axis=1))


def cylinder(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    radius, half = size[..., 0], size[..., 2]
    (enter, leave), (side_enter, side_leave) = slabs(o[..., 2], d[:, 2], half), _side(o, d, radius)
    near, far = np.maximum(side_enter, enter), np.minimum(side_leave, leave)
    t = _ahead(np.where(near <= far, near, FAR))
    points, capped = _at(o, d, t), enter > side_enter
    wide = norms(points[:, :2])
    normal = points * np.array([1.0, 1.0, 0.0]) / np.maximum(wide, TINY)[:, None]
    normal[capped] = 0.0
    normal[capped, 2] = -np.sign(d[capped, 2])
    return Hit(t, normal, np.where(capped, radius - wide, half - np.abs(points[:, 2])))


def capsule(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    radius, half = size[..., 0], size[..., 2]
    t, _ = _side(o, d, radius)
    t = np.where(np.abs(_at(o, d, t)[:, 2]) <= half, t, FAR)
    up = np.stack([0.0 * half, 0.0 * half, half], axis=-1)
    for end in (-up, up):
        t = np.minimum(t, _ball_entry(o - end, d, radius))
    t = _ahead(t)
    normal = _at(o, d, t)
    normal[:, 2] -= np.clip(normal[:, 2], -half, half)
    return Hit(t, normal / size[..., :1], np.full(len(t), FAR))


def square(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    """A level surface at z = 0, met from above and from below."""
    safe = np.where(np.abs(d[:, 2]) < 1e-12, 1e-12, d[:, 2])
    t = -o[..., 2] / safe
    on = (np.abs(_at(o, d, t)[:, :2]) <= size[..., :2]).all(axis=1)
    return Hit(_ahead(np.where(on, t, FAR)), np.tile([0.0, 0.0, 1.0], (len(d), 1)), np.full(len(d), FAR))


def half_space(o: np.ndarray, d: np.ndarray, point: np.ndarray, normal: np.ndarray) -> Hit:
    """Everything behind a plane without end."""
    slope = times(d, normal)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(slope < 0.0, times(point - o, normal) / slope, FAR)
    return Hit(_ahead(t), np.tile(normal, (len(d), 1)), np.full(len(d), FAR))


def convex(o: np.ndarray, d: np.ndarray, normals: np.ndarray, offsets: np.ndarray) -> Hit:
    """What lies behind all planes normals . p = offsets."""
    near, far = np.full(len(d), -FAR), np.full(len(d), FAR)
    face = np.zeros(len(d), np.int64)
    for number, (normal, offset) in enumerate(zip(normals, offsets, strict=True)):
        slope, room = times(d, normal), offset - times(o, normal)
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = room / slope
        later = (slope < 0.0) & (cut > near)
        near, face = np.where(later, cut, near), np.where(later, number, face)
        far = np.where(slope > 0.0, np.minimum(far, cut), far)
        far = np.where((slope == 0.0) & (room < 0.0), -FAR, far)
    t = _ahead(np.where(near < far, near, FAR))
    met, edge = np.isfinite(t), np.full(len(d), FAR)
    edge[met] = _within_face(_at(o, d, t)[met], face[met], normals, offsets)
    return Hit(t, normals[face], edge)


def _within_face(points: np.ndarray, face: np.ndarray, normals: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Distance within the face to the planes that bound it."""
    nearest = np.full(len(points), FAR)
    for number, (normal, offset) in enumerate(zip(normals, offsets, strict=True)):
        sine = np.sqrt(np.maximum(1.0 - np.square(times(normals[face], normal)), 1e-12))
        room = (offset - times(points, normal)) / sine
        nearest = np.where(face == number, nearest, np.minimum(nearest, room))
    return nearest


def triangles(o: np.ndarray, d: np.ndarray, corners: np.ndarray) -> Hit:
    """Many rays, and the nearest of some triangles (n, 3, 3) that they meet from either side."""
    t, normal = np.full(len(d), FAR), np.zeros((len(d), 3))
    if len(corners):
        _nearest_of(np.broadcast_to(o, d.shape), d, corners, np.arange(len(d)), t, normal)
    return Hit(t, normal, np.full(len(d), FAR))


def _nearest_of(
    o: np.ndarray, d: np.ndarray, corners: np.ndarray, rays: np.ndarray, t: np.ndarray, normal: np.ndarray
) -> None:
    """Bring t and normal of some rays up to date with some triangles: half of these after the other, and only for rays
    that pass through the box around them before they meet anything."""
    low, high = corners.min(axis=(0, 1)) - SLACK, corners.max(axis=(0, 1)) + SLACK
    middle = 0.5 * (low + high)
    enter, leave = slabs(o[rays] - middle, d[rays], high - middle)
    first, last = enter.max(axis=1), leave.min(axis=1)
    rays = rays[(first <= last) & (last > NEAR) & (first < t[rays])]
    if not len(rays):
        return
    if len(corners) > TOGETHER:
        centre = corners.mean(axis=1)
        order = np.argsort(centre[:, int(np.ptp(centre, axis=0).argmax())], kind="stable")
        for half in np.array_split(order, 2):
            _nearest_of(o, d, corners[half], rays, t, normal)
        return
    for a, b, c in corners:
        across = np.cross(b - a, c - a)
        cut = triangle(o[rays], d[rays], a, b, c)
        nearer = cut < t[rays]
        met = rays[nearer]
        t[met] = cut[nearer]
        normal[met] = np.sign(-times(d[met], across))[:, None] * across / max(norm(across), TINY)


def triangle(o: np.ndarray, d: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """(m,) m along m rays to one triangle each; infinite where it is missed. Rays or corners may be one (3,)."""
    u, v = b - a, c - a
    p = np.cross(d, v)
    area = (u * p).sum(axis=-1)
    safe = np.where(np.abs(area) < TINY, TINY, area)
    from_a = o - a
    q = np.cross(from_a, u)
    first, second = (from_a * p).sum(axis=-1) / safe, (q * d).sum(axis=-1) / safe
    met = (first >= -SLACK) & (second >= -SLACK) & (first + second <= 1.0 + SLACK) & (np.abs(area) > 0.0)
    return _ahead(np.where(met, (v * q).sum(axis=-1) / safe, FAR))


def slabs(o: np.ndarray, d: np.ndarray, half: np.ndarray) -> Span:
    """Where rays enter each pair of planes at -half and half, and leave it, coordinate by coordinate."""
    safe = np.where(np.abs(d) < TINY, TINY, d)
    first, second = (-half - o) / safe, (half - o) / safe
    return np.minimum(first, second), np.maximum(first, second)


def _side(o: np.ndarray, d: np.ndarray, radius: np.ndarray) -> Span:
    """Where rays are inside an endless cylinder about z; an empty span where they never are."""
    a = np.maximum(np.square(d[:, :2]).sum(axis=1), TINY)
    b = (o[..., :2] * d[:, :2]).sum(axis=1)
    room = b * b - a * (np.square(o[..., :2]).sum(axis=-1) - radius * radius)
    root = np.sqrt(np.maximum(room, 0.0))
    return np.where(room >= 0.0, (-b - root) / a, FAR), np.where(room >= 0.0, (-b + root) / a, -FAR)


def _ball_entry(o: np.ndarray, d: np.ndarray, radius: np.ndarray) -> np.ndarray:
    b = (o * d).sum(axis=-1)
    room = b * b - ((o * o).sum(axis=-1) - radius * radius)
    return np.where(room >= 0.0, -b - np.sqrt(np.maximum(room, 0.0)), FAR)


def _ahead(t: np.ndarray) -> np.ndarray:
    return np.where(t > NEAR, t, FAR)


def _at(o: np.ndarray, d: np.ndarray, t: np.ndarray) -> np.ndarray:
    return o + np.where(np.isfinite(t), t, 0.0)[..., None] * d
