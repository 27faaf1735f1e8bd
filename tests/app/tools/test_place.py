"""Placing new bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fake_stage import RIGHT, FakeStage, Hand

from app.look.look import body_palette
from app.tools.place import PlaceTool, next_color, placed_on
from app.tools.stage import Surface
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.shapes.extent import bottom
from engine.shapes.turns import about

UP = np.array([0.0, 0.0, 1.0])


def make() -> Body:
    return Body("Box", Box((0.1, 0.1, 0.15)))


def test_a_new_body_follows_the_mouse_and_stands_on_what_is_there(stage: FakeStage) -> None:
    ended: list[str] = []
    tool = PlaceTool(stage, make, lambda: ended.append("done"))
    before = stage.document.scene
    hand = Hand(tool).to(*stage.pixel((0.3, -0.5, 0.0)))
    assert stage.document.shown.bodies[-1].position == pytest.approx((0.3, -0.5, 0.15), abs=1e-9)
    hand.to(*stage.pixel((0.7, 0.0, 0.2)))  # the top of Brick 3
    assert stage.document.shown.bodies[-1].position == pytest.approx((0.7, 0.0, 0.35), abs=1e-9)
    hand.to(hand.x + 0.5, hand.y)  # never on itself
    assert stage.document.shown.bodies[-1].position[2] == pytest.approx(0.35, abs=1e-9)
    assert stage.document.scene is before and len(stage.document.shown.bodies) == 4
    hand.press().release()
    added = stage.document.scene.bodies[-1]
    assert stage.document.history.count() == 1 and stage.document.history.undoText() == "Add box"
    assert stage.selection.ids == (added.id,) and added.color == body_palette()[3] and ended == ["done"]
    hand.to(300, 300)  # the window has not taken the tool away yet
    assert stage.document.shown is stage.document.scene and not tool.busy()
    tool.cancel()
    assert ended == ["done"]


def test_one_after_the_other_stands_on_the_one_before(stage: FakeStage) -> None:
    for height in (0.0, 0.3):
        tool = PlaceTool(stage, make, lambda: None)
        Hand(tool).to(*stage.pixel((0.3, -0.5, height))).press().release()
    assert [body.name for body in stage.document.scene.bodies[3:]] == ["Box", "Box 1"]
    assert stage.document.scene.bodies[-1].position[2] == pytest.approx(0.45, abs=1e-9)
    assert stage.document.history.count() == 2


@pytest.mark.parametrize("how", ["\x1b", "right", "deactivate"])
def test_giving_up_leaves_the_scene(stage: FakeStage, how: str) -> None:
    before = stage.document.scene
    tool = PlaceTool(stage, make, lambda: None)
    hand = Hand(tool).to(400, 400)
    assert tool.busy()
    if how == "right":
        hand.press(RIGHT)
    elif how == "deactivate":
        tool.deactivate()
    else:
        hand.keys(how)
    assert stage.document.shown is before and stage.document.history.count() == 0


def test_nothing_is_placed_in_the_sky(stage: FakeStage) -> None:
    stage.camera = replace(stage.camera, elevation=0.1)
    tool = PlaceTool(stage, make, lambda: None)
    Hand(tool).to(400, 2).press().release()
    assert stage.document.history.count() == 0 and stage.said[-1] == "Point at the ground or at a body."


def test_snapping_puts_it_on_the_grid(stage: FakeStage) -> None:
    stage.settings.set("snap/on", True)
    stage.settings.set("snap/grid", 0.5)
    tool = PlaceTool(stage, make, lambda: None)
    hand = Hand(tool).to(*stage.pixel((0.3, -0.6, 0.0)))
    assert stage.document.shown.bodies[-1].position == (0.5, -0.5, 0.15)
    hand.to(hand.x, hand.y, control=True)  # Ctrl turns it round
    assert stage.document.shown.bodies[-1].position == pytest.approx((0.3, -0.6, 0.15), abs=1e-9)
    assert tool.expects()[0] == ("Click", "place the box")


def test_turned_bodies_stand_on_their_lowest_point() -> None:
    body = Body("Box", Box((0.1, 0.1, 0.1)), orientation=about((1, 0, 0), 0.6))
    assert bottom(placed_on(body, Surface(np.zeros(3), UP, None))) == pytest.approx(0.0, abs=1e-15)


def test_sliding_to_the_grid_stays_on_a_slope() -> None:
    normal = np.array([0.0, -np.sin(0.3), np.cos(0.3)])
    body = placed_on(Body("Ball", Sphere(0.1)), Surface(np.array([0.13, 0.0, 0.0]), normal, "x"), grid=0.1)
    assert float(normal @ np.array(body.position)) == pytest.approx(0.1, abs=1e-12)
    assert body.position[0] == pytest.approx(0.1) and body.position[1] == pytest.approx(-0.0, abs=1e-12)


def test_the_palette_goes_round_darker() -> None:
    bodies = [Body("a", Sphere(0.1)) for _ in range(9)]
    assert next_color(Scene([])) == body_palette()[0]
    again = next_color(Scene(bodies))
    assert again != body_palette()[1] and int(again[1:3], 16) == round(0.88 * int(body_palette()[1][1:3], 16))
