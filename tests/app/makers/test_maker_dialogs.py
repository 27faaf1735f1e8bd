"""Maker dialogs in real windows: what is typed is shown at once, accepting is one command, cancelling is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.document import edits
from app.document.document import Document
from app.look.look import Look
from app.makers.array_dialog import ArrayDialog
from app.makers.maker_dialog import MakerDialog
from app.makers.mesh_dialog import MeshDialog
from app.makers.text_dialog import TextDialog
from app.makers.wall_dialog import WallDialog
from app.session.selection import Selection
from engine.scene.spec import Body, Box, Compound, Hull, Scene, Sphere, TriangleMesh


class Studio:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.document, self.look = Document(), Look()
        self.selection = Selection(self.document)
        scene, ids = edits.add(self.document.scene, [Body("Die", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1))])
        self.document.edit("Add die", scene)
        self.selection.set(ids)

    def open(self, kind: type[MakerDialog]) -> MakerDialog:
        dialog = kind(self.document, self.selection, self.look)
        self.qtbot.addWidget(dialog)
        dialog.show()
        self.qtbot.waitExposed(dialog)
        return dialog

    def press(self, dialog: MakerDialog, words: str) -> None:
        button = next(b for b in dialog.findChildren(QPushButton) if b.text() == words and b.isVisible())
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def shown(self, count: int) -> None:
        """Wait until so many bodies are on show."""
        self.qtbot.waitUntil(lambda: len(self.document.shown.bodies) == count, timeout=3000)


@pytest.fixture
def studio(qtbot: QtBot) -> Studio:
    return Studio(qtbot)


KINDS = [TextDialog, WallDialog, ArrayDialog]


@pytest.mark.parametrize("kind", KINDS)
def test_cancel_leaves_the_very_same_document(studio: Studio, kind: type[MakerDialog]) -> None:
    scene, selected = studio.document.scene, studio.selection.ids
    dialog = studio.open(kind)
    assert len(studio.document.shown.bodies) > 1  # at once
    studio.press(dialog, "Cancel")
    assert studio.document.scene is scene and studio.document.shown is scene
    assert studio.document.history.count() == 1 and studio.selection.ids == selected and not dialog.isVisible()


@pytest.mark.parametrize("kind", KINDS)
def test_escape_and_closing_cancel_too(studio: Studio, kind: type[MakerDialog]) -> None:
    scene = studio.document.scene
    dialog = studio.open(kind)
    studio.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert studio.document.shown is scene and not dialog.isVisible()
    dialog = studio.open(kind)
    dialog.close()
    assert studio.document.shown is scene and studio.document.history.count() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_accept_is_one_command_and_selects_what_is_new(studio: Studio, kind: type[MakerDialog]) -> None:
    before = studio.document.scene
    dialog = studio.open(kind)
    preview = studio.document.shown
    studio.qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert not dialog.isVisible() and studio.document.history.count() == 2
    assert studio.document.scene == preview and studio.document.shown is studio.document.scene
    new = {body.id for body in studio.document.scene.bodies} - {body.id for body in before.bodies}
    assert new and new <= set(studio.selection.ids)
    assert studio.document.history.undoText() == dialog.command
    studio.document.history.undo()
    assert studio.document.scene is before


def test_typing_a_text_is_shown_live(studio: Studio) -> None:
    dialog = studio.open(TextDialog)
    assert isinstance(dialog, TextDialog)
    dialog.text.clear()
    studio.qtbot.keyClicks(dialog.text, "Hi")
    studio.shown(3)
    assert [body.name for body in studio.document.shown.bodies] == ["Die", "H", "i"]
    dialog.text.clear()
    studio.shown(1)
    assert "Type a text." in words(dialog)
    studio.qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isVisible() and studio.document.history.count() == 1
    dialog.reject()


def words(dialog: MakerDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_styles_show_only_what_applies(studio: Studio) -> None:
    dialog = studio.open(TextDialog)
    assert isinstance(dialog, TextDialog)
    assert not dialog.rows.isVisible() and dialog.pose.isVisible()
    studio.press(dialog, "Balls in bins")
    studio.qtbot.waitUntil(lambda: any(body.name == "Ball 1" for body in studio.document.shown.bodies))
    assert dialog.rows.isVisible() and not dialog.pose.isVisible() and not dialog.depth_field.isVisible()
    assert any(text.endswith("balls, 1 tray") for text in words(dialog))
    many = len(studio.document.shown.bodies)
    dialog.rows.setValue(5)
    studio.qtbot.waitUntil(lambda: 1 < len(studio.document.shown.bodies) < many)
    dialog.text.setText("W" * 200)
    dialog.rows.setValue(100)
    studio.shown(1)
    assert any("20 000 is the most" in text for text in words(dialog))
    dialog.reject()


def test_a_tower_and_a_wall(studio: Studio) -> None:
    dialog = studio.open(WallDialog)
    assert isinstance(dialog, WallDialog)
    studio.press(dialog, "Round tower")
    dialog.bricks.setFocus()
    dialog.bricks.selectAll()
    studio.qtbot.keyClicks(dialog.bricks, "12")
    studio.shown(1 + 7 * 12)
    assert not dialog.bond.isVisible()
    studio.press(dialog, "Straight")
    studio.press(dialog, "Flemish")
    studio.qtbot.waitUntil(lambda: any(body.name.startswith("Closer") for body in studio.document.shown.bodies))
    dialog.reject()


def test_an_array_follows_the_selection(studio: Studio) -> None:
    scene, (ball,) = edits.add(studio.document.scene, [Body("Ball", Sphere(0.1), (1.0, 0.0, 0.1))])
    studio.document.edit("Add ball", scene)
    dialog = studio.open(ArrayDialog)
    assert isinstance(dialog, ArrayDialog)
    dialog.counts[0].setValue(4)
    studio.shown(2 + 3)
    studio.selection.set([ball])
    studio.qtbot.waitUntil(lambda: any(body.name == "Ball 3" for body in studio.document.shown.bodies))
    studio.selection.clear()
    studio.shown(2)
    assert "Select the bodies to copy." in words(dialog)
    studio.selection.set([ball])
    studio.press(dialog, "Circle")
    studio.shown(2 + 7)
    dialog.reject()


def test_undo_and_other_gestures_meanwhile(studio: Studio) -> None:
    """What is shown is built on the document as it is, and never fights with a gesture of another tool."""
    dialog = studio.open(WallDialog)
    count = len(studio.document.shown.bodies)
    studio.document.history.undo()
    studio.shown(count - 1)
    other = edits.add(studio.document.scene, [Body("Ball", Sphere(0.1))])[0]
    studio.document.preview(other)
    studio.qtbot.wait(80)
    assert studio.document.shown is other
    dialog.reject()
    assert studio.document.shown is other  # not ours to take away
    studio.document.preview(None)


def test_another_document_closes_the_dialog(studio: Studio) -> None:
    dialog = studio.open(WallDialog)
    fresh = Scene()
    studio.document.new(fresh)
    assert not dialog.isVisible() and studio.document.shown is fresh
    studio.qtbot.wait(60)
    assert studio.document.shown is fresh


def test_idle_does_nothing(studio: Studio) -> None:
    dialog = studio.open(WallDialog)
    studio.qtbot.wait(80)
    told: list[object] = []
    studio.document.changed.connect(told.append)
    studio.qtbot.wait(150)
    assert told == []
    dialog.reject()


@pytest.mark.parametrize("kind", KINDS)
def test_everything_has_a_name_and_can_be_reached(studio: Studio, kind: type[MakerDialog]) -> None:
    dialog = studio.open(kind)
    fields = [w for t in (QAbstractSpinBox, QComboBox, QAbstractButton, QLineEdit) for w in dialog.findChildren(t)]
    for field in fields:
        if not field.objectName().startswith("qt_"):
            assert field.accessibleName() or (isinstance(field, QAbstractButton) and field.text()), field
            assert field.focusPolicy() & Qt.FocusPolicy.TabFocus, field
    for button in dialog.findChildren(QAbstractButton):
        if not button.text() and not button.objectName().startswith("qt_"):
            assert button.toolTip()
    dialog.reject()


def test_numbers_are_visible(studio: Studio) -> None:
    dialog = studio.open(ArrayDialog)
    for field in dialog.findChildren(QAbstractSpinBox):
        if field.isVisible():
            wanted = field.fontMetrics().horizontalAdvance(field.text())
            assert field.lineEdit().width() >= wanted, field.accessibleName()
    dialog.reject()


def test_the_dialog_wears_the_theme(studio: Studio) -> None:
    dialog = studio.open(WallDialog)
    for theme in ("light", "dark"):
        studio.look.set_theme(theme)
        picture = dialog.grab().toImage()
        assert picture.pixelColor(dialog.width() // 2, 8) == QColor(studio.look.hex("panel"))
    dialog.reject()


# -- meshes ------------------------------------------------------------------------------------------------------------


def ready(studio: Studio, dialog: MeshDialog) -> Callable[[], bool]:
    button = dialog.findChild(QPushButton, "makerAccept")
    return lambda: button.isEnabled()


def opened(studio: Studio, path: Path) -> MeshDialog:
    dialog = MeshDialog.opened(path, studio.document, studio.selection, studio.look)
    studio.qtbot.waitExposed(dialog)
    return dialog


def test_a_convex_file_becomes_a_hull(studio: Studio, tmp_path: Path) -> None:
    trimesh.creation.box(extents=(20, 30, 40)).export(tmp_path / "part.stl")
    dialog = opened(studio, tmp_path / "part.stl")
    studio.qtbot.waitUntil(ready(studio, dialog), timeout=20000)
    assert dialog.unit.current == "mm" and any("12 triangles, convex" in text for text in words(dialog))
    studio.press(dialog, "Static")
    studio.qtbot.waitUntil(lambda: studio.document.shown.bodies[-1].static)
    assert isinstance(studio.document.shown.bodies[-1].shape, TriangleMesh)
    studio.press(dialog, "Hull")
    studio.press(dialog, "Import")
    body = studio.document.scene.bodies[-1]
    assert body.name == "part" and isinstance(body.shape, Hull) and studio.document.history.count() == 2
    assert studio.selection.ids == (body.id,)


def test_a_concave_file_is_split_or_stopped(studio: Studio, tmp_path: Path) -> None:
    trimesh.creation.annulus(0.3, 0.5, 0.2, sections=8).export(tmp_path / "ring.ply")
    scene = studio.document.scene
    dialog = opened(studio, tmp_path / "ring.ply")
    studio.qtbot.waitUntil(lambda: dialog.found is not None, timeout=20000)
    assert dialog.treatment.current == "pieces" and dialog.process._process is not None
    studio.press(dialog, "Cancel")  # stops the process: the fixture would find it
    assert studio.document.shown is scene and dialog.process._process is None
    dialog = opened(studio, tmp_path / "ring.ply")
    studio.qtbot.waitUntil(lambda: dialog.found is not None, timeout=20000)
    studio.press(dialog, "Coarse")
    studio.qtbot.waitUntil(ready(studio, dialog), timeout=30000)
    studio.press(dialog, "Import")
    assert isinstance(studio.document.scene.bodies[-1].shape, Compound)


def test_a_bad_file_is_told_and_nothing_changes(studio: Studio, tmp_path: Path) -> None:
    (tmp_path / "bad.obj").write_text("v 0 0 0")
    scene = studio.document.scene
    dialog = opened(studio, tmp_path / "bad.obj")
    said = "bad.obj holds no triangles. Export it again with its surface."
    studio.qtbot.waitUntil(lambda: said in words(dialog), timeout=20000)
    assert not ready(studio, dialog)() and studio.document.shown is scene
    dialog.reject()
