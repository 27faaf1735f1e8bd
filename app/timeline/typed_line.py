"""TypedLine: a line that opens over a control while something is typed, and goes when it is taken or given up."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from shiboken6 import isValid


class TypedLine(QLineEdit):
    def __init__(self, over: QWidget, area: QRect, text: str, name: str, take: Callable[[str], None]) -> None:
        super().__init__(text, over)
        self._take, self._done = take, False
        self._before = over.window().focusWidget()
        self.setAccessibleName(name)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setGeometry(area)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Escape ends the typing before it ends anything else in the window."""
        escape = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if escape and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._close(taken=True)
        elif event.key() == Qt.Key.Key_Escape:
            self._close(taken=False)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._close(taken=True, back=False)

    def _close(self, taken: bool, back: bool = True) -> None:
        """`back`: the keyboard goes where it was, so that Space plays and does not open the line again."""
        if self._done:
            return
        self._done = True
        self.hide()
        self.deleteLater()
        if back and self._before is not None and isValid(self._before):
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        if taken:
            self._take(self.text())
