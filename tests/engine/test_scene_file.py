"""The project file: every bit comes back, nothing of others is lost, damage is told and never done."""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    Body,
    Box,
    Camera,
    Capsule,
    Compound,
    Cylinder,
    Entrance,
    Group,
    Hint,
    Hull,
    Material,
    Plane,
    ProjectError,
    Scene,
    Sphere,
    Stage,
    Stagger,
    TriangleMesh,
)
from engine.scene import file as project_file
from engine.scene.file import load_scene, member_names, pretty, read_member, save_scene

number = st.floats(allow_nan=False)
vector = st.tuples(number, number, number)
quaternion = st.tuples(*[st.floats(-2, 2)] * 4)
word = st.text(max_size=8)
json_value = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**20), 10**20), number, word),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(word, inner, max_size=3)),
    max_leaves=5,
)
extra = st.dictionaries(word.map(lambda key: "x-" + key), json_value, max_size=2)
rows = st.lists(vector, max_size=6).map(lambda v: np.array(v, float).reshape(-1, 3))
indices = st.lists(st.tuples(*[st.integers(-3, 9)] * 3), max_size=4).map(lambda t: np.array(t, np.int64).reshape(-1, 3))
simple = st.one_of(
    st.builds(Sphere, number, extra),
    st.builds(Box, vector, extra),
    st.builds(Capsule, number, number, extra),
    st.builds(Cylinder, number, number, extra),
    st.builds(Plane, vector, vector, extra),
    st.builds(Hull, rows, extra),
    st.builds(TriangleMesh, rows, indices, extra),
)
shape = st.recursive(
    simple, lambda inner: st.builds(Compound, st.lists(st.tuples(inner, vector, quaternion), max_size=3)), max_leaves=4
)
span = st.one_of(st.none(), st.tuples(number, number))
material = st.builds(Material, number, number, number, number, span, span, word, extra)
body = st.builds(
    Body,
    word,
    shape,
    vector,
    quaternion,
    material,
    st.booleans(),
    vector,
    vector,
    st.one_of(st.none(), number),
    st.booleans(),
    word,
    extra,
    st.booleans(),
    word,
    word,
    word,
)
group = st.builds(Group, word, word, word, extra)
maybe = st.one_of(st.none(), vector)
hint = st.builds(Hint, word, word, maybe, st.one_of(st.none(), number), maybe, maybe, st.none(), st.none(), extra)
side = st.one_of(span, word)
region = st.one_of(st.none(), st.tuples(vector, vector))
start = st.one_of(st.none(), st.tuples(vector, quaternion, number))
entrance = st.builds(Entrance, word, word, side, span, span, span, region, st.booleans(), start, word, extra)
stagger = st.builds(Stagger, word, st.one_of(st.none(), number), extra)
camera = st.builds(Camera, vector, quaternion, number, number, number, number, number, word, extra)
scene = st.builds(
    Scene,
    st.lists(body, max_size=3),
    st.booleans(),
    vector,
    st.lists(hint, max_size=2),
    word,
    st.one_of(st.none(), material),
    st.integers(0, 99),
    extra,
    st.lists(group, max_size=2),
    arrival_order=st.lists(word, max_size=3),
    entrances=st.lists(entrance, max_size=2),
    stagger=st.one_of(st.none(), stagger),
    stage=st.one_of(st.none(), st.builds(Stage, vector, vector, extra)),
    camera=st.one_of(st.none(), camera),
)


