"""RateChoice: how many frames a second has. The usual rates, or a typed one."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.document.take_edits import ask_for
from app.kit import DropButton, TypedLine
from app.look.look import Look
from app.session.playback import RATES, Playback, rate_words

LOWEST, HIGHEST = 1.0, 240.0  # frames per second
OTHER = "Another rate…"


class RateChoice(DropButton):
    def __init__(self, document: Document, playback: Playback, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "Frame rate", parent)
        self._document, self._playback = document, playback
        self.setToolTip("Frames per second")
        for fps in RATES:
            entry = self.menu_.addAction(rate_words(fps))
            entry.setCheckable(True)
            entry.setData(fps)
            entry.triggered.connect(lambda _=False, fps=fps: self.set_rate(fps))
        self.menu_.addSeparator()
        self.menu_.addAction(OTHER).triggered.connect(self.type_rate)
        self.menu_.aboutToShow.connect(self._mark)
        playback.changed.connect(self._follow)
        self._follow()

    def minimumSizeHint(self) -> QSize:
        """Too few letters to cut any of them."""
        return self.sizeHint()

    def set_rate(self, fps: float) -> None:
        self._document.edit(rate_words(fps), ask_for(self._document.scene, fps=fps))

    def type_rate(self) -> None:
        TypedLine(self, self.rect(), rate_words(self._playback.fps).split()[0], "Frames per second", self._take)

    def _take(self, text: str) -> None:
        """A number, with or without "fps"; 23.976 and its like mean the rates of film for television."""
        try:
            fps = float(text.lower().removesuffix("fps").strip().replace(",", "."))
        except ValueError:
            return
        if LOWEST <= fps <= HIGHEST:
            self.set_rate(next((rate for rate in RATES if abs(rate - fps) < 6e-3), fps))

    def _mark(self) -> None:
        for entry in self.menu_.actions():
            if entry.isCheckable():
                entry.setChecked(abs(float(entry.data()) - self._playback.fps) < 1e-9)

    def _follow(self) -> None:
        self.set_words(rate_words(self._playback.fps))
