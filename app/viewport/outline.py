"""The outline of selected and hovered bodies, over everything: a mask of them, then a line along its border."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from app.viewport.draw_list import Batch
from app.viewport.gl_batch import GlDrawList, GlMeshes
from app.viewport.gl_program import Program
from app.viewport.gl_target import Target
from app.viewport.tones import Tones

Area = tuple[int, int, int, int]  # device px from the lower left: x, y, width, height


class OutlinePass:
    def __init__(self, meshes: GlMeshes) -> None:
        self._flat = Program(["instance", "flat.vert"], ["flat.frag"])
        self._line = Program(["screen.vert"], ["outline.frag"])
        self._lists = (GlDrawList(meshes), GlDrawList(meshes))
        self._mask: Target | None = None

    def draw(
        self,
        chosen: tuple[list[Batch], list[Batch]],
        matrix: np.ndarray,
        pixels: float,
        area: Area,
        target: tuple[int, int, int],
        tones: Tones,
        empty_array: int,
    ) -> None:
        """`chosen`: what is selected, what is hovered; `target`: framebuffer, width, height; `area`: where the bodies
        are in the picture."""
        name, width, height = target
        if self._mask is None or (self._mask.width, self._mask.height) != (width, height):
            self._drop_mask()
            self._mask = Target.two_channels(width, height, mipmaps=False)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*area)
        self._draw_mask(chosen, matrix, pixels)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, name)
        GL.glViewport(0, 0, width, height)
        self._draw_line(tones, empty_array)
        GL.glDisable(GL.GL_SCISSOR_TEST)

    def _draw_mask(self, chosen: tuple[list[Batch], list[Batch]], matrix: np.ndarray, pixels: float) -> None:
        assert self._mask is not None
        self._mask.bind()
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        self._flat.use()
        for channel, (bodies, batches) in enumerate(zip(self._lists, chosen, strict=True)):
            bodies.put(batches, matrix, pixels)
            if not batches:
                continue
            self._flat.use()
            self._flat.set(camera=matrix, fill=(1.0, 1.0, 0.0, 1.0))
            GL.glColorMask(channel == 0, channel == 1, False, False)
            for batch in bodies:
                batch.draw()
        GL.glColorMask(True, True, True, True)

    def _draw_line(self, tones: Tones, empty_array: int) -> None:
        assert self._mask is not None
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._mask.color)
        self._line.use()
        self._line.set(
            mask=0,
            texel=(1.0 / self._mask.width, 1.0 / self._mask.height),
            radii=tones.outline_radii,
            line_color=tones.selection,
            halo_color=tones.halo,
            hover_color=tones.hover,
        )
        GL.glBindVertexArray(empty_array)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDisable(GL.GL_BLEND)

    def _drop_mask(self) -> None:
        if self._mask is not None:
            self._mask.release()
            self._mask = None

    def release(self) -> None:
        self._drop_mask()
        for part in (*self._lists, self._flat, self._line):
            part.release()
