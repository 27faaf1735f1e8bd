"""Joints in the window: making them from the menu, the panel of the last operation, deleting, copying."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from standins import filled

from app.document import edits
from engine.scene.spec import Joint


def test_two_bodies_are_joined_and_the_panel_opens(window) -> None:
    studio, action = window.studio, window.actions_by_id["joint.hinge"]
    ids = filled(studio.document, 3)
    assert not action.isEnabled() and "Select two bodies" in action.toolTip()
    studio.selection.set(ids)
    assert not action.isEnabled()
    studio.selection.set(ids[:2])
    action.trigger()
    (joint,) = studio.document.scene.joints
    assert joint.kind == "hinge" and (joint.a, joint.b) == (ids[1], ids[0])
    assert joint.anchor == (0.25, 0, 1.1)  # cubes half a metre apart fold about their upper edge
    assert studio.selection.joint == joint.id and studio.selection.ids == (ids[0], ids[1])
    assert studio.document.history.undoText() == "Join with the hinge of Box 1 and Box 2"
    panel = window.hint_float
    assert panel.isVisible() and panel.title.text == "Hinge: Box 1 – Box 2"
    assert panel.joint_controls.isVisible() and not panel.controls.isVisible()
    QTest.keyClick(studio.view, Qt.Key.Key_F9)
    assert not panel.isVisible()
    studio.document.history.undo()
    assert studio.document.scene.joints == [] and studio.selection.joint == ""


def test_one_body_hangs_on_the_world(window) -> None:
    studio = window.studio
    ids = filled(studio.document, 1)
    studio.selection.set(ids)
    window.actions_by_id.run("joint.ball")
    (joint,) = studio.document.scene.joints
    assert (joint.a, joint.b, joint.anchor) == (ids[0], "", (0, 0, 1.1))
    assert window.hint_float.title.text == "Ball joint: Box 1 – world"


def test_static_bodies_are_not_joined_with_each_other(window) -> None:
    studio = window.studio
    ids = filled(studio.document, 2)
    studio.document.edit("Static", edits.set_fields(studio.document.scene, ids, static=True))
    studio.selection.set(ids)
    action = window.actions_by_id["joint.fixed"]
    assert not action.isEnabled() and "never moves" in action.toolTip()


def test_delete_takes_the_chosen_joint_first_and_bodies_take_theirs_along(window) -> None:
    studio = window.studio
    ids = filled(studio.document, 3)
    joints = [Joint("ball", ids[0], ids[1]), Joint("ball", ids[1], ids[2])]
    studio.document.new(replace(studio.document.scene, joints=joints))
    studio.view.setFocus()
    studio.selection.choose_joint("j1")
    QTest.keyClick(studio.view, Qt.Key.Key_Delete)
    assert [joint.id for joint in studio.document.scene.joints] == ["j2"] and len(studio.document.scene.bodies) == 3
    studio.selection.set(ids[2:])
    QTest.keyClick(studio.view, Qt.Key.Key_Delete)
    assert studio.document.scene.joints == [] and len(studio.document.scene.bodies) == 2
    studio.document.history.undo()  # body and joint come back at once
    assert len(studio.document.scene.joints) == 1 and len(studio.document.scene.bodies) == 3


def test_copies_are_joined_like_the_originals(window) -> None:
    studio = window.studio
    ids = filled(studio.document, 2)
    studio.document.new(replace(studio.document.scene, joints=[Joint("slider", ids[0], ids[1], hi=0.5)]))
    studio.selection.set(ids)
    window.actions_by_id.run("edit.copy")
    window.actions_by_id.run("edit.paste")
    scene = studio.document.scene
    assert len(scene.bodies) == 4 and {scene.joints[1].a, scene.joints[1].b} == set(studio.selection.ids)
    assert scene.joints[1].hi == 0.5 and scene.joints[1].id != scene.joints[0].id


def test_f9_finds_the_joint_of_a_body_without_a_hint(window) -> None:
    studio = window.studio
    ids = filled(studio.document, 2)
    studio.document.new(replace(studio.document.scene, joints=[Joint("ball", ids[0], ids[1])]))
    studio.selection.set(ids[:1])
    studio.view.setFocus()
    assert not window.hint_float.isVisible()
    QTest.keyClick(studio.view, Qt.Key.Key_F9)
    assert window.hint_float.isVisible() and studio.selection.joint == "j1"
