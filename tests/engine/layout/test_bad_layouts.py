"""Files that cannot become an ending: each is told in a sentence, and nothing outside its folder is read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from layout_files import CUBE, QUADS, glb, usd_mesh, usd_stage
from pxr import Gf, Sdf, UsdGeom

from engine.errors import LayoutError
from engine.layout.bodies import layout_bodies
from engine.layout.read import is_layout, read_layout

HEAD = b'#usda 1.0\n(defaultPrim = "World")\n'
MESH = b'def Mesh "M" {\npoint3f[] points = [%s]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [%s]\n}\n'
GLTF = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36}]}  # fmt: skip


def gltf(**changes: object) -> bytes:
    return json.dumps(GLTF | changes).encode()


def address(uri: str) -> bytes:
    return gltf(buffers=[{"byteLength": 36, "uri": uri}])


BAD = {
    "empty.usda": (b"", "is empty"),
    "words.usda": (b"hello", "damaged or not USD"),
    "cut.usda": (HEAD + b'def Mesh "M" {', "damaged or not USD"),
    "cut.usdc": (b"PXR-USDC" + b"\0" * 40, "damaged or not USD"),
    "cut.usdz": (b"PK\x03\x04 no zip", "damaged or not USD"),
    "none.usda": (HEAD + b'def Xform "World" {}', "holds no meshes"),
    "nan.usda": (HEAD + MESH % (b"(0,0,0),(1,0,0),(0,nan,0)", b"0,1,2"), "M has points that are not numbers"),
    "huge.usda": (HEAD + MESH % (b"(0,0,0),(1,0,0),(0,1e30,0)", b"0,1,2"), "M is of an impossible size"),
    "index.usda": (HEAD + MESH % (b"(0,0,0),(1,0,0),(0,1,0)", b"0,1,9"), "M use points that do not exist"),
    "line.usda": (HEAD + MESH % (b"(0,0,0),(1,0,0),(2,0,0)", b"0,1,2"), "M has no volume"),
    "away.usda": (HEAD + b'def "A" (references = @../secret.usda@</X>) {}', "outside its folder"),
    "root.usda": (HEAD + b'def "A" (payload = @/etc/secret.usda@) {}', "outside its folder"),
    "net.usda": (HEAD + b'def "A" (references = @https://example.org/a.usd@) {}', "outside its folder"),
    "sub.usda": (b"#usda 1.0\n(subLayers = [@../secret.usda@])\n", "outside its folder"),
    "cut.glb": (b"glTF\2\0\0\0\x40\0\0\0\x40\0\0\0JSON{}", "its end is missing"),
    "words.gltf": (b"hello", "damaged or not glTF"),
    "list.gltf": (b"[1, 2]", "not glTF 2.0"),
    "old.gltf": (gltf(asset={"version": "1.0"}), "not glTF 2.0"),
    "odd.gltf": (gltf(nodes=[{"mesh": 7}]), "not as glTF should be"),
    "ring.gltf": (gltf(nodes=[{"children": [1]}, {"children": [0]}]), "not as glTF should be"),
    "short.gltf": (gltf(), "data is missing"),
    "base.gltf": (address("data:;base64,!!"), "data is missing"),
    "away.gltf": (address("../secret.bin"), "outside its folder"),
    "coded.gltf": (address("%2e%2e/secret.bin"), "outside its folder"),
    "net.gltf": (address("https://example.org/a.bin"), "outside its folder"),
    "gone.gltf": (address("gone.bin"), "needs gone.bin"),
    "many.gltf": (gltf(accessors=[{"componentType": 5126, "count": 10**9, "type": "VEC3"}]), "million points"),
    "draco.gltf": (gltf(extensionsRequired=["KHR_draco_mesh_compression"]), "without compression"),
    "bare.gltf": (gltf(nodes=[{}], meshes=[]), "holds no meshes"),
    "words.obj": (b"hello world", "holds no meshes"),
    "number.obj": (b"v 0 0 zero\n", "damaged in line 1"),
    "face.obj": (b"v 0 0 0\nv 1 0 0\nf 1 2\n", "damaged in line 3"),
    "index.obj": (b"o A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "A use points that do not exist"),
    "nan.obj": (b"o A\nv 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "A has points that are not numbers"),
    "song.mp3": (b"abc", "Use USD, glTF or OBJ"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_told(tmp_path: Path, name: str) -> None:
    content, words = BAD[name]
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / name).write_bytes(content)
    (tmp_path / "secret.usda").write_bytes(HEAD + b'def Sphere "X" {}')
    (tmp_path / "secret.bin").write_bytes(bytes(36))
    with pytest.raises(LayoutError) as told:
        layout_bodies(read_layout(folder / name))
    assert name in str(told.value) and words in str(told.value) and str(tmp_path) not in str(told.value)
    assert is_layout(folder / name) == (".usd" in name)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="gone.usd is not there"):
        read_layout(tmp_path / "gone.usd")


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "secret.usda").write_bytes(HEAD + b'def Sphere "X" {}')
    (folder / "link.usda").symlink_to(tmp_path / "secret.usda")
    (folder / "a.usda").write_bytes(HEAD + b'def "A" (references = @./link.usda@</X>) {}')
    with pytest.raises(LayoutError, match="outside its folder"):
        read_layout(folder / "a.usda")


def test_references_in_the_folder_are_followed(tmp_path: Path) -> None:
    (tmp_path / "props").mkdir()
    crate = b'#usda 1.0\n(defaultPrim = "C")\ndef Xform "C" {\ndef Cube "Geo" {}\n}\n'
    (tmp_path / "props" / "crate.usda").write_bytes(crate)
    (tmp_path / "a.usda").write_bytes(
        HEAD + b'def Xform "World" {\ndef Xform "Crate" (references = @./props/crate.usda@) {}\n'
        b'def Xform "Lamp" (references = @./props/lamp.usda@) {}\n}\n'
    )
    layout = read_layout(tmp_path / "a.usda")
    assert [each.name for each in layout.objects] == ["Crate"]
    assert layout.notes == ("Files it refers to are not there: ./props/lamp.usda.",)
    assert not layout.unit_known and not layout.up_known and layout.metres == 0.01


def test_value_clips_are_refused(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usda")
    stage.GetPrimAtPath("/World").SetMetadata("clips", {"default": {"assetPaths": Sdf.AssetPathArray(1)}})
    stage.Save()
    with pytest.raises(LayoutError, match="value clips"):
        read_layout(tmp_path / "a.usda")


def test_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = [{"name": f"n{k}", "mesh": 0} for k in range(3)]
    stage = usd_stage(tmp_path / "a.usda")
    for k in range(3):
        usd_mesh(stage, f"/World/n{k}", CUBE, QUADS)
    stage.Save()
    files = [glb(tmp_path / "a.glb", nodes), tmp_path / "a.usda"]
    for limit, value, words in (
        ("engine.layout.layout.MOST_OBJECTS", 2, "3 objects; 2 is the most"),
        ("engine.layout.layout.MOST_TRIANGLES", 20, "million triangles"),
        ("engine.layout.layout.MOST_BYTES", 100, "larger than 500 MB"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(limit, value)
            for file in files:
                with pytest.raises(LayoutError, match=words):
                    read_layout(file)
    assert all(len(read_layout(file).objects) == 3 for file in files)


def test_without_the_library_usd_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.usda").write_bytes(HEAD)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(LayoutError, match="a.usda cannot be read. USD needs the Python package usd-core"):
        read_layout(tmp_path / "a.usda")


def test_facts_that_make_no_sense_are_left_aside(tmp_path: Path) -> None:
    facts = {"id": 7, "name": ["x"], "static": "yes", "density": -1.0, "friction": float("inf"), "restitution": "high"}
    glb(tmp_path / "a.glb", [{"name": "Crate\n\0", "mesh": 0, "extras": {"foregone": facts}}])
    (body,) = layout_bodies(read_layout(tmp_path / "a.glb")).bodies
    assert body.name == "Crate" and body.id == "" and not body.static and body.material.density == 1200.0


def test_reading_compiles_nothing(tmp_path: Path) -> None:
    stage = usd_stage(tmp_path / "a.usda")
    UsdGeom.Cube.Define(stage, "/World/Crate").AddTranslateOp().Set(Gf.Vec3d(0, 0, 1))
    stage.Save()
    code = (
        "import sys; from engine.layout.read import read_layout; from engine.layout.bodies import layout_bodies; "
        "import engine.layout.merge, engine.layout.floors, engine.layout.convert; "
        "layout_bodies(read_layout(sys.argv[1])); sys.exit('numba' in sys.modules or 'engine.tape' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.usda")]).returncode == 0
