"""Maya scenes, read by a reader of our own: graph, meshes, curves, and where every body is at every frame."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from maya_reader import Refused, Scene
from shown_poses import FAST, LEVEL, METRES, RATES, STEADY, TIERS, matrices, spinner, take, times

from engine.errors import ExportError
from engine.export.clip import Clip
from engine.export.maya import TAKEN
from engine.export.settings import UNITS, preset
from engine.export.write import export, write_clip
from engine.scene.colors import linear

BODIES = ("top_2", "box__1_", "top_3", "_1__ball", "Body")


def written(folder: Path, source: Any = None, **asked: Any) -> tuple[Scene, Clip, str]:
    path = folder / "take.ma"
    clip = export(source or take(), path, preset("maya", **asked), name="Two boxes", tiers=TIERS)
    text = path.read_text(encoding="utf-8")
    return Scene(text), clip, text


@pytest.fixture(scope="module")
def plain_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("plain"), extras=False)[2]


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("unit", ["m", "cm"])
@pytest.mark.parametrize("fps", RATES)
def test_every_body_is_where_it_is_shown(tmp_path: Path, fps: float, unit: str, up: str) -> None:
    scene, _, _ = written(tmp_path, fps=float(fps), unit=unit, up=up, extras=False)
    assert scene.fps == RATES[fps] and scene.metres == METRES[unit]
    moments = times(fps)
    for k, t in enumerate(moments):
        expected = matrices(t, up, unit)
        found = np.array([scene.matrix(name, 1 + k) for name in scene.bodies()])
        assert np.abs(found - expected).max() < 1e-9
    ending = np.abs(found - expected).max(axis=(1, 2)) / np.abs(expected).max(axis=(1, 2))
    assert ending.max() < 1e-12  # the authored pose
    script = scene.nodes["sceneConfigurationScriptNode"].values["b"]
    assert script == f"playbackOptions -min 1 -max {len(moments)} -ast 1 -aet {len(moments)} "
    ups = [node.values["b"] for node in scene.nodes.values() if node.kind == "script" and "upAxis" in node.values["b"]]
    assert ups == (["upAxis -ax z;"] if up == "z" else [])
    assert scene.defaults[":defaultRenderGlobals"].values == {"fs": 1, "ef": len(moments)}


def test_meshes_are_closed_and_face_outward(tmp_path: Path) -> None:
    scene, clip, _ = written(tmp_path)
    volumes = []
    for name, actor in zip(scene.bodies(), clip.actors, strict=True):
        values, faces = scene.shape(name).values, scene.faces(name)
        assert (values["vt"] == actor.surface.points).all()
        assert [corner for face in faces for corner in face] == actor.surface.corners.tolist()
        ways = [way for face in faces for way in zip(face, face[1:] + face[:1], strict=True)]
        assert sorted(ways) == sorted((b, a) for a, b in ways) and len(set(ways)) == len(ways)  # twice, both ways
        assert len(ways) == 2 * len(values["ed"])
        points = values["vt"] * scene.metres
        fans = [(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)]
        volumes.append(sum(np.dot(points[a], np.cross(points[b], points[c])) for a, b, c in fans) / 6)
    box, _, cylinder, ball, capsule = volumes
    assert box == pytest.approx(8 * 0.5 * 0.4 * 0.3)
    assert cylinder == pytest.approx(np.pi * 0.04 * 0.6, rel=0.01)
    assert ball == pytest.approx(4 / 3 * np.pi * 0.008, rel=0.03)
    assert capsule == pytest.approx(4 / 3 * np.pi * 0.001 + np.pi * 0.01 * 0.4, rel=0.03)


def test_edges_are_hard_where_there_are_creases(tmp_path: Path) -> None:
    scene, _, _ = written(tmp_path)
    box, _, cylinder, ball, capsule = (scene.shape(name).values for name in scene.bodies())
    assert (box["ed"][:, 2] == 0).all() and (ball["ed"][:, 2] == 1).all() and (capsule["ed"][:, 2] == 1).all()
    for a, b, soft in cylinder["ed"].astype(int):
        rim = cylinder["vt"][a][1] == cylinder["vt"][b][1]  # along y, as y is up: an edge of the top or the bottom
        assert soft == (not rim)


def test_names_are_legal_and_nobody_elses(tmp_path: Path) -> None:
    scene, _, _ = written(tmp_path)
    assert tuple(scene.bodies()) == BODIES
    assert not (set(scene.nodes) - {"lightLinker1", "sceneConfigurationScriptNode"}) & TAKEN
    assert [scene.nodes[name].values["foregone_name"] for name in BODIES] == [body.name for body in take().scene.bodies]


def test_what_stands_still_has_no_keys(tmp_path: Path) -> None:
    scene, _, _ = written(tmp_path)
    keyed = [scene.curve(name, "tx") is not None for name in scene.bodies()]
    assert keyed == [True, True, False, False, False]
    scene, clip, _ = written(tmp_path, still_keys=True)
    assert all(len(scene.curve(name, "rz")) == clip.frames.count for name in scene.bodies())


def test_handles_and_hold_stand_still(tmp_path: Path) -> None:
    scene, clip, _ = written(tmp_path, start=101, handles=3, hold=4)
    frames = scene.curve(BODIES[0], "tx")[:, 0]
    count = len(times(24))
    assert frames.tolist() == list(range(98, 101 + count + 4)) and clip.ending == 100 + count
    poses = (matrices(times(24)[k], "y", "cm") for k in (0, -1))
    for name, first, last in zip(BODIES, *poses, strict=True):
        for frame in (90, 98, 99, 100, 101):
            assert np.abs(scene.matrix(name, frame) - first).max() < 1e-9
        for frame in range(100 + count, 110 + count):
            assert np.abs(scene.matrix(name, frame) - last).max() < 1e-9


@pytest.mark.parametrize("most", [0.001, 0.02])
def test_thinned_keys_stay_within_their_error(tmp_path: Path, most: float) -> None:
    scene, clip, _ = written(tmp_path, fps=120.0, unit="m", up="z", thin=most)
    moments, counts = times(120), []
    for i, name in enumerate(BODIES[:2]):
        corners = np.c_[clip.actors[i].surface.points, np.ones(len(clip.actors[i].surface.points))].T
        counts.append(len(scene.curve(name, "tx")))
        for k, t in enumerate(moments):
            off = (scene.matrix(name, 1 + k) - matrices(t, "z", "m")[i]) @ corners
            assert np.linalg.norm(off, axis=0).max() <= most + 1e-9
        assert np.abs(scene.matrix(name, len(moments)) - matrices(moments[-1], "z", "m")[i]).max() < 1e-12
    assert max(counts) < len(moments)


def test_fast_spins_have_keys_between_frames(tmp_path: Path) -> None:
    scene, clip, _ = written(tmp_path, spinner(*FAST), up="z", unit="m")
    (name,) = scene.bodies()
    keys = scene.curve(name, "rx")
    assert (keys[:, 0] % 1 != 0).sum() > 10
    for frame in keys[:, 0]:
        expected = matrices(min((frame - clip.first) / 24, 0.4), "z", "m", FAST)[0]
        assert np.abs(scene.matrix(name, frame) - expected).max() < 1e-9


def test_curves_turn_on_between_keys(tmp_path: Path) -> None:
    """Angles are counted on over whole turns: a curve that went back by one would turn the wrong way in between."""
    scene, clip, _ = written(tmp_path, spinner(*STEADY), fps=120.0, up="z", unit="m")
    (name,) = scene.bodies()
    for frame in np.arange(clip.first, clip.last, 0.25):
        expected = matrices((frame - clip.first) / 120, "z", "m", STEADY)[0]
        assert np.abs(scene.matrix(name, frame) - expected).max() < 0.1


@pytest.mark.parametrize(("spin", "most"), [(STEADY, 0.01), (STEADY, 0.1), (LEVEL, 0.1)])
def test_thinned_turns_stay_within_their_error(tmp_path: Path, spin: tuple[float, ...], most: float) -> None:
    scene, clip, _ = written(tmp_path, spinner(*spin), fps=120.0, up="z", unit="m", thin=most)
    (name,) = scene.bodies()
    corners = np.c_[clip.actors[0].surface.points, np.ones(8)].T
    for frame in range(clip.first, clip.last + 1):
        off = scene.matrix(name, frame) - matrices((frame - clip.first) / 120, "z", "m", spin)[0]
        assert np.linalg.norm(off @ corners, axis=0).max() <= most + 1e-9
    assert len(scene.curve(name, "rx")) < clip.frames.count


def test_colours_are_light(tmp_path: Path) -> None:
    scene, clip, _ = written(tmp_path)
    groups = {shape: group for group, shapes in scene.members.items() for shape in shapes}
    for name, actor in zip(scene.bodies(), clip.actors, strict=True):
        material = scene.inputs[f"{groups[scene.shape(name).name]}.ss"].removesuffix(".oc")
        assert scene.nodes[material].values["c"] == list(linear(actor.color))
    assert linear("#ff0000") == (1.0, 0.0, 0.0) and linear("#808080")[0] == pytest.approx(0.2158605, abs=1e-7)


def test_facts_are_attributes(tmp_path: Path) -> None:
    scene, clip, _ = written(tmp_path)
    (group,) = [node for node in scene.nodes.values() if node.kind == "transform" and not node.parent]
    assert group.name == "Two_boxes" and scene.info["foregone"] == "Two boxes"
    assert group.values["foregone_seed"] == 5 and group.values["foregone_hash"] == take().hash()
    assert group.values["foregone_gravity"] == "[0.0, 0.0, -9.81]"
    assert group.values["foregone_energy_start_J"] == clip.facts["energy_start_J"]
    assert scene.nodes[BODIES[2]].values["foregone_static"] is True
    bare, _, _ = written(tmp_path, extras=False)
    assert all(not key.startswith("foregone") for node in bare.nodes.values() for key in node.values)


def test_any_text_is_read_back(tmp_path: Path) -> None:
    _, clip, _ = written(tmp_path)
    notes = 'two lines;\n"quoted" \\ // ünd\tmore'
    write_clip(replace(clip, facts={"notes": notes, "seed": 2**40, "of": None}), tmp_path / "noted.ma")
    group = Scene((tmp_path / "noted.ma").read_text(encoding="utf-8")).nodes["Two_boxes"].values
    assert group == {"foregone_notes": notes, "nts": notes, "foregone_seed": str(2**40), "foregone_of": "null"}


@pytest.mark.parametrize("unit", UNITS)
def test_lengths_are_in_the_units_of_the_file(tmp_path: Path, unit: str) -> None:
    scene, _, _ = written(tmp_path, unit=unit, up="z", extras=False)
    assert scene.metres == UNITS[unit]
    assert np.abs(scene.shape(BODIES[0]).values["vt"]).max() * scene.metres == pytest.approx(0.5)
    place = scene.matrix(BODIES[2], 1)[:3, 3] * scene.metres
    assert place == pytest.approx([8.0, 0.0, 0.3])


def test_long_curves_are_whole(tmp_path: Path) -> None:
    scene, clip, _ = written(tmp_path, hold=1200, extras=False)
    assert scene.curve(BODIES[0], "ry")[:, 0].tolist() == clip.frames.numbers.tolist()


def test_a_rate_without_a_name_is_told(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="does not know 13 frames per second. Choose 12 or 15"):
        written(tmp_path, fps=13.0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("select -ne :time1;", "upAxis -ax z;"),  # a command that is no part of scenes
        ('setAttr ".tan" 2;', 'setAttr ".tan" 3;'),
        ('setAttr ".st" 6;', 'setAttr ".type" 6;'),
        ('"box__1__translateX.o"', '"nobody.o"'),
        ('"box__1__rotateX.o"', '"box__1__translateX.o"'),
        ("f 4 0 3 -6 -2", "f 4 0 3 5 -2"),
        ("-ch 24", "-ch 25"),
        ('setAttr -s 8 ".vt[0:7]"', 'setAttr -s 9 ".vt[0:7]"'),
        ("-t film", "-t 13fps"),
        ('createNode transform -n "box__1_"', 'createNode transform -n "top_2"'),
        ('.iog" "', '.iog" "no'),
        ("// End", "//"),
    ],
)
def test_the_reader_refuses(plain_text: str, old: str, new: str) -> None:
    assert old in plain_text
    with pytest.raises((Refused, KeyError)):
        Scene(plain_text.replace(old, new, 1))
