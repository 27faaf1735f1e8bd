"""TimelineHeader: transport, moment, rate, legend and take in one line. What has no room folds, least needed first."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.document.document import Document
from app.kit import set_surface
from app.kit.layouts import FILL, row
from app.look.look import Look, size
from app.look.quantity_words import energy_words
from app.panels.transport import Actions, TransportButtons
from app.session.playback import Playback
from app.timeline.moment import Moment
from app.timeline.rate_choice import RateChoice
from app.timeline.take_choice import TakeChoice
from app.timeline.tier_legend import LegendButton, TierLegend

EDGE, GAP = 10, 10  # px


class TimelineHeader(QWidget):
    def __init__(self, document: Document, playback: Playback, look: Look) -> None:
        super().__init__()
        self._playback, self._look = playback, look
        set_surface(self, "panel")
        self.setFixedHeight(size("timeline_header"))
        self.transport: TransportButtons | None = None
        self.moment = Moment(playback, look, self)
        self.energy = QLabel(self)
        self.energy.setMinimumWidth(64)
        self.energy.setToolTip("Energy of the whole scene over its ending")
        self.energy.hide()
        self.rate = RateChoice(document, playback, look, self)
        self.legend, self.legend_button = TierLegend(look, self), LegendButton(look, self)
        self.take = TakeChoice(document, playback, look, self)
        left, right = (self.moment, self.rate, self.energy), (self.legend, self.legend_button, self.take)
        self._row = row(*left, FILL, *right, of=self, gap=GAP, edge=(EDGE, 0, EDGE, 0))
        playback.moved.connect(self._show_energy)
        playback.changed.connect(self._follow)

    def set_actions(self, actions: Actions) -> None:
        self.take.set_again(actions["takes.again"])
        self.transport = TransportButtons(actions, self._look, self)
        self._row.insertWidget(0, self.transport)
        QWidget.setTabOrder(self.transport, self.moment)
        self._fold()

    def set_energy_shown(self, shown: bool) -> None:
        """The number that stands for the energy track where that has no room."""
        self.energy.setVisible(shown)
        self._show_energy()
        self._fold()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), size("timeline_header"))  # what a dock asks a title bar for

    def minimumSizeHint(self) -> QSize:
        return QSize(320, size("timeline_header"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _follow(self) -> None:
        self._show_energy()
        self._fold()

    def _show_energy(self) -> None:
        film = self._playback.film
        if film is not None and not self.energy.isHidden():
            self.energy.setText(energy_words(film.energy_at(self._playback.time)))

    def _fold(self) -> None:
        """First the legend goes, then the words beside the frame."""
        always: list[QWidget] = [self.rate, self.take]
        always += [widget for widget in (self.transport, self.energy) if widget is not None and not widget.isHidden()]
        needed = sum(max(widget.sizeHint().width(), widget.minimumWidth()) + GAP for widget in always)
        room = self.width() - 2 * EDGE - needed - GAP
        wordy, legend = self.moment.wordy_width() + GAP, self.legend.sizeHint().width() + GAP
        shows_legend = room >= wordy + legend
        self.legend.setVisible(shows_legend)
        self.legend_button.setVisible(not shows_legend)
        self.moment.set_wordy(room >= wordy + (legend if shows_legend else self.legend_button.width() + GAP))
