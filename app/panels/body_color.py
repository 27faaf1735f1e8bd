"""The colour a body is drawn in, and the chip that shows it. The same rule as in the view."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.look.look import Look, body_palette
from app.panels.control import plate
from engine.scene.spec import Body

REPEAT_DARKER = 0.88  # of the value, each time the palette starts over


def palette_color(place: int) -> QColor:
    """The colour given to the body at this place of the list."""
    colors = body_palette()
    color = QColor(colors[place % len(colors)])
    share = REPEAT_DARKER ** (place // len(colors) % 3)  # darker for ever would end in black
    return QColor.fromHsvF(color.hsvHueF(), color.hsvSaturationF(), color.valueF() * share)


def body_color(look: Look, body: Body, place: int) -> QColor:
    """Its own colour, else grey for what never moves, else by its place in the list."""
    if body.color and QColor.isValidColorName(body.color):
        return QColor(body.color)
    return look.view_color("static_body") if body.static else palette_color(place)


def paint_chip(painter: QPainter, area: QRectF, color: QColor, look: Look) -> None:
    """A rounded square; in the light theme with a darker edge, so that pale colours do not vanish."""
    edge = color.darker(135) if look.theme == "light" else None
    plate(painter, area, 3.0, color, edge)
