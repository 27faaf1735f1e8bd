"""TimelinePanel: the dock at the bottom. With a take, its header and tracks; without one it says what will be there,
and keeps low."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from app.document.document import Document
from app.kit import set_surface
from app.kit.layouts import column, held, stacked, wide
from app.look.look import Look
from app.panels.transport import Actions
from app.session.playback import Playback
from app.session.selection import Selection
from app.timeline.empty_page import EmptyPage
from app.timeline.timeline_header import TimelineHeader
from app.timeline.tracks import Tracks

HEIGHT, LOWEST = 288, 176  # px, with a take
EMPTY_HEIGHT, EMPTY_LOWEST = 176, 112  # px; without tracks the view needs the room more


class TimelinePanel(QWidget):
    """Signals:
    filled(bool)   a take is shown now, or none is: other heights fit
    """

    filled = Signal(bool)

    def __init__(self, document: Document, selection: Selection, playback: Playback, look: Look) -> None:
        super().__init__()
        self._playback, self._generating = playback, False
        set_surface(self, "panel")
        self.empty = EmptyPage(look)
        self.header = TimelineHeader(document, playback, look)
        self.tracks = Tracks(document, selection, playback, look)
        self.tracks.folded.connect(self.header.set_energy_shown)
        self._pages = stacked(self.empty, held(column(self.header, wide(self.tracks), gap=0)), of=self)
        playback.changed.connect(self._follow)
        self._follow()

    def set_actions(self, actions: Actions) -> None:
        """The window's actions, once there are any."""
        self.header.set_actions(actions)
        self.empty.acted.connect(actions["takes.again"].trigger)

    def set_generating(self, generating: bool) -> None:
        """Are takes under way? Then nobody needs to be told to ask for some."""
        if generating != self._generating:
            self._generating = generating
            self._follow()

    @property
    def is_filled(self) -> bool:
        return self._pages.currentIndex() == 1

    def sizeHint(self) -> QSize:
        return QSize(600, HEIGHT if self.is_filled else EMPTY_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 0)  # the dock knows how low it may get

    def _follow(self) -> None:
        filled = self._playback.film is not None
        if not filled:
            self.empty.say(self._playback.trouble, self._generating)
        if filled != self.is_filled:
            self._pages.setCurrentIndex(int(filled))
            self.filled.emit(filled)
