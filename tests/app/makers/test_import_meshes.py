"""Meshes from files: good ones become sound bodies, bad ones are told by name and cause."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from app.makers.mesh_import import MOST_TRIANGLES, MeshError, load_read, read_mesh, save_read
from app.makers.mesh_job import answer, main
from app.makers.mesh_shapes import MeshChoice, first_choice, mesh_body, scale_remark
from engine.rules import scene_problems
from engine.scene.spec import Compound, Hull, Scene, TriangleMesh
from engine.shapes.extent import body_extent
from engine.shapes.mass import mass_properties
from engine.shapes.simple_hull import HULL_POINTS, simple_hull


def written(folder: Path, mesh: trimesh.Trimesh, name: str) -> Path:
    path = folder / name
    mesh.export(path)
    return path


def box() -> trimesh.Trimesh:
    return trimesh.creation.box(extents=(0.2, 0.4, 0.6))


def l_shape() -> trimesh.Trimesh:
    """An L of 3 unit cubes, as one closed surface."""
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], float)
    low, high = np.insert(outline, 2, 0.0, axis=1), np.insert(outline, 2, 1.0, axis=1)
    vertices = np.vstack([low, high])
    cap = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6] for i in range(6)] + [[i, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return trimesh.Trimesh(vertices, np.vstack([cap[:, ::-1], cap + 6, sides]), process=False)


@pytest.mark.parametrize("suffix", ["obj", "stl", "ply", "glb"])
def test_every_format_gives_the_same_solid(tmp_path: Path, suffix: str) -> None:
    mesh = read_mesh(written(tmp_path, box(), f"crate.{suffix}"))
    assert mesh.name == "crate" and len(mesh.triangles) == 12 and len(mesh.vertices) == 8
    assert mesh.closed and mesh.convex and mesh.remarks == ()
    assert mesh.volume == pytest.approx(0.048, rel=1e-5)


def test_a_concave_solid_is_not_taken_for_convex(tmp_path: Path) -> None:
    mesh = read_mesh(written(tmp_path, l_shape(), "corner.obj"))
    assert mesh.closed and not mesh.convex and mesh.volume == pytest.approx(3.0)
    assert first_choice(mesh).treatment == "pieces"


def test_inside_out_meshes_are_turned(tmp_path: Path) -> None:
    turned = box()
    turned.invert()
    assert read_mesh(written(tmp_path, turned, "a.ply")).volume == pytest.approx(0.048, rel=1e-5)


def test_holes_are_told_and_the_hull_still_works(tmp_path: Path) -> None:
    whole = box()
    opened = trimesh.Trimesh(whole.vertices, whole.faces[:-2], process=False)
    mesh = read_mesh(written(tmp_path, opened, "open.ply"))
    assert not mesh.closed and mesh.remarks == ("The surface has holes (4 open edges).",)
    assert isinstance(mesh_body(mesh, first_choice(mesh)).shape, Hull)


def test_edges_with_three_triangles_are_told(tmp_path: Path) -> None:
    whole = box()
    flap = np.vstack([whole.vertices, [[0.5, 0.5, 0.5]]])
    a, b = whole.faces[0][:2]
    wing = trimesh.Trimesh(flap, np.vstack([whole.faces, [a, b, 8]]), process=False)
    mesh = read_mesh(written(tmp_path, wing, "f.ply"))
    assert mesh.shared_edges == 1 and "more than two" in mesh.remarks[1]


BAD = {
    "empty.obj": (b"", "is empty"),
    "words.obj": (b"hello world", "holds no triangles"),
    "points.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "holds no triangles"),
    "nan.obj": (b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", "not numbers"),
    "index.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "damaged"),
    "flat.obj": (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n", "is flat"),
    "point.obj": (b"v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", "impossible size"),
    "huge.obj": (b"v 0 0 0\nv 1e30 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", "impossible size"),
    "cut.glb": (b"glTF", "damaged"),
    "cut.stl": (b"\0" * 80 + b"\xff\xff\xff\xff" + b"\0" * 50, "cut.stl"),
    "cut.ply": (b"ply\nformat binary_little_endian 1.0\nelement vertex 9\nproperty float x\nend_header\n", "cut.ply"),
    "away.gltf": (
        b'{"asset":{"version":"2.0"},"buffers":[{"uri":"../secret.bin","byteLength":36}],"bufferViews":[{"buffer":0,'
        b'"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"meshes":'
        b'[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}',
        "damaged",
    ),
    "song.mp3": (b"abc", "Use OBJ, STL, PLY or glTF"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_told(tmp_path: Path, name: str) -> None:
    content, words = BAD[name]
    (tmp_path / name).write_bytes(content)
    (tmp_path.parent / "secret.bin").write_bytes(b"\0" * 36)
    with pytest.raises(MeshError) as told:
        read_mesh(tmp_path / name)
    assert name in str(told.value) and words in str(told.value)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(MeshError, match="gone.obj is not there any more"):
        read_mesh(tmp_path / "gone.obj")


def test_too_many_triangles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_TRIANGLES == 2_000_000
    monkeypatch.setattr("app.makers.mesh_import.MOST_TRIANGLES", 11)
    with pytest.raises(MeshError, match="Thin it out"):
        read_mesh(written(tmp_path, box(), "a.obj"))


@pytest.mark.parametrize("treatment", ["hull", "static"])
@pytest.mark.parametrize(("unit", "scale"), [("m", 1.0), ("cm", 0.01), ("in", 0.0254)])
@pytest.mark.parametrize("y_up", [True, False])
def test_units_axes_and_the_ground(tmp_path: Path, unit: str, scale: float, y_up: bool, treatment: str) -> None:
    moved = box().apply_translation((5.0, 6.0, 7.0))
    mesh = read_mesh(written(tmp_path, moved, "a.ply"))
    body = mesh_body(mesh, MeshChoice(unit, y_up, treatment))  # type: ignore[arg-type]
    low, high = body_extent(body)  # type: ignore[misc]
    size = np.array([0.2, 0.6, 0.4] if y_up else [0.2, 0.4, 0.6]) * scale
    assert low[2] == 0.0 and high - low == pytest.approx(size, rel=1e-5)
    assert np.abs(np.array(body.position[:2])).max() == 0.0
    assert low[:2] == pytest.approx(-0.5 * size[:2], rel=1e-4)
    assert body.static == (treatment == "static")
    assert isinstance(body.shape, Hull if treatment == "hull" else TriangleMesh)
    assert [p for p in scene_problems(Scene(bodies=[body])) if p.severity == "error"] == []


def test_y_up_keeps_hands_right(tmp_path: Path) -> None:
    mesh = read_mesh(written(tmp_path, l_shape(), "l.obj"))
    body = mesh_body(mesh, MeshChoice("m", True, "static"))
    assert isinstance(body.shape, TriangleMesh)
    a, b, c = body.shape.vertices[body.shape.triangles].transpose(1, 0, 2)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(3.0)


def test_likely_units(tmp_path: Path) -> None:
    part = trimesh.creation.box(extents=(40.0, 20.0, 10.0))
    assert first_choice(read_mesh(written(tmp_path, part, "a.stl"))).unit == "mm"
    assert first_choice(read_mesh(written(tmp_path, part, "a.glb"))) == MeshChoice("m", True, "hull")
    obj = read_mesh(written(tmp_path, part, "a.obj"))
    assert first_choice(obj) == MeshChoice("cm", True, "hull")
    assert scale_remark(obj, MeshChoice("cm")) == ""
    big = read_mesh(written(tmp_path, trimesh.creation.box(extents=(400.0, 1, 1)), "b.obj"))
    assert "400 m large" in scale_remark(big, MeshChoice("m"))
    assert "mm large" in scale_remark(read_mesh(written(tmp_path, box(), "c.obj")), MeshChoice("mm"))


def test_rich_hulls_are_simplified_and_keep_their_size() -> None:
    ball = np.asarray(trimesh.creation.icosphere(subdivisions=4, radius=0.5).vertices)
    simple = simple_hull(ball)
    assert len(simple) <= HULL_POINTS
    assert np.ptp(simple, axis=0) == pytest.approx(1.0, rel=0.01)
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    assert len(simple_hull(np.vstack([cube, [[0.5, 0.5, 0.5]]]))) == 8


def test_the_child_reads_and_splits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, l_shape(), "l.obj")
    read, split = tmp_path / "read.npz", tmp_path / "split.npz"
    assert main(["read", str(path), str(read)]) == 0
    mesh = load_read(read)
    assert mesh.name == "l" and mesh.volume == pytest.approx(3.0)
    assert main(["split", str(read), str(split), "0.05"]) == 0
    pieces = answer(["split", "", str(split)])
    body = mesh_body(mesh, MeshChoice("m", False, "pieces"), pieces)
    assert isinstance(body.shape, Compound) and len(body.shape.parts) == len(pieces) >= 2
    assert mass_properties(body.shape, 1.0).mass == pytest.approx(3.0, rel=0.05)
    assert body_extent(body)[0][2] == 0.0  # type: ignore[index]
    assert main(["read", str(tmp_path / "no.obj"), str(read)]) == 2
    assert capsys.readouterr().out == "no.obj is not there any more.\n"


def test_what_was_read_survives_the_way_between_processes(tmp_path: Path) -> None:
    mesh = read_mesh(written(tmp_path, box(), "a.stl"))
    save_read(mesh, tmp_path / "a.npz")
    again = load_read(tmp_path / "a.npz")
    assert (again.vertices == mesh.vertices).all() and again.suffix == ".stl" and again.convex
