"""The story of an ending, with mouse and keyboard only: composed, settled, taken back, made again, saved, opened."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from hand import LONG, Hand

from engine.scene.spec import Body, Box, Scene, Sphere
from engine.shapes.turns import rotation_matrix


class Teller:
    """What the story reads; it changes nothing but through the hand."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.window = hand, hand.window
        self.studio = hand.window.studio
        self.view = self.studio.view

    @property
    def scene(self) -> Scene:
        return self.studio.document.scene

    def body(self, name: str) -> Body:
        return next(body for body in self.scene.bodies if body.name == name)

    def place(self, name: str) -> tuple[float, float, float]:
        return self.body(name).position

    @property
    def selected(self) -> list[str]:
        return [body.name for body in self.studio.selection.bodies()]

    def pixel(self, name: str) -> tuple[float, float]:
        """Where a body's middle is in the view."""
        ((x, y),) = self.view.camera.project(np.array([self.place(name)]), *self.view.extent)[0]
        return float(x), float(y)

    def button(self, key: str):
        return next(b for b in self.window.tool_bar.buttons() if b.objectName() == f"button.{key}")


def compose(teller: Teller) -> None:
    """Two boxes and a ball: dragged from the shelf, from the Add menu, and from a tile of the shelf."""
    hand, view, window = teller.hand, teller.view, teller.window
    width, height = view.extent
    tiles = {tile.kind: tile for tile in window.shelf.tiles}
    hand.carry(tiles["box"], view, 0.62 * width, 0.55 * height)
    hand.wait(lambda: len(teller.scene.bodies) == 1)
    hand.keys("Shift+A")
    hand.choose("Box")
    hand.move(view, 0.34 * width, 0.60 * height)
    hand.click(view, 0.32 * width, 0.62 * height)
    hand.wait(lambda: len(teller.scene.bodies) == 2)
    hand.click(tiles["sphere"])
    hand.move(view, 0.48 * width, 0.75 * height)
    hand.click(view, 0.48 * width, 0.75 * height)
    hand.wait(lambda: len(teller.scene.bodies) == 3)
    assert [type(body.shape) for body in teller.scene.bodies] == [Box, Box, Sphere]
    hand.wait(lambda: teller.studio.tool_name == "select")


def arrange(teller: Teller) -> None:
    """Click, gizmo, typed numbers, turning, snapping, dropping."""
    hand, view = teller.hand, teller.view
    first, second, ball = (body.name for body in teller.scene.bodies)
    hand.click(view, *teller.pixel(first))
    assert teller.selected == [first]

    hand.click(teller.button("tool.move"))
    start, tip = view.tool.gizmo().shaft(0)
    x, y, z = teller.place(first)
    hand.drag(view, 0.5 * (start + tip), 0.5 * (start + tip) + 0.8 * (tip - start))
    moved = teller.place(first)
    assert moved[0] > x + 0.02 and moved[1:] == (y, z)

    hand.keys("G", "Z", "1", ".", "5", "Return")
    assert teller.place(first) == (*moved[:2], moved[2] + 1.5)

    hand.keys("R", "Z", "4", "5", "Return")
    half = math.radians(45) / 2
    assert np.allclose(teller.body(first).orientation, (math.cos(half), 0, 0, math.sin(half)), atol=1e-12)

    hand.click(view, *teller.pixel(ball))
    assert teller.selected == [ball]
    hand.click(teller.button("snap.on"))
    at = teller.pixel(ball)
    before = teller.place(ball)
    hand.move(view, *at)
    hand.keys("G")
    hand.move(view, at[0] + 50, at[1] + 20)
    hand.move(view, at[0] + 90, at[1] + 30)
    hand.click(view, at[0] + 90, at[1] + 30)
    after = teller.place(ball)
    step = teller.studio.settings.get("snap/grid")
    assert after != before and all(math.isclose(c / step, round(c / step), abs_tol=1e-9) for c in after)
    hand.click(teller.button("snap.on"))

    hand.click(view, *teller.pixel(second))
    hand.keys("G", "Z", "0", ".", "4", "Return", "Shift+End")  # up, and dropped again
    assert math.isclose(teller.place(second)[2], 0.1, abs_tol=2e-6)
    hand.keys("R", "X", "2", "0", "Return")  # on one edge, under the ground
    hand.keys("Ctrl+End")
    corner = 0.1 * abs(rotation_matrix(teller.body(second).orientation)[2]).sum()
    assert math.isclose(teller.place(second)[2], corner, abs_tol=2e-6)


def settle(teller: Teller) -> None:
    """Everything falls until it is at rest, and the checker then finds nothing wrong."""
    hand, studio = teller.hand, teller.studio
    hand.keys("Alt+A")
    assert teller.selected == []
    commands = studio.document.history.count()
    hand.click(teller.button("body.settle"))
    assert studio.job is not None and teller.window.tool_bar.strip.isVisible()
    hand.wait(lambda: studio.job is None, LONG)
    assert not teller.window.message.isVisible(), teller.window.message.label.text()
    assert studio.document.history.count() == commands + 1
    first, second, ball = teller.scene.bodies
    assert all(math.isclose(body.position[2], 0.1, abs_tol=1e-5) for body in (first, second, ball))
    hand.wait(lambda: studio.document.scene is teller.window.checking._checked and not studio.worker.busy, LONG)
    assert teller.window.inspector.problems.items == []


def finish(teller: Teller) -> None:
    """A material of the list, and a group."""
    hand, view = teller.hand, teller.view
    first, second, ball = (body.name for body in teller.scene.bodies)
    hand.click(view, *teller.pixel(second))
    preset = teller.window.inspector.body.material.preset
    hand.click(preset)
    hand.choose("Steel")
    assert teller.body(second).material.name == "Steel" and preset.text == "Steel"
    assert teller.body(first).material.name == "Wood"
    hand.keys("Ctrl+A", "Ctrl+G")
    groups = {body.group for body in teller.scene.bodies}
    assert len(groups) == 1 and groups != {""}


def test_an_ending_from_nothing_to_a_file_and_back(program, tmp_path: Path) -> None:
    hand = program()
    teller = Teller(hand)
    history, document = teller.studio.document.history, teller.studio.document
    assert hand.window.welcome_shown
    hand.keys("Ctrl+N")
    assert not hand.window.welcome_shown
    nothing = document.scene
    compose(teller)
    arrange(teller)
    settle(teller)
    finish(teller)
    ending, commands = document.scene, history.count()
    assert commands >= 13 and document.dirty

    versions = [ending]
    while history.canUndo():
        hand.keys("Ctrl+Z")
        versions.append(document.scene)
    assert document.scene == nothing == Scene() and not document.dirty and len(versions) == commands + 1
    while history.canRedo():
        assert document.scene == versions.pop()
        hand.keys("Ctrl+Shift+Z")
    assert document.scene == ending and versions == [ending] and history.index() == commands

    teller.studio.questions.file = tmp_path / "ending.foregone"
    hand.keys("Ctrl+S")
    hand.wait(lambda: not document.dirty)
    assert Scene.load(tmp_path / "ending.foregone") == ending and not document.dirty
    hand.keys("Ctrl+N")
    assert document.scene == nothing
    hand.keys("Ctrl+O")
    hand.wait(lambda: document.path is not None)
    assert document.scene == ending and document.path == tmp_path / "ending.foregone"
    assert hand.window.outliner.isVisible() and hand.window.status.counts.text() == "3 bodies"
    hand.wait(lambda: not hand.window.checking._pause.isActive() and not teller.studio.worker.busy, LONG)
