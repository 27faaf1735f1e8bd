"""EmptyPage: what the timeline says when there is no motion to show, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.kit import GENERATING, Glyph, label
from app.kit.layouts import FILL, centred, column
from app.look.look import Look

EMPTY = "Generate a take to see how it got here."
ICON = 32  # px


class EmptyPage(QWidget):
    """Signals:
    acted()   "Generate again"
    """

    acted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._icon, self.words = Glyph(look, "ending", side=ICON), label(EMPTY, role="second")
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton("Generate again", self)
        self.button.clicked.connect(self.acted)
        self.button.hide()
        inside = (centred(self._icon), self.words, centred(self.button))
        column(FILL, *inside, FILL, of=self, gap=8, edge=(16, 4, 16, 4))

    def say(self, trouble: str, generating: bool = False) -> None:
        """Why the take cannot be shown; "" when there is no take."""
        self.words.setText(trouble[:1].upper() + trouble[1:] or (GENERATING if generating else EMPTY))
        self.button.setVisible(bool(trouble))
        self._icon.show_icon("state.warning" if trouble else "ending")
