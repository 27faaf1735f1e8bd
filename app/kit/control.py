"""Control: what every painted control of the panels shares: hover, the keyboard's focus ring, recolouring."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit.painting import outline
from app.look.look import Look, size

PRESS_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
BACK_AGAIN = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


def presses(event: QKeyEvent) -> bool:
    """Is it a key that presses what has the focus? With Ctrl, Shift or Alt it is a shortcut."""
    return event.key() in PRESS_KEYS and event.modifiers() in PLAIN


class Control(QWidget):
    """Base of painted controls. `ring` is true when the keyboard, not the mouse, brought the focus here."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.ring = False
        self._clicked = False  # the mouse brought the focus
        self.hovered = False
        self._widths: tuple[int, int] | None = None
        look.changed.connect(self.update)

    def be_field(self, name: str, width: int, least: int, height: int = 0) -> None:
        """One line high, as wide as there is room (px: usually, and at least), reached by mouse and keyboard; a screen
        reader calls it `name`."""
        self._widths = width, least
        self.setFixedHeight(height or size("field"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(self._widths[0], self.height()) if self._widths else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._widths[1], self.height()) if self._widths else super().minimumSizeHint()

    def paint_ring(self, painter: QPainter, area: QRectF, corner: float) -> None:
        """The 2 px focus ring along the inside of `area`."""
        if self.ring and self.hasFocus():
            outline(painter, area, corner, self.look.color("focus"))

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

    def enterEvent(self, event: QEnterEvent) -> None:
        self.hovered = True
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered = False
        super().leaveEvent(event)
        self.update()
