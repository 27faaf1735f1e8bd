"""New, open, save, close: no way loses work without a question."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

import pytest
from projects import save_project
from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from standins import MakerDialog, boxes, filled

from app.document import edits
from app.shell.ages import age_words
from app.shell.drops import SHAPE
from app.shell.file_commands import open_path, recent
from app.shell.questions import Dialogs
from engine.scene.spec import Scene


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "wall.foregone"
    Scene(boxes(2)).save(path)
    return path


def change(window) -> None:
    scene, _ = edits.add(window.studio.document.scene, boxes(1))
    window.studio.document.edit("Add box", scene)


def opened(window, path: Path) -> None:
    """Open a project and wait until it is there."""
    open_path(window.studio, path)
    window.studio.files.finish()


def saved(window) -> None:
    window.actions_by_id.run("file.save")
    window.studio.files.finish()


def test_save_asks_for_a_place_once(window, answers, tmp_path) -> None:
    change(window)
    assert window.status.saved.text() == "Not saved"
    answers.save = tmp_path / "die.foregone"
    saved(window)
    assert answers.asked == ["save Untitled.foregone"] and window.studio.document.title == "die"
    assert window.status.saved.text().startswith("Saved ") and not window.actions_by_id["file.save"].isEnabled()
    change(window)
    saved(window)
    assert len(answers.asked) == 1 and len(Scene.load(answers.save).bodies) == 2
    assert recent(window.studio) == [answers.save]


def test_title_shows_name_and_edits(window, project) -> None:
    opened(window, project)
    assert window.top_bar.words() == ("wall", ".foregone") and window.windowTitle().startswith("wall.foregone")
    change(window)
    assert window.top_bar.words() == ("wall", ".foregone · edited")
    window.actions_by_id.run("edit.undo")
    assert window.top_bar.words() == ("wall", ".foregone")


@pytest.mark.parametrize(("keep", "left"), [("save", True), ("discard", True), ("cancel", False)])
def test_unsaved_work_is_asked_about(window, answers, project, tmp_path, keep: str, left: bool) -> None:
    change(window)
    answers.keep, answers.save = keep, tmp_path / "kept.foregone"
    opened(window, project)
    assert "keep Untitled" in answers.asked
    assert (len(window.studio.document.scene.bodies) == 2) == left
    assert answers.save.exists() == (keep == "save")


def test_cancelling_the_file_dialog_stays(window, answers, project) -> None:
    change(window)
    answers.keep, answers.save = "save", None
    opened(window, project)
    assert window.studio.document.path is None
    assert not window.close() and window.isVisible()


def test_closing_with_a_running_job_asks(window, answers) -> None:
    filled(window.studio.document)
    window.actions_by_id.run("body.settle")
    answers.stop = False
    assert not window.close() and answers.asked == ["Settling is still under way."]
    assert window.studio.job is not None
    answers.stop = True
    assert window.close() and window.studio.job is None and window.studio.worker.stopped


def test_makers_close_with_the_document(window) -> None:
    window.shelf.chosen.emit("wall")
    dialog = MakerDialog.opened[0]
    gone: list[int] = []
    dialog.finished.connect(gone.append)
    window.actions_by_id.run("file.new")
    assert gone == [0]


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_a_bad_file_is_explained_and_changes_nothing(window, tmp_path, content: bytes) -> None:
    filled(window.studio.document)
    before = window.studio.document.scene
    path = tmp_path / "bad.foregone"
    path.write_bytes(content)
    opened(window, path)
    assert window.message.label.text() == "Could not open bad.foregone."
    assert [button.text() for button in window.message.buttons] == ["Details"]
    assert window.studio.document.scene is before


def test_a_folder_that_cannot_be_written_is_explained(window, answers, tmp_path) -> None:
    change(window)
    answers.save = tmp_path / "missing" / "x.foregone"
    saved(window)
    assert "The old file is untouched." in window.message.label.text()
    assert window.studio.document.dirty


def test_recent_files(window, qtbot, project, tmp_path) -> None:
    opened(window, project)
    other = tmp_path / "other.foregone"
    save_project(window.studio.document, other)
    opened(window, other)
    opened(window, project)
    assert recent(window.studio) == [project, other]
    menu = window.menus.menus["File/Open recent"]
    menu.aboutToShow.emit()
    menu.aboutToShow.emit()
    rows = [action for action in menu.actions() if action.text()]
    assert [row.text() for row in rows] == ["wall", "other", "Clear list"]
    rows[1].trigger()
    window.studio.files.finish()
    assert window.studio.document.path == other
    other.unlink()
    opened(window, other)
    assert recent(window.studio) == [project]
    window.actions_by_id.run("file.clear_recent")
    assert recent(window.studio) == []


def dropped(window, data: QMimeData, at: QPoint) -> None:
    event = QDropEvent(
        at.toPointF(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)
    assert event.isAccepted()


def test_files_dropped_on_the_window(window, project, tmp_path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "note.pdf")), QUrl.fromLocalFile(str(project))])
    dropped(window, data, QPoint(10, 10))
    window.studio.files.finish()
    assert window.studio.document.path == project
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "Chair.OBJ"))])
    dropped(window, data, QPoint(10, 10))
    assert MakerDialog.opened[0].loaded == tmp_path / "Chair.OBJ"
    MakerDialog.opened[0].close()


def test_files_with_several_objects_are_layouts(window, answers, tmp_path) -> None:
    nodes = {"two.gltf": 2, "one.gltf": 1}
    for name, count in nodes.items():
        table = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}] * count}
        (tmp_path / name).write_text(json.dumps(table))
    (tmp_path / "two.obj").write_text("o A\nv 0 0 0\no B\nv 1 1 1\n")
    for name, layout in (("set.USDA", True), ("set.usdz", True), ("two.gltf", True), ("one.gltf", False),
                         ("gone.glb", False), ("two.obj", True)):  # fmt: skip
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
        dropped(window, data, QPoint(10, 10))
        dialog = MakerDialog.opened.pop()
        assert dialog.loaded == tmp_path / name and (dialog.objectName() == "layout") == layout
        dialog.close()
    answers.mesh = tmp_path / "two.gltf"
    window.actions_by_id.run("file.import_layout")
    assert MakerDialog.opened[-1].loaded == answers.mesh and MakerDialog.opened[-1].objectName() == "layout"
    MakerDialog.opened[-1].close()


def test_a_shape_dropped_on_the_view_is_one_command(window, qtbot) -> None:
    data = QMimeData()
    data.setData(SHAPE, b"box")
    middle = window.studio.view.mapTo(window, window.studio.view.rect().center())
    dropped(window, data, middle)
    assert len(window.studio.document.scene.bodies) == 1 and window.studio.document.history.count() == 1
    qtbot.waitUntil(lambda: window.studio.tool_name == "select", timeout=1000)


@pytest.mark.parametrize(
    ("press", "answer"), [("Save", "save"), ("Don't save", "discard"), ("Cancel", "cancel"), (None, "cancel")]
)
def test_the_question_about_changes(window, qtbot, press: str | None, answer: str) -> None:
    texts: list[str] = []

    def respond() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        texts.append(box.text())
        if press is None:
            qtbot.keyClick(box, Qt.Key.Key_Escape)
        else:
            next(b for b in box.findChildren(QPushButton) if b.text() == press).click()

    QTimer.singleShot(50, respond)
    assert Dialogs(window).keep_changes("brick_wall") == answer
    assert texts == ["Save changes to brick_wall?"]


def test_ages_as_one_says_them(tmp_path) -> None:
    path = tmp_path / "a.foregone"
    path.write_bytes(b"")
    noon = datetime(2026, 3, 14, 12, 0).timestamp()
    for written, words in (
        (datetime(2026, 3, 14, 9, 5), "today, 09:05"),
        (datetime(2026, 3, 13, 23, 59), "yesterday"),
        (datetime(2026, 1, 2, 8, 0), "2 Jan"),
        (datetime(2024, 1, 2, 8, 0), "2 Jan 2024"),
    ):
        os.utime(path, (written.timestamp(), written.timestamp()))
        assert age_words(path, noon) == words
    assert age_words(tmp_path / "none", noon) == "missing"
