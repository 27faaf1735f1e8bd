"""Where a float lies."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QRectF, QSize

from app.kit.free_corner import EDGE, corners, free_corner

ROOM, INSIDE = QSize(284, 240), QSize(1280, 800)
LOWER_LEFT, LOWER_RIGHT, UPPER_LEFT = range(3)


def at(x: float, y: float) -> QRectF:
    return QRectF(x - 5.0, y - 5.0, 10.0, 10.0)


def test_the_corner_that_is_liked_most_of_those_that_are_free() -> None:
    assert free_corner(ROOM, INSIDE, []) == LOWER_LEFT
    assert free_corner(ROOM, INSIDE, [at(640, 400)]) == LOWER_LEFT
    assert free_corner(ROOM, INSIDE, [at(100, 700)]) == LOWER_RIGHT
    assert free_corner(ROOM, INSIDE, [at(100, 700), at(1200, 700)]) == UPPER_LEFT
    assert free_corner(ROOM, INSIDE, [at(100, 700), at(120, 700), at(1200, 700), at(90, 90), at(90, 95)]) == LOWER_RIGHT


@given(st.integers(320, 3000), st.integers(260, 2000))
def test_floats_lie_inside_where_there_is_room(width: int, height: int) -> None:
    inside = QRect(0, 0, width, height).adjusted(EDGE, EDGE, -EDGE, -EDGE)
    for place in corners(ROOM, QSize(width, height)):
        fits = ROOM.width() <= inside.width() and ROOM.height() <= inside.height()
        assert not fits or inside.contains(QRect(place, ROOM))
        assert place.x() >= EDGE and place.y() >= EDGE and isinstance(place, QPoint)
