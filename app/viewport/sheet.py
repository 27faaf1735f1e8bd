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
from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from app.viewport import gl_needs
from app.viewport.gl_target import Target
from app.viewport.hidden_context import HiddenContext, machine_is_software
from app.viewport.screen_places import Area


class Drawer(Protocol):
    """Who draws the picture. A context is current in all of these but `fail`."""

    def prepare(self) -> bool:
        """Once, before the first picture. False: it failed, and there will be none."""

    def paint(self, framebuffer: int) -> Area | None:
        """Draw, unless what was drawn last is still right (then None); where it is another picture now."""

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

    def ask(self) -> None:
        """Let the drawer draw, soon."""
        self.update()

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
    """It draws before Qt asks for painting: only then is known which part of it, and of what lies over it, is to be
    painted again."""

    _asked = Signal()

    def __init__(self, drawer: Drawer, parent: QWidget) -> None:
        super().__init__(parent)
        self._drawer = drawer
        self._hidden = HiddenContext()
        self._failed = False
        self._target: Target | None = None
        self._pixels = np.zeros((0, 0), np.uint32)
        self._image = QImage()  # of the pixels
        self._waiting = False
        self._asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def ask(self) -> None:
        """Let the drawer draw, soon; at once several times are one."""
        if not self._waiting:
            self._waiting = True
            self._asked.emit()

    def _answer(self) -> None:
        self._waiting = False
        if self.isVisible() and not self.window().isMinimized():  # else when it is painted
            self.update(self._follow())

    def grabFramebuffer(self) -> QImage:
        """The picture without what lies over it; named as in the widget for cards."""
        self.update(self._follow())
        return self._image.copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        changed = self._follow()
        if not event.rect().contains(changed):
            self.update(changed)
        painter = QPainter(self)
        if self._image.isNull():
            painter.fillRect(event.rect(), Qt.GlobalColor.black)
        else:
            painter.drawImage(0, 0, self._image)

    def _follow(self) -> QRect:
        """Bring the image up to date; where it changed."""
        if not self._begin():
            return QRect()
        ratio = self.devicePixelRatioF()
        size = (max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))
        if self._target is None or (self._target.width, self._target.height) != size:
            self._fit(size)
        assert self._target is not None
        self._image.setDevicePixelRatio(ratio)
        area = self._drawer.paint(self._target.name)
        if area is not None and area[2] > 0 and area[3] > 0:
            self._read(self._target.name, area)
        self._hidden.pause()
        if area is None:
            return QRect()
        x, y, width, height = area
        top = size[1] - y - height
        return QRectF(x / ratio, top / ratio, width / ratio, height / ratio).toAlignedRect()

    def _fit(self, size: tuple[int, int]) -> None:
        if self._target is not None:
            self._target.release()
        self._target = Target.multisampled(*size, 0)
        self._pixels = np.zeros((size[1], size[0]), np.uint32)
        self._image = QImage(self._pixels.data, *size, 4 * size[0], QImage.Format.Format_RGB32)
        self._drawer.outdate()

    def _read(self, framebuffer: int, area: Area) -> None:
        """An area of the picture; GL has the lowest row first."""
        x, y, width, height = area
        found = np.empty((height, width), np.uint32)
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, framebuffer)
        glReadPixels(x, y, width, height, GL.GL_BGRA, GL.GL_UNSIGNED_INT_8_8_8_8_REV, found)
        top = len(self._pixels) - y - height
        self._pixels[top : top + height, x : x + width] = found[::-1]

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


def sheet_for(drawer: Drawer, parent: QWidget) -> CardSheet | MemorySheet:
    return MemorySheet(drawer, parent) if machine_is_software() else CardSheet(drawer, parent)
