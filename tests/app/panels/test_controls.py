"""Slider, segments, toggle, choice, text field, card: what they tell under real mouse and keys."""

from __future__ import annotations

import pytest
from panel_scenes import show_active
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.kit.buttons import IconButton
from app.kit.card import Card
from app.kit.choice import Choice
from app.kit.segments import Segments
from app.kit.slider import RangeSlider
from app.kit.text import Text
from app.kit.text_field import TextField
from app.kit.toggle import Toggle
from app.look.look import Look

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def shown(qtbot: QtBot, widget: QWidget, width: int = 212) -> None:
    qtbot.addWidget(widget)
    widget.resize(width, widget.sizeHint().height())
    show_active(qtbot, widget)


class Told:
    def __init__(self, slider: RangeSlider) -> None:
        self.all: list[tuple] = []
        slider.previewed.connect(lambda v: self.all.append(("preview", v)))
        slider.committed.connect(lambda v: self.all.append(("value", v)))
        slider.range_previewed.connect(lambda a, b: self.all.append(("range preview", a, b)))
        slider.range_committed.connect(lambda a, b: self.all.append(("range", a, b)))
        slider.cancelled.connect(lambda: self.all.append(("cancelled",)))

    def ends(self) -> list[tuple]:
        return [entry for entry in self.all if "preview" not in entry[0]]


@pytest.fixture
def slider(qtbot: QtBot, look: Look) -> RangeSlider:
    made = RangeSlider(look)
    made.set_value(0.4)
    made.set_range((0.4, 1.0))
    shown(qtbot, made)  # 212 px: 2 px per hundredth between the knob's ends
    return made


def test_the_knob_is_dragged_in_one_gesture(slider: RangeSlider) -> None:
    told = Told(slider)
    QTest.mousePress(slider, LEFT, NONE, QPoint(86, 13))
    for x in (90, 100, 106):
        QTest.mouseMove(slider, QPoint(x, 13))
        QApplication.processEvents()
    QTest.mouseRelease(slider, LEFT, NONE, QPoint(106, 13))
    assert told.ends() == [("value", 0.5)] and len(told.all) > 1


def test_a_mark_under_the_track_drags_an_end_of_the_range(slider: RangeSlider) -> None:
    told = Told(slider)
    QTest.mousePress(slider, LEFT, NONE, QPoint(206, 22))
    QTest.mouseMove(slider, QPoint(166, 22))
    QApplication.processEvents()
    QTest.mouseRelease(slider, LEFT, NONE, QPoint(166, 22))
    assert told.ends() == [("range", 0.4, 0.8)] and slider.value == 0.4


def test_ends_of_the_range_do_not_cross(slider: RangeSlider) -> None:
    QTest.mousePress(slider, LEFT, NONE, QPoint(206, 22))
    QTest.mouseMove(slider, QPoint(10, 22))
    QApplication.processEvents()
    QTest.mouseRelease(slider, LEFT, NONE, QPoint(10, 22))
    assert slider.range == (0.4, 0.4)


