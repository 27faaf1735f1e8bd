"""FreeCorner: where a float lies over a picture without covering what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize

EDGE = 12  # px from the edges of the picture
TOP = 56  # px from its upper edge, where its pills are


def corners(room: QSize, inside: QSize) -> tuple[QPoint, ...]:
    """Upper left pixels of a float in the lower left, the lower right and the upper left corner, in the order they are
    liked. The fourth one has the axes."""
    right, low = max(EDGE, inside.width() - room.width() - EDGE), max(EDGE, inside.height() - room.height() - EDGE)
    return QPoint(EDGE, low), QPoint(right, low), QPoint(EDGE, min(TOP, low))


def free_corner(room: QSize, inside: QSize, busy: Sequence[QRectF]) -> int:
    """The first corner that covers nothing of what is busy, else the one that covers the fewest of it."""
    covered = []
    for place in corners(room, inside):
        area = QRectF(place.x(), place.y(), room.width(), room.height()).adjusted(-EDGE, -EDGE, EDGE, EDGE)
        covered.append(sum(area.intersects(one) for one in busy))
    return covered.index(min(covered))
