"""Raster: contact states of many runs as a picture, a line per run, rest at the left; and what its colours mean."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit import Painted
from app.kit.painting import MIDDLE, plate, radius, write
from app.look.fonts import font
from app.look.look import Look
from engine.scene.contact_states import NOTHING

ROLES = {0: "raised", 1: "ghosted_fill", 2: "tuned_fill", 3: "text", NOTHING: "panel"}
NAMES = {0: "in the air", 1: "1", 2: "2", 3: "3 or more points"}
HEIGHT, KEY = 150, 10  # px


class Raster(QWidget):
    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look, self._table = look, np.zeros((0, 0), np.int64)
        self._image: QImage | None = None
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(80)
        look.changed.connect(self._recolor)

    def sizeHint(self) -> QSize:
        return QSize(280, HEIGHT)

    def show_table(self, table: np.ndarray) -> None:
        self._table = table
        self.setAccessibleDescription(f"{len(table)} runs")
        self._recolor()

    def _recolor(self) -> None:
        self._image = None
        self.update()

    def _made(self) -> QImage:
        """One pixel per run and step."""
        colors = np.zeros((NOTHING + 1, 4), np.uint8)
        for state, role in ROLES.items():
            color = self._look.color(role)
            colors[state] = color.blue(), color.green(), color.red(), 255
        pixels = np.ascontiguousarray(colors[np.clip(self._table, 0, NOTHING)])
        height, width = self._table.shape
        return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32).copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect())
        plate(painter, area, radius("field"), self._look.color("well"), self._look.color("line2"))
        if self._table.size:
            if self._image is None:
                self._image = self._made()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(area.adjusted(1, 1, -1, -1), self._image)


class RasterKey(Painted):
    """What the colours mean."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.setFont(font("caption"))
        self.setFixedHeight(18)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Points that touch: " + ", ".join(NAMES.values()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, x, middle = QFontMetricsF(self.font()), 0.0, self.height() / 2
        for state, words in NAMES.items():
            box = QRectF(x, middle - KEY / 2, KEY, KEY)
            plate(painter, box, 2.0, self._look.color(ROLES[state]), self._look.color("control_edge"))
            write(painter, QRectF(x + KEY + 4, 0, 120, self.height()), words, self._look.color("text2"), MIDDLE)
            x += KEY + 4 + metrics.horizontalAdvance(words) + 12
