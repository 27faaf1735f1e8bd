"""TimelinePanel: the dock at the bottom. Without a take it says what will be there, and keeps low."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.look.icons import icon
from app.look.look import Look

EMPTY = "How the bodies came to this ending will be shown here."
HEIGHT, LOWEST = 176, 112  # px; without tracks the view needs the room more
ICON = 32


class TimelinePanel(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._icon, self._words = QLabel(self), QLabel(EMPTY, self)
        self._words.setProperty("role", "second")
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.addStretch(1)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        column.addWidget(self._words)
        column.addStretch(1)
        look.changed.connect(self._recolor)
        self._recolor()

    def sizeHint(self) -> QSize:
        return QSize(600, HEIGHT)

    def _recolor(self) -> None:
        self._icon.setPixmap(icon(self._look, "ending", "text3").pixmap(ICON, ICON))
