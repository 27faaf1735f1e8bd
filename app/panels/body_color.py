"""The colour a body is drawn in, and the chip that shows it. The same rule as in the view."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.look.look import Look
from app.panels.control import plate
from app.viewport.coloring import material_color
from engine.scene.spec import Body


def body_color(look: Look, body: Body, place: int) -> QColor:
    """Of the body at this place of the list."""
    return QColor(material_color(body, place, look))


def paint_chip(painter: QPainter, area: QRectF, color: QColor, look: Look) -> None:
    """A rounded square; in the light theme with a darker edge, so that pale colours do not vanish."""
    edge = color.darker(135) if look.theme == "light" else None
    plate(painter, area, 3.0, color, edge)
