"""A layout from another program in the whole studio: asked for by key, seen, accepted, taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hand import Hand
from pxr import Gf, Usd, UsdGeom
from PySide6.QtWidgets import QPushButton

from app.makers.layout_dialog import LayoutDialog


def test_a_layout_is_imported_and_taken_back(program: Callable[..., Hand], tmp_path: Path) -> None:
    stage = Usd.Stage.CreateNew(str(tmp_path / "set.usdc"))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    for k in range(4):
        crate = UsdGeom.Cube.Define(stage, f"/Crate_{k}")
        crate.GetSizeAttr().Set(0.5)
        crate.AddTranslateOp().Set(Gf.Vec3d(10.0, 0.0, 0.25 + 0.5 * k))
    stage.Save()
    hand = program()
    studio = hand.window.studio
    studio.questions.file = tmp_path / "set.usdc"
    hand.keys("Ctrl+Shift+O")
    dialog = hand.window.findChild(LayoutDialog)
    hand.wait(lambda: dialog.found is not None)
    assert not hand.window.welcome_shown
    hand.wait(lambda: abs(studio.view.camera.target[0] - 10.0) < 1.0)  # looks at what came
    hand.click(dialog.findChild(QPushButton, "makerAccept"))
    assert [body.name for body in studio.document.scene.bodies] == [f"Crate_{k}" for k in range(4)]
    assert len(studio.selection.ids) == 4 and studio.document.scene.bodies[3].position == (10.0, 0.0, 1.75)
    studio.document.history.undo()
    assert studio.document.scene.bodies == []
