"""The last-operation panel and the Hint section: what they show, and that every gesture is one command."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from panel_scenes import key_of, show_active
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.hint_edits import add_hint, change_hint, find_hint
from app.document.take_edits import ask_for
from app.look.look import Look
from app.look.number_text import MIXED
from app.panels.body_panel import BodyPanel
from app.panels.hint_controls import HintControls
from app.panels.last_operation import LastOperation
from app.session.selection import Selection
from app.tools.hint_changes import at_strength, from_side, side_of, speed_of, straight_down, strength_of
from engine.hints.lift import lift_arc
from engine.hints.sketch import arc_hint
from engine.scene.shot import TakeCard
from engine.scene.spec import Hint, Scene

DOWN = (0.0, 0.0, -9.81)
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def thrown(body: str) -> Hint:
    """From the right, 0.72 m high over 1 m."""
    return arc_hint(body, lift_arc((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.72, DOWN), 2.88, [(1.0, 0.0, 0.0), (0, 0, 0)])


@pytest.fixture
def panel(qtbot: QtBot, document: Document, selection: Selection, look: Look) -> Iterator[LastOperation]:
    over = QWidget()
    over.resize(700, 500)
    qtbot.addWidget(over)
    made = LastOperation(look, document, selection, over)
    scene, key = add_hint(document.scene, thrown(key_of(document, "Ball")))
    document.new(scene)
    show_active(qtbot, over)
    selection.choose_hint(key)
    yield made
    over.close()


def hint_of(document: Document, controls: HintControls) -> Hint:
    found = find_hint(document.scene, controls.key)
    assert found is not None
    return found


def type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    editor = QApplication.focusWidget()
    assert editor is not None
    editor.selectAll()  # type: ignore[attr-defined]
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_the_panel_shows_what_was_drawn(panel: LastOperation, document: Document, selection: Selection) -> None:
    controls = panel.controls
    assert panel.isVisible() and panel.width() == 284 and panel.title.text == "Hint on Ball"
    assert panel.x() == 12 and panel.y() + panel.height() == 500 - 12
    assert controls.kind.current == "bounce"
    assert controls.side.text() == "90" and controls.side.unit == "° right"
    speed = math.hypot(*thrown("x").velocity or ())
    assert controls.summary.text == f"0.72 m high · {speed:.1f} m/s in"
    assert controls.arrives.text() == "any of 96" and not controls.any_time.isVisible()
    selection.choose_hint("")
    assert not panel.isVisible()


def test_typing_a_frame_sets_the_arrival(panel: LastOperation, document: Document) -> None:
    type_into(panel.controls.arrives, "84")
    assert hint_of(document, panel.controls).time == pytest.approx(0.5)
    assert panel.controls.arrives.text() == "84" and panel.controls.arrives.unit == "of 96"
    assert document.history.count() == 1
    QTest.mouseClick(panel.controls.any_time, LEFT)
    assert hint_of(document, panel.controls).time is None
    document.history.undo()
    assert panel.controls.arrives.text() == "84"


def test_an_arrival_before_the_take_is_told(panel: LastOperation, document: Document) -> None:
    controls = panel.controls
    type_into(controls.arrives, "24")  # 3 s before the end of 4 s
    assert not controls.remark.isVisible()
    document.edit("Shorter", ask_for(document.scene, seconds=1.0))
    assert controls.arrives.text() == "before the start" and controls.arrives.unit == ""
    assert controls.remark.isVisible() and "Arrives before the take begins." in controls.remark.accessibleName()
    assert panel.height() >= panel.sizeHint().height()
    type_into(controls.arrives, "12")
    assert hint_of(document, controls).time == pytest.approx(0.5)
    assert controls.arrives.text() == "12" and controls.arrives.unit == "of 24" and not controls.remark.isVisible()


@pytest.mark.parametrize(("kind", "text"), [("bounce", "0.27"), ("slide", MIXED)])
def test_a_hint_without_a_speed_gets_one(panel: LastOperation, document: Document, kind: str, text: str) -> None:
    controls, hint = panel.controls, hint_of(document, panel.controls)
    bare = Hint(kind, hint.body, direction=(1.0, 0.0, 0.0), id=hint.id)
    document.edit("Older", change_hint(document.scene, hint.id, lambda _: bare))
    assert controls.strength.isEnabled() and controls.strength.text() == text
    assert "does not say how fast" in controls.strength.toolTip()
    type_into(controls.strength, "0.5")
    assert hint_of(document, controls).speed == pytest.approx(2.7) and controls.strength.text() == "0.50"
    assert "does not say" not in controls.strength.toolTip() and "does not say" not in controls.slider.toolTip()


def test_typing_a_side_turns_the_hint(panel: LastOperation, document: Document) -> None:
    type_into(panel.controls.side, "-45")
    hint = hint_of(document, panel.controls)
    assert side_of(document.scene, hint) == pytest.approx(-45.0)
    assert hint.height == pytest.approx(0.72) and panel.controls.side.unit == "° left"
    assert hint.velocity is not None and hint.velocity[0] > 0.0  # from the left means to the right


def test_dragging_the_strength_is_one_command(panel: LastOperation, document: Document) -> None:
    slider, before = panel.controls.slider, hint_of(document, panel.controls)
    at, to = (QPoint(round(slider.x_of(value)), 13) for value in (strength_of(before), 0.8))
    QTest.mousePress(slider, LEFT, NONE, at)
    for x in range(at.x(), to.x() + 1, 5):
        QTest.mouseMove(slider, QPoint(x, 13))
        QApplication.processEvents()
    QTest.mouseMove(slider, to)
    assert document.shown is not document.scene  # shown at once
    QTest.mouseRelease(slider, LEFT, NONE, to)
    after = hint_of(document, panel.controls)
    assert strength_of(after) == pytest.approx(0.8, abs=0.02) and document.history.count() == 1
    ratio = speed_of(after) / speed_of(before)
    assert after.height == pytest.approx(ratio**2 * 0.72)  # under the same gravity heights go with the square


def test_switching_the_kind_keeps_the_way(panel: LastOperation, document: Document) -> None:
    segments = panel.controls.kind
    QTest.mouseClick(segments, LEFT, NONE, segments.area_of(1).center().toPoint())
    hint = hint_of(document, panel.controls)
    assert hint.kind == "slide" and hint.distance == pytest.approx(1.0)
    assert document.history.undoText() == "Slide Ball"
    assert panel.controls.summary.text.startswith("1.00 m long")
    QTest.mouseClick(segments, LEFT, NONE, segments.area_of(0).center().toPoint())
    assert hint_of(document, panel.controls).kind == "bounce"


def test_copy_and_delete(panel: LastOperation, document: Document, selection: Selection) -> None:
    hint = hint_of(document, panel.controls)
    QTest.mouseClick(panel.controls.copy, LEFT)
    assert selection.copied_hint == hint
    QTest.mouseClick(panel.controls.delete, LEFT)
    assert find_hint(document.scene, hint.id) is None and not panel.isVisible()
    document.history.undo()
    assert find_hint(document.scene, hint.id) == hint


def test_the_body_tab_has_a_section_for_each_hint(
    qtbot: QtBot, document: Document, selection: Selection, look: Look
) -> None:
    body = BodyPanel(document, selection, look, lambda item: None)
    qtbot.addWidget(body)
    body.resize(344, 900)
    key = key_of(document, "Ball")
    scene, first = add_hint(document.scene, thrown(key))
    scene, second = add_hint(scene, Hint("slide", key, (0.0, 1.0, 0.0), 2.0, distance=0.4))
    document.new(scene)
    show_active(qtbot, body)
    selection.set([key_of(document, "Brick 1")])
    assert not body.hint.isVisible()
    selection.set([key])
    assert body.hint.isVisible() and body.hint.controls.key == second and selection.hint == ""
    which = body.hint.which
    QTest.mouseClick(which, LEFT, NONE, which.area_of(0).center().toPoint())
    assert selection.hint == first and body.hint.controls.kind.current == "bounce"
    assert not body.hint.met.isVisible()
    body.hint.show_take(TakeCard("t1", "Take 01", met=(f"{first} 3° aside, 2 % faster", f"{second} met")))
    assert body.hint.met.isVisible() and body.hint.met.text == "Take 01: 3° aside, 2 % faster"
    body.hint.show_take(None)
    assert not body.hint.met.isVisible()
    body.close()


def test_strength_and_side_come_back() -> None:
    scene, hint = Scene(), thrown("b")
    for strength in (0.05, 0.5, 0.97):
        assert strength_of(at_strength(hint, strength)) == pytest.approx(strength)
    for degrees in (-179.0, -90.0, 0.0, 78.0, 180.0):
        found = side_of(scene, from_side(scene, hint, degrees))
        assert found is not None and abs(math.remainder(found - degrees, 360.0)) < 1e-9
    dropped = straight_down(scene, hint)
    assert side_of(scene, dropped) is None and dropped.height == pytest.approx(0.72)
    assert side_of(scene, from_side(scene, dropped, -90.0)) == pytest.approx(-90.0)
