"""Labels over the picture: pills with an icon, words and quieter words."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.camera import Camera
from app.look.fonts import font
from app.look.icons import icon
from app.look.look import Look
from app.tools.tool import Label

PAD = (8.0, 4.0)  # px
EDGE = 4.0  # px kept to the edges of the view
ICON, GAP = 14, 6.0


def paint_label(painter: QPainter, label: Label, look: Look, camera: Camera, extent: tuple[int, int]) -> None:
    """Moved as far as needed to lie inside the view; not painted where its place is behind the camera."""
    at = place_of(label, camera, extent)
    if at is None:
        return
    plain, strong = font("small"), font("small")
    strong.setWeight(QFont.Weight.DemiBold if label.aside else plain.weight())
    words, aside = (QFontMetricsF(f).horizontalAdvance(t) for f, t in ((strong, label.text), (plain, label.aside)))
    before = ICON + GAP if label.icon else 0.0
    width = before + words + (GAP + aside if label.aside else 0.0) + 2 * PAD[0]
    height = QFontMetricsF(plain).height() + 2 * PAD[1]
    x = at.x() - (0.5 * width if label.centered else 0.0)
    x = min(max(x, EDGE), max(EDGE, extent[0] - width - EDGE))
    y = min(max(at.y(), EDGE), max(EDGE, extent[1] - height - EDGE))
    pill = QRectF(x, y, width, height)
    painter.setPen(QPen(look.color(label.edge), 1.0 if label.edge == "line2" else 1.4))
    painter.setBrush(look.color("overlay", 0.94))
    corner = 6.0 if label.edge == "line2" else 0.5 * height
    painter.drawRoundedRect(pill, corner, corner)
    left = x + PAD[0]
    if label.icon:
        area = QRect(round(left), round(y + 0.5 * (height - ICON)), ICON, ICON)
        icon(look, label.icon, label.icon_role).paint(painter, area)
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.setFont(strong)
    painter.setPen(look.color("text"))
    painter.drawText(QRectF(left + before, y, words + 2, height), middle, label.text)
    if label.aside:
        painter.setFont(plain)
        painter.setPen(look.color("text2"))
        painter.drawText(QRectF(left + before + words + GAP, y, aside + 2, height), middle, label.aside)


def place_of(label: Label, camera: Camera, extent: tuple[int, int]) -> QPointF | None:
    """Its upper left (or upper middle) pixel, before it is moved inside the view."""
    if label.anchor is None:
        return QPointF(label.x, label.y)
    (pixel,), ahead = camera.project(np.asarray(label.anchor)[None, :], *extent)
    return QPointF(float(pixel[0]) + label.x, float(pixel[1]) + label.y) if ahead[0] else None
