"""Transport: play and scrub, under the enlarged browser. Its buttons ask for commands of the window by their names."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.look.look import Look
from app.panels.buttons import IconButton
from app.panels.control import space
from app.panels.text import Text
from app.session.playback import Playback
from app.takes.scrub_ruler import ScrubRuler

HEIGHT = 58  # px
BUTTONS = (  # command, icon, words, keys
    ("play.start", "frame.first", "Go to the start", "Home"),
    ("play.back", "frame.previous", "One frame back", ","),
    ("play.toggle", "play", "Play", "Space"),
    ("play.on", "frame.next", "One frame on", "."),
    ("play.ending", "frame.last", "Go to the ending", "End"),
    ("play.loop", "loop", "Loop", ""),
)
FOLLOW, REST = "all thumbnails follow", "thumbnails show the middle"


class Transport(QWidget):
    """Signals:
    asked(str)   a command of the window
    """

    asked = Signal(str)

    def __init__(self, look: Look, playback: Playback) -> None:
        super().__init__()
        self._look, self._playback = look, playback
        self.setFixedHeight(HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(space("l"), 0, space("m"), 0)
        row.setSpacing(space("xs"))
        self.buttons: dict[str, IconButton] = {}
        for command, glyph, words, keys in BUTTONS:
            button = self.buttons[command] = IconButton(look, glyph, words, keys)
            button.clicked.connect(partial(self.asked.emit, command))
            row.addWidget(button)
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

    def _follow(self) -> None:
        playback = self._playback
        self.frame.set_text(str(playback.frame))
        self.of.set_text(f"/ {playback.last_frame}")
        self.words.set_text(REST if playback.at_ending else FOLLOW)
        playing = playback.direction != 0
        self.buttons["play.toggle"].set_glyph("pause" if playing else "play", "text")
        self.buttons["play.toggle"].set_words("Stop" if playing else "Play", "Space")
        self.buttons["play.loop"].set_glyph("loop", "accent" if playback.loop else "text2")
        for command, button in self.buttons.items():
            button.setEnabled(playback.film is not None or command == "play.loop")
