"""How a tier is told: always by colour, by the shape of its sign, and by the hatch of its stretch of a bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.look.look import Look
from app.look.tiers import tier_entry, tier_names, tier_rank

GLYPH = 9.0  # px across
LEAST = 3.0  # px of a share that is there at all
FAINT = 0.3  # opacity of the ground under a hatch
HATCHES: dict[str, tuple[float, float, tuple[float, ...]]] = {
    "vertical lines": (1.2, 4.0, (90.0,)),
    "horizontal lines": (1.3, 4.0, (0.0,)),
    "diagonal hatch": (2.6, 6.0, (45.0,)),
    "cross hatch": (1.5, 5.0, (45.0, 135.0)),
    "back hatch": (1.3, 5.0, (135.0,)),
}
"""Name in the tokens -> width of a line, distance between lines (px), directions (degrees)."""


def paint_glyph(painter: QPainter, tier: int, centre: QPointF, look: Look) -> None:
    """The sign of a tier."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = look.color(f"{tier_names()[tier]}_fill")
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    SHAPES[str(tier_entry(tier)["shape"])](painter, centre, color)
    painter.restore()


def paint_stretch(painter: QPainter, tier: int, area: QRectF, look: Look) -> None:
    """A part of the strip: solid when exact, else hatched."""
    color, name = look.color(f"{tier_names()[tier]}_fill"), str(tier_entry(tier)["strip_fill"])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    if name not in HATCHES:
        painter.setBrush(color)
        painter.drawRoundedRect(area, 1.5, 1.5)
    else:
        ground = QColor(color)
        ground.setAlphaF(FAINT * color.alphaF())
        painter.setBrush(ground)
        painter.drawRect(area)
        width, apart, directions = HATCHES[name]
        hatch(painter, area, QPen(color, width), apart, directions)
    painter.restore()


def paint_shares(painter: QPainter, area: QRectF, shares: Sequence[float], look: Look) -> None:
    """One bar, best tier first; a share that is there is never too thin to be seen. Without contacts: a rule."""
    total = sum(shares)
    if total <= 0.0:
        painter.fillRect(QRectF(area.left(), area.bottom() - 1.5, area.width(), 1.5), look.color("line2"))
        return
    left = area.left()
    widths = share_widths(shares, area.width())
    for tier in sorted(range(len(widths)), key=tier_rank):
        if widths[tier] > 0.0:
            paint_stretch(painter, tier, QRectF(left, area.top(), widths[tier], area.height()), look)
            left += widths[tier]


def share_widths(shares: Sequence[float], room: float) -> list[float]:
    """px of each share in a bar; what the thin ones get more than their due is taken from the largest."""
    total = sum(shares)
    widths = [max(LEAST, room * share / total) if share > 0.0 else 0.0 for share in shares]
    widths[widths.index(max(widths))] -= sum(widths) - room
    return widths


def hatch(painter: QPainter, area: QRectF, pen: QPen, apart: float, directions: tuple[float, ...]) -> None:
    """Parallel lines across an area. They hang on the place, not on the area: neighbours go on without a seam."""
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setPen(pen)
    corners = np.array([[area.left(), area.top()], [area.right(), area.bottom()]])
    x, y = np.meshgrid(corners[:, 0], corners[:, 1])
    for degrees in directions:
        along = np.array([np.cos(np.radians(degrees)), -np.sin(np.radians(degrees))])
        across = np.array([-along[1], along[0]])
        reach = along[0] * x + along[1] * y
        side = across[0] * x + across[1] * y
        places = apart * (0.5 + np.arange(np.floor(side.min() / apart) - 1, np.ceil(side.max() / apart) + 1))
        ends = [QPointF(*(float(end) * along)) for end in (reach.min(), reach.max())]
        for place in places:
            off = QPointF(*(float(place) * across))
            painter.drawLine(QLineF(ends[0] + off, ends[1] + off))
    painter.restore()


def _circle(painter: QPainter, at: QPointF, color: QColor) -> None:
    painter.drawEllipse(at, 0.44 * GLYPH, 0.44 * GLYPH)


def _diamond(painter: QPainter, at: QPointF, color: QColor) -> None:
    r = 0.56 * GLYPH
    corners = [at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r), at + QPointF(-r, 0)]
    painter.drawPolygon(QPolygonF(corners))


def _square(painter: QPainter, at: QPointF, color: QColor) -> None:
    r = 0.42 * GLYPH
    painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r))


def _dashed_ring(painter: QPainter, at: QPointF, color: QColor) -> None:
    pen = QPen(color, 2.2)
    pen.setDashPattern([1.1, 0.75])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, 0.38 * GLYPH, 0.38 * GLYPH)


def _ring(painter: QPainter, at: QPointF, color: QColor) -> None:
    painter.setPen(QPen(color, 1.8))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, 0.36 * GLYPH, 0.36 * GLYPH)


def _triangle(painter: QPainter, at: QPointF, color: QColor) -> None:
    r = 0.5 * GLYPH
    painter.drawPolygon(QPolygonF([at + QPointF(0, -r), at + QPointF(r, 0.85 * r), at + QPointF(-r, 0.85 * r)]))


SHAPES: dict[str, Callable[[QPainter, QPointF, QColor], None]] = {
    "circle": _circle,
    "diamond": _diamond,
    "square": _square,
    "dashed ring": _dashed_ring,
    "triangle": _triangle,
    "ring": _ring,
}
