"""TakesHeader: how many takes there are, their order, and which of them are listed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.document.document import Document
from app.kit import IconButton, Segments, Text
from app.kit.layouts import row, wide
from app.kit.painting import space
from app.look.look import Look, size
from app.takes.browsing import Browsing
from app.takes.card_words import remedy_words
from app.takes.running import RunningTakes

SORT_WORDS = (("energy", "Energy"), ("certificate", "Certificate"), ("length", "Length"))
FILTER_WORDS = {"all": "All", "pinned": "Pinned", "rejected": "Rejected"}
NARROW = 760  # px: below this the words beside the choices go


class TakesHeader(QWidget):
    """Signals:
    enlarge_asked()   over the view, or back
    """

    enlarge_asked = Signal()

    def __init__(self, document: Document, browsing: Browsing, running: RunningTakes, look: Look) -> None:
        super().__init__()
        self._document, self._browsing, self._running = document, browsing, running
        self.setFixedHeight(size("timeline_header"))
        self.counts = Text(look, "", "text2", "small")
        self.counts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._sort_words = Text(look, "Sort by", "text2", "small")
        self.sort = Segments(look, SORT_WORDS, "Sort takes by")
        self.filter = Segments(look, list(FILTER_WORDS.items()), "Which takes are listed")
        self.enlarge = IconButton(look, "takes.enlarge", "Enlarge takes", "Ctrl+Space")
        for segments in (self.sort, self.filter):
            segments.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._lay_out(look)
        self.sort.chosen.connect(browsing.set_sort)
        self.filter.chosen.connect(browsing.set_filter)
        self.enlarge.clicked.connect(self.enlarge_asked)
        browsing.changed.connect(self.show_state)
        running.changed.connect(self.show_state)
        self.show_state()

    def _lay_out(self, look: Look) -> None:
        title, edge = Text(look, "Takes", "text", "panel_title"), (space("l"), 0, space("m"), 0)
        choices = (self._sort_words, self.sort, self.filter, self.enlarge)
        row(title, wide(self.counts), *choices, of=self, gap=space("m"), edge=edge)

    def show_state(self) -> None:
        self.counts.set_text(self.words())
        self.sort.set_current(self._browsing.sort)
        self.filter.set_current(self._browsing.filter)
        for name in ("pinned", "rejected"):
            count = self._browsing.count(name)
            self.filter.set_words(name, f"{FILTER_WORDS[name]} {count}" if count else FILTER_WORDS[name])

    def words(self) -> str:
        """ "11 ready · 1 running · seed 7"."""
        scene = self._document.scene
        ready, running = len(scene.takes), self._running.count
        parts = [f"{ready} ready"] if ready else []
        parts += [f"{running} running"] if running else []
        asked = [f"paper: {remedy_words(scene.request.remedies)}"] if scene.request.remedies else []
        return " · ".join([*parts, f"seed {scene.request.seed}", *asked])

    def show_enlarged(self, enlarged: bool) -> None:
        self.enlarge.set_glyph("takes.shrink" if enlarged else "takes.enlarge")
        self.enlarge.set_words("Back to the view" if enlarged else "Enlarge takes", "Ctrl+Space")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sort_words.setVisible(self.width() >= NARROW)
