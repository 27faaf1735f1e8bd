"""USD, read back through a stage: every body at every frame, rate, range, axes, unit, names; and its validators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mixed import mixed_take
from pxr import Gf, Usd, UsdGeom, UsdShade, UsdValidation
from reading import FRACTIONS, PER_METRE, RATES, TO_AXES, expected

from engine.export.settings import preset
from engine.export.write import export
from engine.shapes.ask import ask

AXES = [(unit, up) for unit in PER_METRE for up in TO_AXES]


def opened(tmp_path: Path, suffix: str = ".usdc", **asked) -> Usd.Stage:
    path = tmp_path / f"take{suffix}"
    export(mixed_take(), path, preset("blender", "usd", **asked), tiers=[1, 0, 0, 0, 0])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    return Usd.Stage.Open(str(path))


def poses(stage: Usd.Stage) -> np.ndarray:
    """(F, n, 4, 4) of the bodies, column vectors."""
    numbers = np.arange(stage.GetStartTimeCode(), stage.GetEndTimeCode() + 1)
    bodies = [prim for prim in stage.GetDefaultPrim().GetChildren() if prim.IsA(UsdGeom.Xform)]
    found = [[UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(t) for prim in bodies] for t in numbers.tolist()]
    return np.swapaxes(np.array(found, float), -1, -2)


def complaints(stage: Usd.Stage) -> list[str]:
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) >= 30
    return [error.GetMessage() for error in UsdValidation.ValidationContext(validators).Validate(stage)]


@pytest.mark.parametrize("fps", RATES)
def test_a_stage_shows_the_take_at_every_rate(tmp_path: Path, fps: float) -> None:
    for unit, up in AXES if fps == 24.0 else AXES[-1:]:
        (tmp_path / f"{unit}{up}").mkdir()
        stage = opened(tmp_path / f"{unit}{up}", fps=fps, unit=unit, up=up)
        positions, turns = expected(mixed_take(), fps, up, unit)
        seen = poses(stage)
        np.testing.assert_allclose(seen[..., :3, 3], positions, atol=1e-12)
        np.testing.assert_allclose(seen[..., :3, :3], turns, atol=5e-8)
        rate, layer = FRACTIONS.get(fps, fps), stage.GetRootLayer()
        assert layer.HasTimeCodesPerSecond() and layer.HasFramesPerSecond() and stage.HasAuthoredTimeCodeRange()
        assert UsdGeom.StageHasAuthoredMetersPerUnit(stage)
        assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == pytest.approx(rate, rel=1e-12)
        assert UsdGeom.GetStageUpAxis(stage) == up.upper()
        assert UsdGeom.GetStageMetersPerUnit(stage) == pytest.approx(1.0 / PER_METRE[unit])


def test_euler_angles_say_the_same(tmp_path: Path) -> None:
    stage = opened(tmp_path, rotation="euler", up="y")
    positions, turns = expected(mixed_take(), 24.0, "y")
    np.testing.assert_allclose(poses(stage)[..., :3, :3], turns, atol=5e-8)
    np.testing.assert_allclose(poses(stage)[..., :3, 3], positions, atol=1e-12)
    curve = stage.GetDefaultPrim().GetChild("ell").GetAttribute("xformOp:rotateXYZ")
    angles = np.array([curve.Get(t) for t in curve.GetTimeSamples()])
    assert np.abs(np.diff(angles, axis=0)).max() <= 180.0


def test_meshes_materials_names_and_data(tmp_path: Path) -> None:
    stage = opened(tmp_path, unit="cm")
    root, scene = stage.GetDefaultPrim(), mixed_take().scene
    bodies = [prim for prim in root.GetChildren() if prim.IsA(UsdGeom.Xform)]
    assert [prim.GetName() for prim in bodies] == [
        "die", "Ball_1", "Ball_1_2", "Groe_7", "can", "stone", "ell", "table", "wall",
    ]  # fmt: skip
    for prim, body in zip(bodies, scene.bodies, strict=True):
        mesh = UsdGeom.Mesh(prim.GetChild(prim.GetName()))
        wanted = 100.0 * np.ptp(ask(body.shape).surface().points, axis=0)
        np.testing.assert_allclose(np.ptp(np.array(mesh.GetPointsAttr().Get()), axis=0), wanted, rtol=1e-6, atol=1e-4)
        assert prim.GetCustomData()["foregone"]["name"] == body.name
        material, _ = UsdShade.MaterialBindingAPI(mesh).ComputeBoundMaterial()
        assert material.ComputeSurfaceSource()[0].GetIdAttr().Get() == "UsdPreviewSurface"
    assert "bounce" in bodies[0].GetCustomData()["foregone"]["hints"]
    assert bodies[3].GetDisplayName() == "Größe/7"
    assert stage.GetRootLayer().customLayerData["foregone"]["seed"] == 3
    table = root.GetChild("table").GetAttribute("xformOp:translate")
    assert table.GetNumTimeSamples() == 0 and table.Get() == Gf.Vec3d(150.0, 0.0, 2.0)


def test_no_validator_complains(tmp_path: Path) -> None:
    for number, asked in enumerate([{}, {"suffix": ".usda", "up": "y"}, {"rotation": "euler"}, {"instances": True}]):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert complaints(opened(folder, **asked)) == []


def test_instances_keep_places_and_say_what_they_lose(tmp_path: Path) -> None:
    stage = opened(tmp_path, instances=True)
    instancer = UsdGeom.PointInstancer(stage.GetDefaultPrim().GetChild("Bodies"))
    positions, turns = expected(mixed_take(), 24.0)
    for k in (0, 7, len(positions) - 1):
        found = np.array(instancer.ComputeInstanceTransformsAtTime(1.0 + k, 1.0 + k))
        np.testing.assert_allclose(found[:, 3, :3], positions[k], atol=1e-6)
        np.testing.assert_allclose(np.swapaxes(found[:, :3, :3], 1, 2), turns[k], atol=2e-3)
    assert "half precision" in instancer.GetPrim().GetMetadata("comment")


def test_neighbouring_rotations_never_change_their_sign(tmp_path: Path) -> None:
    stage = opened(tmp_path, fps=25.0)
    for prim in stage.GetDefaultPrim().GetChildren():
        turn = prim.GetAttribute("xformOp:orient")
        q = np.array([[turn.Get(t).GetReal(), *turn.Get(t).GetImaginary()] for t in turn.GetTimeSamples() or ()])
        assert len(q) < 2 or ((q[1:] * q[:-1]).sum(1) > 0.0).all()