def test_slider_escape_and_keys(slider: RangeSlider) -> None:
    told = Told(slider)
    slider.setFocus()
    QTest.mousePress(slider, LEFT, NONE, QPoint(150, 13))
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(slider, LEFT, NONE, QPoint(150, 13))
    assert told.ends() == [("cancelled",)] and slider.value == 0.4
    QTest.keyClick(slider, Qt.Key.Key_Right)
    QTest.keyClick(slider, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert told.ends()[1:] == [("value", 0.41), ("value", 0.31)]


def test_the_lit_part_is_the_range(slider: RangeSlider, look: Look) -> None:
    slider.set_value(0.1)
    picture = slider.grab().toImage()
    assert picture.pixelColor(int(slider.x_of(0.7)), 13) == look.color("accent")
    assert picture.pixelColor(int(slider.x_of(0.25)), 13) == look.color("line2")


def test_segments(qtbot: QtBot, look: Look) -> None:
    segments = Segments(look, [("a", "One"), ("b", "Two"), ("c", "Three")])
    shown(qtbot, segments)
    chosen: list[str] = []
    segments.chosen.connect(chosen.append)
    segments.set_current("a")
    QTest.mouseClick(segments, LEFT, NONE, segments.area_of(1).center().toPoint())
    segments.setFocus()
    QTest.keyClick(segments, Qt.Key.Key_Right)
    QTest.keyClick(segments, Qt.Key.Key_Right)
    assert chosen == ["b", "c"] and segments.current == "c"


def test_toggle(qtbot: QtBot, look: Look) -> None:
    toggle = Toggle(look, "Static", "Never moves; others rest on it.")
    shown(qtbot, toggle)
    told: list[bool] = []
    toggle.toggled.connect(told.append)
    QTest.mouseClick(toggle, LEFT)
    toggle.setFocus()
    QTest.keyClick(toggle, Qt.Key.Key_Space)
    toggle.set_on(None)
    QTest.mouseClick(toggle, LEFT)
    assert told == [True, False, True]
    for held in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier):
        QTest.keyClick(toggle, Qt.Key.Key_Return, held)
    assert len(told) == 3, "with another key held it is a shortcut"
    QTest.keyClick(toggle, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert len(told) == 4


def test_choice_by_menu_and_keys(qtbot: QtBot, look: Look) -> None:
    choice = Choice(look, ["Wood", "Steel", "Ice"], "Preset")
    shown(qtbot, choice)
    chosen: list[str] = []
    choice.chosen.connect(chosen.append)
    choice.set_text("Custom")
    QTest.mouseClick(choice, LEFT)
    assert choice.menu.isVisible()
    QTest.keyClick(choice.menu, Qt.Key.Key_Down)
    QTest.keyClick(choice.menu, Qt.Key.Key_Return)
    assert chosen == ["Wood"] and not choice.menu.isVisible()
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    assert chosen == ["Wood", "Steel"]


def test_text_field_commits_once_and_escape_goes_back(qtbot: QtBot, look: Look) -> None:
    field = TextField(look, "Name")
    shown(qtbot, field)
    told: list[str] = []
    field.committed.connect(told.append)
    field.set_text("Brick")
    field.setFocus()
    field.line.selectAll()
    QTest.keyClicks(field.line, "Stone")
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    assert field.text == "Brick" and told == []
    field.line.selectAll()
    QTest.keyClicks(field.line, "Stone")
    field.set_text("Brick")  # a refresh while typing does not disturb
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    field.line.clearFocus()
    assert told == ["Stone"]


def test_card_button_and_click_are_two_things(qtbot: QtBot, look: Look) -> None:
    card = Card(look, clickable=True)
    card.show_words("Brick 12 is 4 mm inside Brick 9.", "Or move it by hand.", "Push apart", "error")
    shown(qtbot, card, 260)
    told: list[str] = []
    card.clicked.connect(lambda: told.append("card"))
    card.fix_requested.connect(lambda: told.append("fix"))
    QTest.mouseClick(card.button, LEFT)
    QTest.mouseClick(card, LEFT, NONE, QPoint(6, 6))
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_Return)
    assert told == ["fix", "card", "card"]
    assert card.heightForWidth(200) > card.heightForWidth(400)


def test_a_cut_line_has_an_ellipsis_and_a_tooltip(qtbot: QtBot, look: Look) -> None:
    text = Text(look, "A name that is much too long for its place")
    shown(qtbot, text, 60)
    assert text.toolTip() == text.text
    text.resize(600, 18)
    assert text.toolTip() == ""


def test_icon_buttons_are_named(qtbot: QtBot, look: Look) -> None:
    button = IconButton(look, "outliner.add", "Add a body", "Shift+A")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Add a body" and "Shift+A" in button.toolTip()
    assert button.width() >= 24 and button.height() >= 24
