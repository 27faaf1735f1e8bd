"""EnergyPanel: how the energy of every take goes, and a line above which takes may be discarded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.kit import Card, EmptyState, NumberField, Text, panel_column
from app.kit.layouts import held, stacked, wide
from app.look.quantity_words import energy_words
from app.takes import choosing
from app.takes.curves import Line
from app.takes.energy_list import EnergyList
from app.takes.sources import Sources

if TYPE_CHECKING:
    from app.takes.energy_plot import EnergyPlot

EMPTY = "Generate takes to see how much energy each one needs."
PLOT = 220  # px high
ABOVE_ALL = 1.06  # of the highest energy: where the line lies until it is moved


class EnergyPanel(QWidget):
    """Signals:
    discard_asked()   the takes above the line
    """

    discard_asked = Signal()

    def __init__(self, sources: Sources) -> None:
        super().__init__()
        document, playback, browsing, look = sources.document, sources.playback, sources.browsing, sources.look
        self._document, self._playback, self._browsing = document, playback, browsing
        self._curves, self._look = sources.curves, look
        self.plot: EnergyPlot | None = None  # made when first shown: it takes a while to load
        self.card = Card(look)
        self.limit = NumberField(look, "Discard above", "J", "", 1, 0.5, 0.0, 1e12, trim=True, name="Discard above")
        self.list = EnergyList(document, playback, browsing, look)
        self._lay_out()
        self.card.fix_requested.connect(self.discard_asked)
        self.limit.previewed.connect(browsing.set_threshold)
        self.limit.committed.connect(browsing.set_threshold)
        browsing.changed.connect(self._show_all)
        sources.curves.ready.connect(self._show_curves)
        playback.moved.connect(self._show_playhead)
        playback.changed.connect(self._show_all)
        look.changed.connect(self._recolor)

    def _lay_out(self) -> None:
        self._plot_place = QVBoxLayout()
        words = Text(self._look, "seconds before the ending", "text3", "caption", align=Qt.AlignmentFlag.AlignRight)
        title = Text(self._look, "Energy", "text", "panel_title")
        content = held(panel_column(title, self.card, self._plot_place, words, self.limit, wide(self.list)))
        self._pages = stacked(EmptyState(self._look, "tab.energy", EMPTY), content, of=self)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.plot is None:
            from app.takes.energy_plot import EnergyPlot

            self.plot = EnergyPlot(self._look, "Energy of all takes", has_threshold=True)
            self.plot.setMinimumHeight(120)
            self.plot.setMaximumHeight(PLOT)
            self.plot.threshold_moved.connect(self._browsing.set_threshold)
            self._plot_place.addWidget(self.plot)
        self._show_all()

    # -- following ---------------------------------------------------------------------------------------------------

    def _show_all(self) -> None:
        if not self.isVisible():
            return
        takes = [card for card in self._document.scene.takes if not card.rejected]
        self._pages.setCurrentIndex(1 if takes else 0)
        if not takes:
            return
        self.list.show_cards(self._browsing.threshold)
        self._show_card(len(takes))
        self._show_curves()

    def _show_card(self, count: int) -> None:
        limit = self._browsing.threshold
        gone = choosing.above(self._document.scene, limit) if limit is not None else []
        words = choosing.takes_words(count)
        if limit is None or not gone:
            self.card.show_words(words, "Drag the dashed line down to choose takes to discard. Pinned ones stay.")
        else:
            fix = f"Discard {choosing.takes_words(len(gone))} above {energy_words(limit)}"
            self.card.show_words(words, f"{len(gone)} of them start above the line.", fix)

    def _show_curves(self, _: str = "") -> None:
        if self.plot is None or not self.isVisible():
            return
        thin, strong = [], []
        for card in self._document.scene.takes:
            curve = self._curves.request(card.id) if not card.rejected else None
            if curve is not None and card.id == self._playback.key:
                strong.append(Line(curve, self._look.color("text")))
            elif curve is not None:
                thin.append(Line(curve, self._look.color("text3", 0.7), strong=False))
        self.plot.show_lines([*thin, *strong])
        limit = self._browsing.threshold
        shown = limit if limit is not None else ABOVE_ALL * self.plot.top
        self.plot.show_threshold(shown)
        self.limit.set_value(shown)
        self._show_playhead()

    def _show_playhead(self) -> None:
        if self.plot is not None and self.isVisible():
            known = self._playback.film is not None
            self.plot.show_playhead(self._playback.ending - self._playback.time if known else None)

    def _recolor(self) -> None:
        self.list.forget()
        self._show_all()
