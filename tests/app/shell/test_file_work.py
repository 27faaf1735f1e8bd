"""Files are read and written beside the window: it goes on, loses nothing, and waits for what must be written."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from standins import boxes

from app.document import document as document_file
from app.document import edits
from app.document.file_work import FileWork
from app.shell.file_commands import open_path
from engine.scene.spec import Scene


class Disk:
    """A disk that is slow until told otherwise."""

    def __init__(self) -> None:
        self.free, self.writes = threading.Event(), 0

    def save_scene(self, scene: Scene, *arguments, **options) -> None:
        self.free.wait(20.0)
        self.writes += 1
        save_scene(scene, *arguments, **options)

    def load(self, path) -> Scene:
        self.free.wait(20.0)
        return load(path)


save_scene, load = document_file.save_scene, Scene.load


@pytest.fixture
def disk(monkeypatch) -> Iterator[Disk]:
    slow = Disk()
    monkeypatch.setattr(document_file, "save_scene", slow.save_scene)
    monkeypatch.setattr(Scene, "load", slow.load)
    yield slow
    slow.free.set()


def change(window) -> None:
    window.studio.document.edit("Add box", edits.add(window.studio.document.scene, boxes(1))[0])


def begin_saving(window, answers, tmp_path: Path) -> Path:
    change(window)
    answers.save = tmp_path / "a.foregone"
    window.actions_by_id.run("file.save")
    return answers.save


def test_the_artist_goes_on_while_a_project_is_saved(window, qtbot, answers, tmp_path, disk) -> None:
    path = begin_saving(window, answers, tmp_path)
    assert window.status.saved.text() == "Saving…" and window.studio.document.dirty and not path.exists()
    change(window)
    disk.free.set()
    qtbot.waitUntil(lambda: window.studio.document.path == path)
    assert window.status.saved.text() == "Not saved" and window.status.said == "Saved a.foregone."
    assert len(load(path).bodies) == 1
    window.actions_by_id.run("edit.undo")
    assert not window.studio.document.dirty and window.status.saved.text().startswith("Saved ")


def test_saving_again_meanwhile_follows_and_only_if_there_is_something_new(
    window, qtbot, answers, tmp_path, disk
) -> None:
    path = begin_saving(window, answers, tmp_path)
    window.actions_by_id.run("file.save")
    change(window)
    window.actions_by_id.run("file.save")
    assert len(answers.asked) == 1, "nobody is asked for a place twice"
    disk.free.set()
    qtbot.waitUntil(lambda: not window.studio.document.dirty)
    assert len(load(path).bodies) == 2 and disk.writes == 2
    assert window.studio.document.path == path and not window.studio.files.busy


def test_closing_waits_for_the_file(window, qtbot, answers, tmp_path, disk) -> None:
    path = begin_saving(window, answers, tmp_path)
    assert not window.close() and window.isVisible()
    disk.free.set()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert path.exists() and answers.asked == ["save Untitled.foregone"]


def test_closing_with_unsaved_work_saves_and_closes(window, qtbot, answers, tmp_path) -> None:
    change(window)
    answers.keep, answers.save = "save", tmp_path / "a.foregone"
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert len(load(answers.save).bodies) == 1


def test_closing_after_a_failed_save_stays(window, qtbot, answers, tmp_path) -> None:
    change(window)
    answers.keep, answers.save = "save", tmp_path / "missing" / "a.foregone"
    assert not window.close()
    qtbot.waitUntil(window.message.isVisible)
    assert window.isVisible() and window.studio.document.dirty


@pytest.mark.parametrize(("keep", "shown"), [("cancel", 1), ("discard", 2)])
def test_work_done_while_a_project_is_read_is_asked_about(
    window, qtbot, answers, tmp_path, disk, keep: str, shown: int
) -> None:
    path = tmp_path / "two.foregone"
    save_scene(Scene(boxes(2)), path)
    open_path(window.studio, path)
    assert window.status.saved.text() == "Opening…"
    change(window)
    answers.keep = keep
    disk.free.set()
    qtbot.waitUntil(lambda: not window.studio.files.busy)
    assert answers.asked == ["keep Untitled"] and len(window.studio.document.scene.bodies) == shown


def test_who_opens_a_second_file_gets_that_one(window, qtbot, tmp_path, disk) -> None:
    for count in (2, 3):
        save_scene(Scene(boxes(count)), tmp_path / f"{count}.foregone")
        open_path(window.studio, tmp_path / f"{count}.foregone")
    disk.free.set()
    qtbot.waitUntil(lambda: window.studio.document.path is not None and not window.studio.files.busy)
    assert window.studio.document.title == "3" and len(window.studio.document.scene.bodies) == 3


def test_a_new_scene_ends_opening(window, qtbot, tmp_path, disk) -> None:
    save_scene(Scene(boxes(2)), tmp_path / "2.foregone")
    open_path(window.studio, tmp_path / "2.foregone")
    window.actions_by_id.run("file.new")
    assert window.status.saved.text() == "New"
    disk.free.set()
    qtbot.waitUntil(lambda: not window.studio.files.busy)
    assert window.studio.document.scene == Scene() and window.studio.document.path is None


def test_a_fault_in_the_work_is_raised_where_the_answer_is_asked_for(qtbot) -> None:
    files, seen = FileWork(), []

    def fails() -> None:
        raise ZeroDivisionError

    files.write("Saving…", fails, lambda answer: seen.append(answer.exception()))
    files.when_free("more", lambda: seen.append("went on"))
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert isinstance(seen[0], ZeroDivisionError) and seen[1] == "went on" and not files.words
