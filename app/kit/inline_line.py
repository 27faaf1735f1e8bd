"""InlineLine: a line that opens inside a control while something is typed there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from app.kit.control import BACK_AGAIN
from app.look.look import Look

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class InlineLine(QLineEdit):
    """Signals:
    entered()    Enter: take it
    left()       the focus went elsewhere
    given_up()   Escape, which ends the typing before it ends anything else in the window
    """

    entered = Signal()
    left = Signal()
    given_up = Signal()

    def __init__(self, text: str, name: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(name)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def event(self, event: QEvent) -> bool:
        claimed = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if claimed and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
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

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in BACK_AGAIN:
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
