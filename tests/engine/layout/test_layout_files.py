"""Layouts from files of other programs: what stands where, how large, under which name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from layout_files import CUBE, QUADS, glb, usd_matrix, usd_mesh, usd_stage
from pxr import Gf, Sdf, UsdGeom, UsdUtils

from engine.layout.bodies import layout_bodies, shape_notes
from engine.layout.convert import converted
from engine.layout.read import is_layout, read_layout
from engine.rules import scene_problems
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Scene, Sphere, TriangleMesh
from engine.shapes.turns import about, from_angles, rotation_matrix


def bodies(path: Path) -> dict[str, Body]:
    found = layout_bodies(read_layout(path))
    assert [p for p in scene_problems(Scene(bodies=list(found.bodies))) if p.severity == "error"] == []
    return {body.name: body for body in found.bodies}


def corners(body: Body) -> np.ndarray:
    assert isinstance(body.shape, Box)
    return 2.0 * CUBE * body.shape.half @ rotation_matrix(body.orientation).T + body.position


def same_points(a: np.ndarray, b: np.ndarray, off: float = 1e-6) -> bool:
    """The same set of points, whatever their order."""
    return bool(np.linalg.norm(a[:, None] - b[None], axis=-1).min(axis=1).max() <= off and len(a) == len(b))


def test_a_box_of_usd_has_its_size_and_pose_to_the_bit(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usda")
    crate = UsdGeom.Xform.Define(stage, "/World/Crate")
    crate.AddTranslateOp().Set(Gf.Vec3d(0.3, -0.7, 0.05))
    crate.AddRotateZOp().Set(90.0)
    crate.AddScaleOp().Set(Gf.Vec3f(0.1, 0.2, 0.3))
    usd_mesh(stage, "/World/Crate/Geo", CUBE, QUADS)
    stage.Save()
    body = bodies(tmp_path / "a.usda")["Crate"]
    assert body.shape == Box((0.05, 0.1, 0.15)) and body.position == (0.3, -0.7, 0.05)
    assert body.orientation == pytest.approx(about((0, 0, 1), np.pi / 2), abs=1e-15) and not body.static


def test_nested_transforms_and_baked_meshes(tmp_path: Path) -> None:
    """A parent that scales and turns, a mesh that is turned and moved in its own frame."""
    turn = from_angles((20.0, -35.0, 50.0))
    own = CUBE * (0.2, 0.4, 0.6) @ rotation_matrix(turn).T + (0.5, 0.6, 0.7)
    stage = usd_stage(tmp_path / "a.usda")
    group = UsdGeom.Xform.Define(stage, "/World/Group")
    group.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3))
    group.AddRotateXYZOp().Set(Gf.Vec3f(10, 20, 30))
    group.AddScaleOp().Set(Gf.Vec3f(2, 2, 2))
    usd_mesh(stage, "/World/Group/Beam", own, QUADS)
    usd_mesh(stage, "/World/Group/Other", CUBE, QUADS)
    stage.Save()
    found = bodies(tmp_path / "a.usda")
    world = 2.0 * own @ rotation_matrix(from_angles((10.0, 20.0, 30.0))).T + (1, 2, 3)
    assert sorted(found["Beam"].shape.half) == pytest.approx([0.2, 0.4, 0.6], abs=1e-6)  # type: ignore[union-attr]
    assert same_points(corners(found["Beam"]), world)
    pivot = found["Beam"].extra["layout"]["pivot"]  # where the object's own frame is in the body's
    place = rotation_matrix(found["Beam"].orientation) @ pivot[0] + found["Beam"].position
    assert place == pytest.approx((1, 2, 3), abs=1e-6)


def test_units_and_axes_do_not_matter(tmp_path: Path) -> None:
    for name, up, metres in (("m.usda", "Z", 1.0), ("cm.usda", "Y", 0.01)):
        stage = usd_stage(tmp_path / name, up, metres)
        for k in range(3):
            place, turn = np.array([0.1 * k, 0.2, 0.05]), Gf.Vec3f(0, 0, 30 * k)
            if up == "Y":
                place, turn = np.array([place[0], place[2], -place[1]]), Gf.Vec3f(0, 30 * k, 0)
            can = UsdGeom.Cylinder.Define(stage, f"/World/Can_{k}")
            can.GetRadiusAttr().Set(0.03 / metres)
            can.GetHeightAttr().Set(0.1 / metres)
            can.GetAxisAttr().Set(up)
            can.AddTranslateOp().Set(Gf.Vec3d(*(place / metres)))
            can.AddRotateXYZOp().Set(turn)
        stage.Save()
    a, b = (bodies(tmp_path / name) for name in ("m.usda", "cm.usda"))
    assert a.keys() == b.keys() == {"Can_0", "Can_1", "Can_2"}
    for name, body in a.items():
        assert body.shape == b[name].shape == Cylinder(0.03, 0.05) and body.position == b[name].position
        assert body.orientation == pytest.approx(b[name].orientation, abs=1e-9)


def test_another_unit_and_axis_after_reading(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usda", "Y", 0.01)
    crate = UsdGeom.Xform.Define(stage, "/World/Crate")
    crate.AddTranslateOp().Set(Gf.Vec3d(1, 2, 3))
    usd_mesh(stage, "/World/Crate/Geo", CUBE * (1, 2, 3), QUADS)
    stage.Save()
    layout = read_layout(tmp_path / "a.usda")
    (wanted,) = layout_bodies(layout, 1.0, "z").bodies
    (made,) = converted(layout_bodies(layout).bodies, 100.0, "y", "z")
    assert same_points(corners(made), corners(wanted), 1e-9)
    assert converted([made], 1.0, "z", "z") == [made]


def test_the_stage_is_read_at_the_ending(tmp_path: Path) -> None:
    for name in ("end.usda", "told.usda", "loose.usda"):
        stage = usd_stage(tmp_path / name)
        ball = UsdGeom.Sphere.Define(stage, "/World/Ball")
        ball.GetRadiusAttr().Set(0.5)
        slide = ball.AddTranslateOp()
        for frame in range(1, 41):
            slide.Set(Gf.Vec3d(frame, 0, 0.5), frame)
        if name != "loose.usda":
            stage.SetStartTimeCode(1)
            stage.SetEndTimeCode(30)
        if name == "told.usda":
            stage.GetRootLayer().customLayerData = {"foregone": {"ending_frame": 24}}
        stage.Save()
    ends = [bodies(tmp_path / name)["Ball"].position[0] for name in ("end.usda", "told.usda", "loose.usda")]
    assert ends == [30.0, 24.0, 40.0]


def test_instances_and_what_is_not_shown(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usda")
    stage.CreateClassPrim("/Proto")
    usd_mesh(stage, "/Proto/Geo", CUBE, QUADS)
    for k in range(2):
        crate = UsdGeom.Xform.Define(stage, f"/World/Crate_{k}")
        crate.GetPrim().GetReferences().AddInternalReference("/Proto")
        crate.GetPrim().SetInstanceable(True)
        crate.AddTranslateOp().Set(Gf.Vec3d(2.0 * k, 0, 0.5))
    hidden = UsdGeom.Sphere.Define(stage, "/World/Hidden")
    hidden.MakeInvisible()
    UsdGeom.Sphere.Define(stage, "/World/Guide").GetPurposeAttr().Set("guide")
    UsdGeom.BasisCurves.Define(stage, "/World/Hair")
    many = UsdGeom.PointInstancer.Define(stage, "/World/Pebbles")
    UsdGeom.Sphere.Define(stage, "/World/Pebbles/Stone").GetRadiusAttr().Set(0.1)
    many.GetPrototypesRel().AddTarget("/World/Pebbles/Stone")
    many.GetProtoIndicesAttr().Set([0, 0])
    many.GetPositionsAttr().Set([(5, 0, 0), (6, 0, 0)])
    stage.Save()
    found = layout_bodies(read_layout(tmp_path / "a.usda"))
    assert {body.name: body.position[0] for body in found.bodies} == {
        "Crate_0": 0.0, "Crate_1": 2.0, "Pebbles 1": 5.0, "Pebbles 2": 6.0
    }  # fmt: skip
    assert found.bodies[0].shape is found.bodies[1].shape
    assert any("2 hidden objects" in note for note in found.notes) and any("Hair" in note for note in found.notes)


def test_names_and_facts_of_our_own_exports(tmp_path: Path) -> None:
    facts = {"id": "b7", "name": "Würfel – 6", "static": True, "shape": "box", "density": 650.0, "friction": 0.25,
             "restitution": 0.125}  # fmt: skip
    stage = usd_stage(tmp_path / "a.usda")
    die = UsdGeom.Xform.Define(stage, "/World/Wurfel___6")
    die.GetPrim().SetCustomDataByKey("foregone", facts)
    usd_mesh(stage, "/World/Wurfel___6/Wurfel___6", CUBE, QUADS).GetDisplayColorAttr().Set([(1.0, 0.0, 0.2158605)])
    named = UsdGeom.Xform.Define(stage, "/World/a")
    named.GetPrim().SetDisplayName("Kugel ö")
    UsdGeom.Sphere.Define(stage, "/World/a/a")
    from_blender = UsdGeom.Sphere.Define(stage, "/World/Ball_003").GetPrim()
    from_blender.CreateAttribute("userProperties:blender:object_name", Sdf.ValueTypeNames.String).Set("Ball.003")
    stage.Save()
    glb(tmp_path / "a.glb", [{"name": "x", "mesh": 0, "extras": {"foregone": facts}}, {"name": "日本", "mesh": 0}])
    for name, others in (("a.usda", {"Kugel ö", "Ball.003"}), ("a.glb", {"日本"})):
        found = bodies(tmp_path / name)
        body = found["Würfel – 6"]
        assert found.keys() == {"Würfel – 6", *others}
        assert body.id == "b7" and body.static and body.shape == Box((0.5, 0.5, 0.5))
        assert (body.material.density, body.material.friction, body.material.restitution) == (650.0, 0.25, 0.125)
        assert body.color == ("#ff0080" if name == "a.usda" else "")


def test_a_node_that_holds_one_mesh_gives_the_name(tmp_path: Path) -> None:
    nodes = [{"name": "root", "children": [1, 3]}, {"name": "Crate", "children": [2], "translation": [1, 2, 3]},
             {"name": "geo", "mesh": 0, "scale": [0.1, 0.2, 0.3]}, {"name": "Tower", "children": [4, 5]},
             {"name": "lower", "mesh": 0}, {"name": "upper", "mesh": 0, "translation": [0, 1, 0]}]  # fmt: skip
    found = bodies(glb(tmp_path / "a.glb", nodes))
    assert found.keys() == {"Crate", "lower", "upper"}
    assert found["Crate"].position == (1.0, -3.0, 2.0) and found["Crate"].shape == Box((0.05, 0.15, 0.1))
    assert found["upper"].position == (0.0, 0.0, 1.0)


def test_mirrors_and_shear(tmp_path: Path) -> None:
    turned = {"children": [1], "rotation": [0, 0, 0.3826834, 0.9238795], "scale": [3, 1, 1]}
    nodes = [turned, {"name": "sheared", "mesh": 0, "rotation": [0, 0, 0.3826834, 0.9238795]},
             {"name": "mirrored", "mesh": 0, "scale": [-1, 2, 3], "translation": [9, 0, 0]}]  # fmt: skip
    found = bodies(glb(tmp_path / "a.glb", nodes))
    assert isinstance(found["sheared"].shape, Hull) and len(found["sheared"].shape.points) == 8
    half = found["mirrored"].shape.half  # type: ignore[union-attr]
    assert half == (0.5, 1.5, 1.0) and not found["mirrored"].static


def test_objects_and_groups_of_obj(tmp_path: Path) -> None:
    turn = rotation_matrix(from_angles((0.0, 30.0, 0.0)))
    text, start = [], 1
    for name, mid in (("Crate A", (1, 0.5, 0)), ("Crate A", (3, 0.5, 0)), ("Kiste ä", (5, 0.5, 0))):
        text += [f"o {name}"] + ["v {:.9f} {:.9f} {:.9f}".format(*(turn @ p + mid)) for p in CUBE]
        text += ["f " + " ".join(f"{i + start}/1/1" for i in face) for face in QUADS]
        start += 8
    (tmp_path / "a.obj").write_text("mtllib ../secret.mtl\n" + "\n".join(text), encoding="utf-8")
    layout = read_layout(tmp_path / "a.obj")
    assert not layout.unit_known and layout.up == "y" and layout.metres == 1.0 and is_layout(tmp_path / "a.obj")
    found = layout_bodies(layout).bodies
    assert [body.name for body in found] == ["Crate A", "Crate A", "Kiste ä"]
    assert found[0].shape.half == pytest.approx((0.5, 0.5, 0.5), abs=1e-8)  # type: ignore[union-attr]
    assert found[2].position == pytest.approx((5.0, 0.0, 0.5), abs=1e-8)
    assert found[2].orientation == pytest.approx(about((0, 0, 1), np.pi / 6), abs=1e-8)
    (tmp_path / "g.obj").write_text("\n".join(text).replace("o ", "g ").replace("f ", "f -", 0), encoding="utf-8")
    assert [body.name for body in layout_bodies(read_layout(tmp_path / "g.obj")).bodies] == ["Crate A", "Kiste ä"]


def shaped(mesh: trimesh.Trimesh, folder: Path) -> Body:
    """A mesh turned and moved in its own frame, through a file."""
    mesh = mesh.copy()
    mesh.apply_transform(trimesh.transformations.rotation_matrix(0.7, (1, 2, -3), (0.1, 0.2, 0.3)))
    trimesh.Scene(mesh).export(folder / "a.glb")
    return layout_bodies(read_layout(folder / "a.glb")).bodies[0]


def test_solids_are_recognised_wherever_they_lie(tmp_path: Path) -> None:
    make = trimesh.creation
    for mesh, kind, sizes in (
        (make.icosphere(3, 0.2), Sphere, (0.2,)),
        (make.uv_sphere(0.2), Sphere, (0.2,)),
        (make.cylinder(0.1, 0.5, sections=16), Cylinder, (0.1, 0.25)),
        (make.cylinder(0.3, 0.6), Cylinder, (0.3, 0.3)),
        (make.cylinder(0.3, 0.05), Cylinder, (0.3, 0.025)),
        (make.capsule(0.3, 0.1), Capsule, (0.1, 0.15)),
        (make.box((0.2, 0.3, 0.4)).subdivide().subdivide(), Box, ((0.1, 0.15, 0.2),)),
    ):
        shape = shaped(mesh, tmp_path).shape
        assert type(shape) is kind
        mine = sorted(np.ravel([getattr(shape, name) for name in kind.coercions]))
        assert mine == pytest.approx(sorted(np.ravel(sizes)), rel=2e-6)


def test_what_only_looks_like_a_solid_is_none(tmp_path: Path) -> None:
    make = trimesh.creation
    long_ball = make.icosphere(3, 0.2)
    long_ball.apply_scale((1, 1, 1.01))
    for mesh in (make.icosahedron(), make.cylinder(0.1, 0.5, sections=6), make.cone(0.1, 0.3), long_ball):
        body = shaped(mesh, tmp_path)
        assert isinstance(body.shape, Hull) and len(body.shape.points) <= 64 and shape_notes([body]) == []
    body = shaped(make.annulus(0.2, 0.4, 0.3), tmp_path)
    assert isinstance(body.shape, Hull) and "hollows" in shape_notes([body])[0]


def test_flat_and_open_things_stay_fixed(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usda")
    usd_mesh(stage, "/World/Floor", [(-1, -1, 0.2), (1, -1, 0.2), (1, 1, 0.2), (-1, 1, 0.2)], [[3, 2, 1, 0]])
    usd_mesh(stage, "/World/Bucket", CUBE, QUADS[:-1])
    usd_mesh(stage, "/World/Line", [(0, 0, 0), (1, 0, 0), (2, 0, 0)], [[0, 1, 2]])
    stage.Save()
    found = layout_bodies(read_layout(tmp_path / "a.usda"))
    floor, bucket = found.bodies
    assert isinstance(floor.shape, TriangleMesh) and isinstance(bucket.shape, TriangleMesh)
    assert floor.static and bucket.static
    a, b, c = floor.shape.vertices[floor.shape.triangles[0]]
    assert np.cross(b - a, c - a)[2] > 0.0  # turned to face up
    assert shape_notes(found.bodies) == [
        "Floor has no volume: it stays fixed, as a surface.", "Bucket is not closed: it stays fixed, as a surface."
    ]  # fmt: skip
    assert found.notes == ("Line has no volume and was left out.",)


numbers = st.floats(-1.0, 1.0)
scales = st.tuples(*[st.floats(0.05, 3.0)] * 3)


@settings(max_examples=15)
@given(turn=st.tuples(*[numbers] * 4), place=st.tuples(*[st.floats(-9.0, 9.0)] * 3), scale=scales, sign=st.booleans())
def test_boxes_under_any_transform(
    tmp_path_factory: pytest.TempPathFactory, turn: tuple, place: tuple, scale: tuple, sign: bool
) -> None:
    """The corners stand where the file's own map puts them, in USD and in glTF."""
    if np.linalg.norm(turn) < 0.1:
        turn = (1.0, *turn[1:])
    w, x, y, z = np.array(turn) / np.linalg.norm(turn)
    folder = tmp_path_factory.mktemp("boxes")
    scale = (-scale[0] if sign else scale[0], *scale[1:])
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation_matrix((w, x, y, z)) * scale, place
    stage = usd_stage(folder / "a.usda")
    usd_matrix(UsdGeom.Xform.Define(stage, "/World/Crate"), matrix)
    usd_mesh(stage, "/World/Crate/Geo", CUBE, QUADS)
    stage.Save()
    node = {"name": "Crate", "mesh": 0, "translation": place, "rotation": [x, y, z, w], "scale": scale}
    glb(folder / "a.glb", [node])
    world = CUBE @ matrix[:3, :3].T + place
    up = world @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], float)
    for name, wanted in (("a.usda", world), ("a.glb", up)):
        body = layout_bodies(read_layout(folder / name)).bodies[0]
        assert same_points(corners(body), wanted, 3e-6), name


def test_packages_are_read(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usdc")
    usd_mesh(stage, "/World/Crate", CUBE, QUADS)
    stage.Save()
    assert UsdUtils.CreateNewUsdzPackage(str(tmp_path / "a.usdc"), str(tmp_path / "a.usdz"))
    assert bodies(tmp_path / "a.usdz")["Crate"].shape == Box((0.5, 0.5, 0.5))
