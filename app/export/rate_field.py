"""RateField: frames per second, from the rates that programs know by name, or typed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.export.form_row import NUMBER_WIDTH
from app.kit import Choice, NumberField
from app.look.look import Look, size
from app.session.playback import rate_words
from engine.export.settings import RATES

OTHER = "Another rate…"
LOWEST, HIGHEST = 1.0, 1000.0  # frames per second
NEAR = 6e-3  # of a known rate: 23.976 is 24000/1001


class RateField(QStackedWidget):
    """Signals:
    chosen(float)
    """

    chosen = Signal(float)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = Choice(look, [*map(rate_words, RATES), OTHER], "Frame rate")
        self.line = NumberField(look, "", "fps", decimals=3, step=1.0, minimum=LOWEST, maximum=HIGHEST, trim=True,
                                name="Frame rate")  # fmt: skip
        for entry in (self.choice, self.line):
            self.addWidget(entry)
        self.setFixedSize(NUMBER_WIDTH, size("field"))
        self.choice.chosen.connect(self._choose)
        self.line.committed.connect(self._take)
        self.line.cancelled.connect(self._close)

    def set_rate(self, fps: float) -> None:
        self.choice.set_text(rate_words(fps))
        self.line.set_value(fps)

    def _choose(self, words: str) -> None:
        if words == OTHER:
            self.setCurrentWidget(self.line)
            self.line.start_typing()
        else:
            self.chosen.emit(RATES[[rate_words(rate) for rate in RATES].index(words)])

    def _take(self, fps: float) -> None:
        self._close()
        self.chosen.emit(next((rate for rate in RATES if abs(rate - fps) < NEAR), fps))

    def _close(self) -> None:
        """Back to the choice; an unchanged rate shows again."""
        self.setCurrentWidget(self.choice)
        self.choice.set_text(rate_words(self.line.value))
        self.choice.setFocus(Qt.FocusReason.OtherFocusReason)
