"""TypedLine: a line that opens over a control while something is typed, and goes when it is taken or given up."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.kit.inline_line import InlineLine


class TypedLine(InlineLine):
    def __init__(self, over: QWidget, area: QRect, text: str, name: str, take: Callable[[str], None]) -> None:
        super().__init__(text, name, over)
        self._take, self._done = take, False
        self._before = over.window().focusWidget()
        self.entered.connect(lambda: self._close(taken=True))
        self.given_up.connect(lambda: self._close(taken=False))
        self.left.connect(lambda: self._close(taken=True, back=False))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setGeometry(area)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

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
