"""Commands on a document, through the window's own actions and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from standins import MakerDialog, filled

from app.document import edits
from app.panels.new_bodies import new_body
from engine.scene.dice import is_die
from engine.scene.settled import Settled
from engine.scene.spec import Body, Box, Scene, TriangleMesh


def test_copy_and_paste_between_windows(window) -> None:
    studio, run = window.studio, window.actions_by_id.run
    ids = filled(studio.document)
    mesh = Body("Mesh", TriangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), static=True)
    studio.document.new(Scene([*studio.document.scene.bodies, mesh]))
    studio.selection.set([ids[0], studio.document.scene.bodies[-1].id])
    run("edit.copy")
    studio.document.new()
    run("edit.paste")
    assert [body.name for body in studio.document.scene.bodies] == ["Box 1", "Mesh"]
    assert studio.document.scene.bodies[1].shape == mesh.shape
    assert studio.document.history.undoText() == "Paste 2 bodies" and len(studio.selection.ids) == 2
    run("edit.paste")
    assert [body.name for body in studio.document.scene.bodies][2:] == ["Box 2", "Mesh 1"]


@pytest.mark.parametrize(
    "text", ["", "hello", "[1]", '{"kind": "foregone bodies"}', '{"kind": "foregone bodies", "scene": 3}']
)
def test_a_bad_clipboard_says_why(window, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    window.actions_by_id.run("edit.paste")
    assert window.message.isVisible() and "Nothing to paste" in window.message.label.text()
    assert window.studio.document.scene.bodies == [] and window.studio.document.history.count() == 0


def test_duplicate_starts_a_move(window) -> None:
    studio = window.studio
    ids = filled(studio.document)
    studio.selection.set(ids[:2])
    window.actions_by_id.run("edit.duplicate")
    assert len(studio.document.scene.bodies) == 5 and not set(studio.selection.ids) & set(ids)
    assert studio.document.history.undoText() == "Duplicate 2 bodies"
    assert studio.view.tool.gesture == "move"


def test_keys_belong_to_a_gesture_while_it_lasts(window, qtbot) -> None:
    studio = window.studio
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    studio.view.setFocus()
    qtbot.keyClick(studio.view, Qt.Key.Key_G)
    assert studio.view.tool.gesture == "move"
    qtbot.keyClick(studio.view, Qt.Key.Key_X)  # an axis now, not Delete
    assert len(studio.document.scene.bodies) == 3 and studio.view.tool.typed == "x"
    qtbot.keyClick(studio.view, Qt.Key.Key_Escape)
    qtbot.keyClick(studio.view, Qt.Key.Key_X)
    assert len(studio.document.scene.bodies) == 2


def test_letters_typed_into_a_field_are_no_shortcuts(window, qtbot) -> None:
    studio = window.studio
    studio.selection.set(filled(studio.document))
    window.outliner.field.setFocus()
    qtbot.keyClicks(window.outliner.field, "xgh")
    assert window.outliner.field.text() == "xgh" and len(studio.document.scene.bodies) == 3


def test_locked_bodies_are_not_deleted(window) -> None:
    studio, run = window.studio, window.actions_by_id.run
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    run("body.lock")
    run("edit.delete")
    assert len(studio.document.scene.bodies) == 3
    assert "locked" in window.status.said
    run("select.all")
    run("edit.delete")
    assert [body.id for body in studio.document.scene.bodies] == ids[:1]


def test_hide_isolate_and_show(window) -> None:
    studio, run = window.studio, window.actions_by_id.run
    ids = filled(studio.document)
    studio.selection.set(ids[:1])
    run("body.isolate")
    assert [body.hidden for body in studio.document.scene.bodies] == [False, True, True]
    run("select.all")
    assert studio.selection.ids == tuple(ids[:1])
    run("body.show_all")
    assert not any(body.hidden for body in studio.document.scene.bodies)
    assert studio.selection.ids == tuple(ids[1:])
    run("select.invert")
    assert studio.selection.ids == tuple(ids[:1])


def test_drop_is_one_command_or_none(window) -> None:
    studio, run = window.studio, window.actions_by_id.run
    studio.selection.set(filled(studio.document))
    run("body.drop")
    assert {body.position[2] for body in studio.document.scene.bodies} == {0.1}
    run("body.drop")
    assert studio.document.history.count() == 1 and "Nothing to drop" in window.status.said


def test_a_shape_follows_the_mouse_until_it_is_set_down(window, qtbot) -> None:
    studio = window.studio
    window.actions_by_id.run("tool.move")
    window.shelf.chosen.emit("box")
    assert studio.tool_name == ""
    from app.tools.tool import Pointer

    studio.view.tool.move(Pointer(100, 100))
    assert len(studio.document.shown.bodies) == 1 and not studio.document.scene.bodies
    studio.view.tool.press(Pointer(100, 100))
    assert studio.document.history.count() == 1
    qtbot.waitUntil(lambda: studio.tool_name == "move", timeout=1000)


def test_escape_leaves_placing(window, qtbot) -> None:
    studio = window.studio
    window.actions_by_id.run("add.box")
    from app.tools.tool import Pointer

    studio.view.tool.move(Pointer(100, 100))
    qtbot.keyClick(studio.view, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: studio.tool_name == "select", timeout=1000)
    assert studio.document.shown.bodies == []


def test_makers_open_beside_the_scene(window) -> None:
    window.shelf.chosen.emit("wall")
    assert [dialog.isVisible() for dialog in MakerDialog.opened] == [True]
    assert not MakerDialog.opened[0].isModal()
    MakerDialog.opened[0].close()


def test_add_menu_opens_at_the_mouse(window, qtbot) -> None:
    from PySide6.QtGui import QCursor

    QCursor.setPos(window.mapToGlobal(QPoint(600, 400)))
    qtbot.keyClick(window.studio.view, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    menu = window.menus.add_menu
    assert menu.isVisible() and (menu.pos() - QCursor.pos()).manhattanLength() < 20
    menu.close()


# -- settling -------------------------------------------------------------------------------------------------------


def lowered(body: Body) -> tuple:
    return (body.position[0], body.position[1], 0.1), body.orientation


def test_settling_shows_progress_and_ends_in_one_command(window, qtbot) -> None:
    studio = window.studio
    ids = filled(studio.document)
    window.actions_by_id.run("body.settle")
    job, scene, asked = studio.worker.jobs[0]
    assert asked is None
    qtbot.waitUntil(window.tool_bar.strip.isVisible, timeout=1000)
    assert not window.actions_by_id["body.settle"].isEnabled()
    job.progressed.emit(0.5, "Settling · 1 of 3 at rest")
    assert window.tool_bar.strip.words == "Settling · 1 of 3 at rest"
    poses = {body.id: lowered(body) for body in scene.bodies}
    job.posed.emit(poses)
    assert studio.document.shown is not studio.document.scene and studio.document.history.count() == 0
    job.finished.emit(Settled(poses, (), ()))
    assert studio.document.history.count() == 1 and studio.document.history.undoText() == "Settle 3 bodies"
    assert [body.position[2] for body in studio.document.scene.bodies] == [0.1] * len(ids)
    qtbot.waitUntil(lambda: not window.tool_bar.strip.isVisible(), timeout=1000)
    assert studio.job is None


def test_bodies_edited_while_settling_are_kept(window) -> None:
    from app.document import edits

    studio = window.studio
    ids = filled(studio.document)
    window.actions_by_id.run("body.settle")
    job, scene, _ = studio.worker.jobs[0]
    studio.document.edit("Move", edits.translate(studio.document.scene, ids[:1], (0.0, 0.0, 5.0)))
    job.posed.emit({body.id: lowered(body) for body in scene.bodies})
    assert studio.document.shown is studio.document.scene
    job.finished.emit(Settled({body.id: lowered(body) for body in scene.bodies}, (), ()))
    assert [body.position[2] for body in studio.document.scene.bodies] == [6.0, 0.1, 0.1]
    assert "1 body changed meanwhile" in window.status.said


def test_settling_can_be_stopped(window, qtbot) -> None:
    studio = window.studio
    filled(studio.document)
    before = studio.document.scene
    window.actions_by_id.run("body.settle")
    job, scene, _ = studio.worker.jobs[0]
    job.posed.emit({body.id: lowered(body) for body in scene.bodies})
    qtbot.mouseClick(window.tool_bar.strip.stop, Qt.MouseButton.LeftButton)
    assert studio.document.shown is before and studio.job is None


def test_a_lost_worker_offers_another_try(window, qtbot) -> None:
    studio = window.studio
    filled(studio.document)
    window.actions_by_id.run("body.settle")
    studio.worker.jobs[0][0].failed.emit("Settling stopped unexpectedly. Your scene is safe.")
    assert window.message.isVisible() and window.message.buttons[0].text() == "Try again"
    qtbot.mouseClick(window.message.buttons[0], Qt.MouseButton.LeftButton)
    assert len(studio.worker.jobs) == 2 and not window.message.isVisible()
    studio.worker.jobs[1][0].cancel()


def test_only_the_selection_settles(window) -> None:
    studio = window.studio
    ids = filled(studio.document)
    studio.selection.set(ids[1:2])
    window.actions_by_id.run("body.settle")
    job, scene, asked = studio.worker.jobs[0]
    assert asked == ids[1:2]
    job.finished.emit(Settled({ids[1]: lowered(scene.bodies[1])}, (), ()))
    assert studio.document.history.undoText() == "Settle Box 2"


def test_static_scenes_do_not_settle(window) -> None:
    window.studio.document.new(Scene([Body("Floor", Box((1, 1, 1)), static=True)]))
    assert "Nothing here can move." in window.actions_by_id["body.settle"].toolTip()


def test_a_body_that_does_not_rest_is_told(window) -> None:
    studio = window.studio
    ids = filled(studio.document)
    window.actions_by_id.run("body.settle")
    job, scene, _ = studio.worker.jobs[0]
    poses = {body.id: lowered(body) for body in scene.bodies}
    job.finished.emit(Settled(poses, (ids[2],), ()))
    assert window.message.label.text() == "Box 3 does not come to rest." and studio.document.history.count() == 1


# -- checking -------------------------------------------------------------------------------------------------------


def test_edits_are_checked_after_a_pause(window, qtbot) -> None:
    studio = window.studio
    studio.selection.set(filled(studio.document))
    window.actions_by_id.run("body.drop")
    window.actions_by_id.run("body.lock")
    qtbot.waitUntil(lambda: len(studio.worker.checks) == 1, timeout=3000)
    assert studio.worker.checks[0][1] is studio.document.scene and window.inspector.checking
    studio.worker.checks[0][0].finished.emit([])
    assert not window.inspector.checking and window.inspector.items == []
    window.actions_by_id.run("select.none")
    qtbot.wait(400)
    assert len(studio.worker.checks) == 1  # nothing new to check


def test_frame_all_frames_all_also_when_something_is_selected(window) -> None:
    ids = filled(window.studio.document)
    window.studio.selection.set(ids[:1])
    asked = []
    window.studio.view.frame = lambda ids=None: asked.append(ids)
    window.actions_by_id.run("view.frame_all")
    window.actions_by_id.run("view.frame")
    assert asked == [[], ids[:1]]


def test_a_key_whose_action_cannot_run_says_why(window, qtbot) -> None:
    studio = window.studio
    qtbot.keyClick(studio.view, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert window.status.said == "Export take: Generate a take first."
    studio.selection.clear()
    qtbot.keyClick(studio.view, Qt.Key.Key_G)
    assert window.status.said == "Move: Select a body first."
    window.say("")
    qtbot.keyClick(studio.view, Qt.Key.Key_F24)
    assert window.status.said == "", "a key that belongs to nothing"


def test_boxes_become_dice_and_plain_again(window) -> None:
    studio = window.studio
    studio.document.new()
    scene, (box, die, ball) = edits.add(Scene(), [new_body("box"), new_body("die"), new_body("sphere")])
    studio.document.edit("Add", scene)
    action = window.actions_by_id["add.spots"]
    studio.selection.set([ball])
    assert not action.isEnabled() and "Only boxes can be dice." in action.toolTip()
    studio.selection.set([box, die, ball])
    assert not action.isChecked()
    action.trigger()
    assert [is_die(body) for body in studio.document.scene.bodies] == [True, True, False] and action.isChecked()
    action.trigger()
    assert not any(is_die(body) for body in studio.document.scene.bodies) and not action.isChecked()
    studio.document.history.undo()
    studio.document.history.undo()
    assert [is_die(body) for body in studio.document.scene.bodies] == [False, True, False]
