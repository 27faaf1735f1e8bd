"""Where new joints are proposed, and taking hold of joints in the view."""

from __future__ import annotations

import math

import pytest
from fake_stage import FakeStage, Hand

from app.document.joint_edits import add_joint
from app.tools.joining import joined
from app.tools.select import MoveTool, SelectTool
from engine.scene.joint_rules import joint_problems
from engine.scene.spec import JOINT_KINDS, Body, Box, Capsule, Cylinder, Joint, Plane, Scene, Sphere, TriangleMesh

LYING = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)


def proposal(kind: str, *bodies: Body) -> Joint:
    scene = Scene(list(bodies))
    return joined(scene, kind, tuple(body.id for body in bodies))


def post() -> Body:
    return Body("post", Box((0.05, 0.05, 1.0)), (-0.05, 0, 1), static=True)


def leaf() -> Body:
    return Body("door", Box((0.4, 0.02, 0.9)), (0.4, 0, 1))


def test_a_door_turns_about_the_strip_where_it_touches_its_post() -> None:
    for bodies in ((leaf(), post()), (post(), leaf())):
        joint = proposal("hinge", *bodies)
        assert joint.anchor == (0, 0, 1) and joint.axis == (0, 0, 1)
        first = next(body for body in bodies if body.id == joint.a)
        assert first.name == "post"  # static: the joint stays where it is


def test_a_lid_turns_about_an_edge() -> None:
    lid, box = Body("lid", Box((0.3, 0.2, 0.02)), (0, 0, 0.42)), Body("box", Box((0.3, 0.2, 0.2)), (0, 0, 0.2))
    joint = proposal("hinge", lid, box)
    assert joint.anchor == pytest.approx((0, 0.2, 0.4)) and joint.axis == (1, 0, 0)
    assert joint.a == box.id and joint.b == lid.id  # measured against the one chosen last
    assert proposal("fixed", lid, box).anchor == pytest.approx((0, 0, 0.4))


def test_cubes_side_by_side_fold_about_their_upper_edge() -> None:
    cubes = [Body(name, Box((0.1, 0.1, 0.1)), (x, 0, 0.1)) for name, x in (("a", -0.1), ("b", 0.1))]
    joint = proposal("hinge", *cubes)
    assert joint.anchor == pytest.approx((0, 0, 0.2)) and joint.axis == (0, 1, 0)


def test_links_that_do_not_touch_are_joined_half_way() -> None:
    links = [Body(f"{k}", Capsule(0.03, 0.1), (0.27 * k, 0, 0.03), LYING) for k in range(2)]
    assert proposal("ball", *links).anchor == pytest.approx((0.135, 0, 0.03))
    boxes = [Body(f"{k}", Box((0.1, 0.1, 0.1)), (k, k, 0.1 + k)) for k in range(2)]
    assert proposal("ball", *boxes).anchor == pytest.approx((0.5, 0.5, 0.6))


def test_a_turned_pair_has_the_proposal_turned() -> None:
    turn = (math.cos(0.3), 0.0, 0.0, math.sin(0.3))
    c, s = math.cos(0.6), math.sin(0.6)
    a = Body("a", Box((0.4, 0.02, 0.9)), (0.4 * c, 0.4 * s, 1), turn)
    b = Body("b", Box((0.05, 0.05, 1.0)), (-0.05 * c, -0.05 * s, 1), turn)
    joint = proposal("hinge", a, b)
    assert joint.anchor == pytest.approx((0, 0, 1), abs=1e-6) and joint.axis == pytest.approx((0, 0, 1), abs=1e-6)
    plank, floor = Body("c", Box((0.3, 0.1, 0.05)), (0, 0, 0.05), turn), Body("d", Plane((0, 0, 1)), static=True)
    slider = proposal("slider", plank, floor)
    assert slider.axis == pytest.approx((c, s, 0), abs=1e-6)


@pytest.mark.parametrize(
    ("half", "anchor", "axis"),
    [
        ((0.4, 0.02, 0.9), (-0.4, 0, 1), (0, 0, 1)),  # a door: its left edge
        ((0.4, 0.02, 0.2), (0, 0, 1.2), (1, 0, 0)),  # a sign: its upper edge
        ((0.4, 0.3, 0.02), (0, 0.3, 1), (1, 0, 0)),  # a flap: its far edge
        ((0.02, 0.02, 0.4), (0, 0, 1.4), (0, 1, 0)),  # a pendulum: its upper end
    ],
)
def test_a_body_alone_is_hung_up_as_one_would(half, anchor, axis) -> None:
    joint = proposal("hinge", Body("it", Box(half), (0, 0, 1)))
    assert joint.b == "" and joint.anchor == pytest.approx(anchor) and joint.axis == pytest.approx(axis)


