"""The window with its real parts: placing, moving, undoing, saving, and coming back after a crash."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace

import pytest
from projects import finish
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from standins import Answers, Worker, boxes

from app.document import edits
from app.document.document import Document
from app.document.journal import Journal
from app.look.look import Look
from app.session.settings import Settings, home
from app.shell.parts import Parts
from app.shell.window import Window
from engine.scene.spec import Scene


@pytest.fixture
def studio(qtbot, own_home) -> Iterator[Window]:
    """All but the worker: its process has tests of its own."""
    made = Window(Document(), Settings(), Look(), replace(Parts(), worker=Worker), Answers())
    made.resize(1400, 900)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.studio.files.finish()
    made.close()
    made.deleteLater()


class Shown(QObject):
    """Watches for windows that come up."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.windows.append(type(watched).__name__)
        return False


def test_no_other_window_flashes_up_before_it(qapp, qtbot, own_home) -> None:
    """As parts of it would that are shown before they have their place."""
    shown = Shown()
    qapp.installEventFilter(shown)
    made = Window(Document(), Settings(), Look(), replace(Parts(), worker=Worker), Answers())
    qtbot.addWidget(made)
    assert shown.windows == []
    made.show()
    qapp.removeEventFilter(shown)
    assert shown.windows == ["Window"]


def test_place_move_undo_save(studio, qtbot, tmp_path) -> None:
    document, view = studio.studio.document, studio.studio.view
    studio.actions_by_id.run("add.box")
    middle = QPoint(view.width() // 2, 2 * view.height() // 3)
    qtbot.mouseMove(view, middle)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle)
    assert len(document.scene.bodies) == 1 and studio.studio.selection.ids
    qtbot.waitUntil(lambda: studio.studio.tool_name == "select", timeout=1000)
    before = document.scene.bodies[0].position
    for key in (Qt.Key.Key_G, Qt.Key.Key_Z, Qt.Key.Key_2, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    assert document.scene.bodies[0].position == (*before[:2], before[2] + 2.0)
    studio.actions_by_id.run("body.drop")
    assert abs(document.scene.bodies[0].position[2] - before[2]) < 2e-6
    assert document.history.count() == 3
    studio.studio.questions.save = tmp_path / "a.foregone"
    studio.actions_by_id.run("file.save")
    studio.studio.files.finish()
    assert Scene.load(tmp_path / "a.foregone") == document.scene


def test_duplicate_and_its_move_are_one_command(studio, qtbot) -> None:
    document, view = studio.studio.document, studio.studio.view
    scene, ids = edits.add(Scene(), boxes(1))
    document.new(scene)
    studio.studio.selection.set(ids)
    studio.actions_by_id.run("edit.duplicate")
    for key in (Qt.Key.Key_X, Qt.Key.Key_1, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    assert [body.position[0] for body in document.scene.bodies] == [0.0, 1.0]
    assert document.history.count() == 1 and document.history.undoText() == "Duplicate Box 1"


def crashed() -> None:
    """A journal whose session is gone, with one box in it."""
    document = Document()
    journal = Journal(document, home() / "recovery")
    document.edit("Add box", edits.add(document.scene, boxes(1))[0])
    finish(journal)
    assert journal.folder is not None
    shutil.copytree(journal.folder, journal.folder.with_name("gone"))  # a copy has no one who holds its lock
    journal.close()


def test_work_left_by_a_crash_is_offered_on_the_start_page(studio, qtbot) -> None:
    crashed()
    studio.guard()
    studio.show_welcome()
    button = next(b for b in studio.welcome.findChildren(QPushButton) if b.text() == "Recover")
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    studio.studio.files.finish()
    assert len(studio.studio.document.scene.bodies) == 1 and studio.studio.document.dirty
    assert not studio.welcome_shown


def test_a_clean_end_leaves_nothing_to_recover(studio) -> None:
    safety = studio.guard()
    document = studio.studio.document
    document.edit("Add box", edits.add(document.scene, boxes(1))[0])
    assert any((home() / "recovery").iterdir())
    studio.close()
    assert not any((home() / "recovery").iterdir()) and safety.recovery.offer is None
