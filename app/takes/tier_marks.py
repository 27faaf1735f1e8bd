"""Tiers as small marks: the glyph of one, and a bar of the shares of all. Always colour and shape and hatch."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.look.look import Look, tokens

LEAST = 3.0  # px of a share that is there at all
HATCHES: dict[str, tuple[tuple[float, ...], float, float]] = {  # angles (degrees), distance, width (px)
    "tuned": ((90.0,), 4.0, 1.2),
    "plastic": ((0.0,), 4.0, 1.3),
    "ghosted": ((45.0,), 6.0, 2.6),
    "assisted": ((45.0, 135.0), 5.0, 1.5),
}


def tier_names() -> list[str]:
    """From the best to the worst."""
    table = tokens()["tiers"]
    return sorted(table, key=lambda name: int(table[name]["order"]))


def tier_label(tier: int) -> str:
    return str(tokens()["tiers"][tier_names()[tier]]["label"])


def paint_glyph(painter: QPainter, center: QPointF, tier: int, look: Look, reach: float = 4.0) -> None:
    """The shape of a tier, `reach` px from its centre to its edge."""
    name = tier_names()[tier]
    color = look.color(f"{name}_fill")
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    x, y = center.x(), center.y()
    if name == "exact":
        painter.drawEllipse(center, 0.9 * reach, 0.9 * reach)
    elif name == "tuned":
        painter.drawPolygon(_polygon((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)))
    elif name == "plastic":
        painter.drawRect(QRectF(x - 0.8 * reach, y - 0.8 * reach, 1.6 * reach, 1.6 * reach))
    elif name == "ghosted":
        pen = QPen(color, 2.0, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([1.2, 1.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(center, 0.85 * reach, 0.85 * reach)
    else:
        painter.drawPolygon(_polygon((x, y - reach), (x + reach, y + 0.85 * reach), (x - reach, y + 0.85 * reach)))
    painter.restore()


def paint_shares(painter: QPainter, area: QRectF, shares: Sequence[float], look: Look) -> None:
    """One bar, best tier first; a share that is there is never too thin to be seen. Without contacts: a rule."""
    total = sum(shares)
    if total <= 0.0:
        painter.fillRect(QRectF(area.left(), area.bottom() - 1.5, area.width(), 1.5), look.color("line2"))
        return
    left = area.left()
    for tier, width in enumerate(_widths(shares, total, area.width())):
        if width > 0.0:
            _paint_share(painter, QRectF(left, area.top(), width, area.height()), tier_names()[tier], look)
            left += width


def _widths(shares: Sequence[float], total: float, room: float) -> list[float]:
    wished = [max(LEAST, room * share / total) if share > 0.0 else 0.0 for share in shares]
    largest = wished.index(max(wished))
    wished[largest] -= sum(wished) - room
    return wished


def _paint_share(painter: QPainter, area: QRectF, name: str, look: Look) -> None:
    color = look.color(f"{name}_fill")
    if name not in HATCHES:
        painter.fillRect(area, color)
        return
    angles, distance, width = HATCHES[name]
    painter.save()
    painter.setClipRect(area)
    painter.fillRect(area, look.color(f"{name}_fill", 0.25))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, width))
    reach = area.width() + area.height()
    center = area.center()
    for angle in angles:
        along = QPointF(math.cos(math.radians(angle)), -math.sin(math.radians(angle)))
        across = QPointF(-along.y(), along.x())
        for step in range(-int(reach / distance), int(reach / distance) + 1):
            middle = center + across * (step * distance)
            painter.drawLine(middle - along * reach, middle + along * reach)
    painter.restore()


def _polygon(*points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(*point) for point in points])
