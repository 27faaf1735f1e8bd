"""Browsing: which takes are listed, in which order, and which one is compared. Not part of the document, not undone."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.document.difference import Difference
from app.document.document import Document
from app.document.take_edits import SORTS, card_of, ranked
from app.session.playback import Playback
from app.session.settings import Settings
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Scene

FILTERS = ("all", "pinned", "rejected")


class Browsing(QObject):
    """The take that playback shows is A; `other` is B.

    Signals:
        changed()        the list, its order or a mark differs
        rename_asked()   the shown take's name is to be typed
    """

    changed = Signal()
    rename_asked = Signal()

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback, self._settings = document, playback, settings
        self._filter = "all"
        self._other = ""
        self._shown = self._shown_before = playback.key
        self._threshold: float | None = None
        self._lingering: set[str] = set()  # rejected while the list is looked at: they stay in their place
        self._rejected = self._rejected_now()
        self._scene = document.scene
        self._print: tuple[Scene, str] | None = None
        document.replaced.connect(self._start_over)
        document.changed.connect(self._follow)
        playback.changed.connect(self._follow_shown)

    # -- the list ----------------------------------------------------------------------------------------------------

    @property
    def sort(self) -> str:
        chosen = str(self._settings.get("takes/sort"))
        return chosen if chosen in SORTS else "energy"

    def set_sort(self, by: str) -> None:
        if by in SORTS and by != self.sort:
            self._settings.set("takes/sort", by)
            self.changed.emit()

    @property
    def filter(self) -> str:
        return self._filter

    def set_filter(self, name: str) -> None:
        if name in FILTERS and name != self._filter:
            self._filter = name
            self._lingering.clear()
            self.changed.emit()

    @property
    def cards(self) -> list[TakeCard]:
        """What is listed, in order."""
        chosen = [card for card in self._document.scene.takes if self._listed(card)]
        return ranked(chosen, self.sort)

    def count(self, name: str) -> int:
        """Takes that a filter lets through; those just rejected count as rejected only."""
        takes = self._document.scene.takes
        if name == "all":
            return sum(not card.rejected for card in takes)
        return sum(card.pinned if name == "pinned" else card.rejected for card in takes)

    def leave(self) -> None:
        """The list is no longer looked at: what was rejected leaves it."""
        if self._lingering:
            self._lingering.clear()
            self.changed.emit()

    def _listed(self, card: TakeCard) -> bool:
        if self._filter == "all":
            return not card.rejected or card.id in self._lingering
        return card.pinned if self._filter == "pinned" else card.rejected

    # -- marks -------------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> TakeCard | None:
        """A."""
        return self._playback.card

    @property
    def other(self) -> TakeCard | None:
        """B: the one that is compared with the shown one."""
        return card_of(self._document.scene, self._other) if self._other else None

    def compare_with(self, key: str) -> None:
        """ "" ends comparing."""
        if key == self._playback.key:
            key = ""
        if key != self._other:
            self._other = key
            self.changed.emit()

    def toggle_compare(self) -> None:
        """Compare the shown take with the one looked at before, else the shot, else the first listed; or end it."""
        if self._other:
            self.compare_with("")
            return
        wished = [self._shown_before, self._document.scene.shot, *(card.id for card in self.cards)]
        known = {card.id for card in self._document.scene.takes} - {self._playback.key}
        self.compare_with(next((key for key in wished if key in known), ""))

    def swap(self) -> None:
        """A becomes B and B becomes A."""
        if self.other is not None and self._playback.key:
            shown, self._other = self._other, self._playback.key
            self._playback.show(shown)

    def neighbour(self, step: int) -> str:
        """The take that many places further in the list; "" past its ends. From none it is the first."""
        keys = [card.id for card in self.cards]
        if self._playback.key not in keys:
            return keys[0] if keys else ""
        at = keys.index(self._playback.key) + step
        return keys[at] if 0 <= at < len(keys) else ""

    def is_stale(self, card: TakeCard) -> bool:
        """Was it made for another ending than the one in the document?"""
        scene = self._document.scene
        if self._print is None or self._print[0] is not scene:
            self._print = (scene, fingerprint(scene))
        return card.scene != self._print[1]

    @property
    def threshold(self) -> float | None:
        """J: takes above it may be discarded; None before the artist chose one."""
        return self._threshold

    def set_threshold(self, joules: float | None) -> None:
        if joules != self._threshold:
            self._threshold = joules
            self.changed.emit()

    # -- following ---------------------------------------------------------------------------------------------------

    def _rejected_now(self) -> set[str]:
        return {card.id for card in self._document.scene.takes if card.rejected}

    def _follow(self, change: Difference) -> None:
        if self._document.scene is self._scene:
            return  # a preview: it changes nothing that is listed
        self._scene = self._document.scene
        if change.takes:
            rejected = self._rejected_now()
            self._lingering |= rejected - self._rejected
            self._rejected = rejected
            if self._other and self.other is None:
                self._other = ""
        self.changed.emit()

    def _start_over(self) -> None:
        self._filter, self._other, self._threshold = "all", "", None
        self._rejected = self._rejected_now()
        self._lingering.clear()
        self._scene = self._document.scene
        self.changed.emit()

    def _follow_shown(self) -> None:
        """A take is not compared with itself."""
        key = self._playback.key
        if key == self._shown:
            return
        self._shown_before, self._shown = self._shown, key
        if self._other == key:
            self._other = ""
        self.changed.emit()
