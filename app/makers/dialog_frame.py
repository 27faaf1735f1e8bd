"""A dialog without a frame of the system's: a header that moves it, round corners, lines."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QPainterPath, QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QToolButton, QVBoxLayout, QWidget

from app.kit.layouts import Margins, column, row, wide
from app.look.look import tokens


class FramelessDialog(QDialog):
    def __init__(self, title: str, parent: QWidget | None) -> None:
        super().__init__(parent, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._title, self._close = QLabel(title), QToolButton()
        self._close.setToolTip("Close (Esc)")
        self._close.setAccessibleName("Close")

    def _framed(self, name: str, height: int, edge: Margins, leave: Callable[[], object]) -> QVBoxLayout:
        """The column below the header, in a frame that style sheets know by its name. `height` and `edge` are those
        of the header, whose button leaves."""
        frame, header = QFrame(), MovingHeader()
        frame.setObjectName(name)
        header.setFixedHeight(height)
        self._close.clicked.connect(leave)
        row(wide(self._title), self._close, of=header, edge=edge)
        column(frame, of=self)
        return column(header, separator(), of=frame, gap=0, edge=(1, 1, 1, 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Round corners, also where no compositor blends windows."""
        super().resizeEvent(event)
        outline = QPainterPath()
        radius = tokens()["radius"]["dialog"]
        outline.addRoundedRect(self.rect().toRectF(), radius, radius)
        self.setMask(outline.toFillPolygon().toPolygon())


class MovingHeader(QWidget):
    """Moves the window it is in."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        handle = self.window().windowHandle()
        if event.button() == Qt.MouseButton.LeftButton and handle is not None:
            handle.startSystemMove()


def separator() -> QFrame:
    line = QFrame()
    line.setObjectName("makerLine")
    line.setFixedHeight(int(tokens()["line"]["separator"]))
    return line
