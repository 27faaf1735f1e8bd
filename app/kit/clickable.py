"""Clickable: what is chosen by pressing anywhere on it, with the mouse or by key."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from app.kit.control import Control, presses


class Clickable(Control):
    """Signals:
    clicked()   when the button goes down, or by Space or Enter; not while `takes_clicks` is off
    """

    clicked = Signal()
    takes_clicks = True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.takes_clicks and event.button() == Qt.MouseButton.LeftButton:
            self.ring = False
            self.clicked.emit()

    def uses_key(self, event: QKeyEvent) -> bool:
        return self.takes_clicks and presses(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.uses_key(event):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)
