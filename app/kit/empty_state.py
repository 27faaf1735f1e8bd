"""What a panel shows when it has nothing to show: an icon, one line, and at most one action."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.kit.buttons import WordButton
from app.kit.glyph import Glyph
from app.kit.layouts import FILL, Put, centred, column
from app.kit.painting import space
from app.kit.text import Text
from app.look.look import Look

ICON = 32  # px
GENERATING = "Generating. Takes appear here as they finish."


class EmptyState(QWidget):
    """Signals:
    acted()   the button under the line
    """

    acted = Signal()

    def __init__(self, look: Look, glyph: str, words: str, action: str = "") -> None:
        super().__init__()
        self.words = Text(look, words, "text2", "body", wraps=True, align=Qt.AlignmentFlag.AlignHCenter)
        self.button = WordButton(look, action)
        self.button.clicked.connect(self.acted)
        self.glyph = Glyph(look, glyph, side=ICON)
        edge = (space("l"), space("xl"), space("l"), space("xl"))
        inside = (centred(self.glyph), self.words, centred(self.button))
        column(FILL, *inside, Put(None, 2), of=self, gap=space("s"), edge=edge)
        self.button.setVisible(bool(action))  # only now: shown without a parent it would be a window for a moment
