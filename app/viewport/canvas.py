"""Canvas: a widget with a picture, drawn again only when it is out of date, and finer once it is at rest."""

from __future__ import annotations

import time
from abc import abstractmethod

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QImage, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.session.settings import Settings
from app.viewport import gl_needs
from app.viewport.gl_program import ShaderError
from app.viewport.refinement import WORTH_REFINING, Refinement
from app.viewport.renderer import Picture, Renderer
from app.viewport.screen_places import Area
from app.viewport.sheet import sheet_for


class Canvas(QWidget):
    """Who inherits says what is in the picture (`_picture`) and when it is another one (`_redraw`). It is the `Drawer`
    of the sheet that lies under its other children.

    Signals:
        failed(str)   there will be no picture, and why
    """

    failed = Signal(str)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.draws = 0  # pictures drawn so far
        self.drawn_at = 0.0  # s on time.perf_counter, when the last one was done
        self.failure = ""  # why there is no picture
        self._renderer: Renderer | None = None
        self._stale = True
        self._refinement = Refinement(self._refine, self)
        self._sheet = sheet_for(self, self)

    @abstractmethod
    def _picture(self) -> Picture:
        """What to draw now."""

    def grabFramebuffer(self) -> QImage:
        """The picture as it is now, without what lies over it."""
        return self._sheet.grabFramebuffer()

    def _redraw(self, moving: bool = True) -> None:
        """Soon. `moving`: more of the same is likely to follow."""
        if moving and self._renderer is not None and self._renderer.software:
            self._refinement.postpone()
        self._stale = True
        self._sheet.ask()

    def _refine(self) -> bool:
        """Nothing moved for a while: is a picture with smooth edges worth its time? Shadows are made fine anyway."""
        quick = self._renderer is not None and self._renderer.seconds < WORTH_REFINING
        smooth = quick and bool(self.settings.get("view/smooth_edges"))
        if smooth or (self._renderer is not None and self._renderer.coarse):
            self._redraw(moving=False)
        return smooth

    # -- drawer: what the sheet asks of it -----------------------------------------------------------------------

    def prepare(self) -> bool:
        try:
            self._renderer = Renderer()
        except ShaderError as error:
            self.fail(f"{gl_needs.MISSING} The driver says: {str(error).strip()[:200]}")
        return self._renderer is not None

    def paint(self, framebuffer: int) -> Area | None:
        if self._renderer is None or not self._stale:
            return None  # what is in the buffer is still right: only a pill over it repaints
        self._stale = False
        self.draws += 1
        changed = self._renderer.draw(self._picture(), framebuffer)
        self.drawn_at = time.perf_counter()
        return changed

    def outdate(self) -> None:
        self._stale = True
        if self._renderer is not None:
            self._renderer.forget()

    def release(self) -> None:
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = None

    def fail(self, why: str) -> None:
        if not self.failure:
            self.failure = why
            self._renderer = None
            self.failed.emit(why)

    # -- events --------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sheet.resize(self.size())

    def hideEvent(self, event: QHideEvent) -> None:
        self._refinement.stop()
        super().hideEvent(event)
