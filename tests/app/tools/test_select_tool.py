"""Choosing bodies with the mouse."""

from __future__ import annotations

import pytest
from fake_stage import RIGHT, FakeStage, Hand
from PySide6.QtCore import Qt

from app.tools.select import MoveTool, RotateTool, ScaleTool, SelectTool
from app.tools.tool import Pointer


def at(stage: FakeStage, key: str) -> tuple[float, float]:
    return stage.pixel(stage.position(key))


def test_click_selects_shift_toggles_nothing_clears(stage: FakeStage) -> None:
    hand = Hand(SelectTool(stage))
    hand.click(*at(stage, "a"))
    assert stage.selection.ids == ("a",)
    hand.click(*at(stage, "b"), shift=True)
    assert stage.selection.ids == ("a", "b")
    hand.click(*at(stage, "b"), shift=True)
    assert stage.selection.ids == ("a",)
    hand.click(5, 5, shift=True)
    assert stage.selection.ids == ("a",)
    hand.click(*at(stage, "c"))
    assert stage.selection.ids == ("c",)
    hand.click(5, 5)
    assert stage.selection.ids == ()
    assert stage.document.history.count() == 0


def test_dragging_selects_in_a_box(stage: FakeStage) -> None:
    tool = SelectTool(stage)
    hand = Hand(tool)
    (ax, ay), (bx, by) = at(stage, "a"), at(stage, "b")
    low, high = (min(ax, bx) - 8, min(ay, by) - 60), (max(ax, bx) + 8, max(ay, by) + 60)
    hand.drag(high, low)  # from any corner
    assert set(stage.selection.ids) == {"a", "b"}
    cx, cy = at(stage, "c")
    hand.drag((cx - 70, cy - 70), (cx + 70, cy + 70), shift=True)
    assert set(stage.selection.ids) == {"a", "b", "c"}
    hand.drag(low, high, control=True)
    assert stage.selection.ids == ("c",)
    hand.drag((5, 5), (30, 30))
    assert stage.selection.ids == ()


def test_the_box_is_drawn_dashed_while_it_lasts_and_escape_ends_it(stage: FakeStage) -> None:
    tool = SelectTool(stage)
    hand = Hand(tool)
    stage.selection.set(["a"])
    hand.to(10, 10).press().to(12, 12, Qt.MouseButton.LeftButton)
    assert not tool.busy() and not tool.marks().strokes  # not far enough yet
    hand.to(700, 500, Qt.MouseButton.LeftButton)
    assert tool.busy()
    dashed = [stroke for stroke in tool.marks().strokes if stroke.dash]
    assert len(dashed) == 1 and dashed[0].color == stage.look.hex("accent")
    hand.keys("\x1b")
    assert not tool.busy() and not tool.marks().strokes
    hand.release()
    assert stage.selection.ids == ("a",)


def test_double_click_selects_the_group(stage: FakeStage) -> None:
    tool = SelectTool(stage)
    hand = Hand(tool).click(*at(stage, "a"))
    tool.double_click(Pointer(hand.x, hand.y, Qt.MouseButton.LeftButton))
    hand.release()
    assert set(stage.selection.ids) == {"a", "b"} and stage.selection.active == "a"
    hand.click(*at(stage, "c"))
    tool.double_click(Pointer(hand.x, hand.y, Qt.MouseButton.LeftButton))
    hand.release()
    assert stage.selection.ids == ("c",)


def test_the_body_under_the_mouse_is_hovered_until_the_tool_leaves(stage: FakeStage) -> None:
    tool = SelectTool(stage)
    hand = Hand(tool).to(*at(stage, "b"))
    assert stage.selection.hover == "b"
    hand.to(5, 5)
    assert stage.selection.hover is None
    hand.to(*at(stage, "b"))
    tool.deactivate()
    assert stage.selection.hover is None


def test_the_right_button_is_left_to_others(stage: FakeStage) -> None:
    tool = SelectTool(stage)
    stage.selection.set(["a"])
    assert not tool.press(Pointer(5, 5, RIGHT))
    tool.release(Pointer(5, 5))
    assert stage.selection.ids == ("a",)


def test_each_tool_tells_what_it_expects(stage: FakeStage) -> None:
    tool = SelectTool(stage)
    assert ("Click", "select a body") in tool.expects()
    assert all(entry.key != "G" for entry in tool.expects())
    stage.selection.set(["a"])
    assert ("G", "move the ending") in tool.expects()
    stage.settings.set("view/keys", "maya")
    assert ("W", "move the ending") in tool.expects()


@pytest.mark.parametrize(("kind", "name"), [(MoveTool, "move"), (RotateTool, "rotate"), (ScaleTool, "scale")])
def test_a_gizmo_is_shown_for_what_can_be_moved(stage: FakeStage, kind: type[SelectTool], name: str) -> None:
    tool = kind(stage)
    assert tool.name == name and not tool.marks().strokes
    stage.selection.set(["a"])
    assert tool.marks().strokes
    assert not SelectTool(stage).marks().strokes


def test_keys_of_the_maya_preset_switch_the_tool(stage: FakeStage) -> None:
    stage.settings.set("view/keys", "maya")
    stage.selection.set(["a"])
    tool, asked = SelectTool(stage), []
    assert not tool.key(Qt.Key.Key_W, "w", Qt.KeyboardModifier.NoModifier)  # left to the window
    tool.switch_to = asked.append
    Hand(tool).keys("wer")
    assert asked == ["move", "rotate", "scale"] and not tool.busy()
    assert not tool.key(Qt.Key.Key_G, "g", Qt.KeyboardModifier.NoModifier)


def test_resting_mouse_asks_for_no_picture(stage: FakeStage) -> None:
    tool = MoveTool(stage)
    stage.selection.set(["a"])
    hand = Hand(tool).to(20, 20)
    before = stage.refreshed
    hand.to(21, 20).to(22, 20)
    assert stage.refreshed == before