def bits(value) -> str:
    """Everything in a record, floats by their bits (0.0 and -0.0 differ)."""
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(bits(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{k!r}:{bits(v)}" for k, v in sorted(value.items())) + "}"
    if hasattr(value, "coercions"):
        return type(value).__name__ + bits(vars(value))
    return repr(value)


@given(scene)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_bit_comes_back(tmp_path: Path, scene: Scene) -> None:
    path = tmp_path / "round.foregone"
    path.unlink(missing_ok=True)
    scene.save(path)
    first = path.read_bytes()
    loaded = Scene.load(path)
    assert bits(loaded) == bits(scene) and loaded == scene
    loaded.save(path)
    assert path.read_bytes() == first, "the same scene gives the same file"


def die() -> Scene:
    hull = Hull(np.random.default_rng(0).normal(size=(9, 3)))
    return Scene([Body("die", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("stone", hull, (1, 0, 3))], name="Würfel")


def test_not_a_number_survives(tmp_path: Path) -> None:
    broken = Scene([Body("b", Sphere(math.nan), (math.inf, 0, -math.inf))])
    broken.save(tmp_path / "b.foregone")
    back = Scene.load(tmp_path / "b.foregone").bodies[0]
    assert math.isnan(back.shape.radius) and back.position == (math.inf, 0.0, -math.inf)


def test_project_json_is_readable(tmp_path: Path) -> None:
    die().save(tmp_path / "d.foregone")
    text = read_member(tmp_path / "d.foregone", "project.json").decode()
    assert '      "position": [0.0, 0.0, 0.1],\n' in text and '"name": "Würfel"' in text
    assert json.loads(text)["format"] == 1


@given(json_value)
def test_pretty_is_json(value) -> None:
    assert json.loads(pretty(value)) == value


class Odd(float):
    """json writes numbers of other kinds as plain ones."""


ODD = st.sampled_from([math.nan, math.inf, -math.inf, -0.0, Odd(0.5), (1.0, 2), (), {}, [[]], {3: None, True: []}])


@given(st.lists(st.one_of(json_value, ODD), max_size=4), word)
def test_pretty_writes_what_json_writes(values, key) -> None:
    """One value per line as the standard library puts it: the same project gives the same bytes in every version."""

    def by_hand(value, indent: str = "") -> str:
        deeper = indent + "  "
        if isinstance(value, dict) and value:
            rows = [f"{deeper}{json.dumps(k, ensure_ascii=False)}: {by_hand(v, deeper)}" for k, v in value.items()]
            return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
        if isinstance(value, (list, tuple)) and any(isinstance(entry, (dict, list, tuple)) for entry in value):
            return "[\n" + ",\n".join(deeper + by_hand(entry, deeper) for entry in value) + f"\n{indent}]"
        return json.dumps(value, ensure_ascii=False)

    assert pretty({key: values}) == by_hand({key: values})
    assert pretty(values) == by_hand(values)


def rewrite(path: Path, change=None, drop=(), add=()) -> None:
    """Edit the project at `path` by hand: `change` gets the tree of project.json."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist() if name not in drop}
    if change:
        tree = json.loads(members["project.json"])
        tree = change(tree) or tree
        members["project.json"] = json.dumps(tree).encode()
    with zipfile.ZipFile(path, "w") as new:
        for name, data in (*members.items(), *add):
            new.writestr(name, data)


def test_fields_of_other_versions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "f.foregone"
    die().save(path)

    def future(tree) -> None:
        tree["cameras"] = [{"name": "left", "lens": 35}]
        tree["bodies"][0]["colour"] = "red"
        tree["bodies"][0]["material"]["sound"] = {"file": "clack"}
        tree["bodies"][0]["shape"]["bevel"] = 0.01
        tree["hints"] = [{"kind": "bounce", "body": "die", "curve": [[0, 1], [2, 3]]}]

    rewrite(path, future)
    scene = Scene.load(path)
    scene.bodies[0].position = (9, 9, 9)
    scene.save(path)
    tree = json.loads(read_member(path, "project.json"))
    assert tree["cameras"] == [{"name": "left", "lens": 35}]
    assert tree["bodies"][0]["colour"] == "red" and tree["bodies"][0]["position"] == [9.0, 9.0, 9.0]
    assert tree["bodies"][0]["material"]["sound"] == {"file": "clack"}
    assert tree["bodies"][0]["shape"]["bevel"] == 0.01
    assert tree["hints"][0]["curve"] == [[0, 1], [2, 3]]


def test_takes_and_thumbnails_survive_and_old_meshes_go(tmp_path: Path) -> None:
    path, copy = tmp_path / "t.foregone", tmp_path / "copy.foregone"
    scene = die()
    save_scene(scene, path, members={"takes/one.npz": b"\x00take\xff" * 1000, "thumbs/one.png": b"png"})
    rewrite(path, add=[("notes/later.txt", b"kept"), ("../evil", b"x"), ("/abs", b"x"), ("meshes/unused.npz", b"x")])
    scene.bodies[1].shape = Sphere(1.0)
    scene.save(path)
    assert member_names(path) == ["notes/later.txt", "project.json", "takes/one.npz", "thumbs/one.png"]
    assert read_member(path, "takes/one.npz") == b"\x00take\xff" * 1000
    save_scene(scene, copy, members={"thumbs/one.png": b"new"}, source=path)
    assert member_names(copy, "t") == ["takes/one.npz", "thumbs/one.png"]
    assert read_member(copy, "thumbs/one.png") == b"new"


def test_a_take_is_streamed_from_a_file(tmp_path: Path) -> None:
    path, take = tmp_path / "t.foregone", tmp_path / "take.npz"
    take.write_bytes(os.urandom(3 << 20))
    save_scene(die(), path, members={"takes/long.npz": take, "takes/short.npz": b"short"})
    assert read_member(path, "takes/long.npz") == take.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.getinfo("takes/long.npz").compress_type == zipfile.ZIP_STORED and archive.testzip() is None
    before = path.read_bytes()
    with pytest.raises(ProjectError, match=r"takes/gone\.npz .* not there"):
        save_scene(die(), path, members={"takes/gone.npz": tmp_path / "gone.npz"})
    assert path.read_bytes() == before and not list(tmp_path.glob(".*"))


def test_takes_thrown_away_are_not_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "t.foregone"
    names = ["takes/a.npz", "takes/b.npz", "takes/c.npz"]
    save_scene(die(), path, members=dict.fromkeys(names, b"take"))
    save_scene(die(), path, members={"takes/c.npz": b"again"}, without=["takes/a.npz", "takes/c.npz", "takes/none.npz"])
    assert member_names(path, "takes/") == ["takes/b.npz", "takes/c.npz"]
    assert read_member(path, "takes/c.npz") == b"again"


def edit(function):
    return lambda path: rewrite(path, function)


def set_in(keys, value):
    def change(tree) -> None:
        for key in keys[:-1]:
            tree = tree[key]
        tree[keys[-1]] = value

    return edit(change)


def drop_in(*keys):
    def change(tree) -> None:
        for key in keys[:-1]:
            tree = tree[key]
        del tree[keys[-1]]

    return edit(change)


def mesh_of(path: Path) -> str:
    return member_names(path, "meshes/")[0]


def replace_mesh(path: Path, data: bytes) -> None:
    name = mesh_of(path)
    rewrite(path, drop=[name], add=[(name, data)])


def npz(**arrays) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def lying_npz() -> bytes:
    """An array that claims 10^15 numbers in a few bytes."""
    array = io.BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "<f8", "fortran_order": False, "shape": (10**15, 3)})
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("points.npy", array.getvalue() + b"\x00" * 64)
    return stream.getvalue()


def pickled_npz() -> bytes:
    return npz(points=np.array([{"a": 1}], dtype=object))


def claim_size(path: Path, name: str, size: int) -> None:
    """Overwrite the unpacked size of a member in the zip's directory."""
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(name.encode()))
    data[at + 24 : at + 28] = size.to_bytes(4, "little")
    path.write_bytes(data)


DAMAGE = {
    "not a zip": (lambda p: p.write_bytes(b"hello"), "not a project"),
    "empty": (lambda p: p.write_bytes(b""), "not a project"),
    "cut off": (lambda p: p.write_bytes(p.read_bytes()[:-40]), "cut off"),
    "no project.json": (lambda p: rewrite(p, drop=["project.json"]), "project.json is missing"),
    "json error": (lambda p: rewrite(p, drop=["project.json"], add=[("project.json", b'{\n "a": 1,,\n}')]), "line 2"),
    "not text": (lambda p: rewrite(p, drop=["project.json"], add=[("project.json", b"\xff\xfe\x00")]), "UTF-8"),
    "deep": (lambda p: rewrite(p, drop=["project.json"], add=[("project.json", b"[" * 10**5)]), "project.json"),
    "top level": (edit(lambda tree: [tree]), "must be a table"),
    "no format": (drop_in("format"), "lacks the field 'format'"),
    "newer": (set_in(["format"], 2), "format 2.*newer version"),
    "format text": (set_in(["format"], "1"), "format must be a whole number"),
    "bodies": (set_in(["bodies"], {}), "bodies must be a list"),
    "no shape": (drop_in("bodies", 1, "shape"), r"bodies\[1\] lacks the field 'shape'"),
    "no name": (drop_in("bodies", 1, "name"), r"bodies\[1\] lacks the field 'name'"),
    "no half": (drop_in("bodies", 0, "shape", "half"), r"bodies\[0\].shape lacks the field 'half'"),
    "body": (set_in(["bodies", 0], 3), r"bodies\[0\] must be a table"),
    "position": (set_in(["bodies", 0, "position"], [1, 2]), r"bodies\[0\].position must be a list of 3"),
    "position text": (set_in(["bodies", 0, "position", 1], "1"), r"bodies\[0\].position\[1\] must be a number"),
    "huge": (set_in(["bodies", 0, "position", 1], 10**400), "must be a number a computer can hold"),
    "static": (set_in(["bodies", 0, "static"], 1), "must be true or false"),
    "gravity": (set_in(["gravity"], None), "gravity must be"),
    "kind": (set_in(["bodies", 0, "shape", "kind"], "cone"), "unknown kind of shape 'cone'"),
    "hint": (set_in(["hints"], [{"kind": "bounce"}]), r"hints\[0\] lacks the field 'body'"),
    "path trick": (set_in(["bodies", 1, "shape", "mesh"], "../../etc/passwd"), "is not a mesh inside"),
    "mesh elsewhere": (set_in(["bodies", 1, "shape", "mesh"], "takes/a.npz"), "is not a mesh inside"),
    "mesh missing": (set_in(["bodies", 1, "shape", "mesh"], "meshes/a.npz"), "meshes/a.npz is missing"),
    "mesh garbage": (lambda p: replace_mesh(p, b"garbage"), "damaged"),
    "mesh cut off": (lambda p: replace_mesh(p, npz(points=np.ones((9, 3)))[:-30]), "damaged"),
    "mesh name": (lambda p: replace_mesh(p, npz(dots=np.ones((9, 3)))), "lacks the array 'points'"),
    "mesh shape": (lambda p: replace_mesh(p, npz(points=np.ones(9))), "rows of three"),
    "mesh type": (lambda p: replace_mesh(p, npz(points=np.ones((9, 3), int))), "rows of three"),
    "mesh lies": (lambda p: replace_mesh(p, lying_npz()), "damaged"),
    "mesh pickle": (lambda p: replace_mesh(p, pickled_npz()), "something else than numbers"),
    "mesh many": (lambda p: replace_mesh(p, npz(**{f"a{i}": np.ones(1) for i in range(50)})), "more than"),
    "json bomb": (lambda p: claim_size(p, "project.json", 2**31), "more than the"),
    "mesh bomb": (lambda p: claim_size(p, mesh_of(p), 2**31), "more than the"),
}


@pytest.mark.parametrize("name", sorted(DAMAGE))
def test_damage_is_told_and_the_file_left_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.foregone"
    die().save(path)
    spoil, message = DAMAGE[name]
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(ProjectError, match=message) as caught:
        load_scene(path)
    assert "bad.foregone" in str(caught.value)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["bad.foregone"]


def test_flipped_bytes_never_crash(tmp_path: Path) -> None:
    path = tmp_path / "flip.foregone"
    die().save(path)
    data = path.read_bytes()
    rng = np.random.default_rng(7)
    for _ in range(300):
        bad = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            bad[rng.integers(len(bad))] = rng.integers(256)
        path.write_bytes(bad[: rng.integers(len(bad) // 2, len(bad))] if rng.random() < 0.3 else bad)
        try:
            Scene.load(path)
        except ProjectError as error:
            assert "flip.foregone" in str(error)


def test_missing_files_and_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="No such file"):
        Scene.load(tmp_path / "nowhere.foregone")
    with pytest.raises(ProjectError, match="nowhere"):
        die().save(tmp_path / "nowhere" / "a.foregone")
    with pytest.raises(ProjectError):
        Scene.load(tmp_path)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda s: setattr(s.bodies[0], "position", "here"),
        lambda s: setattr(s.bodies[0].shape, "half", (1.0, None, 2.0)),
        lambda s: setattr(s.bodies[0], "shape", None),
        lambda s: setattr(s.bodies[1], "shape", Hull([[1, 2], [3]])),
        lambda s: s.extra.update(thing=object()),
        lambda s: setattr(s, "bodies", None),
        lambda s: s.hints.append("jump"),
        lambda s: setattr(s.bodies[0], "shape", looped()),
    ],
)
def test_what_cannot_be_saved_is_told_and_the_old_file_stays(tmp_path: Path, spoil) -> None:
    path = tmp_path / "a.foregone"
    scene = die()
    scene.save(path)
    before = path.read_bytes()
    spoil(scene)
    with pytest.raises(ProjectError):
        scene.save(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["a.foregone"]


def looped() -> Compound:
    loop = Compound([(Sphere(1), (0, 0, 0))])
    loop.parts.append((loop, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    return loop


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch, step: str) -> None:
    path = tmp_path / "a.foregone"
    die().save(path)
    before = path.read_bytes()

    def fail(*args) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(project_file.os, step, fail)
    with pytest.raises(ProjectError, match="No space left"):
        Scene(name="new").save(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["a.foregone"]


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.foregone", tmp_path / "link.foregone"
    die().save(real)
    real.chmod(0o640)
    link.symlink_to(real)
    Scene(name="new").save(link)
    assert link.is_symlink() and Scene.load(real).name == "new" and real.stat().st_mode & 0o777 == 0o640
