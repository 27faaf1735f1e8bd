"""Parade: the examples of the start page come to life, one after another; the one an artist points at at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.shell.example_card import RATE, ExampleCard

REST = 700  # ms between two that play


class Parade(QObject):
    """Plays only while the page is seen."""

    def __init__(self, cards: Sequence[ExampleCard], page: QWidget) -> None:
        super().__init__(page)
        self._cards, self._page = cards, page
        self._playing: ExampleCard | None = None
        self._next = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        page.installEventFilter(self)
        for card in cards:
            card.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._page and kind == QEvent.Type.Show:
            self._timer.start(REST)
        elif watched is self._page and kind == QEvent.Type.Hide:
            self._timer.stop()
            self._play(None)
        elif kind in (QEvent.Type.HoverEnter, QEvent.Type.FocusIn) and isinstance(watched, ExampleCard):
            self._play(watched)
        return False

    def _tick(self) -> None:
        if self._playing is not None and not self._playing.step():
            self._playing = None
            self._timer.start(REST)
        elif self._playing is None:
            shown = [card for card in self._cards if card.isVisible()]
            if shown:
                self._play(shown[self._next % len(shown)])

    def _play(self, card: ExampleCard | None) -> None:
        if self._playing is not None:
            self._playing.rest()
        self._playing = card
        if card is not None:
            card.rest()
            if card in self._cards:
                self._next = self._cards.index(card) + 1
            self._timer.start(round(1000.0 / RATE))
