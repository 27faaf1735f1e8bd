"""A GL context without a window, for pictures that are read back; and whether that is how the window gets its own."""

from __future__ import annotations

from functools import cache

from OpenGL import GL
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

from app.viewport import gl_needs

SOFTWARE = ("llvmpipe", "softpipe", "swrast", "SwiftShader", "GDI Generic")


class HiddenContext:
    """Made at the first `begin`; objects of GL live in it until `end` lets it go."""

    def __init__(self) -> None:
        self._surface: QOffscreenSurface | None = None
        self._context: QOpenGLContext | None = None

    @property
    def exists(self) -> bool:
        return self._context is not None

    def begin(self) -> bool:
        """Make it current. False: this machine has none that is good enough."""
        if self._context is not None and self._surface is not None:
            return self._context.makeCurrent(self._surface)
        surface, context = QOffscreenSurface(), QOpenGLContext()
        surface.setFormat(gl_needs.needed_format())
        surface.create()
        context.setFormat(gl_needs.needed_format())
        if not context.create() or not context.makeCurrent(surface) or not gl_needs.is_enough(context):
            return False
        self._surface, self._context = surface, context
        return True

    def pause(self) -> None:
        if self._context is not None:
            self._context.doneCurrent()

    def end(self) -> None:
        self.pause()
        self._context = self._surface = None


def is_software() -> bool:
    """Does the processor draw what the current context is asked for, without a graphics card?"""
    name = GL.glGetString(GL.GL_RENDERER)
    return any(word in (name or b"").decode(errors="replace") for word in SOFTWARE)


@cache
def machine_is_software() -> bool:
    """The same of a context that is yet to be made. Without any, too, nothing is gained by asking a card."""
    hidden = HiddenContext()
    found = not hidden.begin() or is_software()
    hidden.end()
    return found
