"""ProgressStrip: how far a job is, in words and as a filled part, with the button that stops it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.kit.layouts import FILL, row
from app.kit.painting import LEFT, radius, write
from app.kit.plain import tool_button
from app.look.icons import icon
from app.look.look import Look, size

WIDTH = 320


class ProgressStrip(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None, width: int = WIDTH) -> None:
        super().__init__(parent)
        self._look, self.part, self.words = look, 0.0, ""
        self._cancel: Callable[[], None] = lambda: None
        self.setFixedSize(width, size("button_large"))
        tip, extent = "Stop (Ctrl+.)\nThe scene stays as it was.", (size("min_hit"), size("min_hit"))
        self.stop = tool_button("Stop what is running", tip, 14, extent, self)
        self.stop.clicked.connect(self._stop)
        row(FILL, self.stop, of=self, edge=(0, 0, 5, 0))
        look.changed.connect(self._recolor)
        self._recolor()

    def start(self, words: str, cancel: Callable[[], None]) -> None:
        self._cancel = cancel
        self.stop.setEnabled(True)
        self.set_progress(0.0, words)

    def set_progress(self, part: float, words: str) -> None:
        self.part, self.words = max(0.0, min(1.0, part)), words
        self.setAccessibleName(f"{words}, {self.part:.0%}")
        self.setToolTip(words)
        self.update()

    def _stop(self) -> None:
        self.stop.setEnabled(False)
        self._cancel()

    def _recolor(self) -> None:
        self.stop.setIcon(icon(self._look, "generate.cancel"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        outline = QPainterPath()
        outline.addRoundedRect(frame, radius("large_button"), radius("large_button"))
        painter.fillPath(outline, self._look.color("well"))
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(QRectF(frame.left(), frame.top(), self.part * frame.width(), frame.height()),
                         self._look.color("tint"))  # fmt: skip
        painter.fillRect(QRectF(frame.left(), frame.bottom() - 2.0, self.part * frame.width(), 2.0),
                         self._look.color("accent"))  # fmt: skip
        painter.restore()
        painter.setPen(QPen(self._look.color("line2"), 1.0))
        painter.drawPath(outline)
        room = self.rect().adjusted(12, 0, -(size("min_hit") + 12), 0)
        words = painter.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room.width())
        write(painter, room, words, self._look.color("text"), LEFT)
