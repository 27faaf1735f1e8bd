"""What the picture needs of the machine, and what to say when it is missing."""

from __future__ import annotations

from PySide6.QtGui import QOpenGLContext, QSurfaceFormat

VERSION = (3, 3)
MISSING = "This machine has no OpenGL 3.3, which the picture needs. Update the graphics driver, then start again."


def needed_format() -> QSurfaceFormat:
    wanted = QSurfaceFormat()
    wanted.setVersion(*VERSION)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(0)  # bodies are drawn in a buffer of our own
    wanted.setStencilBufferSize(0)
    return wanted


def is_enough(context: QOpenGLContext) -> bool:
    return bool(context.format().version() >= VERSION)
