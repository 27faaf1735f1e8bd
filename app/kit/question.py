"""Question: a small "?" behind plain words, with the engineer's term for them as tooltip."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from app.kit.painted import Painted
from app.look.fonts import font
from app.look.look import Look

ACROSS = 13  # px


class Question(Painted):
    def __init__(self, look: Look, term: str = "") -> None:
        super().__init__(look)
        self.setFixedSize(QSize(ACROSS + 1, ACROSS + 1))
        self.show_term(term)

    def show_term(self, term: str) -> None:
        self.setToolTip(term)
        self.setAccessibleName(term)
        self.setVisible(bool(term))

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_question(QPainter(self), QRectF(self.rect()).center(), self._look)


def paint_question(painter: QPainter, at: QPointF, look: Look) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(look.color("text3"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, 0.5 * ACROSS - 0.5, 0.5 * ACROSS - 0.5)
    painter.setFont(font("caption"))
    area = QRectF(at.x() - 0.5 * ACROSS, at.y() - 0.5 * ACROSS, ACROSS, ACROSS)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "?")
    painter.restore()
