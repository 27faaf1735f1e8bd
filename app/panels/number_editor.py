"""The line that opens inside a number field while a value is typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from app.look.fonts import font
from app.look.look import Look

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NumberEditor(QLineEdit):
    """Signals:
    entered()    Enter: take the value
    left()       the focus went elsewhere
    given_up()   Escape
    """

    entered = Signal()
    left = Signal()
    given_up = Signal()

    def __init__(self, look: Look, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setObjectName("bare")
        self.setFrame(False)
        self.setFont(font("body"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setStyleSheet(bare_style(look))
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def event(self, event: QEvent) -> bool:
        """Escape ends the typing before it ends anything else in the window. Ctrl+Enter takes the value, and then is
        the window's; what cannot be read keeps it here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.entered.emit()
                event.setAccepted(self.isVisible())
                return True
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        elif event.key() in ENTER:
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on from the field, as if the line inside it were not there."""
        field = self.parentWidget()
        assert field is not None
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(QWidget.focusNextPrevChild(field, forward))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()


def bare_style(look: Look) -> str:
    """A line without any frame of its own, for fields that paint theirs."""
    return (
        "QLineEdit { background: transparent; border: none; padding: 0; margin: 0; min-height: 0;"
        f" color: {look.hex('text')}; selection-background-color: {look.hex('tint')};"
        f" selection-color: {look.hex('text')}; }}"
    )


def set_placeholder_color(line: QLineEdit, look: Look) -> None:
    """Placeholders take their colour from the palette, whatever the style sheet says."""
    palette = line.palette()
    palette.setColor(QPalette.ColorRole.PlaceholderText, look.color("text3"))
    line.setPalette(palette)
