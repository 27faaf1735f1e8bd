"""Canvas: a widget with a picture, drawn again only when it is out of date, and finer once it is at rest."""

from __future__ import annotations

import time

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QPaintEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from app.session.settings import Settings
from app.viewport import gl_needs
from app.viewport.gl_program import ShaderError
from app.viewport.refinement import WORTH_REFINING, Refinement
from app.viewport.renderer import Picture, Renderer


class Canvas(QOpenGLWidget):
    """Who inherits says what is in the picture (`_picture`) and when it is another one (`_redraw`).

    Signals:
        failed(str)   there will be no picture, and why
    """

    failed = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.setFormat(gl_needs.needed_format())
        self.setUpdateBehavior(QOpenGLWidget.UpdateBehavior.PartialUpdate)  # keeps the picture while pills repaint
        self.draws = 0  # pictures drawn so far
        self.drawn_at = 0.0  # s on time.perf_counter, when the last one was done
        self.failure = ""  # why there is no picture
        self._renderer: Renderer | None = None
        self._stale = True
        self._refinement = Refinement(self._refine, self)

    def _picture(self) -> Picture:
        raise NotImplementedError

    def _redraw(self, moving: bool = True) -> None:
        """Soon. `moving`: more of the same is likely to follow."""
        if moving and self._renderer is not None and self._renderer.software:
            self._refinement.postpone()
        self._stale = True
        self.update()

    def _refine(self) -> bool:
        """Nothing moved for a while: is a picture with smooth edges worth its time? Shadows are made fine anyway."""
        quick = self._renderer is not None and self._renderer.seconds < WORTH_REFINING
        smooth = quick and bool(self.settings.get("view/smooth_edges"))
        if smooth or (self._renderer is not None and self._renderer.coarse):
            self._redraw(moving=False)
        return smooth

    def initializeGL(self) -> None:
        if not gl_needs.is_enough(self.context()):
            self._fail(gl_needs.MISSING)
            return
        self.context().aboutToBeDestroyed.connect(self._release)
        try:
            self._renderer = Renderer()
        except ShaderError as error:
            self._fail(f"{gl_needs.MISSING} The driver says: {str(error).strip()[:200]}")

    def resizeGL(self, width: int, height: int) -> None:
        self._stale = True

    def paintGL(self) -> None:
        if self._renderer is None or not self._stale:
            return  # what is in the buffer is still right: only a pill over it repaints
        self._stale = False
        self.draws += 1
        self._renderer.draw(self._picture(), self.defaultFramebufferObject())
        self.drawn_at = time.perf_counter()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.failure and not self.isValid():
            self._fail(gl_needs.MISSING)

    def hideEvent(self, event: QHideEvent) -> None:
        self._refinement.stop()
        super().hideEvent(event)

    def _fail(self, why: str) -> None:
        self.failure = why
        self._renderer = None
        self.failed.emit(why)

    def _release(self) -> None:
        """The context goes (the view closes, or moves to another window): give back what lives in it."""
        if self._renderer is not None:
            self.makeCurrent()
            self._renderer.release()
            self._renderer = None
            self.doneCurrent()
