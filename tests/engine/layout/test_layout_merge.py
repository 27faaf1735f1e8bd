"""A layout put into a scene: found again by name, with ids and hints; unchanged bodies keep every bit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from layout_files import CUBE, QUADS, glb, usd_mesh, usd_stage
from pxr import Gf, UsdGeom

from engine.layout.bodies import layout_bodies
from engine.layout.floors import with_fixed_floors
from engine.layout.merge import merged
from engine.layout.read import read_layout
from engine.scene.fingerprint import fingerprint
from engine.scene.spec import Body, Box, Compound, Cylinder, Hint, Joint, Material, Plane, Scene, Sphere, TriangleMesh

WOOD = Material(name="Wood", density=650.0)


def come(folder: Path, **places: tuple[float, float, float]) -> list[Body]:
    """Cubes of 1 m by name, from a USD file."""
    (folder / "a.usda").unlink(missing_ok=True)
    stage = usd_stage(folder / "a.usda")
    for name, place in places.items():
        UsdGeom.Xform.Define(stage, f"/World/{name}").AddTranslateOp().Set(Gf.Vec3d(*place))
        usd_mesh(stage, f"/World/{name}/Geo", CUBE, QUADS)
    stage.Save()
    return list(layout_bodies(read_layout(folder / "a.usda")).bodies)


def crate(name: str, place: tuple[float, float, float], **fields: object) -> Body:
    return Body(name, Box((0.5, 0.5, 0.5)), place, material=WOOD, **fields)  # type: ignore[arg-type]


def test_bodies_are_found_by_name(tmp_path: Path) -> None:
    scene = Scene(bodies=[crate("A", (0, 0, 0.5), color="#112233"), crate("B", (2, 0, 0.5)), crate("C", (4, 0, 0.5))])
    scene.hints.append(Hint("bounce", "b1", direction=(1, 0, 0), id="h1"))
    result = merged(scene, come(tmp_path, A=(7, 8, 0.5), B=(2, 0, 0.5), New=(9, 9, 0.5)))
    a, b, c, new = result.scene.bodies
    assert result.ids == ("b1", "b2", "b4") and (result.added, result.replaced) == (1, 2)
    assert a.id == "b1" and a.position == (7, 8, 0.5) and a.color == "#112233" and a.material is WOOD
    assert b is scene.bodies[1] and c is scene.bodies[2] and new.name == "New" and result.scene.hints == scene.hints
    assert result.scene.next_id == 5 and not {"layout", "pivot"} & new.extra.keys()


def test_beside_what_is_there(tmp_path: Path) -> None:
    scene = Scene(bodies=[crate("A", (0, 0, 0.5))])
    result = merged(scene, come(tmp_path, A=(7, 8, 0.5)), replace_same=False)
    assert [body.name for body in result.scene.bodies] == ["A", "A 1"] and result.ids == ("b2",)


def test_what_did_not_move_keeps_its_bits(tmp_path: Path) -> None:
    """Through single precision, a rich shape and all: takes of the scene stay good."""
    third = 1.0 / 3.0
    bin_ = Compound([(Box((0.5, 0.5, 0.05)), (0, 0, 0)), (Box((0.05, 0.5, 0.3)), (0.4, 0, 0.35))])
    floor = Body("Floor", Plane(point=(0.0, 0.0, -4.0)), static=True)  # its origin is far from its surface
    scene = Scene(bodies=[crate("A", (third, -third, 0.5)), Body("Bin", bin_, (3, third, 0.05)), floor])
    points = np.concatenate([CUBE * (1, 1, 0.1), CUBE * (0.1, 1, 0.6) + (0.4, 0, 0.35)])
    stage = usd_stage(tmp_path / "b.usda")
    for name, place, mesh, faces in (
        ("A", scene.bodies[0].position, CUBE, QUADS),
        ("Bin", scene.bodies[1].position, points, [*QUADS, *([i + 8 for i in face] for face in QUADS)]),
        ("Floor", (0, 0, 0), [(-10, -10, -4), (10, -10, -4), (10, 10, -4), (-10, 10, -4)], [[0, 1, 2, 3]]),
    ):
        form = UsdGeom.Xform.Define(stage, f"/World/{name}")
        form.AddTranslateOp(UsdGeom.XformOp.PrecisionFloat).Set(Gf.Vec3f(*place))
        usd_mesh(stage, f"/World/{name}/Geo", mesh, faces)
    stage.Save()
    result = merged(scene, layout_bodies(read_layout(tmp_path / "b.usda")).bodies)
    assert fingerprint(result.scene) == fingerprint(scene) and result.scene.bodies[1].shape is bin_
    assert result.notes == ()  # no hull fills the bin


def test_locked_bodies_stay(tmp_path: Path) -> None:
    scene = Scene(bodies=[crate("A", (0, 0, 0.5), locked=True)])
    result = merged(scene, come(tmp_path, A=(7, 8, 0.5)))
    assert result.scene.bodies == scene.bodies and result.notes == ("A is locked and left alone.",)


def test_joints_go_along(tmp_path: Path) -> None:
    scene = Scene(bodies=[crate("A", (0, 0, 0.5))], joints=[Joint("hinge", "b1", anchor=(0.5, 0, 0.5))])
    result = merged(scene, come(tmp_path, A=(7, 8, 0.5)))
    assert result.scene.joints[0].anchor == (7.5, 8, 0.5)


def test_ids_are_kept_where_they_are_free(tmp_path: Path) -> None:
    facts = {"X": "b1", "Y": "b40"}
    nodes = [{"name": "n", "mesh": 0, "extras": {"foregone": {"id": i, "name": n}}} for n, i in facts.items()]
    bodies = layout_bodies(read_layout(glb(tmp_path / "a.glb", nodes))).bodies
    scene = merged(Scene(bodies=[crate("A", (0, 0, 9))]), bodies).scene
    assert [(body.id, body.name) for body in scene.bodies] == [("b1", "A"), ("b2", "X"), ("b40", "Y")]
    assert scene.next_id == 41


def test_two_of_one_name(tmp_path: Path) -> None:
    nodes = [{"name": "Crate", "mesh": 0, "translation": [k, 0, 0]} for k in range(3)]
    bodies = layout_bodies(read_layout(glb(tmp_path / "a.glb", nodes))).bodies
    first = merged(Scene(), bodies).scene
    assert [body.name for body in first.bodies] == ["Crate", "Crate 1", "Crate 2"]
    twins = Scene(bodies=[crate("Crate", (5, 0, 0)), crate("Crate", (6, 0, 0))])
    again = merged(twins, [replace(bodies[1], id="b2"), bodies[0]])
    assert [body.position[0] for body in again.scene.bodies] == [0.0, 1.0] and again.ids == ("b2", "b1")


def test_another_shape_comes_with_its_kind(tmp_path: Path) -> None:
    scene = Scene(bodies=[Body("A", Sphere(0.5), (0, 0, 0.5)), Body("B", Cylinder(0.5, 0.5), static=True)])
    result = merged(scene, come(tmp_path, A=(0, 0, 0.5), B=(0, 0, 5)))
    assert [type(body.shape) for body in result.scene.bodies] == [Box, Box]
    assert [body.static for body in result.scene.bodies] == [False, True]


def test_a_floor_in_the_ground_is_the_ground(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "f.usda")
    usd_mesh(stage, "/World/Floor", [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [[0, 1, 2, 3]])
    usd_mesh(stage, "/World/Crate", CUBE, QUADS)
    stage.Save()
    bodies = layout_bodies(read_layout(tmp_path / "f.usda")).bodies
    result = merged(Scene(), bodies)
    assert [body.name for body in result.scene.bodies] == ["Crate"] and "Floor lies in the ground" in result.notes[0]
    floor = merged(Scene(ground=False), bodies).scene.bodies[0]
    assert isinstance(floor.shape, TriangleMesh) and floor.static


def test_large_flat_things_carry_the_others(tmp_path: Path) -> None:
    crates = [crate(f"C{k}", (2.0 * k, 0, 0.5)) for k in range(4)]
    table, wall = Body("Table", Box((9, 4, 0.2)), (0, 0, -0.2)), Body("Wall", Box((9, 0.2, 4)), (0, 5, 4))
    fixed = with_fixed_floors([*crates, table, wall])
    assert [body.name for body in fixed if body.static] == ["Table"] and not table.static
    assert with_fixed_floors([table]) == [table]
