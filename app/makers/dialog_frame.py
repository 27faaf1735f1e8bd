"""Pieces of a dialog without a frame of the system's: a header that moves it, round corners, lines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QPainterPath
from PySide6.QtWidgets import QFrame, QWidget

from app.look.look import tokens


class MovingHeader(QWidget):
    """Moves the window it is in."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        handle = self.window().windowHandle()
        if event.button() == Qt.MouseButton.LeftButton and handle is not None:
            handle.startSystemMove()


def round_corners(dialog: QWidget) -> None:
    """Also where no compositor blends windows. To be called when it is resized."""
    outline = QPainterPath()
    radius = tokens()["radius"]["dialog"]
    outline.addRoundedRect(dialog.rect().toRectF(), radius, radius)
    dialog.setMask(outline.toFillPolygon().toPolygon())


def separator() -> QFrame:
    line = QFrame()
    line.setObjectName("makerLine")
    line.setFixedHeight(int(tokens()["line"]["separator"]))
    return line
