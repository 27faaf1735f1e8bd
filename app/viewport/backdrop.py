"""What lies behind the bodies: the background, and the grid on the ground.

Where the processor draws, both together cost as much as a thousand bodies. While the camera stands still (playback, a
body that is dragged) they are drawn once, kept, and copied under every picture.
"""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from app.camera import Camera
from app.viewport.gl_program import Program
from app.viewport.gl_target import Target
from app.viewport.screen_places import Area
from app.viewport.tones import Tones

GRID_REACH = 6.0  # camera distances after which the grid has faded out
SUNK = 1e-3  # m below the ground from which the grid may be seen in front of a body

Spacing = tuple[float, float]  # m, grid


def is_behind(camera: Camera, lowest: float) -> bool:
    """Does the grid hide no part of any body? It does when seen from below, or when a body reaches below it."""
    above = camera.axes()[2][2] > 0.0 if camera.orthographic else camera.eye[2] > 0.0
    return bool(above) and lowest > -SUNK


class Backdrop:
    """Needs a current context from the making to `release`."""

    def __init__(self, empty_array: int, quad: int) -> None:
        self._empty, self._quad = empty_array, quad
        self._background = Program(["screen.vert"], ["background.frag"])
        self._grid = Program(["ground.vert"], ["ground.frag"])
        self._kept: Target | None = None
        self._kept_for: tuple[Camera, Spacing, Tones] | None = None

    def draw_background(self, tones: Tones) -> None:
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._background.use(top=tones.top, bottom=tones.bottom)
        GL.glBindVertexArray(self._empty)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)

    def draw_grid(self, camera: Camera, matrix: np.ndarray, spacing: Spacing, tones: Tones) -> None:
        """Blended over what is there."""
        weak, strong = spacing
        reach = GRID_REACH * camera.distance
        self._grid.use(
            camera=matrix,
            middle=camera.target[:2],
            extent=reach,
            target=camera.target[:2],
            fade=1.0 / reach,
            spacing=(weak, strong, 1.0 / weak, 1.0 / strong),
            minor_color=tones.minor,
            major_color=tones.major,
            x_color=tones.axis_x,
            y_color=tones.axis_y,
            widths=tuple(0.5 * width + 0.5 for width in tones.grid_widths),
        )
        GL.glBindVertexArray(self._quad)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)

    def copy_to(
        self, target: Target, area: Area, camera: Camera, matrix: np.ndarray, spacing: Spacing, tones: Tones
    ) -> None:
        """Background and grid into an area of a target without samples; drawn only if those kept are of another one."""
        kept = self._fitting(target)
        wanted = (camera, spacing, tones)
        if self._kept_for is None or self._kept_for[:2] != wanted[:2] or self._kept_for[2] is not tones:
            kept.bind()
            self.draw_background(tones)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
            self.draw_grid(camera, matrix, spacing, tones)
            GL.glDisable(GL.GL_BLEND)
            self._kept_for = wanted
        kept.copy_to(target.name, area)

    def _fitting(self, target: Target) -> Target:
        size = (target.width, target.height)
        if self._kept is None or (self._kept.width, self._kept.height) != size:
            if self._kept is not None:
                self._kept.release()
            self._kept, self._kept_for = Target.multisampled(*size, 0), None
        return self._kept

    def release(self) -> None:
        for part in (self._kept, self._background, self._grid):
            if part is not None:
                part.release()
