"""A whole window of stand-in parts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from standins import Answers, MakerDialog, filled, standin_parts, with_take


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(qtbot, own_home, answers) -> Iterator[object]:
    from PySide6.QtWidgets import QApplication

    from app.document.document import Document
    from app.look.look import Look
    from app.look.style import palette, style_sheet
    from app.session.settings import Settings
    from app.shell.window import Window

    look = Look()
    app = QApplication.instance()
    app.setPalette(palette(look))
    app.setStyleSheet(style_sheet(look))
    MakerDialog.opened.clear()
    made = Window(Document(), Settings(), look, standin_parts(), answers)
    made.resize(1600, 1000)
    made.show()
    made.activateWindow()
    qtbot.waitExposed(made)
    qtbot.waitUntil(made.isActiveWindow)  # before that, no shortcut is heard
    yield made
    answers.keep, answers.stop = "discard", True
    made.studio.files.finish()
    made.close()
    made.deleteLater()
    app.setStyleSheet("")


@pytest.fixture
def window_with_take(window, qtbot):
    """Three bodies, and a take of them that is shown."""
    filled(window.studio.document)
    with_take(window.studio, "t1")
    qtbot.waitUntil(lambda: window.timeline.tracks.isVisible())
    return window
