"""Labels over the picture: pills with an icon, words and quieter words."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.camera import Camera
from app.kit import BOLD, letters, measures
from app.kit.painting import LEFT, write
from app.look.icons import icon
from app.look.look import Look
from app.tools.tool import Label

PAD = (8.0, 4.0)  # px
EDGE = 4.0  # px kept to the edges of the view
TOP = 46.0  # px at the top that labels about something in the scene leave to the pills there
ICON, GAP = 14, 6.0


def label_pill(label: Label, camera: Camera, extent: tuple[int, int]) -> QRectF | None:
    """None where the place of a label is behind the camera."""
    if label.anchor is None:
        return pill_area(label, QPointF(label.x, label.y), extent)
    (pixel,), ahead = camera.project(np.asarray(label.anchor)[None, :], *extent)
    at = QPointF(float(pixel[0]) + label.x, float(pixel[1]) + label.y)
    return pill_area(label, at, extent) if ahead[0] else None


def pill_area(label: Label, at: QPointF, extent: tuple[int, int]) -> QRectF:
    """A label's pill at a place (its upper left, or upper middle), or as near to it as it is whole in the view."""
    words, aside = _widths(label)
    width = _before(label) + words + (GAP + aside if label.aside else 0.0) + 2 * PAD[0]
    height = measures("small").height() + 2 * PAD[1]
    x = at.x() - (0.5 * width if label.centered else 0.0)
    x = min(max(x, EDGE), max(EDGE, extent[0] - width - EDGE))
    top = EDGE if label.anchor is None else TOP
    y = min(max(at.y(), top), max(EDGE, extent[1] - height - EDGE))
    return QRectF(x, y, width, height)


def paint_pill(painter: QPainter, label: Label, pill: QRectF, look: Look) -> None:
    quiet = label.edge == "line2"
    painter.setPen(QPen(look.color(label.edge), 1.0 if quiet else 1.4))
    painter.setBrush(look.color("overlay", 0.94))
    corner = 6.0 if quiet else 0.5 * pill.height()
    painter.drawRoundedRect(pill, corner, corner)
    left = pill.left() + PAD[0]
    if label.icon:
        area = QRect(round(left), round(pill.center().y() - 0.5 * ICON), ICON, ICON)
        icon(look, label.icon, label.icon_role).paint(painter, area)
    left += _before(label)
    words, aside = _widths(label)
    room = QRectF(left, pill.top(), words + 2, pill.height())
    write(painter, room, label.text, look.color("text"), LEFT, _letters(label))
    if label.aside:
        room = QRectF(left + words + GAP, pill.top(), aside + 2, pill.height())
        write(painter, room, label.aside, look.color("text2"), LEFT, letters("small"))


def _letters(label: Label) -> QFont:
    """Of the words; they are strong where quieter ones follow."""
    return letters("small", BOLD if label.aside else None)


def _widths(label: Label) -> tuple[float, float]:
    """px of the words, and of those aside."""
    words = QFontMetricsF(_letters(label)).horizontalAdvance(label.text)
    return words, measures("small").horizontalAdvance(label.aside)


def _before(label: Label) -> float:
    """px before the words."""
    return ICON + GAP if label.icon else 0.0
