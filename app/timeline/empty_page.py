"""EmptyPage: what the timeline says when there is no motion to show, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.icons import icon
from app.look.look import Look
from app.panels.empty_state import GENERATING

EMPTY = "Generate a take to see how it got here."
ICON = 32  # px


class EmptyPage(QWidget):
    """Signals:
    acted()   "Generate again"
    """

    acted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._glyph = look, "ending"
        self._icon, self._words = QLabel(self), QLabel(EMPTY, self)
        self._words.setProperty("role", "second")
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton("Generate again", self)
        self.button.clicked.connect(self.acted)
        self.button.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 4, 16, 4)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._words)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        look.changed.connect(self._recolor)
        self._recolor()

    @property
    def words(self) -> str:
        return self._words.text()

    def say(self, trouble: str, generating: bool = False) -> None:
        """Why the take cannot be shown; "" when there is no take."""
        self._words.setText(trouble[:1].upper() + trouble[1:] or (GENERATING if generating else EMPTY))
        self.button.setVisible(bool(trouble))
        self._glyph = "state.warning" if trouble else "ending"
        self._recolor()

    def _recolor(self) -> None:
        self._icon.setPixmap(icon(self._look, self._glyph, "text3").pixmap(ICON, ICON))
