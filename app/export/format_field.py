"""FormatField: the formats that a program reads, side by side; in a menu where they are too many for that."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from app.kit import Choice, Segments
from app.look.look import Look, size
from engine.export.settings import FORMATS

MOST_SIDE_BY_SIDE = 5


class FormatField(QStackedWidget):
    """Signals:
    chosen(str)   key of a format
    """

    chosen = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.formats: list[str] = ["usd"]
        self.segments = Segments(look, [("usd", FORMATS["usd"].name)], "Format", fitted=True)
        self.choice = Choice(look, [], "Format")
        for entry in (self.segments, self.choice):
            self.addWidget(entry)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(size("field"))
        self.segments.chosen.connect(self.chosen)
        self.choice.chosen.connect(self._choose)

    def show_formats(self, formats: Sequence[str], current: str) -> None:
        self.formats = list(formats)
        self.segments.set_choices([(key, FORMATS[key].name) for key in formats])
        self.segments.set_current(current)
        self.choice.set_entries([FORMATS[key].name for key in formats])
        self.choice.set_text(FORMATS[current].name)
        fits = self.width() <= 0 or self.segments.sizeHint().width() <= max(self.width(), 280)
        self.setCurrentWidget(self.segments if len(formats) <= MOST_SIDE_BY_SIDE and fits else self.choice)

    def _choose(self, words: str) -> None:
        self.chosen.emit(next(key for key in self.formats if FORMATS[key].name == words))
