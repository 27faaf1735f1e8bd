"""ReachPlot: throws from one side, as dots over their density; the ending is a cross."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from app.kit import Painted
from app.kit.painting import plate, radius
from app.look.look import Look
from engine.picture.palette import heat
from engine.scene.reach_map import Density

HEAT = ("well", "tint", "accent", "ghosted", "text")  # from nothing to most
SIDE, CROSS, DOT = 300, 7.0, 1.5  # px


class ReachPlot(Painted):
    """As high as it is wide."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(look)
        self.shown: Density | None = None
        self._outlines: tuple[np.ndarray, ...] = ()
        self._image: QImage | None = None
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        look.changed.connect(self._recolor)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return width

    def sizeHint(self) -> QSize:
        return QSize(SIDE, SIDE)

    def show_density(self, shown: Density, outlines: tuple[np.ndarray, ...] = ()) -> None:
        """`outlines`: (h, 2) corners of what else is there, in the same units."""
        self.shown, self._outlines = shown, outlines
        self.setAccessibleDescription(f"{len(shown.points):,} throws")
        self._recolor()

    def _recolor(self) -> None:
        self._image = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        plate(painter, area, radius("field"), self._look.color("well"), self._look.color("line2"))
        if self.shown is None:
            return
        inside = area.adjusted(1, 1, -1, -1)
        path = QPainterPath()
        path.addRoundedRect(inside, radius("field"), radius("field"))
        painter.setClipPath(path)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._image is None:
            self._image = self._made(self.shown)
        painter.drawImage(inside, self._image)
        self._paint_marks(painter, self.shown, inside)

    def _made(self, shown: Density) -> QImage:
        pixels = heat(shown.shares, tuple(self._look.hex(role) for role in HEAT))
        rows, columns, _ = pixels.shape
        return QImage(pixels.tobytes(), columns, rows, 3 * columns, QImage.Format.Format_RGB888).copy()

    def _paint_marks(self, painter: QPainter, shown: Density, area: QRectF) -> None:
        scale = np.array([area.width() / (shown.right - shown.left), -area.height() / (shown.high - shown.low)])
        corner = np.array([area.left(), area.top()]) - np.array([shown.left, shown.high]) * scale
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._look.color("text3"), 1.0))
        for outline in self._outlines:
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corner + outline * scale]))
        painter.setPen(QPen(self._look.color("text"), DOT))
        painter.setOpacity(0.45)
        painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in corner + shown.points * scale]))
        painter.setOpacity(1.0)
        x, y = corner + np.array(shown.mark) * scale
        for role, width in (("well", 5.0), ("text", 2.0)):
            painter.setPen(QPen(self._look.color(role), width))
            painter.drawLine(QPointF(x - CROSS, y), QPointF(x + CROSS, y))
            painter.drawLine(QPointF(x, y - CROSS), QPointF(x, y + CROSS))
