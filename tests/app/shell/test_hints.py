"""Commands of hints in the window: keys, clipboard, deleting, the panel of the last operation."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from standins import filled

from app.document import edits
from app.document.hint_edits import add_hint, hints_of, move_hint
from app.kit.number_field import NumberField
from app.tools.sketch import SketchTool
from engine.scene.spec import Hint


def with_hint(window) -> tuple[list[str], str]:
    studio = window.studio
    ids = filled(studio.document, 3)
    hint = Hint("bounce", ids[0], (0.0, 0.6, -0.8), 2.0, (0.0, 1.2, -1.6), height=0.13, distance=0.4)
    scene, key = add_hint(studio.document.scene, hint)
    studio.document.new(scene)
    studio.view.setFocus()
    return ids, key


def test_d_takes_the_pencil(window) -> None:
    with_hint(window)
    QTest.keyClick(window.studio.view, Qt.Key.Key_D)
    assert window.studio.tool_name == "sketch"
    assert window.tool_bar.findChild(object, "button.tool.sketch").text() == "Sketch hint"


def test_the_pencil_is_put_down_for_the_select_tool(window) -> None:
    studio = window.studio
    with_hint(window)
    pencil = studio._tools["sketch"] = SketchTool(studio.view)
    QTest.keyClick(studio.view, Qt.Key.Key_D)
    assert studio.view.tool is pencil
    assert pencil.key(Qt.Key.Key_Escape, "", Qt.KeyboardModifier.NoModifier) and studio.tool_name == "select"
    QTest.keyClick(studio.view, Qt.Key.Key_D)
    assert studio.view.tool is pencil
    QTest.keyClick(window.timeline, Qt.Key.Key_Escape)  # the status bar promises it wherever the focus is
    assert studio.tool_name == "select"


def test_ctrl_c_and_v_give_a_hint_to_other_bodies(window) -> None:
    studio = window.studio
    ids, key = with_hint(window)
    studio.selection.choose_hint(key)
    assert QTest.qWaitForWindowActive(window, 20_000)  # shortcuts are for the active window
    QTest.keyClick(studio.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert window.status.said == "Hint of Box 1 copied. Select other bodies and press Ctrl+V."
    studio.selection.set(ids[1:])
    QTest.keyClick(studio.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    scene = studio.document.scene
    assert len(scene.bodies) == 3 and [len(hints_of(scene, body)) for body in ids] == [1, 1, 1]
    assert studio.document.history.undoText() == "Copy hint to 2 bodies"
    studio.document.history.undo()
    assert len(studio.document.scene.hints) == 1
    studio.selection.set(ids[:1])
    studio.selection.choose_hint("")
    QTest.keyClick(studio.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(studio.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert len(studio.document.scene.bodies) == 4  # bodies again


def test_a_hint_moves_to_the_active_body(window) -> None:
    studio, move = window.studio, window.actions_by_id["hint.move"]
    ids, key = with_hint(window)
    studio.selection.set(ids[:1])
    assert not move.isEnabled() and "with Shift" in move.toolTip()
    studio.selection.set([ids[0], ids[1]])
    assert move.isEnabled()
    move.trigger()
    scene = studio.document.scene
    assert [len(hints_of(scene, body)) for body in ids] == [0, 1, 0] and scene.hints[0].id == key
    assert studio.selection.hint == key and studio.selection.active == ids[1]
    assert studio.document.history.undoText() == "Move the hint of Box 1"
    studio.document.edit("Static", edits.set_fields(scene, [ids[2]], static=True))
    studio.selection.set([ids[1], ids[2]])
    assert not move.isEnabled() and "static" in move.toolTip()


def test_a_moved_hint_takes_the_place_of_one_of_its_kind(window) -> None:
    ids, key = with_hint(window)
    scene = window.studio.document.scene
    scene, _ = add_hint(scene, Hint("bounce", ids[1], speed=1.0))
    scene, slide = add_hint(scene, Hint("slide", ids[1], speed=1.0))
    assert {hint.id for hint in hints_of(move_hint(scene, key, ids[1]), ids[1])} == {key, slide}


def test_delete_takes_the_chosen_hint_first(window) -> None:
    studio = window.studio
    ids, key = with_hint(window)
    studio.selection.choose_hint(key)
    QTest.keyClick(studio.view, Qt.Key.Key_Delete)
    assert studio.document.scene.hints == [] and len(studio.document.scene.bodies) == 3
    QTest.keyClick(studio.view, Qt.Key.Key_Delete)
    assert len(studio.document.scene.bodies) == 2


def test_f9_opens_and_closes_the_panel(window) -> None:
    studio = window.studio
    ids, key = with_hint(window)
    studio.selection.set(ids[:1])
    assert not window.hint_float.isVisible()
    QTest.keyClick(studio.view, Qt.Key.Key_F9)
    assert window.hint_float.isVisible() and studio.selection.hint == key
    QTest.keyClick(studio.view, Qt.Key.Key_F9)
    assert not window.hint_float.isVisible() and studio.selection.hint == key
    QTest.keyClick(studio.view, Qt.Key.Key_F9)
    assert window.hint_float.isVisible()
    window.resize(1300, 800)
    assert window.hint_float.geometry().bottom() <= window._centre.height() - 12


def test_the_panel_leaves_the_hint_free_and_stays_while_it_is_used(window) -> None:
    studio, panel = window.studio, window.hint_float
    ids, key = with_hint(window)
    studio.selection.choose_hint(key)
    view, home = studio.view, panel.pos()
    assert home.x() < 20 and home.y() > view.height() // 2
    (pixel,), _ = view.camera.project([studio.document.scene.bodies[0].position], *view.extent)
    dx, dy = home.x() + 100 - pixel[0], home.y() + 100 - pixel[1]
    view.camera = view.camera.panned(dx, dy, view.height())
    field = panel.controls.findChild(NumberField)
    field.setFocus()
    panel.refresh()
    assert panel.pos() == home
    view.setFocus()
    panel.refresh()
    assert panel.x() > view.width() // 2
    assert not any(area.intersects(panel.geometry().toRectF()) for area in panel.busy())
    studio.selection.choose_hint("")
    view.camera = view.camera.panned(-dx, -dy, view.height())
    studio.selection.choose_hint(key)
    assert panel.pos() == home


def test_the_way_of_a_hint_can_be_changed_from_the_menu(window) -> None:
    studio = window.studio
    ids, key = with_hint(window)
    studio.selection.choose_hint(key)
    window.actions_by_id.run("hint.slide")
    assert studio.document.scene.hints[0].kind == "slide"
    window.actions_by_id.run("hint.straight_down")
    hint = studio.document.scene.hints[0]
    assert hint.kind == "bounce" and hint.velocity is not None and hint.velocity[:2] == (0.0, 0.0)
    assert window.actions_by_id["hint.bounce"].isChecked()


def test_duplicates_take_their_hints_along(window) -> None:
    studio = window.studio
    ids, key = with_hint(window)
    studio.selection.set(ids[:1])
    window.actions_by_id.run("edit.duplicate")
    (copy,) = studio.selection.ids
    (hint,) = hints_of(studio.document.scene, copy)
    assert hint.id != key and hint.height == 0.13
