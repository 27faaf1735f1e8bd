"""Control: what every painted control of the panels shares: hover, the keyboard's focus ring, recolouring."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.look.look import Look, tokens

PRESS_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
BACK_AGAIN = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


def presses(event: QKeyEvent) -> bool:
    """Is it a key that presses what has the focus? With Ctrl, Shift or Alt it is a shortcut."""
    return event.key() in PRESS_KEYS and event.modifiers() in PLAIN


def radius(name: str) -> float:
    return float(tokens()["radius"][name])


def active_role(look: Look) -> str:
    """The colour of text and icons on `tint`."""
    return "accent_hi" if look.theme == "dark" else "accent"


def space(name: str) -> int:
    return int(tokens()["space"][name])


def plate(painter: QPainter, area: QRectF, corner: float, fill: QColor | None, edge: QColor | None = None) -> None:
    """A rounded area; the edge is 1 px wide and lies inside."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(edge, 1.0) if edge is not None else Qt.PenStyle.NoPen)
    inner = area.adjusted(0.5, 0.5, -0.5, -0.5) if edge is not None else area
    painter.drawRoundedRect(inner, corner, corner)


class Control(QWidget):
    """Base of painted controls. `ring` is true when the keyboard, not the mouse, brought the focus here."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.ring = False
        self._clicked = False  # the mouse brought the focus
        self.hovered = False
        look.changed.connect(self._recolour)

    def paint_ring(self, painter: QPainter, area: QRectF, corner: float) -> None:
        """The 2 px focus ring along the inside of `area`."""
        if self.ring and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.color("focus"), 2.0))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), corner, corner)

    def uses_key(self, event: QKeyEvent) -> bool:
        """Does the control use this key now? Then the window's shortcuts do not get it."""
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._claims(event):
            event.accept()
            return True
        return super().event(event)

    def _claims(self, event: QKeyEvent) -> bool:
        """Space presses a control that was reached by keyboard. A click leaves the focus behind without being meant:
        after it Space plays, as it does everywhere."""
        return self.uses_key(event) and not (self._clicked and event.key() == Qt.Key.Key_Space)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.ring = event.reason() in KEYBOARD
        if event.reason() not in BACK_AGAIN:
            self._clicked = event.reason() == Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        self.hovered = True
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered = False
        super().leaveEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.update()

    def _recolour(self) -> None:
        self.update()
