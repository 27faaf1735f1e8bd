"""Moving, turning and scaling: by keys, by numbers, by handles."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from fake_stage import LEFT, RIGHT, FakeStage, Hand
from hypothesis import given
from hypothesis import strategies as st

from app.document import edits
from app.tools.gizmo import RING
from app.tools.select import MoveTool, RotateTool, ScaleTool, SelectTool
from app.tools.tool import Pointer
from engine.scene.spec import Box
from engine.shapes.turns import about, rotate, rotation_matrix


def select(stage: FakeStage, *ids: str) -> Hand:
    stage.selection.set(ids)
    hand = Hand(SelectTool(stage))
    return hand.to(*stage.pixel((0.0, 0.0, 0.5)))


def test_a_typed_distance_arrives_bit_for_bit(stage: FakeStage) -> None:
    before = stage.document.scene
    select(stage, "a", "b").keys("gz1.5\n")
    for key in "ab":
        x, y, z = before.find(key).position
        assert stage.position(key) == (x, y, z + 1.5)
    assert stage.document.scene.find("c") is before.find("c")
    assert stage.document.history.count() == 1
    assert stage.document.history.undoText() == "Move 2 bodies"
    stage.document.history.undo()
    assert stage.document.scene is before


@given(value=st.floats(-1e3, 1e3).map(lambda x: round(x, 6)), axis=st.integers(0, 2))
def test_any_number_can_be_typed(value: float, axis: int) -> None:
    from engine.scene.spec import Body, Scene

    stage = FakeStage(Scene([Body("Brick 4", Box((0.1, 0.1, 0.1)), (0.3, -0.2, 0.1), id="a")]))
    select(stage, "a").keys(f"g{'xyz'[axis]}{value:f}\n")
    wanted = [0.3, -0.2, 0.1]
    wanted[axis] += float(f"{value:f}")
    assert stage.position("a") == tuple(wanted)
    assert stage.document.history.count() == (1 if wanted[axis] != [0.3, -0.2, 0.1][axis] else 0)


@pytest.mark.parametrize(
    ("keys", "offset"),
    [
        ("g1.5/2\n", (0.75, 0.0, 0.0)),
        ("g1\t2\t-3\n", (1.0, 2.0, -3.0)),
        ("gX1\t2\n", (0.0, 1.0, 2.0)),
        ("gy2-\n", (0.0, -2.0, 0.0)),
        ("gz12\b\n", (0.0, 0.0, 1.0)),
        ("gz,5\n", (0.0, 0.0, 0.5)),
        ("gz1x\n", (1.0, 0.0, 0.0)),
        ("gxz007\n", (0.0, 0.0, 7.0)),
        ("g\t\t(1+1)*2\n", (0.0, 0.0, 4.0)),
    ],
)
def test_ways_to_type(stage: FakeStage, keys: str, offset: tuple[float, ...]) -> None:
    before = stage.position("b")
    select(stage, "b").keys(keys)
    assert stage.position("b") == tuple(a + d for a, d in zip(before, offset, strict=True))


def test_what_is_no_number_is_not_taken(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("gz1/0\n")
    assert hand.tool.busy() and stage.said[-1] == "1/0 is not a number."
    hand.keys("\b2\n")
    assert not hand.tool.busy() and stage.position("b")[2] == 0.1 + 0.5


def test_keys_follow_the_mouse_at_once_and_a_click_confirms(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("g")
    start = stage.position("b")
    x, y = stage.pixel(start)
    there = np.array(start) + 0.3 * stage.camera.axes()[0]
    tx, ty = stage.pixel(there)
    hand.to(hand.x + tx - x, hand.y + ty - y)
    assert stage.document.shown.find("b").position == pytest.approx(tuple(there), abs=1e-3)
    assert stage.document.scene.find("b").position == start and stage.document.history.count() == 0
    hand.press().release()
    assert not hand.tool.busy() and stage.position("b") == pytest.approx(tuple(there), abs=1e-3)
    assert stage.document.history.count() == 1 and stage.document.history.undoText() == "Move Brick 2"
    assert stage.selection.ids == ("b",)


@pytest.mark.parametrize("how", ["escape", "right", "cancel", "deactivate"])
@pytest.mark.parametrize("keys", ["g", "r", "s", "gz3", "rz45", "s2"])
def test_cancelling_leaves_the_very_same_scene(stage: FakeStage, how: str, keys: str) -> None:
    before = stage.document.scene
    hand = select(stage, "a", "b").keys(keys)
    hand.to(hand.x + 60, hand.y + 25)
    if how == "escape":
        hand.keys("\x1b")
    elif how == "right":
        hand.press(RIGHT).release()
    elif how == "cancel":
        hand.tool.cancel()
    else:
        hand.tool.deactivate()
    assert stage.document.scene is before and stage.document.shown is before
    assert stage.document.history.count() == 0 and not hand.tool.busy()


def test_a_gesture_that_goes_nowhere_is_no_command(stage: FakeStage) -> None:
    before = stage.document.scene
    select(stage, "a").keys("g\n").keys("r\n").keys("s\n").keys("gz0\n")
    assert stage.document.scene is before and stage.document.history.count() == 0


def test_locked_bodies_stay(stage: FakeStage) -> None:
    stage.document.edit("Lock", edits.set_fields(stage.document.scene, ["a"], locked=True))
    hand = select(stage, "a", "b").keys("gz1\n")
    assert stage.position("a")[2] == 0.1 and stage.position("b")[2] == 1.1
    assert stage.document.history.undoText() == "Move Brick 2"
    stage.selection.set(["a"])
    hand.keys("g")
    assert not hand.tool.busy() and stage.said[-1] == "Brick 1 is locked."
    stage.selection.clear()
    hand.keys("g")
    assert not hand.tool.busy() and stage.said[-1] == "Select a body first."


def test_axis_keys_lock_and_go_round(stage: FakeStage) -> None:
    stage.document.edit("Turn", edits.turn(stage.document.scene, ["b"], (0, 0, 0), about((0, 0, 1), 0.5)))
    start = np.array(stage.position("b"))
    hand = select(stage, "b").keys("gx").to(500, 350)

    def offset() -> np.ndarray:
        return np.array(stage.document.shown.find("b").position) - start

    def across(direction: np.ndarray) -> float:
        return float(np.linalg.norm(np.cross(offset(), direction)))

    assert across(np.array([1.0, 0.0, 0.0])) < 1e-12 and offset()[0] != 0.0
    assert "along X" in hand.tool.marks().labels[0].text
    hand.keys("x")
    own = rotation_matrix(stage.document.scene.find("b").orientation)[:, 0]
    assert across(own) < 1e-12 and "along local X" in hand.tool.marks().labels[0].text
    hand.keys("x")
    assert hand.tool.marks().labels[0].text.count(",") == 2
    hand.keys("Z")
    assert offset()[2] == 0.0 and "in XY" in hand.tool.marks().labels[0].text


def test_turning_by_keys(stage: FakeStage) -> None:
    before = stage.document.scene
    select(stage, "a", "c").keys("rz90\n")
    pivot = 0.5 * (np.array(before.find("a").position) + before.find("c").position)
    for key in "ac":
        wanted = pivot + np.array(rotate(about((0, 0, 1), math.pi / 2), np.array(before.find(key).position) - pivot))
        assert stage.position(key) == pytest.approx(tuple(wanted), abs=1e-15)
        assert stage.document.scene.find(key).orientation == pytest.approx(about((0, 0, 1), math.pi / 2), abs=1e-15)
    assert stage.document.history.undoText() == "Rotate 2 bodies"


def test_the_mouse_turns_as_seen(stage: FakeStage) -> None:
    hand = select(stage, "b")
    x, y = stage.pixel(stage.position("b"))
    hand.to(x + 100, y).keys("r").to(x + 70.7107, y - 70.7107).to(x, y - 100)  # a quarter, counter-clockwise
    back = stage.camera.axes()[2]
    assert stage.document.shown.find("b").orientation == pytest.approx(about(back, math.pi / 2), abs=1e-6)
    hand.keys("z")  # seen from above: also counter-clockwise
    assert stage.document.shown.find("b").orientation == pytest.approx(about((0, 0, 1), math.pi / 2), abs=1e-6)
    assert hand.tool.marks().labels[0].text == "Rotate 90.0° about Z"
    for k in range(1, 9):  # more than once round
        angle = math.pi / 2 + k * math.pi / 4
        hand.to(x + 100 * math.cos(angle), y - 100 * math.sin(angle))
    assert hand.tool.marks().labels[0].text == "Rotate 450.0° about Z"


def test_scaling_by_keys_and_mouse(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("s2\n")
    assert stage.document.scene.find("b").shape.half == (0.2, 0.2, 0.2)
    hand.keys("sz0.5\n")
    assert stage.document.scene.find("b").shape.half == (0.2, 0.2, 0.1)
    hand.keys("s1\t2\t3\n")
    assert stage.document.scene.find("b").shape.half == pytest.approx((0.2, 0.4, 0.3))
    hand.keys("s-5\n")  # never zero, never turned inside out
    assert min(stage.document.scene.find("b").shape.half) > 0.0
    stage.document.history.undo()
    x, y = stage.pixel(stage.position("b"))
    hand.to(x + 50, y).keys("sX").to(x + 100, y)
    assert stage.document.shown.find("b").shape.half == pytest.approx((0.2, 0.8, 0.6))
    hand.to(x, y)
    assert min(stage.document.shown.find("b").shape.half) > 0.0
    hand.keys("\x1b")


def test_own_axes_scale_without_shear(stage: FakeStage) -> None:
    stage.document.edit("Turn", edits.turn(stage.document.scene, ["b"], (0, 0, 0), about((0, 0, 1), 0.7)))
    select(stage, "b").keys("sxx3\n")
    assert stage.document.scene.find("b").shape.half == pytest.approx((0.3, 0.1, 0.1))


def test_shift_slows_the_mouse_down(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("gx")
    before = stage.position("b")[0]
    hand.to(hand.x + 10, hand.y)
    coarse = stage.document.shown.find("b").position[0] - before
    hand.to(hand.x + 10, hand.y, shift=True)
    fine = stage.document.shown.find("b").position[0] - before - coarse
    assert fine == pytest.approx(0.1 * coarse, rel=0.05)


def test_snapping_to_the_grid(stage: FakeStage) -> None:
    stage.settings.set("snap/grid", 0.25)
    hand = select(stage, "c").keys("gX").to(520, 300, control=True)  # Ctrl: snap although it is off
    x, y, z = stage.document.shown.find("c").position
    assert x == 0.7 and y / 0.25 == round(y / 0.25) and z / 0.25 == round(z / 0.25)
    hand.to(520, 300)
    assert stage.document.shown.find("c").position[1] / 0.25 % 1.0 != 0.0
    hand.keys("\x1b")
    stage.settings.set("snap/on", True)
    hand.to(400, 300).keys("gx").to(470, 320)
    moved = stage.document.shown.find("c").position[0] - 0.7  # along an axis: in steps from where it was
    assert moved != 0.0 and moved / 0.25 == pytest.approx(round(moved / 0.25), abs=1e-12)
    hand.keys("\x1b").keys("rz").to(430, 250)
    text = hand.tool.marks().labels[0].text
    assert float(text.split()[1].rstrip("°")) % 15.0 == 0.0


def test_snapping_to_the_ground_and_to_a_surface(stage: FakeStage) -> None:
    stage.settings.set("snap/on", True)
    stage.document.edit("Up", edits.translate(stage.document.scene, ["b"], (0.0, 0.0, 0.9)))
    stage.settings.set("snap/to", "ground")
    hand = select(stage, "b").keys("g").to(hand_x := 430.0, 330.0)
    assert stage.document.shown.find("b").position[2] == pytest.approx(0.1, abs=1e-12)
    hand.keys("\x1b")
    stage.settings.set("snap/to", "surface")
    top = (0.7, 0.0, 0.2)  # of Brick 3
    hand.to(hand_x, 330.0).keys("g").to(*stage.pixel(top))
    assert stage.document.shown.find("b").position == pytest.approx((0.7, 0.0, 0.3), abs=1e-9)
    hand.press().release()
    assert stage.document.history.count() == 2


def test_snapping_can_align_to_the_surface(stage: FakeStage) -> None:
    scene = edits.turn(stage.document.scene, ["c"], stage.position("c"), about((0, 1, 0), 0.4))
    stage.document.edit("Tilt", scene)
    for name, value in {"snap/on": True, "snap/to": "surface", "snap/align": True}.items():
        stage.settings.set(name, value)
    tilted = stage.document.scene.find("c")
    up = rotation_matrix(tilted.orientation)[:, 2]
    select(stage, "b").keys("g").to(*stage.pixel(np.array(tilted.position) + 0.1 * up))
    body = stage.document.shown.find("b")
    assert rotate(body.orientation, (0, 0, 1)) == pytest.approx(tuple(up), abs=1e-9)
    assert body.position == pytest.approx(tuple(np.array(tilted.position) + 0.2 * up), abs=1e-9)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_dragging_an_arrow_moves_along_it(stage: FakeStage, axis: int) -> None:
    stage.selection.set(["b"])
    tool = MoveTool(stage)
    start = np.array(stage.position("b"))
    gizmo = tool.gizmo()
    assert gizmo is not None
    grip = start + 60.0 * gizmo.scale * np.eye(3)[axis]
    goal = grip + 0.4 * np.eye(3)[axis]
    hand = Hand(tool).to(*stage.pixel(grip))
    assert tool.expects()[0] == ("Drag", "move along this axis")
    hand.drag(stage.pixel(grip), stage.pixel(goal))
    moved = np.array(stage.position("b")) - start
    assert moved == pytest.approx(0.4 * np.eye(3)[axis], abs=1e-9)
    assert stage.document.history.count() == 1 and not tool.busy()
    assert stage.selection.ids == ("b",)


def test_dragging_a_square_moves_in_its_plane(stage: FakeStage) -> None:
    stage.selection.set(["b"])
    tool = MoveTool(stage)
    gizmo = tool.gizmo()
    assert gizmo is not None
    grip = gizmo.square(2).mean(axis=0)
    Hand(tool).drag(grip, grip + [40, -20])
    x, y, z = stage.position("b")
    assert z == 0.1 and (x, y) != (0.0, 0.1)


def test_dragging_rings_and_boxes(stage: FakeStage) -> None:
    stage.selection.set(["b"])
    tool = RotateTool(stage)
    gizmo = tool.gizmo()
    assert gizmo is not None
    ring = next(handle for handle in gizmo.handles() if handle.kind == "all")
    points, _ = gizmo.ring(ring)
    Hand(tool).drag(points[0], points[8])  # pixels run clockwise: y points down
    turned = stage.document.scene.find("b").orientation
    assert 2.0 * math.acos(turned[0]) == pytest.approx(8 / 96 * 2.0 * math.pi, rel=1e-3)
    stage.document.history.undo()
    scale = ScaleTool(stage)
    gizmo = scale.gizmo()
    assert gizmo is not None
    tip = gizmo.shaft(2)[1]
    Hand(scale).drag(tip, gizmo.middle + 2.0 * (tip - gizmo.middle))
    assert stage.document.scene.find("b").shape.half[2] == pytest.approx(0.2, rel=1e-6)
    assert stage.document.history.count() == 1


def test_a_ring_seen_edge_on_rolls_under_the_mouse(stage: FakeStage) -> None:
    stage.camera = replace(stage.camera, elevation=0.0, azimuth=math.radians(-90.0), target=(0.0, 0.1, 0.1))
    stage.selection.set(["b"])
    tool = RotateTool(stage)
    gizmo = tool.gizmo()
    assert gizmo is not None
    x, y = gizmo.middle
    assert gizmo.hit(x + 3.0, y) is not None
    Hand(tool).drag((x + 20.0, y), (x + 20.0 + 37.0, y))  # seen from -y, the near side going right turns about +z
    orientation = stage.document.scene.find("b").orientation
    assert orientation == pytest.approx(about((0, 0, 1), 37.0 / RING), abs=0.02)


def test_a_held_handle_takes_typed_numbers_too(stage: FakeStage) -> None:
    stage.selection.set(["b"])
    tool = MoveTool(stage)
    gizmo = tool.gizmo()
    assert gizmo is not None
    x, y = gizmo.shaft(2)[1]
    Hand(tool).to(x, y).press().to(x, y - 30, LEFT).keys("0.5").release()
    assert stage.position("b") == (0.0, 0.1, 0.1 + 0.5)


def test_window_actions_can_start_before_the_mouse_was_seen(stage: FakeStage) -> None:
    stage.selection.set(["b"])
    tool = SelectTool(stage)
    assert tool.start("move") and tool.busy()
    assert not tool.start("rotate")  # one at a time
    Hand(tool).keys("z1\n")
    assert stage.position("b")[2] == 1.1
    assert tool.start("rotate") and tool.busy()
    tool.cancel()
    assert tool.start("scale")
    tool.cancel()


def test_a_move_can_join_the_command_before_it(stage: FakeStage) -> None:
    scene, ids = edits.duplicate(stage.document.scene, ["b"])
    stage.document.edit("Duplicate Brick 2", scene, gesture="duplicate 1")
    stage.selection.set(ids)
    tool = SelectTool(stage)
    tool.start("move", gesture="duplicate 1")
    Hand(tool).keys("x1\n")
    assert stage.document.history.count() == 1 and stage.position(ids[0]) == (1.0, 0.1, 0.1)


def test_another_key_changes_what_is_done(stage: FakeStage) -> None:
    select(stage, "b").keys("gx1rz90\n")
    assert stage.position("b") == (0.0, 0.1, 0.1)
    assert stage.document.history.undoText() == "Rotate Brick 2"


def test_the_gesture_tells_what_it_does_and_expects(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("gz1.5")
    assert hand.tool.marks().labels[0].text == "Move 1.5| m along Z"
    hand.keys("/2")
    assert hand.tool.marks().labels[0].text == "Move 1.5/2| = 0.75 m along Z"
    words = {entry.key: entry.words for entry in hand.tool.expects()}
    assert words["X Y Z"] == "lock to an axis" and words["0-9"] == "type a distance"
    assert words["Enter"] == "confirm" and words["Esc"] == "cancel"
    hand.keys("\b\b\b\b\b")
    assert hand.tool.marks().labels[0].text.startswith("Move 0.00")


def test_turning_the_camera_meanwhile_does_not_throw_the_body(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("g")
    hand.to(hand.x + 30, hand.y)
    stage.camera = stage.camera.zoomed(0.5)
    hand.to(hand.x + 0.01, hand.y)
    moved = np.array(stage.document.shown.find("b").position) - stage.position("b")
    assert float(np.linalg.norm(moved)) < 1.0


def test_the_press_that_confirms_is_no_click(stage: FakeStage) -> None:
    hand = select(stage, "b").keys("g")
    hand.tool.press(Pointer(5.0, 5.0, LEFT))
    hand.tool.release(Pointer(5.0, 5.0))
    assert stage.selection.ids == ("b",)
