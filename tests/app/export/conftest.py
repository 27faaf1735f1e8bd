"""The dialog over a plain window, with hands that only note what they are asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "shell"))

from subjects import subject

from app.camera import Camera
from app.export.export_dialog import ExportDialog
from app.export.subject import Subject
from app.export.wish import Hands, Wish
from app.look.fonts import load_fonts
from app.look.look import Look
from app.session.settings import Settings


class Run(QObject):
    progressed = Signal(float, str)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def cancel(self) -> None:
        self.cancelled.emit()


class Artist:
    """Answers the dialog, and remembers what it asked for."""

    def __init__(self) -> None:
        self.wishes: list[Wish] = []
        self.run = Run()
        self.place: Path | None = None
        self.asked: list[tuple[Path, str]] = []
        self.busy = ""

    def start(self, what: Subject, wish: Wish) -> Run:
        self.wishes.append(wish)
        return self.run

    def ask_place(self, suggestion: Path, kinds: str) -> Path | None:
        self.asked.append((suggestion, kinds))
        return self.place

    def hands(self) -> Hands:
        return Hands(self.start, self.ask_place, lambda: Camera((0.5, 0.3, 0.2), 3.0), lambda: self.busy)


@pytest.fixture
def artist(qapp: object) -> Artist:
    return Artist()


@pytest.fixture
def store(own_home: Path, tmp_path: Path) -> Settings:
    made = Settings()
    made.set("export/folder", str(tmp_path))
    return made


@pytest.fixture
def open_dialog(qtbot: QtBot, store: Settings, artist: Artist) -> Iterator[Callable[..., ExportDialog]]:
    load_fonts()
    window = QWidget()
    window.resize(1280, 720)
    window.show()

    def show(what: Subject | None = None) -> ExportDialog:
        dialog = ExportDialog(what or subject(), store, Look(), artist.hands(), None, window)
        with qtbot.waitExposed(dialog):
            dialog.show()
        return dialog

    yield show
    for dialog in window.findChildren(ExportDialog):
        if dialog.isVisible():
            dialog.close()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def dialog(open_dialog: Callable[..., ExportDialog]) -> ExportDialog:
    return open_dialog()
