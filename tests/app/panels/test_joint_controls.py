"""The Joint section of the Body tab: what it shows, and that every gesture is one command."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from panel_scenes import key_of, show_active
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.look.look import Look
from app.panels.body_panel import BodyPanel
from app.panels.joint_section import JointSection
from app.session.selection import Selection
from engine.scene.joint_rules import joint_problems
from engine.scene.spec import Joint


@pytest.fixture
def section(qtbot: QtBot, document: Document, selection: Selection, look: Look) -> Iterator[JointSection]:
    panel = BodyPanel(document, selection, look, lambda item: None)
    panel.resize(344, 900)
    qtbot.addWidget(panel)
    one, two, ball = (key_of(document, name) for name in ("Brick 1", "Brick 2", "Ball"))
    hinge = Joint("hinge", one, two, anchor=(0.375, 0, 0.06), axis=(0, 2, 0), lo=-0.5, hi=1.0)
    document.new(replace(document.scene, joints=[hinge, Joint("ball", ball, anchor=(0, 1, 0.2))]))
    show_active(qtbot, panel)
    yield panel.joint
    panel.close()


def type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    editor = QApplication.focusWidget()
    assert editor is not None
    editor.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_it_shows_the_joint_of_a_selected_body(section, document: Document, selection: Selection) -> None:
    assert not section.isVisible()
    selection.set([key_of(document, "Brick 3")])
    assert not section.isVisible()
    selection.set([key_of(document, "Brick 2")])
    controls = section.controls
    assert section.isVisible() and section.which.text == "Hinge: Brick 2 – Brick 1"
    assert controls.kind.current == "hinge" and controls.along.current == "Y"
    assert [field.value for field in controls.anchor] == [0.375, 0, 0.06]
    assert "Moving Brick 1 takes the anchor" in controls.anchor[0].toolTip()
    assert [round(field.value, 6) for field in controls.ends] == [-28.64789, 57.29578]
    selection.set([key_of(document, "Ball"), key_of(document, "Brick 1")])
    assert section.heading.words.text == "2 joints"
    section.which._choose("2  Ball joint: Ball – world")
    assert selection.joint == "j2" and controls.kind.current == "ball"
    assert not controls.along.isVisible() and not controls.limited.isVisible()


def test_numbers_are_commands(section, document: Document, selection: Selection) -> None:
    selection.choose_joint("j1")
    controls = section.controls
    type_into(controls.anchor[2], "5 cm")
    assert document.scene.joints[0].anchor == (0.375, 0, 0.05)
    assert document.history.undoText() == "Move the hinge of Brick 2 and Brick 1"
    type_into(controls.ends[1], "90")
    assert document.scene.joints[0].hi == pytest.approx(0.5 * math.pi)
    type_into(controls.ends[0], "15")  # a limit on the wrong side of the ending cannot be typed
    assert document.scene.joints[0].lo == 0.0
    type_into(controls.axis[0], "0.5")
    assert document.scene.joints[0].axis == (0.5, 2, 0) and controls.along.current is None
    controls.along.chosen.emit("Z")
    assert document.scene.joints[0].axis == (0, 0, 1)
    assert document.history.count() == 5 and joint_problems(document.scene) == []
    for _ in range(5):
        document.history.undo()
    assert document.scene.joints[0].lo == -0.5 and controls.ends[0].value == pytest.approx(math.degrees(-0.5))


def test_kinds_and_limits(section, document: Document, selection: Selection) -> None:
    selection.choose_joint("j1")
    controls = section.controls
    controls.kind.chosen.emit("slider")
    joint = document.scene.joints[0]
    assert joint.kind == "slider" and joint.lo is None and joint.hi is None  # radians are no metres
    assert controls.limited.on is False and not controls.ends[0].isVisible()
    controls.limited.toggled.emit(True)
    assert (document.scene.joints[0].lo, document.scene.joints[0].hi) == (-0.5, 0.5) and controls.ends[0].unit == "m"
    controls.limited.toggled.emit(False)
    assert document.scene.joints[0].hi is None
    controls.kind.chosen.emit("fixed")
    assert joint_problems(document.scene) == [] and not controls.limited.isVisible()


def test_the_button_deletes_the_joint(section, document: Document, selection: Selection) -> None:
    selection.choose_joint("j1")
    section.controls.delete.clicked.emit()
    assert [joint.id for joint in document.scene.joints] == ["j2"] and not section.isVisible()
    assert selection.joint == ""
    document.history.undo()
    assert section.isVisible()


def test_it_follows_a_gesture(section, document: Document, selection: Selection) -> None:
    selection.choose_joint("j1")
    moved = edits.translate(document.scene, [key_of(document, "Brick 1")], (0, 0, 0.5))
    document.preview(moved)
    assert section.controls.anchor[2].value == pytest.approx(0.56)
    document.preview(None)
    assert section.controls.anchor[2].value == 0.06


def test_words_wrap_in_a_narrow_panel(section, document: Document, selection: Selection, qtbot: QtBot) -> None:
    section.window().resize(240, 700)
    selection.set([key_of(document, "Ball")])
    words = section.controls.meaning
    qtbot.waitUntil(lambda: words.height() == words.heightForWidth(words.width()))
    assert words.height() > words.sizeHint().height(), "one line more than in a panel of the usual width"


def test_a_limit_past_the_ending_is_refused_in_words(section, document: Document, selection: Selection) -> None:
    selection.set([key_of(document, "Brick 1")])
    lowest = section.controls.ends[0]
    type_into(lowest, "20")
    assert lowest.value == 0.0 and document.scene.joints[0].lo == 0.0
    assert QToolTip.isVisible() and "not past 0°" in QToolTip.text() and "not past 0°" in lowest.toolTip()
    QToolTip.hideText()
    type_into(lowest, "-20")
    assert document.scene.joints[0].lo == pytest.approx(math.radians(-20))
