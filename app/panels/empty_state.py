"""What a panel shows when it has nothing to show: an icon, one line, and at most one action."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.look.icons import icon
from app.look.look import Look
from app.panels.buttons import WordButton
from app.panels.control import space
from app.panels.text import Text

ICON = 32  # px
GENERATING = "Generating. Takes appear here as they finish."


class _Glyph(QWidget):
    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look, self._name = look, name
        self.setFixedHeight(ICON)
        look.changed.connect(self._recolour)

    def sizeHint(self) -> QSize:
        return QSize(ICON, ICON)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        icon(self._look, self._name, "text3").paint(painter, (self.width() - ICON) // 2, 0, ICON, ICON)

    def set_name(self, name: str) -> None:
        self._name = name
        self.update()

    def _recolour(self) -> None:
        self.update()


class EmptyState(QWidget):
    """Signals:
    acted()   the button under the line
    """

    acted = Signal()

    def __init__(self, look: Look, glyph: str, words: str, action: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = Text(look, words, "text2", "body", wraps=True, align=Qt.AlignmentFlag.AlignHCenter)
        self.button = WordButton(look, action)
        self.button.setVisible(bool(action))
        self.button.clicked.connect(self.acted)
        column = QVBoxLayout(self)
        column.setContentsMargins(space("l"), space("xl"), space("l"), space("xl"))
        column.setSpacing(space("s"))
        column.addStretch(1)
        self._glyph = _Glyph(look, glyph)
        column.addWidget(self._glyph)
        column.addWidget(self.words)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)

    def set_icon(self, name: str) -> None:
        self._glyph.set_name(name)
