"""From where the mouse is to how far something goes: pure geometry of a camera, a pivot and two pixels. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.camera import Camera, Ray
from app.tools.lock import Lock

END_ON = 0.05  # sine of the angle under which an axis or plane is seen, below which the mouse cannot follow it
RING_EDGE_ON = 0.3  # cosine of the angle between a ring's axis and the line of sight, below which it looks like a line
SMALLEST_FACTOR = 1e-3
DEAD_ZONE = 2.0  # px around the pivot where the mouse says nothing about angles and ratios


@dataclass(frozen=True)
class Sight:
    """A camera and the size of its picture (px)."""

    camera: Camera
    width: int
    height: int

    def pixel(self, point: np.ndarray) -> np.ndarray:
        """(2,) px of a point; the middle of the picture when it lies behind the camera."""
        pixels, ahead = self.camera.project(np.asarray(point)[None, :], self.width, self.height)
        return pixels[0] if ahead[0] else np.array([0.5 * self.width, 0.5 * self.height])

    def ray(self, pixel: np.ndarray) -> Ray:
        return self.camera.ray(float(pixel[0]), float(pixel[1]), self.width, self.height)

    def pixel_size(self, point: np.ndarray) -> float:
        """Metres per pixel at a point."""
        return self.camera.pixel_size(point, self.height)

    def toward_viewer(self, point: np.ndarray) -> np.ndarray:
        """Unit vector from a point to the eye."""
        back = self.camera.axes()[2]
        if self.camera.orthographic:
            return back
        away = self.camera.eye - point
        return away / max(1e-12, float(np.linalg.norm(away)))

    def on_view_plane(self, pixel: np.ndarray, point: np.ndarray) -> np.ndarray:
        """The place under a pixel in the plane through a point that faces the camera."""
        met = self.ray(pixel).meet_plane(point, self.camera.axes()[2])
        return met if met is not None else np.asarray(point, float)


def offset(
    sight: Sight, pivot: np.ndarray, start: np.ndarray, now: np.ndarray, basis: np.ndarray, lock: Lock
) -> np.ndarray | None:
    """How far (m) along each column of `basis` the mouse has gone from one pixel to another; None where the mouse
    points past what it is locked to."""
    if lock.axis is None:
        return basis.T @ (sight.on_view_plane(now, pivot) - sight.on_view_plane(start, pivot))
    axis = basis[:, lock.axis]
    if not lock.plane:
        return np.eye(3)[lock.axis] * _along(sight, pivot, start, now, axis)
    a, b = (_on_plane(sight, pixel, pivot, axis) for pixel in (start, now))
    return None if a is None or b is None else basis.T @ (b - a) * np.array(lock.free)


def _along(sight: Sight, pivot: np.ndarray, start: np.ndarray, now: np.ndarray, axis: np.ndarray) -> float:
    """Between the two places on a line that come nearest to the lines of sight; up in the picture counts as forward
    where the line is seen end-on."""
    slant = float(np.linalg.norm(np.cross(axis, sight.toward_viewer(pivot))))
    if slant < END_ON:
        return -float(now[1] - start[1]) * sight.pixel_size(pivot)
    return _nearest_on_line(sight.ray(now), pivot, axis) - _nearest_on_line(sight.ray(start), pivot, axis)


def _nearest_on_line(ray: Ray, point: np.ndarray, axis: np.ndarray) -> float:
    slope = float(ray.direction @ axis)
    apart = point - ray.origin
    across = max(1e-4, 1.0 - slope * slope)  # a ray that runs along the line must not throw the thing to infinity
    return (slope * float(ray.direction @ apart) - float(axis @ apart)) / across


def _on_plane(sight: Sight, pixel: np.ndarray, point: np.ndarray, normal: np.ndarray) -> np.ndarray | None:
    ray = sight.ray(pixel)
    return ray.meet_plane(point, normal) if abs(float(ray.direction @ normal)) > 0.2 * END_ON else None


def swing(center: np.ndarray, before: np.ndarray, after: np.ndarray) -> float:
    """Angle (rad) by which the mouse went round a pixel, counter-clockwise as seen, the short way."""
    a, b = before - center, after - center
    if min(math.hypot(*a), math.hypot(*b)) < DEAD_ZONE:
        return 0.0
    return -math.atan2(float(a[0] * b[1] - a[1] * b[0]), float(a @ b))


def roll(sight: Sight, pivot: np.ndarray, axis: np.ndarray, step: np.ndarray, radius: float) -> float:
    """Angle (rad) about an axis by which the near side of a ring of `radius` (px) goes along with the mouse."""
    onward = np.cross(axis, sight.toward_viewer(pivot))
    way = sight.pixel(pivot + sight.pixel_size(pivot) * onward) - sight.pixel(pivot)
    return float(step @ way) / max(1e-9, math.hypot(*way)) / radius


def ratio(center: np.ndarray, start: np.ndarray, now: np.ndarray) -> float:
    """How many times farther from a pixel the mouse is than it was; never zero."""
    first = max(DEAD_ZONE, math.hypot(*(start - center)))
    return max(SMALLEST_FACTOR, math.hypot(*(now - center)) / first)
