"""Bodies drawn without shading, for the shadow map and the mask of the selection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from OpenGL import GL

from app.camera import Camera
from app.viewport.draw_list import BALL
from app.viewport.gl_batch import GlBatch
from app.viewport.gl_program import Program


def viewer_of(camera: Camera) -> tuple[float, ...]:
    """Place of the camera (then 1), or the direction toward it (then 0)."""
    return (*camera.axes()[2], 0.0) if camera.orthographic else (*camera.eye, 1.0)


class FlatBodies:
    """Only one side of closed bodies is drawn: it covers the same pixels as both."""

    def __init__(self, fragment: str) -> None:
        self._program = Program(["instance", "flat.vert"], [fragment])
        self._ball_program = Program(["instance", "flat.vert"], [fragment], defines=["BALL"])

    def draw(
        self, bodies: Iterable[GlBatch], matrix: np.ndarray, viewer: Sequence[float], coarse: bool = False
    ) -> None:
        """`coarse`: all instances with few triangles, instead of those in the picture as finely as it needs."""
        for batch in bodies:
            program = self._ball_program if batch.batch is not None and batch.batch.key == BALL else self._program
            program.use(camera=matrix, viewer=viewer)
            (GL.glDisable if batch.meshes[0].two_sided else GL.glEnable)(GL.GL_CULL_FACE)
            if coarse:
                batch.draw_all_coarse()
            else:
                batch.draw()
        GL.glDisable(GL.GL_CULL_FACE)

    def release(self) -> None:
        self._program.release()
        self._ball_program.release()
