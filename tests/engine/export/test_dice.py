"""Dice keep their spots in other programs."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import trimesh
from maya_reader import Scene as MayaScene
from mixed import mixed_take
from pxr import Usd, UsdGeom, UsdShade

from engine.export.clip import clip_of
from engine.export.dice import SEGMENTS, die_surface
from engine.export.settings import Settings, preset
from engine.export.write import export
from engine.layout.bodies import layout_bodies
from engine.layout.merge import merged
from engine.layout.read import read_layout
from engine.picture.pips import pip_cover
from engine.scene.colors import linear
from engine.scene.dice import PIPS, RADIUS, SIDES, SPOT_COLOR, is_die
from engine.scene.spec import Body, Box, Scene, Sphere

HALF = (0.05, 0.04, 0.08)


def test_the_surface_is_the_box_and_its_spots_are_where_they_are_drawn() -> None:
    surface = die_surface(HALF)
    spots = surface.spots
    assert spots is not None and int(spots.sum()) == sum(SIDES.values()) == 21
    assert not spots[: -int(spots.sum())].any(), "spots come last"
    mesh = trimesh.Trimesh(surface.points, surface.corners[surface.triangles], process=False)
    assert mesh.is_watertight and mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(8 * np.prod(HALF), rel=1e-9)
    middle = surface.points[surface.corners[surface.triangles]].mean(axis=1)
    np.testing.assert_array_equal(pip_cover(middle, HALF).astype(bool), surface.spot_triangles)
    sides = np.array([(i + 1) % 3 for i in range(3)])
    for (axis, sign), count in SIDES.items():
        normals = surface.normals[surface.starts]
        own = np.flatnonzero(spots & (normals[:, axis] == sign))
        assert len(own) == count and (surface.counts[own] == SEGMENTS).all()
        area = mesh.area_faces[surface.spot_triangles & (mesh.face_normals[:, axis] * sign > 0.9)].sum()
        across = HALF[sides[axis]] * HALF[sides[sides[axis]]]
        polygon = 0.5 * SEGMENTS * np.sin(2 * np.pi / SEGMENTS) * RADIUS**2
        assert area == pytest.approx(count * polygon * across, rel=1e-9)


def test_only_boxes_that_say_so_are_dice() -> None:
    assert is_die(Body("a", Box(HALF), extra={PIPS: True}))
    assert not is_die(Body("a", Box(HALF))) and not is_die(Body("a", Box(HALF), extra={PIPS: "no"}))
    assert not is_die(Body("a", Sphere(0.1), extra={PIPS: True}))
    actors = clip_of(mixed_take(), Settings()).actors
    assert [actor.name for actor in actors if actor.surface.spots is not None] == ["die"]


def test_usd_binds_the_spots(tmp_path: Path) -> None:
    path = tmp_path / "take.usda"
    export(mixed_take(), path, Settings("usd"))
    stage = Usd.Stage.Open(str(path))
    mesh = UsdGeom.Mesh(stage.GetDefaultPrim().GetChild("die").GetChild("die"))
    sides, subset = UsdShade.MaterialBindingAPI(mesh).GetMaterialBindSubsets()
    faces = subset.GetIndicesAttr().Get()
    assert sorted([*faces, *sides.GetIndicesAttr().Get()]) == list(range(len(mesh.GetFaceVertexCountsAttr().Get())))
    assert len(faces) == 21 and all(mesh.GetFaceVertexCountsAttr().Get()[face] == SEGMENTS for face in faces)
    for prim, color in ((mesh.GetPrim(), "#eaeaeb"), (sides.GetPrim(), "#eaeaeb"), (subset.GetPrim(), SPOT_COLOR)):
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        shader = material.ComputeSurfaceSource()[0]
        assert tuple(shader.GetInput("diffuseColor").Get()) == pytest.approx(linear(color))


def test_gltf_gives_the_spots_their_material(tmp_path: Path) -> None:
    path = tmp_path / "take.glb"
    export(mixed_take(), path, Settings("glb"))
    data = path.read_bytes()
    table = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    mesh = table["meshes"][table["nodes"][0]["mesh"]]
    colors = [table["materials"][part["material"]]["name"] for part in mesh["primitives"]]
    assert colors == ["#eaeaeb", SPOT_COLOR]
    counts = [table["accessors"][part["indices"]]["count"] for part in mesh["primitives"]]
    assert counts[1] == 21 * 3 * (SEGMENTS - 2)
    assert mesh["primitives"][0]["attributes"] == mesh["primitives"][1]["attributes"]
    assert all(len(other["primitives"]) == 1 for other in table["meshes"] if other is not mesh)


def test_maya_colours_faces(tmp_path: Path) -> None:
    path = tmp_path / "take.ma"
    clip = export(mixed_take(), path, preset("maya"))
    scene = MayaScene(path.read_text(encoding="utf-8"))
    spots = clip.actors[0].surface.spots
    assert spots is not None
    for face, dark in enumerate(spots.tolist()):
        assert scene.face_color("die", face) == pytest.approx(linear(SPOT_COLOR if dark else "#eaeaeb"), abs=1e-6)


@pytest.mark.parametrize("name", ["take.usdc", "take.glb"])
def test_a_die_comes_back_as_one(tmp_path: Path, name: str) -> None:
    export(mixed_take(), tmp_path / name, Settings("usd" if name.endswith("usdc") else "glb"))
    found = merged(Scene(), layout_bodies(read_layout(tmp_path / name)).bodies).scene.bodies
    assert [body.name for body in found if is_die(body)] == ["die"]
    (die,) = [body for body in found if is_die(body)]
    assert isinstance(die.shape, Box) and die.shape.half == (0.05, 0.05, 0.05)
