"""SupportGraph: who carries whom, course by course. Bodies are chips; lines lead down to what carries them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF

from app.kit import paint_chip
from app.kit.painting import active_role, radius
from app.look.look import Look
from app.panels.seat_view import SeatView
from app.session.selection import Selection
from engine.scene.seat import Seat

COURSE = 40  # px from course to course
CHIP = QSize(38, 16)  # px, at most
GAP = 8  # px between chips
ABOVE, BELOW = 16, 12  # px over the highest course and under the ground
MARK = 4.0  # px, half width of the mark over a free body
REACH = 6.0  # px round a chip within which a click is meant for it
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class SupportGraph(SeatView):
    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, selection, "Who carries whom")
        self._rows: list[list[Seat]] = []
        self.setMouseTracking(True)

    def show_seats(
        self,
        seats: Sequence[Seat],
        places: Mapping[str, float],
        colors: Mapping[str, QColor],
        leaves: Mapping[str, str],
    ) -> None:
        """`places` orders the bodies of a course from left to right."""
        self._rows = [[] for _ in range(1 + max((seat.course for seat in seats), default=-1))]
        for seat in sorted(seats, key=lambda seat: (places.get(seat.id, 0.0), seat.name)):
            self._rows[seat.course].append(seat)
        self._show((seat for row in self._rows for seat in row), colors, leaves)

    def sizeHint(self) -> QSize:
        return QSize(240, ABOVE + COURSE * max(len(self._rows), 1) + BELOW)

    def chips(self) -> dict[str, QRectF]:
        """Where the bodies are, by id."""
        most = max((len(row) for row in self._rows), default=1)
        pitch = min(float(CHIP.width() + GAP), (self.width() - 4.0) / max(most, 1))
        wide = max(2.0, min(float(CHIP.width()), pitch - min(float(GAP), 0.3 * pitch)))
        found = {}
        for course, row in enumerate(self._rows):
            y = self._ground() - COURSE * course - CHIP.height() - 6.0
            left = 0.5 * (self.width() - pitch * len(row))
            for number, seat in enumerate(row):
                found[seat.id] = QRectF(left + pitch * number + 0.5 * (pitch - wide), y, wide, CHIP.height())
        return found

    def _ground(self) -> float:
        return float(self.height() - BELOW)

    def seat_at(self, place: QPointF) -> Seat | None:
        chips = self.chips()
        near = [seat for seat in self.seats if _grown(chips[seat.id]).contains(place)]
        return min(near, key=lambda seat: abs(chips[seat.id].center().x() - place.x()), default=None)

    # -- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chips, chosen = self.chips(), set(self.selection.ids)
        self._paint_ground(painter)
        for strong in (False, True):
            for seat in self.seats:
                for carrier in seat.below:
                    if carrier in chips and strong == bool(chosen & {seat.id, carrier}):
                        self._paint_line(painter, chips[seat.id], chips[carrier], strong)
        for seat in self.seats:
            self._paint_seat(painter, seat, chips[seat.id], seat.id in chosen)
        self.paint_ring(painter, QRectF(self.rect()), radius("field"))

    def _paint_ground(self, painter: QPainter) -> None:
        painter.setPen(QPen(self.look.color("line2"), 1.0))
        y = self._ground() + 0.5
        painter.drawLine(QPointF(0.0, y), QPointF(float(self.width()), y))

    def _paint_line(self, painter: QPainter, upper: QRectF, lower: QRectF, strong: bool) -> None:
        painter.setPen(QPen(self.look.color("text" if strong else "line2"), 1.8 if strong else 1.2))
        painter.drawLine(QPointF(upper.center().x(), upper.bottom()), QPointF(lower.center().x(), lower.top()))

    def _paint_seat(self, painter: QPainter, seat: Seat, chip: QRectF, chosen: bool) -> None:
        paint_chip(painter, chip, self.color_of(seat), self.look)
        self._paint_mark(painter, seat, chip)
        if chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("accent"), 2.0))
            painter.drawRoundedRect(chip.adjusted(-2.5, -2.5, 2.5, 2.5), 4.5, 4.5)

    def _paint_mark(self, painter: QPainter, seat: Seat, chip: QRectF) -> None:
        """A wedge where it can leave, an open one where it may all the same, a bar where it stays."""
        wish, wing = self.wish(seat), min(MARK, 0.5 * chip.width())
        tip = QPointF(chip.center().x(), chip.top() - 9.0)
        color = self.look.color(active_role(self.look) if wish else "text2")
        if wish == "never":
            painter.fillRect(QRectF(tip.x() - wing - 1.0, tip.y() + 2.5, 2.0 * wing + 2.0, 2.0), color)
        elif seat.free or wish == "free":
            painter.setPen(QPen(color, 1.2) if wish else Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush if wish else color)
            painter.drawPolygon(QPolygonF([tip, tip + QPointF(wing, 5.0), tip + QPointF(-wing, 5.0)]))

    # -- mouse and keys ----------------------------------------------------------------------------------------------

    def uses_key(self, event: QKeyEvent) -> bool:
        return event.key() in ARROWS

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.uses_key(event):
            super().keyPressEvent(event)
            return
        seat = self._neighbour(*ARROWS[Qt.Key(event.key())])
        if seat is not None:
            self.selection.set([seat.id])

    def _neighbour(self, across: int, up: int) -> Seat | None:
        """The body beside the active one, or the nearest of the next course."""
        chips = self.chips()
        place = next(
            ((c, n) for c, row in enumerate(self._rows) for n, s in enumerate(row) if s.id == self.selection.active),
            None,
        )
        if place is None:
            return self._rows[0][0] if self._rows and self._rows[0] else None
        course, number = place
        if across:
            row = self._rows[course]
            return row[min(max(number + across, 0), len(row) - 1)]
        here = chips[self._rows[course][number].id].center().x()
        row = self._rows[min(max(course + up, 0), len(self._rows) - 1)]
        return min(row, key=lambda seat: abs(chips[seat.id].center().x() - here), default=None)


def _grown(chip: QRectF) -> QRectF:
    return chip.adjusted(-REACH, -REACH, REACH, REACH)
