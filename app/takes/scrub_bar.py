"""ScrubBar: play and scrub, under the enlarged browser."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.kit import Text
from app.kit.layouts import row, wide
from app.kit.painting import space
from app.look.look import Look
from app.panels.transport import Actions, TransportButtons
from app.session.playback import Playback
from app.takes.scrub_ruler import ScrubRuler

HEIGHT = 58  # px
FOLLOW, REST = "all thumbnails follow", "thumbnails show the middle"


class ScrubBar(QWidget):
    def __init__(self, look: Look, playback: Playback) -> None:
        super().__init__()
        self._look, self._playback = look, playback
        self.setFixedHeight(HEIGHT)
        self.frame = Text(look, "", "text", "panel_title")
        self.of = Text(look, "", "text2", "body")
        self.words = Text(look, FOLLOW, "text2", "small")
        self.ruler = ScrubRuler(look, playback)
        told = (space("s"), self.frame, self.of, space("l"), self.words, space("l"), wide(self.ruler))
        self._row = row(*told, of=self, gap=space("xs"), edge=(space("l"), 0, space("m"), 0))
        playback.moved.connect(self._follow)
        playback.changed.connect(self._follow)
        self._follow()

    def set_actions(self, actions: Actions) -> None:
        """The window's actions, once there are any."""
        self._row.insertWidget(0, TransportButtons(actions, self._look, self))

    def _follow(self) -> None:
        playback = self._playback
        self.frame.set_text(str(playback.frame))
        self.of.set_text(f"/ {playback.last_frame}")
        self.words.set_text(REST if playback.at_ending else FOLLOW)
