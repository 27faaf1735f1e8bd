"""Camera: where the picture is seen from. No Qt, no GL: arrays in, arrays out.

World: metres, z up. View: x right, y up, looking along -z. Pixels: origin at the upper left of the picture, y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

STEEPEST = math.radians(89.9)
NEAREST, FARTHEST = 0.02, 2000.0  # m, distance from the target
SMALLEST = 0.03  # m, half of what fills the picture at most
FIELD_OF_VIEW = math.radians(40.0)  # vertical


class Ray(NamedTuple):
    origin: np.ndarray  # (3,) m
    direction: np.ndarray  # (3,) unit

    def meet_plane(self, point: np.ndarray, normal: np.ndarray) -> np.ndarray | None:
        """Where the ray crosses a plane; None when it runs along it or away from it."""
        slope = float(self.direction @ normal)
        if abs(slope) < 1e-9:
            return None
        t = float((np.asarray(point) - self.origin) @ normal) / slope
        return self.origin + t * self.direction if t > 0.0 else None


@dataclass(frozen=True)
class Camera:
    """A value: every movement gives a new camera."""

    target: tuple[float, float, float] = (0.0, 0.0, 0.1)  # m, what it looks at and turns about
    distance: float = 2.4  # m: a new box of 20 cm is a fair size
    azimuth: float = math.radians(-60.0)  # of the camera seen from the target, from +x toward +y
    elevation: float = math.radians(22.0)  # above the horizon
    orthographic: bool = False

    # -- movements ---------------------------------------------------------------------------------------------

    def orbited(self, dx: float, dy: float) -> Camera:
        """Turned about the target by angles (rad): dx moves the scene to the right, dy down."""
        elevation = max(-STEEPEST, min(STEEPEST, self.elevation + dy))
        return replace(self, azimuth=math.remainder(self.azimuth - dx, 2.0 * math.pi), elevation=elevation)

    def panned(self, dx: float, dy: float, height: int) -> Camera:
        """Moved so that what lies at the target follows the mouse by (dx, dy) pixels of a picture `height` high."""
        right, up, _ = self.axes()
        step = self.span() / height
        x, y, z = np.array(self.target) - dx * step * right + dy * step * up
        return replace(self, target=(float(x), float(y), float(z)))

    def zoomed(self, factor: float, toward: np.ndarray | None = None) -> Camera:
        """Distance times `factor`; `toward` is the point that stays where it is in the picture."""
        distance = max(NEAREST, min(FARTHEST, self.distance * factor))
        if toward is None:
            return replace(self, distance=distance)
        shrink = distance / self.distance
        x, y, z = np.asarray(toward) + shrink * (np.array(self.target) - np.asarray(toward))
        return replace(self, distance=distance, target=(float(x), float(y), float(z)))

    def framing(self, low: np.ndarray, high: np.ndarray, aspect: float, margin: float = 1.25) -> Camera:
        """Seeing a whole box from the same side, as large as the picture allows; `margin` is how much larger the
        picture is than the box in it."""
        low, high = np.asarray(low, float), np.asarray(high, float)
        middle, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), SMALLEST)
        corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * half
        right, up, back = self.axes()
        toward = corners @ back * (0.0 if self.orthographic else 1.0)
        upright = math.tan(0.5 * FIELD_OF_VIEW) / margin
        distance, offsets = 0.0, []
        for axis, slope in ((right, upright * aspect), (up, upright)):
            # Each corner asks for `distance >= toward + |along - offset| / slope`: the best offset evens both sides.
            along = corners @ axis
            first, second = float((toward + along / slope).max()), float((toward - along / slope).max())
            distance = max(distance, 0.5 * (first + second))
            offsets.append(0.5 * slope * (first - second))
        x, y, z = middle + offsets[0] * right + offsets[1] * up
        return replace(self, target=(float(x), float(y), float(z)), distance=max(NEAREST, min(FARTHEST, distance)))

    def looking(self, axis: str) -> Camera:
        """From an axis: front (-y), back, right (+x), left, top, bottom."""
        azimuth, elevation = {
            "front": (-90.0, 0.0),
            "back": (90.0, 0.0),
            "right": (0.0, 0.0),
            "left": (180.0, 0.0),
            "top": (-90.0, 89.9),
            "bottom": (-90.0, -89.9),
        }[axis]
        return replace(self, azimuth=math.radians(azimuth), elevation=math.radians(elevation))

    def blended(self, other: Camera, part: float) -> Camera:
        """Between this camera (0) and another (1), the short way round."""
        if part >= 1.0:
            return other
        turn = math.remainder(other.azimuth - self.azimuth, 2.0 * math.pi)
        a, b = np.array(self.target), np.array(other.target)
        x, y, z = a + part * (b - a)
        return replace(
            self,
            target=(float(x), float(y), float(z)),
            distance=self.distance * (other.distance / self.distance) ** part,
            azimuth=self.azimuth + part * turn,
            elevation=self.elevation + part * (other.elevation - self.elevation),
        )

    # -- geometry ----------------------------------------------------------------------------------------------

    def axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Unit vectors right, up and back (toward the camera) in the world."""
        ca, sa = math.cos(self.azimuth), math.sin(self.azimuth)
        ce, se = math.cos(self.elevation), math.sin(self.elevation)
        back = np.array([ce * ca, ce * sa, se])
        right = np.array([-sa, ca, 0.0])
        return right, np.array([-se * ca, -se * sa, ce]), back

    @property
    def eye(self) -> np.ndarray:
        return np.array(self.target) + self.distance * self.axes()[2]

    def span(self) -> float:
        """Height (m) of what the picture shows at the target's distance."""
        return 2.0 * self.distance * math.tan(0.5 * FIELD_OF_VIEW)

    def view_matrix(self) -> np.ndarray:
        """(4, 4) world -> view."""
        turn = np.array(self.axes())
        matrix = np.eye(4)
        matrix[:3, :3] = turn
        matrix[:3, 3] = -turn @ self.eye
        return matrix

    def projection_matrix(self, aspect: float) -> np.ndarray:
        """(4, 4) view -> clip, depth -1 .. 1."""
        matrix = np.zeros((4, 4))
        if self.orthographic:
            far = 2.0 * self.distance + 200.0
            half = 0.5 * self.span()
            matrix[0, 0], matrix[1, 1] = 1.0 / (half * aspect), 1.0 / half
            matrix[2, 2], matrix[2, 3], matrix[3, 3] = -1.0 / far, -self.distance / far, 1.0
            return matrix
        near, far = 0.01 * self.distance, self.distance + 100.0 + 9.0 * self.distance
        f = 1.0 / math.tan(0.5 * FIELD_OF_VIEW)
        matrix[0, 0], matrix[1, 1] = f / aspect, f
        matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix

    def matrix(self, width: int, height: int) -> np.ndarray:
        """(4, 4) world -> clip."""
        return self.projection_matrix(width / max(height, 1)) @ self.view_matrix()

    def project(self, points: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (n, 2) of world points (n, 3), and whether each lies in front of the camera (n,)."""
        p = np.atleast_2d(np.asarray(points, float))
        clip = np.c_[p, np.ones(len(p))] @ self.matrix(width, height).T
        ahead = clip[:, 3] > 1e-9
        w = np.where(ahead, clip[:, 3], 1.0)
        x, y = clip[:, 0] / w, clip[:, 1] / w
        return np.c_[0.5 * (x + 1.0) * width, 0.5 * (1.0 - y) * height], ahead

    def ray(self, x: float, y: float, width: int, height: int) -> Ray:
        """The line of sight through a pixel."""
        right, up, back = self.axes()
        u = (2.0 * x / width - 1.0) * width / max(height, 1)
        v = 1.0 - 2.0 * y / max(height, 1)
        half = math.tan(0.5 * FIELD_OF_VIEW)
        if self.orthographic:
            size = self.distance * half
            origin = self.eye + size * (u * right + v * up) + 100.0 * back
            return Ray(origin, -back)
        direction = half * (u * right + v * up) - back
        return Ray(self.eye, direction / np.linalg.norm(direction))

    def pixel_size(self, point: np.ndarray, height: int) -> float:
        """Metres per pixel at a point: gizmos keep their size on screen with it."""
        if self.orthographic:
            return self.span() / height
        depth = max(1e-6, float((self.eye - np.asarray(point)) @ self.axes()[2]))
        return 2.0 * depth * math.tan(0.5 * FIELD_OF_VIEW) / height
