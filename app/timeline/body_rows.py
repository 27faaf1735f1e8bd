"""The rows: one per body that moves. A thin line while a hand has it, a bar while it moves by itself, a notch per
contact, a handle where it comes to rest."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.kit import letters, measures
from app.kit.painting import MIDDLE, fitting, write
from app.look.icons import icon
from app.look.look import Look, size, tokens
from app.timeline.in_hand import in_hand, let_go
from app.timeline.shown import Row, Shown

QUIET = 0.62  # opacity of the bar of a body that is not selected
CHIP = 10  # px
LABEL_LEFT = 14  # px
HANDLE_REACH = 7.0  # px to each side of a handle in which it can be taken
NOTCH = 2.0  # px wide
HAND = 2.0  # px, of the line while a hand has a body
LET_GO = 6.0  # px, of the mark where the line of one that is laid ends
TOO_ALIKE = 0.25  # difference in lightness below which a notch would not be seen on its bar


def handle_size() -> tuple[float, float]:
    width, height = tokens()["size"]["arrival_handle"]
    return float(width), float(height)


def paint_rows(painter: QPainter, shown: Shown) -> None:
    """Only those in sight."""
    area = shown.areas.body_rows
    painter.save()
    painter.setClipRect(area)
    for number in shown.areas.visible_rows:
        row, place = shown.rows[number], shown.areas.row(number)
        if row.id in shown.selected:
            painter.fillRect(place, shown.look.color("tint"))
    painter.setClipRect(QRect(shown.areas.labels, area.y(), area.width() - shown.areas.labels, area.height()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number in shown.areas.visible_rows:
        _paint_bar(painter, shown, shown.rows[number], shown.areas.row(number), number == shown.held)
    painter.restore()


def paint_row_labels(painter: QPainter, shown: Shown) -> None:
    area = shown.areas.body_rows
    painter.save()
    painter.setClipRect(QRect(0, area.y(), shown.areas.labels, area.height()))
    painter.setFont(letters("body"))
    metrics = measures("body")
    for number in shown.areas.visible_rows:
        row, place = shown.rows[number], shown.areas.row(number)
        _paint_chip(painter, shown.look, row, place)
        left = LABEL_LEFT + CHIP + 8
        room = shown.areas.labels - left - 12 - (size("icon") + 8 if row.hinted else 0)
        name = fitting(row.name, letters("body"), room)
        write(painter, QRectF(left, place.y(), room + 1, place.height()), name, shown.look.color("text"), MIDDLE)
        if row.hinted:
            at = left + int(metrics.horizontalAdvance(name)) + 8
            top = place.y() + (place.height() - size("icon")) // 2
            icon(shown.look, "hint.mark", "hint").paint(painter, at, top, size("icon"), size("icon"))
    painter.restore()


def _paint_chip(painter: QPainter, look: Look, row: Row, place: QRect) -> None:
    color = QColor(row.color)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(color)
    painter.setPen(QPen(color.darker(135), 1.0) if look.theme == "light" else Qt.PenStyle.NoPen)
    painter.drawRoundedRect(QRectF(LABEL_LEFT, place.y() + 0.5 * (place.height() - CHIP), CHIP, CHIP), 3.0, 3.0)


def bar_area(shown: Shown, row: Row, place: QRect) -> QRectF:
    """Without a width for a body that a hand has until it rests."""
    height, right = size("arrival_bar"), shown.rest_x(row)
    left = min(right, shown.axis.x(let_go(shown.index.film, row.film)))
    return QRectF(left, place.y() + 0.5 * (place.height() - height), right - left, height)


def hand_area(shown: Shown, row: Row, place: QRect) -> QRectF | None:
    """Where a hand has it."""
    held = in_hand(shown.index.film, row.film)
    if held is None:
        return None
    left, right = shown.axis.x(held.first), shown.axis.x(held.last)
    return QRectF(left, place.y() + 0.5 * (place.height() - HAND), right - left, HAND)


def _paint_bar(painter: QPainter, shown: Shown, row: Row, place: QRect, held: bool) -> None:
    look, bar, strong = shown.look, bar_area(shown, row, place), row.id in shown.selected
    color = QColor(row.color)
    fill = QColor(color)
    fill.setAlphaF(1.0 if strong else QUIET)
    edge = color.darker(135) if look.theme == "light" else color
    hand, taken = hand_area(shown, row, place), bar
    if hand is not None:
        taken = bar.united(hand)
        painter.fillRect(hand, edge)
        painter.fillRect(QRectF(hand.right() - 0.5 * HAND, hand.center().y() - 0.5 * LET_GO, HAND, LET_GO), edge)
    if bar.width() >= 1.0:
        painter.setPen(QPen(edge, 1.0))
        painter.setBrush(fill)
        painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5)
        _paint_notches(painter, shown, row, bar)
    _paint_tail(painter, shown, row, taken, strong)
    _paint_handle(painter, look, shown.rest_x(row), place, active=strong, hollow=False)
    asked = shown.asked_x(row)
    if asked is not None:
        _paint_handle(painter, look, asked, place, active=strong, hollow=True)
    if held:
        width, height = handle_size()
        ring = QRectF(shown.handle_x(row) - 0.5 * width, place.center().y() + 0.5 - 0.5 * height, width, height)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(look.color("focus"), 2.0))
        painter.drawRoundedRect(ring.adjusted(-2, -2, 2, 2), 4.0, 4.0)


def _paint_notches(painter: QPainter, shown: Shown, row: Row, bar: QRectF) -> None:
    """One per pixel at most."""
    events = shown.index.events(row.film)
    x = np.unique(np.round(shown.axis.x(shown.index.film.event_time[events])))
    x = x[(x > bar.left() + NOTCH) & (x < bar.right() - NOTCH) & (x >= shown.areas.labels) & (x < shown.areas.width)]
    color = shown.look.color("well")
    if abs(color.lightnessF() - QColor(row.color).lightnessF()) < TOO_ALIKE:
        color = QColor(row.color).darker(180) if shown.look.theme == "light" else shown.look.color("text2")
    for place in x.tolist():
        painter.fillRect(QRectF(place - 0.5 * NOTCH, bar.top() + 1.0, NOTCH, bar.height() - 2.0), color)


def _paint_tail(painter: QPainter, shown: Shown, row: Row, taken: QRectF, strong: bool) -> None:
    """The frame, and dots until the ending: it stays where it is. `taken`: by the hand's line and the bar."""
    frame = shown.rest_frame(row)
    words = f"rests at {frame}" if strong else str(frame)
    ending, y = shown.axis.x(shown.playback.ending), taken.center().y()
    left, width = taken.right() + 9.0, measures("caption").horizontalAdvance(words)
    asked = shown.asked_x(row)
    if asked is not None and left - 6.0 < asked < left + width + 6.0:
        left = asked + 9.0  # the hollow handle would stand on the number
    start = left + width + 8.0
    if left < ending < start - 4.0:  # it would stand on the mark of the ending
        left = taken.left() - 9.0 - width
    write(painter, QRectF(left, y - 10.0, width + 2, 20.0), words,
          shown.look.color("text" if strong else "text3"), MIDDLE, letters("caption"))  # fmt: skip
    dots = QColor(row.color)
    dots.setAlphaF(0.75)
    pen = QPen(dots, 1.6)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1.0, 1.6])
    painter.setPen(pen)
    start, end = max(start, float(shown.areas.labels)), min(ending - 4.0, float(shown.areas.width))
    if end > start:
        painter.drawLine(QPointF(start, y), QPointF(end, y))


def _paint_handle(painter: QPainter, look: Look, x: float, place: QRect, active: bool, hollow: bool) -> None:
    width, height = handle_size()
    area = QRectF(x - 0.5 * width, place.center().y() + 0.5 - 0.5 * height, width, height)
    color = look.color("accent" if active else "text2")
    painter.setPen(QPen(color if hollow else look.color("well"), 1.0))
    painter.setBrush(look.color("well") if hollow else color)
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5)
    painter.setPen(QPen(color if hollow else look.color("well"), 1.4))
    painter.drawLine(QPointF(x, area.top() + 6.0), QPointF(x, area.bottom() - 6.0))


def handle_at(shown: Shown, x: float, y: float) -> int | None:
    """The row whose arrival can be dragged from a place."""
    number = shown.areas.row_at(int(y))
    if number is None or x < shown.areas.labels:
        return None
    row = shown.rows[number]
    places = (shown.handle_x(row), shown.rest_x(row))
    return number if min(abs(x - place) for place in places) <= HANDLE_REACH else None
