"""The offer to recover, in a real window."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.document.file_work import FileWork
from app.document.journal import Journal
from app.look.look import Look
from app.shell.recovery import Recovery, RecoveryCard, ago
from engine.scene.spec import Body, Sphere


def crashed_session(folder: Path, name: str = "Ball") -> Path:
    """Unsaved work, as a killed program leaves it."""
    document = Document()
    journal = Journal(document, folder)
    document.edit("Add", edits.add(document.scene, [Body(name, Sphere(0.1))])[0])
    assert journal.folder is not None and journal._lock is not None
    journal._lock.release()
    for epoch in journal._epochs:
        epoch.close()
    return journal.folder


class Desk:
    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.document = Document()
        self.journal = Journal(self.document, folder)
        self.files = FileWork()
        self.recovery = Recovery(self.document, self.journal, folder, self.files)
        self.card = RecoveryCard(self.recovery, Look())
        qtbot.addWidget(self.card)
        self.said: list[str] = []
        self.recovery.said.connect(self.said.append)
        self.recovery.look_for_work()

    def button(self, text: str) -> QPushButton:
        return next(b for b in self.card.findChildren(QPushButton) if b.isVisible() and b.text() == text)

    def recover(self, qtbot: QtBot) -> None:
        """Press the button and wait until the work is read."""
        qtbot.mouseClick(self.button("Recover"), Qt.MouseButton.LeftButton)
        self.files.finish()

    def words(self) -> tuple[str, str]:
        return self.card._title.accessibleName(), self.card._text.accessibleName()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def desk(folder: Path, qtbot: QtBot) -> Iterator[Desk]:
    crashed_session(folder)
    desk = Desk(folder, qtbot)
    yield desk
    desk.journal.close()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "just now"), (18 * 60 + 7, "18 min ago"), (7300, "2 h ago"), (90000, "yesterday"), (9e5, "10 days ago")],
)
def test_times_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert ago(seconds) == words


def test_recovering_brings_the_work_back_and_ends_the_offer(desk: Desk, folder: Path, qtbot: QtBot) -> None:
    assert desk.card.isVisible() and desk.words() == ("Unsaved work found", "Untitled, just now")
    desk.recover(qtbot)
    assert [body.name for body in desk.document.scene.bodies] == ["Ball"] and desk.document.dirty
    assert not desk.card.isVisible() and desk.said == ["Untitled is recovered. Save it to keep it."]
    assert list(folder.iterdir()) == [desk.journal.folder], "the work is in the journal of this session now"


def test_discarding_asks_once_more(desk: Desk, folder: Path, qtbot: QtBot) -> None:
    qtbot.mouseClick(desk.button("Discard"), Qt.MouseButton.LeftButton)
    assert desk.words()[0] == "Discard it for good?" and len(list(folder.iterdir())) == 1
    qtbot.keyClick(desk.button("Keep"), Qt.Key.Key_Space)
    assert desk.words()[0] == "Unsaved work found"
    for _ in range(2):
        qtbot.mouseClick(desk.button("Discard"), Qt.MouseButton.LeftButton)
    assert not desk.card.isVisible() and list(folder.iterdir()) == []


def test_several_are_offered_one_after_the_other_newest_first(folder: Path, qtbot: QtBot) -> None:
    for name in ("Older", "Newer"):
        crashed_session(folder, name)
        time.sleep(0.01)
    desk = Desk(folder, qtbot)
    desk.recover(qtbot)
    assert desk.document.scene.bodies[0].name == "Newer" and desk.card.isVisible()
    desk.recover(qtbot)
    assert desk.said[-1] == "Save your work first, then recover." and desk.document.scene.bodies[0].name == "Newer"
    desk.journal.close()


def test_what_cannot_be_recovered_leaves_a_folder_to_open(folder: Path, qtbot: QtBot) -> None:
    broken = crashed_session(folder)
    (broken / "base-1").write_bytes(os.urandom(50))
    (broken / "tries").write_text("1")
    desk = Desk(folder, qtbot)
    desk.recover(qtbot)
    assert desk.words() == ("Could not be recovered", "What is left is in a folder.")
    assert desk.button("Open folder") and desk.recovery.lost == folder / "damaged" / broken.name
    qtbot.mouseClick(desk.button("Close"), Qt.MouseButton.LeftButton)
    assert not desk.card.isVisible() and (folder / "damaged" / broken.name / "changes-1").exists()
    desk.journal.close()


def test_without_lost_work_there_is_no_card(folder: Path, qtbot: QtBot) -> None:
    desk = Desk(folder, qtbot)
    assert not desk.card.isVisible()
    desk.journal.close()


def test_a_long_title_is_cut_with_an_ellipsis_and_a_tooltip(desk: Desk) -> None:
    desk.card.resize(272, 56)
    desk.card._text.set("a very long name of a project that does not fit, 18 min ago")
    assert desk.card._text.text().endswith("…") and "18 min ago" in desk.card._text.toolTip()