def test_every_pair_of_shapes_gets_a_sound_joint() -> None:
    mesh = TriangleMesh([(-1, -1, 0), (1, -1, 0), (0, 1, 0)], [(0, 1, 2)])
    shapes = [Box((0.1, 0.2, 0.3)), Sphere(0.1), Capsule(0.1, 0.2), Cylinder(0.1, 0.1)]
    for kind in JOINT_KINDS:
        for other in (*shapes, Plane((0, 0, 1)), mesh):
            for shape in shapes:
                for gap in (-0.05, 0.0, 0.3):
                    static = isinstance(other, Plane | TriangleMesh)
                    scene = Scene([Body("a", shape, (0.02, 0.03, 0.4 + gap)), Body("b", other, static=static)])
                    made = add_joint(scene, joined(scene, kind, ("b1", "b2")))[0]
                    assert joint_problems(made) == []
                    assert all(abs(c) < 2.0 for c in made.joints[0].anchor)


@pytest.fixture
def jointed(stage: FakeStage) -> FakeStage:
    """Two bricks of the stage on a hinge between them."""
    scene, _ = add_joint(stage.document.scene, Joint("hinge", "a", "b", anchor=(-0.3, 0.05, 0.3), axis=(0, 0, 1)))
    stage.document.new(scene)
    return stage


def test_a_click_on_the_ring_chooses_the_joint_of_a_selected_body(jointed: FakeStage) -> None:
    hand = Hand(SelectTool(jointed))
    ring = jointed.pixel((-0.3, 0.05, 0.3))
    hand.click(*ring)
    assert jointed.selection.joint == ""  # its mark is not shown: no body of it is selected
    jointed.selection.set(["b"])
    hand.click(*ring)
    assert jointed.selection.joint == "j1" and jointed.selection.ids == ("b",)
    hand.click(*jointed.pixel(jointed.position("b")))
    assert jointed.selection.joint == "" and jointed.selection.ids == ("b",)


def test_g_moves_the_anchor_and_r_turns_the_axis(jointed: FakeStage) -> None:
    tool = SelectTool(jointed)
    hand = Hand(tool)
    jointed.selection.choose_joint("j1")
    hand.keys("gz0.25\n")
    joint = jointed.document.scene.joints[0]
    assert joint.anchor == (-0.3, 0.05, 0.55) and jointed.position("a") == (-0.6, 0.0, 0.1)
    assert jointed.document.history.undoText() == "Move the hinge of Brick 2 and Brick 1"
    hand.keys("rx90\n")
    assert jointed.document.scene.joints[0].axis == pytest.approx((0, -1, 0))
    hand.keys("s")
    assert not tool.busy() and jointed.said[-1].startswith("A joint has no size")
    assert jointed.document.history.count() == 2


def test_the_gizmo_stands_at_the_anchor(jointed: FakeStage) -> None:
    tool = MoveTool(jointed)
    jointed.selection.choose_joint("j1")
    gizmo = tool.gizmo()
    assert gizmo is not None and tuple(gizmo.pivot) == (-0.3, 0.05, 0.3)
    hand = Hand(tool)
    start = tuple(gizmo.pixels([[60.0, 0.0, 0.0]])[0])
    end = tuple(gizmo.pixels([[110.0, 0.0, 0.0]])[0])
    hand.drag(start, end)
    moved = jointed.document.scene.joints[0].anchor
    assert moved[0] > -0.3 and moved[1:] == (0.05, 0.3) and jointed.document.history.count() == 1


def test_a_cancelled_move_leaves_the_joint(jointed: FakeStage) -> None:
    tool = SelectTool(jointed)
    hand = Hand(tool)
    jointed.selection.choose_joint("j1")
    hand.to(300, 300).keys("g").to(500, 200)
    assert jointed.document.shown.joints[0].anchor != (-0.3, 0.05, 0.3)
    hand.keys("\x1b")
    assert jointed.document.shown.joints[0].anchor == (-0.3, 0.05, 0.3) and jointed.document.history.count() == 0
