"""Words on a pill, painted over the picture."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.look.icons import icon
from app.look.look import Look

PAD_X, PAD_Y = 8.0, 4.0  # px
FLAG, FLAG_GAP = 14.0, 5.0  # px, of an icon before the words
FONT_SIZE = 12  # px


def pill_size(text: str, font: QFont, icon_name: str = "") -> QSizeF:
    """The room that words take; paint with the same font."""
    font.setPixelSize(FONT_SIZE)
    metrics = QFontMetricsF(font)
    before = FLAG + FLAG_GAP if icon_name else 0.0
    return QSizeF(metrics.horizontalAdvance(text) + before + 2 * PAD_X, metrics.height() + 2 * PAD_Y)


def held_inside(place: QPointF, room: QSizeF, extent: tuple[int, int]) -> QRectF:
    """A pill at a place, or as near to it as it is whole in the picture."""
    x = min(max(place.x(), 4.0), max(4.0, extent[0] - room.width() - 4.0))
    y = min(max(place.y(), 4.0), max(4.0, extent[1] - room.height() - 4.0))
    return QRectF(QPointF(x, y), room)


def paint_pill(painter: QPainter, look: Look, pill: QRectF, text: str, font: QFont, icon_name: str = "") -> None:
    painter.setPen(QPen(look.color("line2"), 1.0))
    painter.setBrush(look.color("overlay", 0.94))
    painter.drawRoundedRect(pill, 6.0, 6.0)
    words = pill.adjusted(PAD_X, 0.0, -PAD_X, 0.0)
    if icon_name:
        glyph = QRectF(words.left(), words.center().y() - 0.5 * FLAG, FLAG, FLAG)
        icon(look, icon_name, "accent_hi").paint(painter, glyph.toAlignedRect())
        words.setLeft(words.left() + FLAG + FLAG_GAP)
    painter.setFont(font)
    painter.setPen(look.color("text"))
    painter.drawText(words, Qt.AlignmentFlag.AlignCenter, text)
