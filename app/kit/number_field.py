"""NumberField: a number with its label and unit in one field. Drag sideways, step with arrows, or type."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip

from app.kit.control import Control
from app.kit.expressions import ExpressionError, evaluate
from app.kit.number_editor import NumberEditor
from app.kit.painting import LEFT, RIGHT, fitting, plate, radius, write
from app.kit.screen_edge import carried_over
from app.look.fonts import font
from app.look.look import Look, size
from app.look.number_text import MIXED, editing_text, number_text

DRAG_START = 3  # px the mouse goes before a press becomes a drag
PADDING, TIGHT, ROOMY = 8.0, 3.0, 72.0  # px left and right of the text, less of it in fields narrower than the last
STEP_KEYS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_Left: -1}
TYPE_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)
OPENERS = "0123456789.-+("  # typing one of these starts typing a value
LARGE, SMALL = 10.0, 0.1  # Shift, Ctrl


def pace(modifiers: Qt.KeyboardModifier) -> float:
    """How much larger or smaller than usual a step is."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return LARGE
    return SMALL if modifiers & Qt.KeyboardModifier.ControlModifier else 1.0


class NumberField(Control):
    """One gesture (a drag, a held arrow key, a typed value) gives any number of `previewed` and then exactly one
    `committed` or `cancelled`; a gesture that ends where it began gives `cancelled`.

    Signals:
        previewed(float)   what the value would become
        committed(float)   what the value shall be
        cancelled()        show the old value again
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()

    def __init__(
        self,
        look: Look,
        label: str = "",
        unit: str = "",
        quantity: str = "",
        decimals: int = 3,
        step: float = 0.01,
        minimum: float = -1e9,
        maximum: float = 1e9,
        trim: bool = False,
        framed: bool = True,
        name: str = "",
    ) -> None:
        """`quantity` names the units that may be typed (expressions.py); `step` is the change per pixel and per key;
        `framed` off hides the edge until the mouse is there; `name` is what a screen reader says."""
        super().__init__(look)
        self.label, self.unit, self._quantity = label, unit, quantity
        self._decimals, self._step, self._trim, self._framed = decimals, step, trim, framed
        self._minimum, self._maximum, self._why = minimum, maximum, ""
        self.value, self.mixed = 0.0, False
        self.error = ""  # what is wrong with the text being typed
        self._pressed: QPointF | None = None  # where the button went down, on the screen
        self._last_x = 0.0
        self._travel = 0.0  # steps gone since the gesture began
        self._dragging = False
        self._stepping = False
        self._start, self._start_mixed = 0.0, False
        self._editor: NumberEditor | None = None
        self._name = name or label
        self.setFont(font("body"))
        self.be_field(self._name, 0, 48)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self._explain()

    # What it shows

    @property
    def busy(self) -> bool:
        """Is a gesture under way?"""
        return self._dragging or self._stepping or self._editor is not None

    def set_value(self, value: float, mixed: bool = False) -> None:
        """Show a value; `mixed` shows a dash and keeps the value as the place where a gesture starts."""
        if self._dragging or self._stepping:
            return
        if (value, mixed) != (self.value, self.mixed):
            self.value, self.mixed = value, mixed
            self._show_anew()

    def rename(self, label: str, name: str) -> None:
        """Another label, and what a screen reader says."""
        if (label, name) != (self.label, self._name):
            self.label, self._name = label, name
            self.setAccessibleName(name)
            self._show_anew()

    def set_kind(self, unit: str, quantity: str, decimals: int, step: float) -> None:
        """What it holds can be of another kind by now (degrees, then metres)."""
        kind = (unit, quantity, decimals, step)
        if kind != (self.unit, self._quantity, self._decimals, self._step):
            self.unit, self._quantity, self._decimals, self._step = kind
            self._show_anew()

    def set_range(self, minimum: float, maximum: float, why: str = "") -> None:
        """`why`: what is said when something outside is typed, and in the tooltip."""
        self._minimum, self._maximum = minimum, maximum
        if why != self._why:
            self._why = why
            self._explain()

    def text(self) -> str:
        return MIXED if self.mixed else number_text(self.value, self._decimals, self._trim)

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        words = metrics.horizontalAdvance(self.label) + metrics.horizontalAdvance("-00.000") + self._unit_width()
        return QSize(round(words + 2 * PADDING + 8), size("field"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area, corner = QRectF(self.rect()), radius("field")
        if self._framed or self.hovered or self.busy or (self.ring and self.hasFocus()):
            plate(painter, area, corner, self.look.color("well"), self.look.color(self._edge()))
        if self._editor is None:
            self._paint_words(painter, area)
            self.paint_ring(painter, area, corner)

    def _edge(self) -> str:
        if self.error:
            return "assisted"
        if self.busy:
            return "accent"
        return "control_edge" if self.hovered and self.isEnabled() else "line2"

    def _paint_words(self, painter: QPainter, area: QRectF) -> None:
        metrics = QFontMetricsF(self.font())
        quiet = self.look.color("text3" if self.isEnabled() else "disabled")
        padding = (PADDING if area.width() >= ROOMY else TIGHT) if self._framed else 2.0
        inner = area.adjusted(padding, 0, -padding, 0)
        write(painter, inner, self.label, quiet, LEFT)
        if not self.mixed:
            write(painter, inner, self.unit, quiet, RIGHT)
        inner.setRight(inner.right() - (0.0 if self.mixed else self._unit_width()))
        gap = max(2.0, 0.5 * padding)
        inner.setLeft(inner.left() + (metrics.horizontalAdvance(self.label) + gap if self.label else 0.0))
        shown = fitting(self._fitting(metrics, inner.width()), self.font(), inner.width())
        write(painter, inner, shown, self.look.color("text" if self.isEnabled() else "disabled"), RIGHT)

    def _fitting(self, metrics: QFontMetricsF, width: float) -> str:
        """The value with as many decimals as there is room for; the tooltip has all of them."""
        if self.mixed:
            return self.text()
        fewest = 0 if abs(self.value) >= 10.0 else 1
        places = range(self._decimals, min(fewest, self._decimals) - 1, -1)
        texts = (number_text(self.value, decimals, self._trim) for decimals in places)
        return next((text for text in texts if metrics.horizontalAdvance(text) <= width), self.text())

    def _unit_width(self) -> float:
        if not self.unit:
            return 0.0
        return QFontMetricsF(self.font()).horizontalAdvance(self.unit) + (0.0 if self.unit == "°" else 3.0)

    def _show_anew(self) -> None:
        self._explain()
        self.update()

    def _explain(self) -> None:
        """Tooltip and description: the error, else the whole value, because a narrow field may cut it."""
        value = "Different values" if self.mixed else f"{editing_text(self.value)} {self.unit}".rstrip()
        how = "Drag sideways, or double-click to type"
        why = f"\n{self._why}" if self._why else ""
        self.setToolTip(self.error or f"{self._name} {value}\n{how}{why}".strip())
        self.setAccessibleDescription(self.error or value)

    # Gestures

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.RightButton and self._dragging:
            self._cancel()
        elif event.button() == Qt.MouseButton.LeftButton and not self.busy:
            self.ring = False
            self._pressed = event.globalPosition()
            self._last_x = event.globalPosition().x()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        x = event.globalPosition().x()
        if not self._dragging and abs(x - self._pressed.x()) > DRAG_START:
            self._begin()
            self._dragging = True
            self._last_x = x
        if self._dragging:
            self._travel += (x - self._last_x) * pace(event.modifiers())
            self._preview()
            self._last_x = carried_over(self, event.globalPosition().toPoint(), x)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = None
        if self._dragging:
            self._dragging = False
            self._finish(self._travelled())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if event.button() == Qt.MouseButton.LeftButton:
            self.start_typing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.uses_key(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self._cancel()
        elif event.key() in TYPE_KEYS:
            self.start_typing()
        elif event.key() in STEP_KEYS:
            if not self._stepping:
                self._begin()
                self._stepping = True
            self._travel += STEP_KEYS[Qt.Key(event.key())] * pace(event.modifiers())
            self._preview()
        else:
            self.start_typing(event.text())

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if self._stepping and event.key() in STEP_KEYS and not event.isAutoRepeat():
            self._stepping = False
            self._finish(self._travelled())
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end_without_mouse()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._end_without_mouse()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._editor is not None:
            self._editor.setGeometry(self.rect().adjusted(6, 1, -6, -1))

    def start_typing(self, text: str | None = None) -> None:
        """Open the field for typing, with `text` in place of the value."""
        if self._editor is not None or not self.isEnabled():
            return
        self._dragging = self._stepping = False
        before = "" if self.mixed else editing_text(self.value)
        editor = NumberEditor(self.look, before if text is None else text, self._name, self)
        editor.setGeometry(self.rect().adjusted(6, 1, -6, -1))
        editor.entered.connect(lambda: self._typed(before, keep_open=True))
        editor.left.connect(lambda: self._typed(before, keep_open=False))
        editor.given_up.connect(self._cancel)
        editor.textEdited.connect(self._forgive)
        self._editor = editor
        editor.show()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)
        if text is None:
            editor.selectAll()
        self.update()

    def uses_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            return self.busy
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        opens = plain and (key in TYPE_KEYS or (len(event.text()) == 1 and event.text() in OPENERS))
        return self.isEnabled() and (key in STEP_KEYS or opens)

    def _begin(self) -> None:
        self._start, self._start_mixed, self._travel = self.value, self.mixed, 0.0

    def _travelled(self) -> float:
        """The value after the way gone, on a grid fine enough for the smallest step (no 0.30000000000000004)."""
        if self._travel == 0.0:
            return self._start
        return self._clamped(round(self._start + self._travel * self._step, self._decimals + 2))

    def _clamped(self, value: float) -> float:
        return min(self._maximum, max(self._minimum, value))

    def _preview(self) -> None:
        value = self._travelled()
        if value != self.value or self.mixed:
            self.value, self.mixed = value, False
            self.previewed.emit(value)
            self._show_anew()

    def _finish(self, value: float) -> None:
        """End the gesture with a value: a command if anything came of it."""
        self.value = value
        self.mixed = self._start_mixed and value == self._start
        self._show_anew()
        if value == self._start:
            self.cancelled.emit()
        else:
            self.committed.emit(value)

    def _cancel(self) -> None:
        changed = self._dragging or self._stepping
        self._dragging = self._stepping = False
        self._pressed = None
        if changed:
            self.value, self.mixed = self._start, self._start_mixed
        self._close_editor()
        self._forgive()
        self.cancelled.emit()

    def _end_without_mouse(self) -> None:
        """Focus goes or the field disappears: arrow keys keep what they did, a drag without its mouse does not."""
        if self._stepping:
            self._stepping = False
            self._finish(self._travelled())
        elif self._dragging:
            self._cancel()

    def _typed(self, before: str, keep_open: bool) -> None:
        """Take what was typed; what cannot be read stays open with a red edge, or is dropped when the focus goes."""
        if self._editor is None:
            return
        text = self._editor.text().strip()
        if text == before:
            return self._cancel()
        try:
            asked = evaluate(text, self._quantity)
        except ExpressionError as error:
            return self._complain(str(error)) if keep_open else self._cancel()
        value = self._clamped(asked)
        self._close_editor()
        self._forgive()
        if value != asked and self._why:
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), self._why, self)
        if value == self.value and not self.mixed:
            return self.cancelled.emit()
        self.value, self.mixed = value, False
        self._show_anew()
        self.committed.emit(value)

    def _complain(self, words: str) -> None:
        self.error = words
        self._show_anew()
        QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), words, self)

    def _forgive(self) -> None:
        """Typing on, or giving up, takes the red edge away."""
        if self.error:
            self.error = ""
            QToolTip.hideText()
        self._show_anew()

    def _close_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            had_focus = editor.hasFocus()
            editor.hide()
            editor.deleteLater()
            if had_focus:
                self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.update()
