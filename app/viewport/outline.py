"""The outline of selected and hovered bodies, over everything: a mask of them, then a line along its border."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from OpenGL import GL

from app.camera import Camera
from app.viewport.draw_list import Batch
from app.viewport.flat_bodies import FlatBodies, viewer_of
from app.viewport.gl_batch import GlDrawList, GlMeshes
from app.viewport.gl_program import Program
from app.viewport.gl_target import Target
from app.viewport.screen_places import OUTLINE_ROOM, Area, grown, halved, within
from app.viewport.tones import Tones


class Framebuffer(NamedTuple):
    """Where the line is drawn."""

    name: int
    width: int  # device px
    height: int


class OutlinePass:
    def __init__(self, meshes: GlMeshes) -> None:
        self._flat = FlatBodies("flat.frag")
        self._lines = [Program(["screen.vert"], ["outline.frag"], defines=defines) for defines in ([], ["HOVER"])]
        self._hovering = False
        self._lists = (GlDrawList(meshes), GlDrawList(meshes))
        self._size = (0, 0, 0)
        self._mask: Target | None = None
        self._drawn: Target | None = None  # multisampled; None: the mask is drawn straight

    def draw_mask(
        self,
        chosen: tuple[list[Batch], list[Batch]],
        camera: Camera,
        matrix: np.ndarray,
        pixels: float,
        area: Area,
        size: tuple[int, int, int],
        coarse: bool = False,
    ) -> None:
        """`chosen`: what is selected, what is hovered; `area`: where these are in the picture; `size`: width, height
        and samples; a `coarse` mask has half the resolution."""
        if coarse:
            size, area = (size[0] // 2, size[1] // 2, 0), halved(area)
        self._fit(size)
        self._hovering = bool(chosen[1])
        assert self._mask is not None
        drawn = self._drawn if self._drawn is not None else self._mask
        drawn.bind()
        # The line compares with what lies a few pixels off: there, too, nothing of an earlier mask may be left.
        cleared = grown(area, 2 * OUTLINE_ROOM)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*cleared)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        for channel, (bodies, batches) in enumerate(zip(self._lists, chosen, strict=True)):
            bodies.put(batches, matrix, pixels)
            GL.glColorMask(channel == 0, channel == 1, False, False)
            self._flat.draw(bodies, matrix, viewer_of(camera))
        GL.glColorMask(True, True, True, True)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        if drawn is not self._mask:
            drawn.copy_to(self._mask.name, within(cleared, size[0], size[1]))

    def draw_line(self, target: Framebuffer, area: Area, tones: Tones, empty_array: int) -> None:
        """Along the border of the mask."""
        assert self._mask is not None
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target.name)
        GL.glViewport(0, 0, target.width, target.height)
        GL.glEnable(GL.GL_SCISSOR_TEST)
        GL.glScissor(*area)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFuncSeparate(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._mask.color)
        # Half the work for a software renderer; a coarse mask has no fine steps to smooth anyway.
        kind = GL.GL_NEAREST if self._mask.width < target.width else GL.GL_LINEAR
        for name in (GL.GL_TEXTURE_MIN_FILTER, GL.GL_TEXTURE_MAG_FILTER):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, kind)
        line = self._lines[self._hovering]
        line.use(
            mask=0,
            texel=(1.0 / target.width, 1.0 / target.height),
            radii=tones.outline_radii,
            line_color=tones.selection,
            halo_color=tones.halo,
            hover_color=tones.hover,
        )
        GL.glBindVertexArray(empty_array)
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_SCISSOR_TEST)

    def _fit(self, size: tuple[int, int, int]) -> None:
        if self._size == size:
            return
        self._drop_masks()
        width, height, samples = size
        self._mask = Target.two_channels(width, height, mipmaps=False)
        self._drawn = Target.multisampled(width, height, samples, GL.GL_RG8, 0) if samples else None
        self._size = size

    def _drop_masks(self) -> None:
        for mask in (self._mask, self._drawn):
            if mask is not None:
                mask.release()
        self._mask = self._drawn = None

    def release(self) -> None:
        self._drop_masks()
        for bodies in self._lists:
            bodies.release()
        self._flat.release()
        for line in self._lines:
            line.release()
