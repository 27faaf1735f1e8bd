"""New bodies, volumes and sizes against closed forms; the shelf's tiles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from panel_scenes import show_active
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document import edits
from app.look.fonts import font
from app.look.look import Look
from app.panels import shelf_panel
from app.panels.new_bodies import PLACEABLE, new_body, wedge
from app.panels.shelf_panel import SHAPE_MIME, ShelfPanel
from app.panels.size_model import set_size, size_fields
from engine.rules import scene_problems
from engine.scene.spec import Box, Capsule, Compound, Cylinder, Hull, Plane, Scene, Sphere, TriangleMesh
from engine.shapes.ask import ask
from engine.shapes.turns import about

LENGTHS = st.floats(0.01, 10.0)


@given(LENGTHS, LENGTHS, LENGTHS)
def test_volumes_of_a_box_agree_in_every_form(x: float, y: float, z: float) -> None:
    box = Box((x / 2, y / 2, z / 2))
    corners = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * np.array(box.half)
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    for shape in (box, Hull(corners), TriangleMesh(corners, np.array(triangles)), Compound([(box, (1, 2, 3))])):
        assert ask(shape).volume() == pytest.approx(x * y * z, rel=1e-9)
        assert ask(shape).size() == pytest.approx((x, y, z))


def test_round_volumes() -> None:
    assert ask(Sphere(2.0)).volume() == pytest.approx(32 / 3 * math.pi)
    assert ask(Cylinder(0.5, 1.0)).volume() == pytest.approx(math.pi / 2)
    capsule = ask(Capsule(0.5, 1.0)).volume()
    assert capsule == pytest.approx(math.pi / 2 + math.pi / 6)
    assert ask(wedge(2.0, 3.0, 4.0)).volume() == pytest.approx(12.0)
    assert ask(Plane()).volume() is None and ask(Plane()).size() is None
    assert ask(Hull(np.zeros((4, 3)))).volume() is None


def test_turned_parts_of_a_compound_reach_as_far_as_their_surface() -> None:
    turned = about((0, 1, 0), math.pi / 2)
    for shape in (Cylinder(0.1, 0.5), Capsule(0.1, 0.4)):
        assert ask(Compound([(shape, (0, 0, 0), turned)])).size() == pytest.approx((1.0, 0.2, 0.2))


@pytest.mark.parametrize("kind", PLACEABLE)
def test_new_bodies_are_sound_and_stand_on_the_ground(kind: str) -> None:
    body = new_body(kind)
    scene, ids = edits.add(Scene(), [body, new_body(kind)])
    assert len({entry.name for entry in scene.bodies}) == 2
    assert [p for p in scene_problems(Scene(bodies=[body])) if p.severity == "error"] == []
    if not isinstance(body.shape, (Plane, Capsule)):
        size = ask(body.shape).size()
        assert size is not None and body.position[2] == pytest.approx(size[2] / 2)


@pytest.mark.parametrize("kind", PLACEABLE)
def test_every_size_field_reads_what_it_wrote(kind: str) -> None:
    scene, ids = edits.add(Scene(), [new_body(kind)])
    fields = size_fields(scene.bodies)
    assert fields == ask(scene.bodies[0].shape).sizes
    for field in fields:
        others = [(other, other.read(scene.bodies[0].shape)) for other in fields if other is not field]
        wanted = 0.07 if field.label == "Radius" else 0.37
        scene = set_size(scene, ids, field, wanted)
        assert field.read(scene.bodies[0].shape) == pytest.approx(wanted, rel=1e-12)
        if kind != "capsule":  # its length contains its radius
            assert all(other.read(scene.bodies[0].shape) == value for other, value in others)


def test_a_size_that_is_there_already_keeps_the_body() -> None:
    scene, ids = edits.add(Scene(), [new_body("box")])
    assert set_size(scene, ids, size_fields(scene.bodies)[0], 0.2).bodies[0] is scene.bodies[0]


@pytest.fixture
def shelf(qtbot: QtBot, look: Look) -> ShelfPanel:
    made = ShelfPanel(look)
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    show_active(qtbot, made)
    return made


def test_tiles_are_clicked_and_walked(shelf: ShelfPanel) -> None:
    chosen: list[str] = []
    shelf.chosen.connect(chosen.append)
    QTest.mouseClick(shelf.tiles[1], Qt.MouseButton.LeftButton)
    shelf.tiles[0].setFocus()
    QTest.keyClick(shelf.tiles[0], Qt.Key.Key_Down)
    QTest.keyClick(shelf.tiles[4], Qt.Key.Key_Return)
    assert chosen == ["sphere", "mesh"]
    assert [tile.kind for tile in shelf.tiles] == "box sphere capsule cylinder mesh wall ramp text".split()


def test_a_drag_carries_the_kind(shelf: ShelfPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    carried: list[str] = []
    chosen: list[str] = []
    shelf.chosen.connect(chosen.append)

    class Drag(shelf_panel.QDrag):
        def exec(self, action: Qt.DropAction) -> Qt.DropAction:
            carried.append(bytes(self.mimeData().data(SHAPE_MIME).data()).decode())
            return action

    monkeypatch.setattr(shelf_panel, "QDrag", Drag)
    tile = shelf.tiles[3]
    QTest.mousePress(tile, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 20))
    QTest.mouseMove(tile, QPoint(20, 40))
    QApplication.processEvents()
    QTest.mouseRelease(tile, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(20, 40))
    assert carried == ["cylinder"] and chosen == []


def test_the_narrowest_dock_shows_all_tiles(shelf: ShelfPanel, qtbot: QtBot) -> None:
    shelf.resize(220, shelf.height())
    qtbot.waitUntil(lambda: shelf._inner.width() <= 204, timeout=2000)
    assert max(tile.geometry().right() for tile in shelf.tiles) < 204
    for tile in shelf.tiles:
        assert QFontMetricsF(font("caption")).horizontalAdvance(tile._words) <= tile.width()


def test_little_room_makes_one_scrolling_row(shelf: ShelfPanel, qtbot: QtBot) -> None:
    assert len({tile.y() for tile in shelf.tiles}) == 2
    shelf.resize(264, 104)
    qtbot.waitUntil(lambda: len({tile.y() for tile in shelf.tiles}) == 1, timeout=2000)
    assert shelf._inner.width() > shelf.width()


def test_the_scroll_bar_of_a_single_row_covers_no_words(shelf: ShelfPanel, qtbot: QtBot) -> None:
    shelf.resize(220, shelf.minimumHeight() + 36)  # with its heading, which a dock takes out as its handle
    qtbot.waitUntil(lambda: len({tile.y() for tile in shelf.tiles}) == 1, timeout=2000)
    assert shelf._scroll.viewport().height() >= shelf.tiles[0].height()
