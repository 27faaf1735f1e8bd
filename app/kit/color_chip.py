"""The chip that shows the colour a body is drawn in."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.kit.painting import plate
from app.look.look import Look


def paint_chip(painter: QPainter, area: QRectF, color: QColor, look: Look) -> None:
    """A rounded square; in the light theme with a darker edge, so that pale colours do not vanish."""
    edge = color.darker(135) if look.theme == "light" else None
    plate(painter, area, 3.0, color, edge)
