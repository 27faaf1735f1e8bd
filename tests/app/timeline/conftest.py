"""A panel with a film that was made by hand: four bodies over two seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

sys.path.insert(0, str(Path(__file__).parent))

from stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    qtbot.addWidget(made.panel)
    made.panel.resize(1256, 288)
    made.panel.show()
    made.panel.activateWindow()
    qtbot.waitExposed(made.panel)
    qtbot.waitUntil(made.panel.isActiveWindow)  # activation may come late, and repaints what shows the focus
    yield made
    made.playback.stop()
