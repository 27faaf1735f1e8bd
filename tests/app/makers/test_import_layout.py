"""Importing layouts in real windows: read beside the window, shown at once, one command, found again by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pxr import Gf, Usd, UsdGeom
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.look.look import Look
from app.makers.layout_dialog import LayoutDialog
from app.makers.layout_job import answer, main
from app.session.selection import Selection
from engine.scene.spec import Body, Box, Hint, Sphere


def crates(path: Path, *names: str, step: float = 0.5, floor: bool = True, metres: float = 0.01) -> Path:
    """Crates of 20 cm in a row on a floor that ends at the ground, in centimetres, y up."""
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Y")
    UsdGeom.SetStageMetersPerUnit(stage, metres)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/World").GetPrim())
    things = [(name, (step * k, 0.1, 0.0), (0.2, 0.2, 0.2)) for k, name in enumerate(names)]
    things += [("Floor", (0.0, -0.05, 0.0), (8.0, 0.1, 8.0))] if floor else []
    for name, place, size in things:
        form = UsdGeom.Xform.Define(stage, f"/World/{name}")
        form.AddTranslateOp().Set(Gf.Vec3d(*place) / metres)
        form.AddScaleOp().Set(Gf.Vec3f(*size) / metres)
        UsdGeom.Cube.Define(stage, f"/World/{name}/Geo").GetSizeAttr().Set(1.0)
    stage.Save()
    return path


class Studio:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.document, self.look = Document(), Look()
        self.selection = Selection(self.document)

    def open(self, path: Path) -> LayoutDialog:
        dialog = LayoutDialog.opened(path, self.document, self.selection, self.look)
        self.qtbot.waitExposed(dialog)
        return dialog

    def read(self, path: Path) -> LayoutDialog:
        dialog = self.open(path)
        self.qtbot.waitUntil(lambda: dialog.found is not None, timeout=20000)
        return dialog

    def press(self, dialog: LayoutDialog, words: str) -> None:
        button = next(b for b in dialog.findChildren(QPushButton) if b.text() == words and b.isVisible())
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def studio(qtbot: QtBot) -> Iterator[Studio]:
    yield Studio(qtbot)


def words(dialog: LayoutDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_a_layout_becomes_the_ending(studio: Studio, tmp_path: Path) -> None:
    path = crates(tmp_path / "set.usda", "A", "B")
    before = studio.document.scene
    dialog = studio.open(path)
    assert "Reading the file. Cancel stops it." in words(dialog)
    with studio.qtbot.waitSignal(dialog.arrived, timeout=20000):
        pass
    assert dialog.unit.current == "cm" and dialog.up.current == "y"
    assert "3 boxes" in words(dialog) and "3 bodies, 1 fixed · from set.usda" in words(dialog)
    shown = {body.name: body for body in studio.document.shown.bodies}
    assert shown["B"].position == (0.5, 0.0, 0.1) and shown["B"].shape == Box((0.1, 0.1, 0.1))
    assert shown["Floor"].static and not shown["A"].static
    for button in dialog.findChildren(QAbstractButton):
        assert button.text() or button.toolTip()
    studio.press(dialog, "Import")
    assert studio.document.history.count() == 1 and studio.document.history.undoText() == "Import layout"
    assert [body.name for body in studio.document.scene.bodies] == ["A", "B", "Floor"]
    assert studio.selection.ids == tuple(body.id for body in studio.document.scene.bodies)
    studio.document.history.undo()
    assert studio.document.scene is before


def test_options_are_shown_at_once(studio: Studio, tmp_path: Path) -> None:
    dialog = studio.read(crates(tmp_path / "set.usda", "A", "B"))
    studio.press(dialog, "Keep large, flat objects fixed")
    studio.qtbot.waitUntil(lambda: not any(body.static for body in studio.document.shown.bodies))
    assert any("Floor reaches below the ground" in text for text in words(dialog))
    studio.press(dialog, "m")
    studio.qtbot.waitUntil(lambda: studio.document.shown.bodies[1].position == (50.0, 0.0, 10.0))
    assert any("800\N{NO-BREAK SPACE}m large" in text for text in words(dialog))
    studio.press(dialog, "Z up")
    studio.qtbot.waitUntil(lambda: studio.document.shown.bodies[1].position == (50.0, 10.0, 0.0))
    dialog.reject()
    assert studio.document.shown is studio.document.scene and studio.document.history.count() == 0


def test_bodies_are_found_again_by_name(studio: Studio, tmp_path: Path) -> None:
    scene, (a, ball) = edits.add(
        studio.document.scene,
        [Body("A", Box((0.1, 0.1, 0.1)), (5.0, 5.0, 0.1), color="#123456"), Body("Ball", Sphere(0.2), (0.0, 0.0, 0.2))],
    )
    scene.hints.append(Hint("bounce", a, direction=(1.0, 0.0, 0.0), id="h1"))
    studio.document.edit("Add", scene)
    dialog = studio.read(crates(tmp_path / "set.usda", "A", "B", floor=False))
    assert "2 bodies, 1 of them replaced · from set.usda" in words(dialog)
    studio.press(dialog, "Replace bodies with the same name")
    studio.qtbot.waitUntil(lambda: len(studio.document.shown.bodies) == 4)
    new = studio.document.shown.bodies[2:]
    assert [body.name for body in new] == ["A 1", "B"] and new[0].position[1] < -0.2  # clear of the ball
    studio.press(dialog, "Replace bodies with the same name")
    studio.qtbot.waitUntil(lambda: len(studio.document.shown.bodies) == 3)
    studio.press(dialog, "Import")
    moved = studio.document.scene.find(a)
    assert moved is not None and moved.position == (0.0, 0.0, 0.1) and moved.color == "#123456"
    assert studio.document.scene.hints[0].body == a and ball not in studio.selection.ids
    assert studio.selection.ids[0] == a and len(studio.selection.ids) == 2


def test_cancel_stops_the_reading(studio: Studio, tmp_path: Path) -> None:
    dialog = studio.open(crates(tmp_path / "set.usda", "A"))
    assert dialog.process._process is not None
    studio.press(dialog, "Cancel")  # the fixture would find the process
    assert dialog.process._process is None and studio.document.shown is studio.document.scene


def test_a_bad_file_is_told_and_nothing_changes(studio: Studio, tmp_path: Path) -> None:
    (tmp_path / "bad.usda").write_text("hello")
    dialog = studio.open(tmp_path / "bad.usda")
    studio.qtbot.waitUntil(lambda: "bad.usda is damaged or not USD." in words(dialog), timeout=20000)
    button = dialog.findChild(QPushButton, "makerAccept")
    assert not button.isEnabled() and studio.document.shown is studio.document.scene
    dialog.reject()


def test_an_unusual_unit_has_a_place(studio: Studio, tmp_path: Path) -> None:
    dialog = studio.read(crates(tmp_path / "set.usda", "A", metres=0.3, floor=False))
    assert dialog.unit.current == "own" and dialog.unit.button("own").text() == "0.3 m"
    assert studio.document.shown.bodies[0].shape == Box((0.1, 0.1, 0.1))
    dialog.reject()


def test_what_the_file_does_not_say_is_told(studio: Studio, tmp_path: Path) -> None:
    corners = [(x, y, z) for x in (0, 30) for y in (0, 30) for z in (0, 30)]
    faces = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
    lines = ["o Crate", *("v {} {} {}".format(*c) for c in corners), *("f {} {} {} {}".format(*f) for f in faces)]
    (tmp_path / "set.obj").write_text("\n".join(lines))
    dialog = studio.read(tmp_path / "set.obj")
    assert dialog.unit.current == "cm" and dialog.up.current == "y"
    assert any("does not say its unit" in text for text in words(dialog))
    dialog.reject()


def test_the_child_keeps_names_ids_and_notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = crates(tmp_path / "set.usda", "A", floor=False)
    stage = Usd.Stage.Open(str(path))
    stage.GetPrimAtPath("/World/A").SetCustomDataByKey("foregone", {"id": "b9", "name": "Kiste ä"})
    UsdGeom.Sphere.Define(stage, "/World/Hidden").MakeInvisible()
    stage.Save()
    assert main([str(path), str(tmp_path / "out.foregone")]) == 0
    found = answer(["", str(tmp_path / "out.foregone")])
    assert [(body.id, body.name) for body in found.bodies] == [("b9", "Kiste ä")] and found.known
    assert (found.metres, found.up, found.notes) == (0.01, "y", ("1 hidden object was left out.",))
    assert main([str(tmp_path / "gone.usd"), str(tmp_path / "out.foregone")]) == 2
    assert capsys.readouterr().out == "gone.usd is not there.\n"
