"""TakeChoice: which take is looked at; the menu lists them, calmest first."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.document.take_edits import ranked, shortfalls
from app.kit import BOLD, DropButton, letters
from app.look.icons import icon
from app.look.look import Look
from app.look.quantity_words import energy_words
from app.session.playback import Playback
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard

STALE = "older than the scene"
IN_THE_SHOT = "in the shot"


class TakeChoice(DropButton):
    def __init__(self, document: Document, playback: Playback, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, "Take", parent)
        self._document, self._playback = document, playback
        self._seen: tuple[object, ...] = ()
        self._again: QAction | None = None
        self.menu_.setToolTipsVisible(True)
        self.menu_.aboutToShow.connect(self._fill)
        playback.changed.connect(self._follow)
        self._follow()

    def set_again(self, action: QAction) -> None:
        """The action that makes the take once more, for the scene as it is now."""
        self._again = action

    def _follow(self) -> None:
        """Whether a take is stale is asked only when the scene or the take is another one: it looks at every body."""
        card, scene = self._playback.card, self._document.scene
        seen = (card, scene.shot, scene.bodies, scene.hints, scene.gravity, scene.ground, scene.ground_material)
        if len(seen) == len(self._seen) and all(a is b for a, b in zip(seen, self._seen, strict=True)):
            return
        self._seen = seen
        if card is None:
            self.set_words("No take")
            self.setToolTip("")
            return
        stale = self._playback.stale
        aside = STALE if stale else energy_words(card.energy)
        aside += f" · {IN_THE_SHOT}" if card.id == scene.shot else ""
        self.set_words(card.name, aside, *_mark(card, stale))
        share = "The scene was edited after this take was made." if stale else "It matches the scene."
        self.setToolTip("\n".join([f"{card.name}, {energy_words(card.energy)}", share, *shortfalls(card)]))

    def _fill(self) -> None:
        self.menu_.clear()
        scene = self._document.scene
        now = fingerprint(scene)
        for card in ranked([card for card in scene.takes if not card.rejected]):
            stale = card.scene != now
            states = [word for word, on in ((STALE, stale), (IN_THE_SHOT, card.id == scene.shot)) if on]
            words = "   ".join([card.name, energy_words(card.energy), *states])
            entry = self.menu_.addAction(words)
            entry.setToolTip("\n".join(shortfalls(card)) or words)
            glyph, role = _mark(card, stale)
            if glyph:
                entry.setIcon(icon(self._look, glyph, role))
            if card.id == self._playback.key:
                entry.setFont(letters("body", BOLD))
            entry.triggered.connect(lambda _=False, key=card.id: self._playback.show(key))
        if self._again is not None:
            self.menu_.addSeparator()
            self.menu_.addAction(self._again)


def _mark(card: TakeCard, stale: bool) -> tuple[str, str]:
    """Glyph and colour beside the name."""
    if stale:
        return "take.stale", "ghosted"
    if shortfalls(card):
        return "state.warning", "ghosted"
    return ("take.pinned", "accent") if card.pinned else ("", "text2")
