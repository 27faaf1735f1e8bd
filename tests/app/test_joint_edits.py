"""Edits of bodies keep joints consistent: they move, are renamed, copied and deleted with them."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.document import edits, joint_edits
from app.document.changes import change, changed_scene
from app.document.difference import difference
from app.document.document import Document
from app.session.selection import Selection
from app.shell import clipboard
from app.tools import apply
from app.viewport.joint_layer import joint_marks
from engine.scene.joint_rules import joint_problems
from engine.scene.spec import Body, Box, Hint, Joint, Scene

QUARTER = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))  # about z


def scene() -> Scene:
    """A rod on the world, another on the first one."""
    rods = [Body("one", Box((0.2, 0.05, 0.05)), (0.2, 0, 1)), Body("two", Box((0.2, 0.05, 0.05)), (0.6, 0, 1))]
    joints = [Joint("ball", "one", anchor=(0, 0, 1)), Joint("hinge", "two", "one", (0.4, 0, 1), (1, 0, 0), name="knee")]
    return Scene(rods, joints=joints)


def test_a_joint_goes_with_its_first_body() -> None:
    moved = edits.translate(scene(), ["b2"], (0, 1, 0.5))
    assert moved.joints[1].anchor == pytest.approx((0.4, 1, 1.5)) and moved.joints[0].anchor == (0, 0, 1)
    turned = edits.turn(scene(), ["b1", "b2"], (0, 0, 0), QUARTER)
    assert turned.joints[1].anchor == pytest.approx((0, 0.4, 1)) and turned.joints[1].axis == pytest.approx((0, 1, 0))
    assert edits.set_fields(scene(), ["b1"], color="#ff0000").joints == scene().joints


def test_a_joint_leaves_with_either_body() -> None:
    assert [joint.name for joint in edits.remove(scene(), ["b1"]).joints] == []
    assert [joint.kind for joint in edits.remove(scene(), ["b2"]).joints] == ["ball"]


def test_copies_have_joints_of_their_own() -> None:
    copied, fresh = edits.duplicate(scene(), ["b1", "b2"], (0, 2, 0))
    assert len(copied.joints) == 4 and {joint.id for joint in copied.joints} == {"j1", "j2", "j3", "j4"}
    assert copied.joints[2].a == fresh[0] and copied.joints[2].b == "" and copied.joints[2].anchor == (0, 2, 1)
    assert (copied.joints[3].a, copied.joints[3].b) == (fresh[1], fresh[0])
    alone, _ = edits.duplicate(scene(), ["b2"])
    assert len(alone.joints) == 2  # its partner was not copied
    assert not [problem for problem in copied.problems() if problem.severity == "error"]


def test_joints_follow_a_new_name() -> None:
    assert [joint.b for joint in edits.rename(scene(), "b1", "upper").joints] == ["", "upper"]


def test_the_journal_and_the_difference_see_joints(tmp_path: Path) -> None:
    before = scene()
    after = edits.translate(before, ["b2"], (0, 1, 0))
    assert difference(before, after).joints and not difference(before, edits.reorder(before, ["b2"], "b1")).joints
    row = change(before, after, lambda arrays: "")
    assert changed_scene(before, row, lambda name, where: {}) == after


def test_joints_of_selected_bodies_are_marked() -> None:
    colors = ("#ffffff", "#0000ff", "#000000")
    assert not joint_marks(scene(), set(), "", colors)
    marks = joint_marks(scene(), {"b2"}, "", colors)
    assert [tuple(dot.point) for dot in marks.dots] == [(0.4, 0, 1)] and len(marks.strokes) == 3  # two arms, one axis
    assert {stroke.color for stroke in marks.strokes} == {"#ffffff"}
    both = joint_marks(scene(), {"b1"}, "j2", colors)
    assert [dot.color for dot in both.dots] == ["#ffffff", "#0000ff"]  # the chosen one is lit


def test_scaling_scales_the_way_to_the_anchor() -> None:
    scaled = edits.scale(scene(), ["b1", "b2"], (0, 0, 1), (2, 2, 2))
    assert scaled.joints[1].anchor == pytest.approx((0.8, 0, 1)) and scaled.joints[0].anchor == (0, 0, 1)
    assert scaled.joints[1].axis == (1, 0, 0)
    local = apply.scaled(scene(), ["b1", "b2"], np.array([0.0, 0.0, 1.0]), np.eye(3), (2, 2, 2))
    assert local.joints[1].anchor == pytest.approx((0.8, 0, 1))
    assert edits.scale(scene(), ["b1"], (0, 0, 1), (2, 2, 2)).joints[1].anchor == (0.4, 0, 1)  # it goes with "two"


def test_arrays_and_the_clipboard_take_joints_along() -> None:
    grown, fresh = edits.array(scene(), ["b1", "b2"], (1, 3, 1), (1, 1, 1))
    assert [joint.anchor[1] for joint in grown.joints] == [0, 0, 1, 1, 2, 2]
    assert (grown.joints[5].a, grown.joints[5].b) == (fresh[3], fresh[2])
    copied = clipboard.from_text(clipboard.to_text(scene(), ["b2", "b1"]))
    pasted, ids = clipboard.pasted(copied, scene())
    assert (pasted.joints[3].a, pasted.joints[3].b) == (ids[1], ids[0]) and len(pasted.joints) == 4
    alone = clipboard.from_text(clipboard.to_text(scene(), ["b2"]))
    assert clipboard.pasted(alone, scene())[0].joints == scene().joints
    assert joint_problems(pasted) == []


def test_a_joint_is_chosen_with_its_bodies(qapp: object) -> None:
    document = Document()
    document.new(scene())
    selection = Selection(document)
    selection.choose_joint("j2")
    assert selection.ids == ("b1", "b2") and selection.joint == "j2"
    selection.set(["b1"])
    assert selection.joint == "j2"  # it holds this one as well
    document.edit("Delete", joint_edits.remove_joints(document.scene, ["j2"]))
    assert selection.joint == ""
    document.history.undo()
    selection.choose_joint("j1")
    selection.clear()
    assert selection.joint == "" and selection.chosen_joint() is None


def test_a_chosen_hint_and_a_chosen_joint_exclude_each_other(qapp: object) -> None:
    document = Document()
    document.new(replace(scene(), hints=[Hint("bounce", "b1")]))
    selection = Selection(document)
    selection.choose_hint("h1")
    selection.choose_joint("j1")
    assert (selection.hint, selection.joint) == ("", "j1")
    selection.choose_hint("h1")
    assert (selection.hint, selection.joint) == ("h1", "")
