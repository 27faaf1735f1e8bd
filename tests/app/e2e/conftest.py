"""The whole program in one window: real view, panels, tools and worker, started as `app.shell.start` does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from hand import Hand


class Answers:
    """In place of the system's file dialogs, which no test can press, and of the questions before closing."""

    def __init__(self) -> None:
        self.file: Path | None = None

    def file_to_open(self, folder: str) -> Path | None:
        return self.file

    def file_to_save(self, suggestion: Path) -> Path | None:
        return self.file

    def layout_to_open(self, folder: str) -> Path | None:
        return self.file

    def file_to_export(self, suggestion: Path, kinds: str) -> Path | None:
        return self.file

    def mesh_to_open(self, folder: str) -> Path | None:
        return None

    def keep_changes(self, title: str) -> str:
        return "discard"

    def stop_job(self, words: str) -> bool:
        return True


@pytest.fixture
def program(qtbot, own_home) -> Iterator[Callable[..., Hand]]:
    """Starts the program (with a file), and gives the hand that uses it; `hand.window` is its window."""
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication

    from app.document.document import Document
    from app.look.look import Look
    from app.look.style import apply_style
    from app.session.settings import Settings
    from app.shell.parts import Parts
    from app.shell.start import begin
    from app.shell.window import Window

    opened: list[Window] = []
    app = QApplication.instance()
    look = Look()
    font, palette = app.font(), app.palette()
    apply_style(app, look)

    def start(file: Path | None = None, example: str | None = None) -> Hand:
        window = Window(Document(), Settings(), look, Parts(), Answers())
        opened.append(window)
        begin(window, str(file) if file is not None else None, example)
        window.activateWindow()
        qtbot.waitUntil(lambda: window.isActiveWindow() and not window.studio.files.busy, timeout=10_000)
        return Hand(window, qtbot)

    yield start
    for window in opened:
        window.studio.files.finish()
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.setStyleSheet("")
    app.setPalette(palette)
    app.setFont(font)
