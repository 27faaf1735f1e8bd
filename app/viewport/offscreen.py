"""Offscreen: pictures of bodies that no window shows. A renderer and a buffer in a context of their own."""

from __future__ import annotations

import numpy as np
from OpenGL import GL
from PySide6.QtGui import QImage

from app.viewport.gl_program import ShaderError
from app.viewport.gl_target import Target
from app.viewport.hidden_context import HiddenContext
from app.viewport.renderer import Picture, Renderer


class Offscreen:
    """Made when the first picture is asked for. Without OpenGL 3.3 there are no pictures."""

    def __init__(self) -> None:
        self._hidden = HiddenContext()
        self._renderer: Renderer | None = None
        self._targets: dict[tuple[int, int], Target] = {}
        self._failed = False

    def draw(self, picture: Picture) -> QImage | None:
        drawn = self.pixels(picture)
        return image_of(drawn) if drawn is not None else None

    def pixels(self, picture: Picture) -> np.ndarray | None:
        """(height, width, 3) bytes, first row on top."""
        if not self._begin():
            return None
        assert self._renderer is not None
        size = (picture.width, picture.height)
        if size not in self._targets:
            self._targets[size] = Target.multisampled(*size, 0)
        target = self._targets[size]
        self._renderer.draw(picture, target.name)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, target.name)
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 4)
        data = GL.glReadPixels(0, 0, *size, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
        self._hidden.pause()
        return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 4)[::-1, :, :3]

    def _begin(self) -> bool:
        if self._failed:
            return False
        known = self._hidden.exists
        self._failed = not self._hidden.begin() or (not known and not self._made())
        return not self._failed

    def _made(self) -> bool:
        try:
            self._renderer = Renderer()
        except ShaderError:
            return False
        return True

    def release(self) -> None:
        """Give back what lives in the context; a later picture begins anew."""
        if self._hidden.exists and self._hidden.begin():
            if self._renderer is not None:
                self._renderer.release()
            for target in self._targets.values():
                target.release()
            self._hidden.end()
        self._targets.clear()
        self._renderer = None


def image_of(pixels: np.ndarray) -> QImage:
    """(height, width, 3) bytes, first row on top."""
    rows = np.ascontiguousarray(pixels)
    height, width = rows.shape[:2]
    return QImage(rows.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
