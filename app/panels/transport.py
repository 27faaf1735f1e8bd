"""TransportButtons: those that play and step, for every place that shows a take. Each is an action of the table."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton, QWidget

from app.kit.layouts import row
from app.look.icons import icon
from app.look.look import Look, size

BUTTONS = ("play.start", "play.back", "play.backward", "play.toggle", "play.on", "play.ending", "play.loop")
PLAYING = {"play.toggle": "pause", "play.backward": "pause"}
"""Icons while the action is on: then it stops what it began."""


class Actions(Protocol):
    """The studio's actions by name."""

    def __getitem__(self, key: str, /) -> QAction: ...


class TransportButton(QToolButton):
    def __init__(self, action: QAction, key: str, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._action, self._key, self._look = action, key, look
        self.setObjectName(key)
        self.setIconSize(QSize(size("icon"), size("icon")))
        self.setFixedSize(size("tool_button") if key == "play.toggle" else size("button"), size("button"))
        self.setProperty("plate", key == "play.toggle")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCheckable(action.isCheckable())
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        action, on = self._action, self._action.isChecked()
        self.setEnabled(action.isEnabled())
        self.setToolTip(action.toolTip())
        self.setAccessibleName(action.text())
        self.setChecked(on)
        self.setIcon(icon(self._look, PLAYING[self._key]) if on and self._key in PLAYING else action.icon())


class TransportButtons(QWidget):
    def __init__(self, actions: Actions, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row(*(TransportButton(actions[key], key, look, self) for key in BUTTONS), of=self, gap=2)
