"""A camera that holds a whole motion in view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

VIEW_ANGLE = 0.5  # rad, vertical
DIRECTION = (0.62, -1.0, 0.5)  # from what is looked at toward the eye
FILL = 0.84  # share of the picture that the motion may fill


@dataclass(frozen=True)
class Viewpoint:
    eye: np.ndarray  # (3,) m
    axes: np.ndarray  # (3, 3) rows: right, up, forward
    width: int  # px
    height: int

    @property
    def scale(self) -> float:
        """Pixels per unit of tangent."""
        return 0.5 * self.height / np.tan(0.5 * VIEW_ANGLE)

    def project(self, points: np.ndarray) -> np.ndarray:
        """(..., 3) px right, px down, depth in m."""
        local = (points - self.eye) @ self.axes.T
        depth = np.maximum(local[..., 2], 1e-9)
        right = 0.5 * self.width + self.scale * local[..., 0] / depth
        down = 0.5 * self.height - self.scale * local[..., 1] / depth
        return np.stack([right, down, local[..., 2]], axis=-1)

    def rays(self, right: np.ndarray, down: np.ndarray) -> np.ndarray:
        """Unit directions through pixel coordinates."""
        x = (right - 0.5 * self.width) / self.scale
        y = (0.5 * self.height - down) / self.scale
        rays = x[..., None] * self.axes[0] + y[..., None] * self.axes[1] + self.axes[2]
        return rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def camera_for(centers: np.ndarray, radii: np.ndarray, width: int, height: int) -> Viewpoint:
    """The camera nearest to balls (m, 3), (m,) that shows all of them."""
    forward = -np.array(DIRECTION) / np.linalg.norm(DIRECTION)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(right, forward), forward])
    low, high = (centers - radii[:, None]).min(axis=0), (centers + radii[:, None]).max(axis=0)
    target = 0.5 * (low + high)
    distance = 8.0 * float(np.linalg.norm(high - low)) + 1e-3
    for _ in range(40):
        camera = Viewpoint(target - distance * forward, axes, width, height)
        seen = camera.project(centers)
        reach = camera.scale * radii / np.maximum(seen[:, 2], 1e-9)
        left, top = (seen[:, 0] - reach).min(), (seen[:, 1] - reach).min()
        wide, tall = (seen[:, 0] + reach).max() - left, (seen[:, 1] + reach).max() - top
        # Centre what is seen, then come nearer (or step back) in proportion.
        metres = distance / camera.scale
        target = target + metres * (
            (left + 0.5 * wide - 0.5 * width) * axes[0] - (top + 0.5 * tall - 0.5 * height) * axes[1]
        )
        distance *= float(max(wide / (FILL * width), tall / (FILL * height))) ** 0.7
    return Viewpoint(target - distance * forward, axes, width, height)
