"""DockGrip: a thin handle along the top of a panel that has no heading of its own, to move the panel by."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from app.kit import Control, set_surface
from app.look.look import Look

HEIGHT, DOTS, APART = 10, 5, 6  # px; dots in a row


class DockGrip(Control):
    """Qt moves the dock when its title bar leaves the mouse alone, as this does."""

    def __init__(self, look: Look, title: str) -> None:
        super().__init__(look)
        set_surface(self, "panel")
        self.setFixedHeight(HEIGHT)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setToolTip(f"Drag to move the panel {title}")

    def sizeHint(self) -> QSize:
        return QSize(60, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.color("text3" if self.hovered else "line2"))
        left = 0.5 * (self.width() - (DOTS - 1) * APART)
        for number in range(DOTS):
            painter.drawEllipse(QPointF(left + number * APART, 0.5 * self.height() + 1), 1.3, 1.3)
