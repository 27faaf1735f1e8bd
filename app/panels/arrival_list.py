"""ArrivalList: the bodies of a stack in an order in which they can have come: what carries others before them. Rows are
dragged, or moved with Alt and the arrows, to ask for another order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QToolTip

from app.kit import EdgeScroll, paint_chip
from app.kit.painting import MIDDLE, RIGHT, active_role, plate, radius, write
from app.look.fonts import font
from app.look.look import Look
from app.panels.seat_view import ADDS, SeatView
from app.session.selection import Selection
from engine.scene.seat import Seat
from engine.scene.succession import shifted, too_early

ROW = 27  # px
NUMBER, CHIP, LEFT = 24, 12, 4  # px: width of the numbers, side of the chip, inset
ALONE = {"free": "may leave", "never": "stays"}
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class ArrivalList(SeatView):
    """Signals:
    arranged(ids, order)   these bodies were moved; ids of all bodies, the first to arrive first
    refused(words)         why they cannot stand there; "" when there is nothing to say any more
    let_go()               no row is held any more
    """

    arranged = Signal(object, object)
    refused = Signal(str)
    let_go = Signal()

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, selection, "Order of arrival")
        self._times: Mapping[str, float] = {}
        self._carriers: Mapping[str, frozenset[str]] = {}
        self._pressed: QPointF | None = None
        self._gap: int | None = None  # the row before which what is dragged would be put
        self._pointer = QPoint()  # on the screen, while dragging
        self._edge = EdgeScroll(self)
        self._edge.scrolled.connect(self._aim)
        self.setFont(font("body"))

    def show_seats(
        self,
        seats: Sequence[Seat],
        colors: Mapping[str, QColor],
        times: Mapping[str, float],
        leaves: Mapping[str, str],
        carriers: Mapping[str, frozenset[str]],
    ) -> None:
        """`seats` as they come to rest; `times`: arrivals the artist has fixed, s before the end; `carriers`: what must
        come before each."""
        self._times, self._carriers = times, carriers
        self._show(seats, colors, leaves)

    def sizeHint(self) -> QSize:
        return QSize(240, ROW * len(self.seats))

    def words(self, seat: Seat) -> str:
        """What stands at the right of a row."""
        time = self._times.get(seat.id)
        verdict = ALONE.get(self.wish(seat), "can leave" if seat.free else "held")
        return verdict + (f" · {time:g} s" if time is not None else "")

    # -- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        first, last = event.rect().top() // ROW, event.rect().bottom() // ROW
        for number in range(first, min(last + 1, len(self.seats))):
            self._paint_row(painter, number, QRectF(0.0, ROW * number, self.width(), ROW))
        if self._gap is not None:
            y = min(max(ROW * self._gap, 1), self.height() - 1)
            painter.setPen(QPen(self.look.color("assisted" if self._why_not(self._gap) else "accent"), 2.0))
            painter.drawLine(QPointF(0.0, y), QPointF(float(self.width()), y))
        self.paint_ring(painter, QRectF(self.rect()), radius("field"))

    def _paint_row(self, painter: QPainter, number: int, area: QRectF) -> None:
        seat = self.seats[number]
        if seat.id in self.selection.ids:
            plate(painter, area.adjusted(0, 1, 0, -1), radius("field"), self.look.color("tint"))
        line = QFontMetrics(self.font())
        right = self.words(seat)
        taken = line.horizontalAdvance(right) + 2 * LEFT
        write(painter, QRectF(LEFT, area.y(), NUMBER - 6, ROW), str(number + 1), self.look.color("text3"), RIGHT)
        role = active_role(self.look) if self.wish(seat) else "text3"
        write(painter, area.adjusted(0, 0, -LEFT, 0), right, self.look.color(role), RIGHT)
        chip = QRectF(LEFT + NUMBER + 4, area.center().y() - 0.5 * CHIP, CHIP, CHIP)
        paint_chip(painter, chip, self.color_of(seat), self.look)
        name = QRectF(chip.right() + 8, area.y(), max(area.width() - chip.right() - 8 - taken, 0.0), ROW)
        shown = line.elidedText(seat.name, Qt.TextElideMode.ElideRight, int(name.width()))
        write(painter, name, shown, self.look.color("text"), MIDDLE)

    def seat_at(self, place: QPointF) -> Seat | None:
        number = int(place.y() // ROW)
        return self.seats[number] if 0 <= number < len(self.seats) else None

    # -- another order -----------------------------------------------------------------------------------------------

    @property
    def held(self) -> bool:
        """Is a row under a pressed button? Then nothing above the list may change its height."""
        return self._pressed is not None

    def _dragged(self) -> list[str]:
        """Ids of the selected bodies, as they come."""
        return [seat.id for seat in self.seats if seat.id in self.selection.ids]

    def _order(self, gap: int) -> list[str]:
        """All bodies with the dragged ones put before the row `gap`."""
        return shifted([seat.id for seat in self.seats], self._dragged(), gap)

    def _why_not(self, gap: int) -> str:
        """Who stands in the way of this order, in words."""
        names = {seat.id: seat.name for seat in self.seats}
        wrong = too_early(self._order(gap), self._carriers)
        return f'"{names[wrong[0][0]]}" stands on "{names[wrong[0][1]]}" and cannot come before it.' if wrong else ""

    def _arrange(self, gap: int) -> None:
        why, order = self._why_not(gap), self._order(gap)
        self.refused.emit(why)
        if not why and order != [seat.id for seat in self.seats]:
            self.arranged.emit(self._dragged(), order)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        seat = self.seat_at(event.position())
        if seat is not None and event.button() == Qt.MouseButton.LeftButton:
            self.ring = False
            self._pressed = event.position()
        together = seat is not None and seat.id in self.selection.ids and not event.modifiers() & ADDS
        if not together:  # one of several that are selected takes the others along
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        way = (event.position() - self._pressed).manhattanLength()
        if self._gap is None and (way < QApplication.startDragDistance() or not self._dragged()):
            return
        self._pointer = event.globalPosition().toPoint()
        self._edge.follow(self._pointer)
        self._aim()

    def _aim(self) -> None:
        """At the gap that is now under the pointer."""
        self._gap = min(max(round(self.mapFromGlobal(self._pointer).y() / ROW), 0), len(self.seats))
        QToolTip.showText(self._pointer, self._why_not(self._gap), self)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        gap, pressed = self._gap, self._pressed
        self._stop_dragging()
        if gap is not None:
            self._arrange(gap)
        elif pressed is not None and not event.modifiers() & ADDS and len(self.selection.ids) > 1:
            seat = self.seat_at(event.position())
            self.selection.set([seat.id] if seat is not None else self.selection.ids)
        if pressed is not None:
            self.let_go.emit()

    def _stop_dragging(self) -> None:
        self._gap = self._pressed = None
        self._edge.stop()
        QToolTip.hideText()
        self.update()

    def uses_key(self, event: QKeyEvent) -> bool:
        return event.key() in STEPS or (self._gap is not None and event.key() == Qt.Key.Key_Escape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.uses_key(event) or not self.seats:
            super().keyPressEvent(event)
            return
        if event.key() == Qt.Key.Key_Escape:
            self._stop_dragging()
            self.let_go.emit()
            return
        step = STEPS[Qt.Key(event.key())]
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._step(step)
            return
        at = next((n for n, seat in enumerate(self.seats) if seat.id == self.selection.active), None)
        self.selection.set([self.seats[0 if at is None else min(max(at + step, 0), len(self.seats) - 1)].id])

    def _step(self, step: int) -> None:
        """The selected bodies one place up or down."""
        places = [n for n, seat in enumerate(self.seats) if seat.id in self.selection.ids]
        if places:
            gap = places[0] - 1 if step < 0 else places[-1] + 2
            self._arrange(min(max(gap, 0), len(self.seats)))
