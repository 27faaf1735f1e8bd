"""SeatView: what the two pictures of a stack share: bodies that are clicked, explained and marked as selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.kit import Control
from app.look.look import Look
from app.session.selection import Selection
from engine.scene.seat import Seat

ADDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
WISHES = {"free": "may leave all the same", "never": "stays"}
"""What the artist said against the verdict, in words."""


class SeatView(Control):
    def __init__(self, look: Look, selection: Selection, name: str) -> None:
        super().__init__(look)
        self.selection = selection
        self.seats: tuple[Seat, ...] = ()
        self.colors: Mapping[str, QColor] = {}
        self.leaves: Mapping[str, str] = {}  # Body.leaves by id
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        selection.changed.connect(self._show_selection)

    def _show(self, seats: Iterable[Seat], colors: Mapping[str, QColor], leaves: Mapping[str, str]) -> None:
        self.seats, self.colors, self.leaves = tuple(seats), colors, leaves
        self.updateGeometry()
        self._show_selection()

    def seat_at(self, place: QPointF) -> Seat | None:
        raise NotImplementedError

    def color_of(self, seat: Seat) -> QColor:
        return self.colors.get(seat.id, self.look.color("text3"))

    def wish(self, seat: Seat) -> str:
        """ "free" or "never" where the artist has overridden the verdict, else ""."""
        wish = self.leaves.get(seat.id, "auto")
        return "" if wish == "auto" or (wish == "free" and seat.free) else wish

    def words_of(self, seat: Seat) -> str:
        """ "Brick 3: can leave", or that it is held, and why."""
        verdict = "can leave" if seat.free else "held"
        wish = self.wish(seat)
        return f"{seat.name}: {verdict}{f', {WISHES[wish]}' if wish else ''}\n{seat.reason}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        seat = self.seat_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or seat is None:
            return
        self.ring = False
        if event.modifiers() & ADDS:
            self.selection.toggle(seat.id)
        elif seat.id not in self.selection.ids or len(self.selection.ids) > 1:
            self.selection.set([seat.id])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            seat = self.seat_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.words_of(seat) if seat is not None else "", self)
            return True
        return super().event(event)

    def _show_selection(self) -> None:
        active = next((seat for seat in self.seats if seat.id == self.selection.active), None)
        self.setAccessibleDescription(self.words_of(active) if active is not None else "")
        self.update()
