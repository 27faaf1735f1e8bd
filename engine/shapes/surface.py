"""Surfaces as an artist would model them: quads where there can be, whole faces elsewhere, normals at the
corners of faces. In metres, in the body's frame."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.algebra import norm, norms, times
from engine.functions import cosine, mapped, sine
from engine.scene.vectors import across
from engine.shapes.polytope import Polytope
from engine.shapes.smoothing import smooth_corners

SEGMENTS = 32  # of a circle: divisible by four, so that round bodies are as wide as they should be
RINGS = 16  # of a sphere from pole to pole
PLANE_HALF = 10.0  # m, half the side of the square that stands for an endless plane


@dataclass(frozen=True, eq=False)
class Surface:
    points: np.ndarray  # (v, 3) m
    counts: np.ndarray  # (f,) corners of each face
    corners: np.ndarray  # (sum of counts,) points of the faces, counter-clockwise from outside
    normals: np.ndarray  # (sum of counts, 3) unit
    solid: bool = True  # False: an open surface, seen from both sides
    spots: np.ndarray | None = None  # (f,) bool: faces in the colour of a die's spots, which come last

    @property
    def starts(self) -> np.ndarray:
        """(f,) first corner of every face."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def triangles(self) -> np.ndarray:
        """(t, 3) corners: every face as a fan."""
        fans = [
            np.stack([np.full(count - 2, start), start + np.arange(1, count - 1), start + np.arange(2, count)], axis=1)
            for start, count in zip(self.starts.tolist(), self.counts.tolist(), strict=True)
        ]
        return np.concatenate(fans) if fans else np.zeros((0, 3), np.int64)

    @property
    def parts(self) -> dict[str, np.ndarray]:
        """Faces of a die by what they are of. Both are written where a format names sets of faces: Blender gives all
        faces the colour of the only set there is."""
        return {} if self.spots is None else {"Sides": np.flatnonzero(~self.spots), "Spots": np.flatnonzero(self.spots)}

    @property
    def spot_triangles(self) -> np.ndarray:
        """(t,) bool: triangles of faces in the colour of spots."""
        spots = np.zeros(len(self.counts), bool) if self.spots is None else self.spots
        return np.repeat(spots, self.counts - 2)

    @cached_property
    def split(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points and normals with one of each per vertex, and triangles (t, 3) of those, for graphics cards."""
        rows = np.concatenate([self.points[self.corners], self.normals], axis=1)
        _, place, number = np.unique(np.round(rows, 12), axis=0, return_index=True, return_inverse=True)
        return rows[place, :3], rows[place, 3:], number.reshape(-1)[self.triangles]

    @cached_property
    def reach(self) -> float:
        """m, of the farthest point from the origin."""
        return float(norms(self.points).max()) if len(self.points) else 0.0

    @property
    def smooth(self) -> bool:
        """Is it round anywhere?"""
        return any(
            bool(np.ptp(self.normals[start : start + count], axis=0).max() > 1e-9)
            for start, count in zip(self.starts.tolist(), self.counts.tolist(), strict=True)
        )

    def mirrored(self) -> Surface:
        """Faces the other way round, for mirrored axes."""
        order = np.concatenate(
            [np.arange(s + c - 1, s - 1, -1) for s, c in zip(self.starts.tolist(), self.counts.tolist(), strict=True)]
            or [np.zeros(0, np.int64)]
        )
        return replace(self, corners=self.corners[order], normals=self.normals[order])


def shape_key(shape: Any) -> tuple[Any, ...]:
    """Equal for shapes with equal surfaces: bodies that look alike share one."""
    values: list[Any] = [type(shape).__name__]
    for each in fields(shape):
        value = getattr(shape, each.name)
        if each.name == "extra":
            continue
        if isinstance(value, np.ndarray):
            values.append((value.shape, value.tobytes()))
        elif each.name == "parts":
            values.append(tuple((shape_key(part[0]), *part[1:]) for part in value))
        else:
            values.append(value)
    return tuple(values)


def joined_surface(parts: list[tuple[Surface, np.ndarray, np.ndarray]]) -> Surface:
    """Of parts with their places (3,) and turns (3, 3)."""
    shift = np.cumsum([0, *(len(part.points) for part, _, _ in parts[:-1])])
    return Surface(
        np.concatenate([times(part.points, turn.T) + place for part, place, turn in parts]),
        np.concatenate([part.counts for part, _, _ in parts]),
        np.concatenate([part.corners + by for (part, _, _), by in zip(parts, shift, strict=True)]),
        np.concatenate([times(part.normals, turn.T) for part, _, turn in parts]),
        all(part.solid for part, _, _ in parts),
    )


def faceted(polytope: Polytope) -> Surface:
    counts = np.array([len(face) for face in polytope.faces], np.int64)
    corners = np.array([corner for face in polytope.faces for corner in face], np.int64)
    return Surface(polytope.vertices, counts, corners, np.repeat(polytope.normals, counts, axis=0))


def _circle() -> np.ndarray:
    """(SEGMENTS, 2), exact at the quarters."""
    angle = 2.0 * np.pi * np.arange(SEGMENTS) / SEGMENTS
    ring = np.stack([mapped(cosine, angle), mapped(sine, angle)], axis=1)
    quarter = SEGMENTS // 4
    ring[::quarter] = np.round(ring[::quarter])
    return ring


def round_surface(radius: float, half: float) -> Surface:
    """A sphere, or a capsule along z: rings of quads between two poles."""
    angles = np.pi * (np.arange(1, RINGS) / RINGS - 0.5)
    if half > 0.0:  # the ring at the equator twice, half a length apart from the middle
        angles = np.sort(np.append(angles, 0.0))
    low = np.arange(len(angles)) < (len(angles) + 1) // 2
    ring = _circle()
    wide, high = mapped(cosine, angles), mapped(sine, angles)
    up = np.repeat(high[:, None], SEGMENTS, axis=1)
    normals = np.stack([np.outer(wide, ring[:, 0]), np.outer(wide, ring[:, 1]), up], axis=-1)
    centers = np.zeros_like(normals)
    centers[..., 2] = np.where(low, -half, half)[:, None]
    normals = np.concatenate([normals.reshape(-1, 3), [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]])
    centers = np.concatenate([centers.reshape(-1, 3), [[0.0, 0.0, -half], [0.0, 0.0, half]]])
    rows = np.arange(len(angles) * SEGMENTS).reshape(-1, SEGMENTS)
    bottom, top = rows.size, rows.size + 1
    after = np.roll(rows, -1, axis=1)
    quads = np.stack([rows[:-1], after[:-1], after[1:], rows[1:]], axis=-1).reshape(-1, 4)
    caps = np.concatenate(
        [
            np.stack([after[0], rows[0], np.full(SEGMENTS, bottom)], axis=1),
            np.stack([rows[-1], after[-1], np.full(SEGMENTS, top)], axis=1),
        ]
    )
    counts = np.concatenate([np.full(len(quads), 4), np.full(len(caps), 3)])
    corners = np.concatenate([quads.ravel(), caps.ravel()])
    return Surface(centers + radius * normals, counts, corners, normals[corners])


def cylinder_surface(radius: float, half: float) -> Surface:
    ring = _circle()
    low, high = np.arange(SEGMENTS), SEGMENTS + np.arange(SEGMENTS)
    points = np.concatenate([np.c_[radius * ring, np.full(SEGMENTS, z)] for z in (-half, half)])
    sides = np.stack([low, np.roll(low, -1), np.roll(high, -1), high], axis=1)
    out = np.c_[ring, np.zeros(SEGMENTS)]
    side_normals = np.stack([out, np.roll(out, -1, axis=0), np.roll(out, -1, axis=0), out], axis=1)
    up = np.tile([0.0, 0.0, 1.0], (SEGMENTS, 1))
    return Surface(
        points,
        np.concatenate([np.full(SEGMENTS, 4), [SEGMENTS, SEGMENTS]]),
        np.concatenate([sides.ravel(), low[::-1], high]),
        np.concatenate([side_normals.reshape(-1, 3), -up, up]),
    )


def square_surface(normal: np.ndarray, point: np.ndarray) -> Surface:
    normal = normal / norm(normal)
    first, second = across(normal)
    signs = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    points = np.array([point + PLANE_HALF * (a * first + b * second) for a, b in signs])
    return Surface(points, np.array([4]), np.arange(4), np.tile(normal, (4, 1)), solid=False)


def triangle_surface(vertices: np.ndarray, triangles: np.ndarray) -> Surface:
    corners = vertices[triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sound = norms(area) > 0.0
    normals = smooth_corners(corners[sound], area[sound])
    kept = triangles[sound]
    return Surface(vertices, np.full(len(kept), 3), kept.ravel(), normals.reshape(-1, 3), solid=False)
