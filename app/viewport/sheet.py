"""Sheet: the widget on which a canvas's picture reaches the screen.

A graphics card puts the picture into the window by itself (`CardSheet`). Without one, Qt would draw the whole window,
panels and all, as textures on the processor for every picture: that takes longer than the picture. There it is drawn
aside and copied into the window like any other widget's (`MemorySheet`), which costs a tenth.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from OpenGL import GL
from OpenGL.raw.GL.VERSION.GL_1_0 import glReadPixels
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from app.viewport import gl_needs
from app.viewport.gl_target import Target
from app.viewport.hidden_context import HiddenContext, machine_is_software


class Drawer(Protocol):
    """Who draws the picture. A context is current in all of these but `fail`."""

    def prepare(self) -> bool:
        """Once, before the first picture. False: it failed, and there will be none."""

    def paint(self, framebuffer: int) -> bool:
        """Draw, unless what was drawn last is still right; was anything drawn?"""

    def outdate(self) -> None:
        """What was drawn last is gone, or of another size."""

    def release(self) -> None:
        """The context goes."""

    def fail(self, why: str) -> None:
        """There is no context."""


class CardSheet(QOpenGLWidget):
    def __init__(self, drawer: Drawer, parent: QWidget) -> None:
        super().__init__(parent)
        self._drawer = drawer
        self.setFormat(gl_needs.needed_format())
        self.setUpdateBehavior(QOpenGLWidget.UpdateBehavior.PartialUpdate)  # keeps the picture while pills repaint
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def initializeGL(self) -> None:
        if not gl_needs.is_enough(self.context()):
            self._drawer.fail(gl_needs.MISSING)
        elif self._drawer.prepare():
            self.context().aboutToBeDestroyed.connect(self._release)

    def resizeGL(self, width: int, height: int) -> None:
        self._drawer.outdate()

    def paintGL(self) -> None:
        self._drawer.paint(self.defaultFramebufferObject())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.isValid():
            self._drawer.fail(gl_needs.MISSING)

    def _release(self) -> None:
        """The view closes, or moves to another window."""
        self.makeCurrent()
        self._drawer.release()
        self.doneCurrent()


class MemorySheet(QWidget):
    def __init__(self, drawer: Drawer, parent: QWidget) -> None:
        super().__init__(parent)
        self._drawer = drawer
        self._hidden = HiddenContext()
        self._failed = False
        self._target: Target | None = None
        self._image = QImage()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def grabFramebuffer(self) -> QImage:
        """The picture without what lies over it; named as in the widget for cards."""
        self._follow()
        return self._image.copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._follow()
        painter, ratio, part = QPainter(self), self.devicePixelRatioF(), event.rect()
        if self._image.isNull():
            painter.fillRect(part, Qt.GlobalColor.black)
        else:
            wanted = QRect(part.topLeft() * ratio, part.size() * ratio)
            painter.drawImage(part, self._image, wanted)
        painter.end()

    def _follow(self) -> None:
        """Bring the image up to date."""
        if not self._begin():
            return
        ratio = self.devicePixelRatioF()
        size = (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        if self._target is None or (self._target.width, self._target.height) != size:
            if self._target is not None:
                self._target.release()
            self._target = Target.multisampled(*size, 0)
            self._drawer.outdate()
        if self._drawer.paint(self._target.name):
            self._image = _read(self._target)
        self._hidden.pause()

    def _begin(self) -> bool:
        if self._failed:
            return False
        known = self._hidden.exists
        if not self._hidden.begin():
            self._failed = True
            self._drawer.fail(gl_needs.MISSING)
        elif not known:
            self._failed = not self._drawer.prepare()
        return not self._failed


def _read(target: Target) -> QImage:
    """Rows come from below."""
    found = np.empty((target.height, target.width), np.uint32)
    GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, target.name)
    glReadPixels(0, 0, target.width, target.height, GL.GL_BGRA, GL.GL_UNSIGNED_INT_8_8_8_8_REV, found)
    image = QImage(target.width, target.height, QImage.Format.Format_RGB32)
    np.frombuffer(image.bits(), np.uint32).reshape(found.shape)[:] = found[::-1]
    return image


def sheet_for(drawer: Drawer, parent: QWidget) -> CardSheet | MemorySheet:
    return MemorySheet(drawer, parent) if machine_is_software() else CardSheet(drawer, parent)
