"""PlayKey: Space plays wherever the focus is, except where Space already means something."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QTreeView, QWidget

PRESSED = (QAbstractButton, QComboBox, QTreeView)


class PlayKey(QObject):
    """Shortcuts of the window come before the keys of the focused widget, unless that claims the key by accepting its
    ShortcutOverride. Text fields and the studio's own controls do so. Buttons and trees of Qt do not: they would lose
    Space, which presses or selects there. This claims it for them when the artist came there by keyboard; after a mouse
    click, which leaves the focus behind without being meant, Space plays. In the list of takes it always plays."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """An override that the focused widget leaves alone comes up to its window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Space and self._is_pressed_by_keys():
                event.accept()
                return True
        return super().eventFilter(watched, event)

    def _is_pressed_by_keys(self) -> bool:
        by_keyboard = self._window.testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        return by_keyboard and isinstance(self._window.focusWidget(), PRESSED)
