"""RangeSlider: a knob for the authored value, and a lit part for what Generate may choose instead."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF

from app.kit.control import Control
from app.kit.number_field import STEP_KEYS, pace
from app.kit.painting import plate
from app.look.look import Look, size

GRIP = 5.0  # px, half width and height of the marks that hang under the ends of the lit part
REACH = 9.0  # px to the left and right of a knob or grip that still take hold of it
KNOB, LOW, HIGH = "knob", "low", "high"


class RangeSlider(Control):
    """Drag the knob for the value; drag a mark under the track for an end of the range. Arrow keys move the knob.
    Without a range (`set_range(None)`) the lit part runs from the minimum to the knob.

    Signals:
        previewed(float), committed(float)                       the value
        range_previewed(float, float), range_committed(float, float)
        cancelled()
    """

    previewed = Signal(float)
    committed = Signal(float)
    range_previewed = Signal(float, float)
    range_committed = Signal(float, float)
    cancelled = Signal()

    def __init__(
        self,
        look: Look,
        minimum: float = 0.0,
        maximum: float = 1.0,
        decimals: int = 2,
        name: str = "",
    ) -> None:
        super().__init__(look)
        self._minimum, self._maximum, self._decimals = minimum, maximum, decimals
        self.value, self._mixed = minimum, False
        self.range: tuple[float, float] | None = None
        self._held = ""
        self._stepping = False
        self._before: tuple[float, tuple[float, float] | None] = (minimum, None)
        self.be_field(name, 100, 48, size("row"))

    def set_value(self, value: float, mixed: bool = False) -> None:
        if not self._held and not self._stepping and (value, mixed) != (self.value, self._mixed):
            self.value, self._mixed = value, mixed
            self.setAccessibleDescription(f"{value:g}")
            self.update()

    def set_range(self, ends: tuple[float, float] | None) -> None:
        """The lit part; it may be dragged by its ends only when it is given."""
        if self._held not in (LOW, HIGH) and ends != self.range:
            self.range = ends
            self.update()

    def x_of(self, value: float) -> float:
        """Where a value lies, in px of the widget; beyond the ends it lies at the end."""
        share = (value - self._minimum) / (self._maximum - self._minimum)
        margin = size("slider_knob") / 2
        return margin + min(1.0, max(0.0, share)) * (self.width() - 2 * margin)

    def value_at(self, x: float) -> float:
        margin = size("slider_knob") / 2
        share = min(1.0, max(0.0, (x - margin) / max(1.0, self.width() - 2 * margin)))
        return round(self._minimum + share * (self._maximum - self._minimum), self._decimals)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, thick, knob = self.height() / 2, float(size("slider_track")), float(size("slider_knob"))
        whole = QRectF(0, middle - thick / 2, self.width(), thick)
        plate(painter, whole, thick / 2, self.look.color("line2"))
        low, high = self.range if self.range is not None else (self._minimum, self.value)
        if not self._mixed:
            left = 0.0 if low <= self._minimum else self.x_of(low)
            right = float(self.width()) if high >= self._maximum else self.x_of(high)
            lit = QRectF(left, middle - thick / 2, max(0.0, right - left), thick)
            plate(painter, lit, thick / 2, self.look.color("accent" if self.isEnabled() else "disabled"))
            if self.range is not None and self.isEnabled() and (self.hovered or self._held or self.hasFocus()):
                self._paint_grips(painter, middle)
        face = "text" if self.isEnabled() else "disabled"
        center = QPointF(self.x_of(self.value), middle)
        painter.setPen(QPen(self.look.color("panel"), 1.0))
        painter.setBrush(self.look.color("text3" if self._mixed else face))
        painter.drawEllipse(center, knob / 2, knob / 2)
        if self.ring and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("focus"), 2.0))
            painter.drawEllipse(center, knob / 2 + 2, knob / 2 + 2)

    def _paint_grips(self, painter: QPainter, middle: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for end, which in zip(self.range or (), (LOW, HIGH), strict=False):
            x, top = self.x_of(end), middle + 6
            painter.setBrush(self.look.color("accent_hi" if self._held == which else "accent"))
            painter.drawPolygon(QPolygonF([QPointF(x, top), QPointF(x - GRIP, top + 6), QPointF(x + GRIP, top + 6)]))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton and self._held:
            return self._cancel()
        if event.button() != Qt.MouseButton.LeftButton or self._held:
            return
        self.ring = False
        self._before = (self.value, self.range)
        self._held = self._at(event.position())
        if self._held == KNOB:
            self._move(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held:
            self._move(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._held:
            held, self._held = self._held, ""
            self._finish(held)

    def uses_key(self, event: QKeyEvent) -> bool:
        gesture = bool(self._held) or self._stepping
        return event.key() in STEP_KEYS or (event.key() == Qt.Key.Key_Escape and gesture)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self._held or self._stepping):
            self._cancel()
        elif event.key() in STEP_KEYS and not self._held:
            if not self._stepping:
                self._before = (self.value, self.range)
                self._stepping = True
            step = 0.01 * (self._maximum - self._minimum) * pace(event.modifiers())
            self._show(self.value + STEP_KEYS[Qt.Key(event.key())] * step, self._decimals + 1)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._stepping and event.key() in STEP_KEYS and not event.isAutoRepeat():
            self._stepping = False
            self._finish(KNOB)
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._stepping:
            self._stepping = False
            self._finish(KNOB)
        elif self._held:
            self._cancel()
        super().focusOutEvent(event)

    def _at(self, place: QPointF) -> str:
        """What a press takes hold of: a mark under the track, else the knob (which jumps to the mouse)."""
        if self.range is not None and place.y() > self.height() / 2 + 5:
            near = {which: abs(self.x_of(end) - place.x()) for end, which in zip(self.range, (LOW, HIGH), strict=True)}
            best = min(near, key=lambda which: near[which])
            if near[LOW] == near[HIGH]:  # both at one place: the one that can go where the mouse is
                best = HIGH if place.x() >= self.x_of(self.range[1]) else LOW
            if near[best] <= REACH:
                return best
        return KNOB

    def _move(self, x: float) -> None:
        if self._held == KNOB:
            return self._show(self.value_at(x), self._decimals)
        low, high = self.range or (self._minimum, self._maximum)
        value = self.value_at(x)
        ends = (min(value, high), high) if self._held == LOW else (low, max(value, low))
        if ends != self.range:
            self.range = ends
            self.range_previewed.emit(*ends)
            self.update()

    def _show(self, value: float, decimals: int) -> None:
        value = round(min(self._maximum, max(self._minimum, value)), decimals)
        if value != self.value or self._mixed:
            self.value, self._mixed = value, False
            self.previewed.emit(value)
            self.update()

    def _finish(self, held: str) -> None:
        value, ends = self._before
        if self.value == value if held == KNOB else self.range == ends:
            self.cancelled.emit()
        elif held == KNOB:
            self.committed.emit(self.value)
        elif self.range is not None:
            self.range_committed.emit(*self.range)
        self.update()

    def _cancel(self) -> None:
        self._held, self._stepping = "", False
        self.value, self.range = self._before
        self.cancelled.emit()
        self.update()
