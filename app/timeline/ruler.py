"""The ruler: frame numbers, the range that plays, and the pills of the playhead and of the ending."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.kit import BOLD, letters, measures
from app.kit.painting import CENTRE, plate, write
from app.look.look import Look, tokens
from app.timeline.shown import Shown
from app.timeline.time_axis import number_step, tick_step

PILL_HEIGHT, PILL_MARGIN, PILL_RADIUS = 18.0, 7.0, 4.0  # px
NUMBER_HEIGHT = 18.0  # px
GRIP = (6.0, 10.0)  # px, handle of the range
GRIP_REACH = 8.0  # px to each side in which it can be taken
ENDING = "Ending"


def numbered_frames(shown: Shown) -> list[int]:
    """Frames in sight that have a number."""
    axis, playback = shown.axis, shown.playback
    step = number_step(axis.scale / playback.fps, playback.fps)
    first = max(0, math.ceil((playback.frame_at(axis.first)) / step) * step)
    return list(range(first, playback.frame_at(axis.last) + 1, step))


def paint_ruler(painter: QPainter, shown: Shown) -> None:
    look, area, axis, playback = shown.look, shown.areas.ruler, shown.axis, shown.playback
    painter.fillRect(area, look.color("panel"))
    frames = numbered_frames(shown)
    px = axis.scale / playback.fps
    small = tick_step(number_step(px, playback.fps), px)
    bottom = area.y() + area.height()
    painter.setPen(QPen(look.color("line2"), 1.0))
    first = max(0, math.floor(playback.frame_at(axis.first) / small) * small)
    for frame in range(first, playback.frame_at(axis.last) + 1, small):
        x = axis.x(playback.time_of(frame))
        painter.drawLine(QPointF(x, bottom - 4.0), QPointF(x, bottom))
    painter.setFont(letters("caption"))
    painter.setPen(look.color("text2"))
    for frame in frames:
        place = _number_place(shown, frame)
        if area.left() <= place.left() and place.right() <= area.right():
            painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), str(frame))
    _paint_range(painter, shown)


def _paint_range(painter: QPainter, shown: Shown) -> None:
    """A line under the numbers, with a bracket at both ends."""
    look, area = shown.look, shown.areas.ruler
    bottom = float(area.y() + area.height())
    left, right = (shown.axis.x(time) for time in shown.playback.range)
    part = shown.playback.range != (shown.playback.first, shown.playback.last)
    color = look.color("accent" if part else "control_edge")
    painter.fillRect(QRectF(left, bottom - 2.0, right - left, 2.0), look.color("accent" if part else "line2"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for x, side in ((left, 1.0), (right, -1.0)):
        path = QPainterPath(QPointF(x, bottom))
        path.lineTo(x, bottom - GRIP[1])
        path.lineTo(x + side * GRIP[0], bottom)
        path.closeSubpath()
        painter.fillPath(path, color)


def range_end_at(shown: Shown, x: float, y: float) -> int | None:
    """0 for the start of the range, 1 for its end: which handle is there, if any."""
    area = shown.areas.ruler
    if not area.y() + 0.5 * area.height() <= y < area.y() + area.height():
        return None
    apart = [abs(x - shown.axis.x(time)) for time in shown.playback.range]
    nearest = 0 if apart[0] < apart[1] else 1
    return nearest if apart[nearest] <= GRIP_REACH else None


def playhead_pill(shown: Shown) -> QRectF:
    return _pill(shown, shown.axis.x(shown.playback.time), str(shown.playback.frame))


def ending_pill(shown: Shown) -> QRectF:
    """Over the ending, or beside the playhead when that stands there."""
    pill = _pill(shown, shown.axis.x(shown.playback.ending), ENDING)
    head = playhead_pill(shown)
    if pill.intersects(head):
        pill.moveLeft(head.right() + 4.0)
        if pill.right() > shown.areas.width:
            pill.moveRight(head.left() - 4.0)
    return pill


def _number_place(shown: Shown, frame: int) -> QRectF:
    x, half = shown.axis.x(shown.playback.time_of(frame)), 0.5 * measures("caption").horizontalAdvance(str(frame)) + 2.0
    return QRectF(x - half, shown.areas.ruler.y(), 2.0 * half, NUMBER_HEIGHT)


def _pill(shown: Shown, x: float, words: str) -> QRectF:
    width = max(26.0, measures("small", BOLD).horizontalAdvance(words) + 2.0 * PILL_MARGIN)
    area = shown.areas.ruler
    return QRectF(round(x - 0.5 * width), area.y() + 2.0, width, PILL_HEIGHT)


def paint_pills(painter: QPainter, shown: Shown) -> None:
    look = shown.look
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(shown.areas.ruler)
    head, ending = playhead_pill(shown), ending_pill(shown)
    for frame in numbered_frames(shown):  # half a number beside a pill would be read as another one
        place = _number_place(shown, frame)
        if place.intersects(head) or place.intersects(ending):
            painter.fillRect(place, look.color("panel"))
    _paint_pill(painter, ending, ENDING, look.color("text"), look.color("panel"))
    _paint_pill(painter, head, str(shown.playback.frame), look.color("accent"), look.color("on_accent"))
    painter.setClipping(False)


def _paint_pill(painter: QPainter, area: QRectF, words: str, fill: QColor, ink: QColor) -> None:
    plate(painter, area, PILL_RADIUS, fill)
    write(painter, area, words, ink, CENTRE, letters("small", BOLD))


def paint_ending(painter: QPainter, shown: Shown) -> None:
    """The double bar at the authored frame, from the ruler down."""
    thick, thin = (float(width) for width in tokens()["line"]["ending_mark"])
    x, top = shown.axis.x(shown.playback.ending), float(shown.areas.ruler.height())
    if x >= shown.areas.labels:
        height = shown.areas.height - top
        painter.fillRect(QRectF(x - 0.5 * thick, top, thick, height), shown.look.color("text"))
        painter.fillRect(QRectF(x + 0.5 * thick + 2.0, top, thin, height), shown.look.color("text"))


def playhead_pen(look: Look) -> QPen:
    return QPen(look.color("accent"), float(tokens()["line"]["playhead"]))
