"""What painted widgets are painted with: measures of the look by name, plates, and words on one line."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.look.look import Look, tokens

MIDDLE = Qt.AlignmentFlag.AlignVCenter
LEFT, RIGHT = MIDDLE | Qt.AlignmentFlag.AlignLeft, MIDDLE | Qt.AlignmentFlag.AlignRight
CENTRE = Qt.AlignmentFlag.AlignCenter


def radius(name: str) -> float:
    return float(tokens()["radius"][name])


def space(name: str) -> int:
    return int(tokens()["space"][name])


def line_width(name: str) -> float:
    """px, of a line in a plot or a picture."""
    return float(tokens()["line"][name])


def active_role(look: Look) -> str:
    """The colour of text and icons on `tint`."""
    return "accent_hi" if look.theme == "dark" else "accent"


def plate(painter: QPainter, area: QRectF, corner: float, fill: QColor | None, edge: QColor | None = None) -> None:
    """A rounded area; the edge is 1 px wide and lies inside."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(edge, 1.0) if edge is not None else Qt.PenStyle.NoPen)
    inner = area.adjusted(0.5, 0.5, -0.5, -0.5) if edge is not None else area
    painter.drawRoundedRect(inner, corner, corner)


def outline(painter: QPainter, area: QRectF, corner: float, color: QColor) -> None:
    """A rounded line, 2 px wide, along the inside of an area, and nothing in it."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, 2.0))
    painter.drawRoundedRect(area.adjusted(1.0, 1.0, -1.0, -1.0), corner, corner)


def write(
    painter: QPainter, area: QRectF | QRect, words: str, color: QColor, align: int | Qt.AlignmentFlag,
    letters: QFont | None = None,
) -> None:  # fmt: skip
    """Words in an area; without `letters` in those the painter has."""
    if letters is not None:
        painter.setFont(letters)
    painter.setPen(color)
    painter.drawText(area, align, words)


def fitting(words: str, letters: QFont, width: float) -> str:
    """As much of the words as there is room for, with an ellipsis where that is not all."""
    return QFontMetricsF(letters).elidedText(words, Qt.TextElideMode.ElideRight, width)
