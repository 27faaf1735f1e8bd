"""DockGrip: a thin handle along the top of a panel that has no heading of its own, to move the panel by."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.kit import set_surface
from app.look.look import Look

HEIGHT, DOTS, APART = 10, 5, 6  # px; dots in a row


class DockGrip(QWidget):
    """Qt moves the dock when its title bar leaves the mouse alone, as this does."""

    def __init__(self, look: Look, title: str) -> None:
        super().__init__()
        self._look, self._hovered = look, False
        set_surface(self, "panel")
        self.setFixedHeight(HEIGHT)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setToolTip(f"Drag to move the panel {title}")
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(60, HEIGHT)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._show_hover(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._show_hover(False)
        super().leaveEvent(event)

    def _show_hover(self, hovered: bool) -> None:
        self._hovered = hovered
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("text3" if self._hovered else "line2"))
        left = 0.5 * (self.width() - (DOTS - 1) * APART)
        for number in range(DOTS):
            painter.drawEllipse(QPointF(left + number * APART, 0.5 * self.height() + 1), 1.3, 1.3)
