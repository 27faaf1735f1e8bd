"""A document with made-up takes, what shows it, and a whole window of stand-in parts for those that need one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "shell"))

from films import with_takes

from app.camera import Camera
from app.document.document import Document
from app.look.look import Look
from app.session.playback import Playback
from app.session.settings import Settings
from app.takes.browsing import Browsing
from app.takes.curves import Curves
from app.takes.running import RunningTakes
from app.takes.sources import Sources
from app.takes.takes_panel import TakesPanel
from app.viewport.thumbnails import Thumbnails

ENERGIES = [127.0, 171.0, 111.0, 96.0]


class Desk:
    """Everything the browser needs, with four takes; the calmest is the last one."""

    def __init__(self, scratch: Path) -> None:
        self.document = Document(scratch=scratch)
        self.keys = with_takes(self.document, ENERGIES)
        self.look, self.settings = Look(), Settings()
        self.playback = Playback(self.document)
        self.browsing = Browsing(self.document, self.playback, self.settings)
        self.running, self.curves = RunningTakes(), Curves(self.document)
        self.camera = Camera((0.0, 0.0, 0.3), 3.0)
        self.thumbnails = Thumbnails(self.document, self.settings, self.look, lambda: self.camera)

        self.sources = Sources(
            self.document, self.playback, self.browsing, self.running, self.thumbnails, self.curves, self.look
        )

    def names(self) -> list[str]:
        """Of what is listed."""
        return [card.name for card in self.browsing.cards]


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "scratch")
    yield made
    made.playback.stop()
    made.thumbnails.release()


@pytest.fixture
def panel(desk: Desk, qtbot: QtBot) -> Iterator[TakesPanel]:
    """The browser, 900 x 600, with the keyboard in its list."""
    made = TakesPanel(desk.sources)
    qtbot.addWidget(made)
    made.resize(900, 600)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.grid.setFocus()
    qtbot.waitUntil(made.grid.hasFocus)
    yield made
    made.close()


@pytest.fixture
def quiet(desk: Desk, qtbot: QtBot) -> Callable[[], None]:
    """Wait until every picture and curve that was asked for is there."""

    def wait() -> None:
        qtbot.wait(20)
        qtbot.waitUntil(lambda: not desk.thumbnails.queue.waiting and not desk.curves._queue.waiting, timeout=8000)

    return wait
