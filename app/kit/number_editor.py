"""The line that opens inside a number field while a value is typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.kit.inline_line import ENTER, InlineLine, bare_style
from app.look.fonts import font
from app.look.look import Look


class NumberEditor(InlineLine):
    def __init__(self, look: Look, text: str, name: str, parent: QWidget) -> None:
        super().__init__(text, name, parent)
        self.setObjectName("bare")
        self.setFrame(False)
        self.setFont(font("body"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setStyleSheet(bare_style(look))
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def event(self, event: QEvent) -> bool:
        """Ctrl+Enter takes the value, and then is the window's; what cannot be read keeps it here."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.entered.emit()
                event.setAccepted(self.isVisible())
                return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on from the field, as if the line inside it were not there."""
        field = self.parentWidget()
        assert field is not None
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        return bool(QWidget.focusNextPrevChild(field, forward))
