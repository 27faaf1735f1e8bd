"""ArrivalList: the bodies of a stack in an order in which they can have come: what carries others before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.look.fonts import font
from app.look.look import Look
from app.panels.body_color import paint_chip
from app.panels.control import Control, plate, radius
from app.panels.support_graph import words_of
from app.session.selection import Selection
from engine.scene.seat import Seat

ROW = 27  # px
NUMBER, CHIP, LEFT = 24, 12, 4  # px: width of the numbers, side of the chip, inset


class ArrivalList(Control):
    def __init__(self, look: Look, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self._selection = selection
        self.seats: tuple[Seat, ...] = ()
        self._colors: Mapping[str, QColor] = {}
        self._times: Mapping[str, float] = {}
        self.setFont(font("body"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Order of arrival")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        selection.changed.connect(self.update)

    def show_seats(self, seats: Sequence[Seat], colors: Mapping[str, QColor], times: Mapping[str, float]) -> None:
        """`times`: arrivals the artist has fixed, s before the end."""
        self.seats, self._colors, self._times = tuple(seats), colors, times
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, ROW * len(self.seats))

    def words(self, seat: Seat) -> str:
        """What stands at the right of a row."""
        time = self._times.get(seat.id)
        return ("can leave" if seat.free else "held") + (f" · {time:g} s" if time is not None else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        first, last = event.rect().top() // ROW, event.rect().bottom() // ROW
        for number in range(first, min(last + 1, len(self.seats))):
            self._paint_row(painter, number, QRectF(0.0, ROW * number, self.width(), ROW))
        self.paint_ring(painter, QRectF(self.rect()), radius("field"))

    def _paint_row(self, painter: QPainter, number: int, area: QRectF) -> None:
        seat = self.seats[number]
        if seat.id in self._selection.ids:
            plate(painter, area.adjusted(0, 1, 0, -1), radius("field"), self.look.color("tint"))
        line = QFontMetrics(self.font())
        right = self.words(seat)
        taken = line.horizontalAdvance(right) + 2 * LEFT
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self.look.color("text3"))
        painter.drawText(QRectF(LEFT, area.y(), NUMBER - 6, ROW), middle | Qt.AlignmentFlag.AlignRight, str(number + 1))
        painter.drawText(area.adjusted(0, 0, -LEFT, 0), middle | Qt.AlignmentFlag.AlignRight, right)
        chip = QRectF(LEFT + NUMBER + 4, area.center().y() - 0.5 * CHIP, CHIP, CHIP)
        paint_chip(painter, chip, self._colors.get(seat.id, self.look.color("text3")), self.look)
        name = QRectF(chip.right() + 8, area.y(), max(area.width() - chip.right() - 8 - taken, 0.0), ROW)
        painter.setPen(self.look.color("text"))
        painter.drawText(name, middle, line.elidedText(seat.name, Qt.TextElideMode.ElideRight, int(name.width())))

    def seat_at(self, place: QPointF) -> Seat | None:
        number = int(place.y() // ROW)
        return self.seats[number] if 0 <= number < len(self.seats) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        seat = self.seat_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and seat is not None:
            self.ring = False
            self._selection.set([seat.id])

    def uses_key(self, event: QKeyEvent) -> bool:
        return event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.uses_key(event) or not self.seats:
            super().keyPressEvent(event)
            return
        at = next((n for n, seat in enumerate(self.seats) if seat.id == self._selection.active), None)
        step = 1 if event.key() == Qt.Key.Key_Down else -1
        self._selection.set([self.seats[0 if at is None else min(max(at + step, 0), len(self.seats) - 1)].id])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            seat = self.seat_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), words_of(seat) if seat is not None else "", self)
            return True
        return super().event(event)
