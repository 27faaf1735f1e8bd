"""A convex solid in the world that can be asked for its distance to another.

It is the hull of some corners or a cylinder, rounded by a radius: a ball is a rounded point, a capsule a rounded
segment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.algebra import times

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Solid:
    """Everything within `rounding` of a core: the hull of `corners`, or a cylinder about their middle."""

    corners: np.ndarray  # (n, 3) m
    rounding: float = 0.0  # m
    axis: Point | None = None  # unit; the core is a cylinder whose end circles are about the corners
    radius: float = 0.0  # m, of that cylinder
    upright: bool = False  # a box along the world's axes

    def farthest(self, x: float, y: float, z: float) -> Point:
        """The point of the core farthest along a direction of any length but zero."""
        corners = self.corners
        if len(corners) == 1:
            best = corners[0]
        else:
            best = corners[int(times(corners, (x, y, z)).argmax())]
        px, py, pz = float(best[0]), float(best[1]), float(best[2])
        if self.axis is None:
            return px, py, pz
        ax, ay, az = self.axis
        along = x * ax + y * ay + z * az
        ox, oy, oz = x - along * ax, y - along * ay, z - along * az
        rest = ox * ax + oy * ay + oz * az  # what rounding leaves along the axis counts where little lies across it
        ox, oy, oz = ox - rest * ax, oy - rest * ay, oz - rest * az
        across = math.sqrt(ox * ox + oy * oy + oz * oz)
        if across <= 1e-14 * abs(along):
            return px, py, pz
        s = self.radius / across
        return px + s * ox, py + s * oy, pz + s * oz

    @cached_property
    def middle(self) -> Point:
        """Mean of the corners (m)."""
        x, y, z = self.corners.mean(axis=0)
        return float(x), float(y), float(z)

    def end(self, sign: float) -> np.ndarray:
        """Highest (sign 1) or lowest (-1) coordinates."""
        far = (sign * self.corners).max(axis=0) + self.rounding
        if self.axis is not None:
            far = far + self.radius * np.sqrt(np.maximum(0.0, 1.0 - np.square(self.axis)))
        return sign * far
