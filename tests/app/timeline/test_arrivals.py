"""When a body comes to rest: dragged, moved by keys, cleared; and that the take is then older than the scene."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from stage import Stage

from app.timeline.body_rows import handle_at
from app.timeline.take_choice import STALE

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
LABEL = 60.0  # px, in the column of labels


def test_a_handle_stands_where_the_film_rests(stage: Stage) -> None:
    for number, rest in enumerate((1.0, 1.2, 1.4, 1.6)):
        x = stage.shown.axis.x(rest)
        assert handle_at(stage.shown, x + 3.0, stage.row_y(number)) == number
        assert handle_at(stage.shown, x + 30.0, stage.row_y(number)) is None


def test_a_drag_says_when_the_body_arrives(stage: Stage) -> None:
    stage.playback.go_to_frame(5)
    y = stage.row_y(1)
    x = stage.shown.axis.x(1.2)
    stage.press(x + 6.0, y)
    stage.move(stage.x(40) + 6.0, y)
    assert stage.document.shown.bodies[1].arrival == pytest.approx(8 / 24) and stage.body(1).arrival is None
    stage.move(stage.x(36) + 11.0, y)
    stage.release(stage.x(36) + 11.0, y)
    assert stage.body(1).arrival == pytest.approx(12 / 24), "on a whole frame"
    assert stage.document.history.count() == 1
    assert stage.document.history.undoText() == "When Brick 2 comes to rest"
    assert stage.playback.frame == 5, "the playhead stays: nobody moved the ending"
    assert stage.selection.ids == ("b2",)
    assert stage.shown.asked_x(stage.shown.rows[1]) == pytest.approx(stage.x(36))
    assert stage.shown.stale and stage.panel.header.take.words == f"Take 01 {STALE}"
    stage.document.history.undo()
    assert stage.body(1).arrival is None and not stage.shown.stale and stage.shown.asked_x(stage.shown.rows[1]) is None
    assert stage.panel.header.take.words == "Take 01 96 J"


def test_a_drag_ends_between_start_and_ending(stage: Stage) -> None:
    y = stage.row_y(0)
    stage.drag((stage.shown.axis.x(1.0), y), (2000.0, y))
    assert stage.body(0).arrival == 0.0
    stage.drag((stage.x(48), y), (0.0, y))
    assert stage.body(0).arrival == pytest.approx(2.0)


def test_a_click_and_escape_change_nothing(stage: Stage) -> None:
    y, x = stage.row_y(1), stage.shown.axis.x(1.2)
    stage.click(x, y)
    assert stage.document.history.count() == 0 and stage.tracks.held == 1
    assert stage.shown.held is None, "no ring after the mouse"
    stage.press(x, y)
    stage.move(x + 100, y)
    stage.key(Qt.Key.Key_Escape)
    stage.release(x + 100, y)
    assert stage.document.history.count() == 0 and stage.document.shown.bodies[1].arrival is None


def test_a_double_click_leaves_it_to_generate(stage: Stage) -> None:
    y = stage.row_y(1)
    stage.drag((stage.shown.axis.x(1.2), y), (stage.x(40), y))
    assert stage.body(1).arrival is not None
    stage.double_click(stage.x(40), y)
    assert stage.body(1).arrival is None and stage.document.history.count() == 2


def test_keys_move_the_handle_that_has_the_focus(stage: Stage) -> None:
    stage.tracks.setFocus()
    stage.key(Qt.Key.Key_Down)
    stage.key(Qt.Key.Key_Down)
    assert stage.selection.ids == ("b2",)
    stage.key(Qt.Key.Key_Return)
    assert stage.tracks.held == stage.shown.held == 1
    rest = stage.playback.frame_at(1.2)
    stage.key(Qt.Key.Key_Right)
    assert stage.body(1).arrival == pytest.approx((48 - rest - 1) / 24)
    stage.key(Qt.Key.Key_Left, SHIFT)
    stage.key(Qt.Key.Key_Left)
    assert stage.body(1).arrival == pytest.approx((48 - rest + 10) / 24)
    assert stage.document.history.count() == 1 and stage.playback.at_ending
    stage.key(Qt.Key.Key_Escape)
    assert stage.tracks.held is None
    stage.key(Qt.Key.Key_Left)
    assert stage.playback.frame == 47


def test_rows_select(stage: Stage) -> None:
    stage.click(LABEL, stage.row_y(2))
    assert stage.selection.ids == ("b3",)
    stage.click(LABEL, stage.row_y(0), CONTROL)
    assert stage.selection.ids == ("b3", "b1")
    stage.click(LABEL, stage.row_y(3), SHIFT)
    assert set(stage.selection.ids) == {"b1", "b2", "b3", "b4"} and stage.selection.active == "b4"
    stage.click(700.0, stage.row_y(1))
    assert stage.selection.ids == ("b2",)
    stage.tracks.setFocus()
    stage.key(Qt.Key.Key_Up)
    assert stage.selection.ids == ("b1",)
    stage.key(Qt.Key.Key_Down, SHIFT)
    assert stage.selection.ids == ("b1", "b2")
    assert stage.shown.selected == {"b1", "b2"}


def test_a_take_that_comes_during_a_drag_stays(stage: Stage) -> None:
    from dataclasses import replace

    y = stage.row_y(1)
    stage.press(stage.shown.axis.x(1.2), y)
    stage.move(stage.x(40), y)
    scene = stage.document.scene
    stage.document.edit("Take", replace(scene, takes=[*scene.takes, replace(scene.takes[0], id="t9")]))
    stage.release(stage.x(40), y)
    assert stage.body(1).arrival == pytest.approx(8 / 24) and len(stage.document.scene.takes) == 4
