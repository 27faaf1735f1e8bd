"""ScrubBar: play and scrub, under the enlarged browser."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.look.look import Look
from app.panels.control import space
from app.panels.text import Text
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
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(space("l"), 0, space("m"), 0)
        row.setSpacing(space("xs"))
        row.addSpacing(space("s"))
        self.frame = Text(look, "", "text", "panel_title")
        self.of = Text(look, "", "text2", "body")
        self.words = Text(look, FOLLOW, "text2", "small")
        row.addWidget(self.frame)
        row.addWidget(self.of)
        row.addSpacing(space("l"))
        row.addWidget(self.words)
        row.addSpacing(space("l"))
        self.ruler = ScrubRuler(look, playback)
        row.addWidget(self.ruler, 1)
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
