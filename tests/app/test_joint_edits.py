"""Edits of bodies keep joints consistent: they move, are renamed, copied and deleted with them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from app.document import edits
from app.document.changes import change, changed_scene
from app.document.difference import difference
from app.viewport.joint_layer import joint_marks
from engine.scene.spec import Body, Box, Joint, Scene

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
    assert not joint_marks(scene(), set(), "#fff", "#000")
    marks = joint_marks(scene(), {"b2"}, "#fff", "#000")
    assert [tuple(dot.point) for dot in marks.dots] == [(0.4, 0, 1)] and len(
        marks.strokes
    ) == 3  # two arms and the axis
    assert len(joint_marks(scene(), {"b1"}, "#fff", "#000").dots) == 2
