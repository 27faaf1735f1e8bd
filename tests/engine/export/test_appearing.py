"""Bodies that are unseen at first are so in every format, in the way that its readers know; and where everybody is seen
from the first frame on no file says anything about it."""

from __future__ import annotations

import ast
import csv
import json
import re
import struct
import zlib
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clip_reader import Channels
from maya_reader import Scene as MayaScene
from pxr import Usd, UsdGeom

from engine.export.clip import Clip
from engine.export.settings import preset
from engine.export.write import export
from engine.layout.read import read_layout
from engine.picture.video import pictures
from engine.tape.path import Path as Shown
from engine.tape.release import from_the_start
from engine.tape.take import Take
from tests.engine.appearing_takes import APPEARS, DT, SECONDS, appearing, everybody_seen

FIRST = 5  # frame of the file with which the take begins
TARGETS = {"usd": "houdini", "maya": "maya", "glb": "web"}


def written(folder: Path, format: str, suffix: str, take: Take | None = None, **asked: Any) -> tuple[Path, Clip]:
    path = folder / f"take{suffix}"
    settings = preset(TARGETS.get(format, "blender"), format, **{"start": FIRST, **asked})
    return path, export(take or appearing(), path, settings)


def expected(clip: Clip) -> np.ndarray:
    """(F,) bool of the second box, worked out from the take's own clock."""
    return clip.frames.times >= SECONDS - (192 - APPEARS) * DT - 1e-12


def test_a_clip_knows_who_is_shown(tmp_path: Path) -> None:
    _, clip = written(tmp_path, "csv", ".csv")
    frames = clip.frames.numbers[expected(clip)]
    assert 0 < len(frames) < clip.frames.count and clip.ending in frames
    assert (clip.shown[:, 1] == expected(clip)).all() and clip.shown[:, [0, 2]].all()
    assert clip.actors[1].switches == ((FIRST, False), (int(frames[0]), True))
    assert clip.actors[0].switches == clip.actors[2].switches == ()


def test_ranges_are_cut_where_they_are_asked_for(tmp_path: Path) -> None:
    _, late = written(tmp_path, "csv", ".csv", first=15)
    assert late.all_shown and late.actors[1].switches == ()
    _, early = written(tmp_path, "csv", ".csv", last=5)
    assert early.actors[1].switches == ((FIRST, False),) and not early.shown[:, 1].any()
    _, wide = written(tmp_path, "csv", ".csv", handles=3, hold=4)
    (first, off), (_, on) = wide.actors[1].switches
    assert (first, off, on) == (FIRST - 3, False, True) and wide.shown[:, 0].all() and wide.shown[-5:].all()


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_usd_has_visibility(tmp_path: Path, suffix: str) -> None:
    path, clip = written(tmp_path, "usd", suffix)
    stage = Usd.Stage.Open(str(path))
    shown = []
    for frame in clip.frames.numbers.tolist():
        bodies = [UsdGeom.Imageable(stage.GetPrimAtPath(f"/Two_boxes/{actor.name}")) for actor in clip.actors]
        shown.append([body.ComputeVisibility(Usd.TimeCode(frame)) == "inherited" for body in bodies])
    assert (np.array(shown) == clip.shown).all()
    assert not stage.GetPrimAtPath("/Two_boxes/first").GetAttribute("visibility").HasAuthoredValue()
    second = stage.GetPrimAtPath("/Two_boxes/second")
    assert len(second.GetAttribute("visibility").GetTimeSamples()) == 2
    place = second.GetAttribute("xformOp:translate").Get(clip.last)
    assert np.abs(np.array(place) - clip.positions[-1, 1]).max() < 1e-6


def test_instances_have_invisible_ids(tmp_path: Path) -> None:
    path, clip = written(tmp_path, "usd", ".usda", instances=True)
    stage = Usd.Stage.Open(str(path))
    instancer = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Two_boxes/Bodies"))
    for k, frame in enumerate(clip.frames.numbers.tolist()):
        mask = list(instancer.ComputeMaskAtTime(Usd.TimeCode(frame))) or [True] * 3
        assert mask == clip.shown[k].tolist()


def glb(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    (size,) = struct.unpack("<I", data[12:16])
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def test_gltf_has_no_size_where_it_is_unseen(tmp_path: Path) -> None:
    path, clip = written(tmp_path, "glb", ".glb")
    table, binary = glb(path)
    (animation,) = table["animations"]
    scaled = [channel for channel in animation["channels"] if channel["target"]["path"] == "scale"]
    assert [table["nodes"][channel["target"]["node"]]["name"] for channel in scaled] == ["second"]
    sampler = animation["samplers"][scaled[0]["sampler"]]
    assert sampler["interpolation"] == "STEP"
    times, sizes = (accessed(table, binary, sampler[key]) for key in ("input", "output"))
    appears = clip.frames.numbers[expected(clip)][0]
    assert times.ravel() * clip.fps == pytest.approx([FIRST, appears]) and sizes.tolist() == [[0] * 3, [1] * 3]
    assert all("scale" not in node for node in table["nodes"])
    assert clip.notes == ("1 body appears after the first frame, by a scale that steps from 0 to 1: few programs read "
                          "the visibility of glTF.",)  # fmt: skip
    assert written(tmp_path, "glb", ".glb", everybody_seen())[1].notes == ()


def accessed(table: dict[str, Any], binary: bytes, number: int) -> np.ndarray:
    accessor = table["accessors"][number]
    view = table["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
    return np.frombuffer(binary, "<f4", accessor["count"] * width, view["byteOffset"]).reshape(-1, width)


def test_maya_has_visibility_curves(tmp_path: Path) -> None:
    path, clip = written(tmp_path, "maya", ".ma")
    scene = MayaScene(path.read_text(encoding="utf-8"))
    shown = [[scene.shown(name, frame) for name in scene.bodies()] for frame in clip.frames.numbers.tolist()]
    assert (np.array(shown) == clip.shown).all()
    assert scene.matrix("second", clip.last)[:3, 3] == pytest.approx(clip.positions[-1, 1], abs=1e-6)


def test_houdini_has_a_display_channel(tmp_path: Path) -> None:
    path, clip = written(tmp_path, "houdini", ".clip")
    channels = Channels(path.read_text(encoding="ascii"))
    assert channels.bodies() == ["first", "second", "shelf"] and len(channels.tracks) == 19
    shown = [[channels.shown(name, frame) for name in channels.bodies()] for frame in clip.frames.numbers.tolist()]
    assert (np.array(shown) == clip.shown).all()


def table_of(text: str) -> tuple[dict[str, Any], np.ndarray]:
    """What a script for Blender has between its code."""
    (table,) = re.findall(r"^TABLE = json\.loads\((.*)\)$", text, re.M)
    (packed,) = re.findall(r'^NUMBERS = """\n(.*?)\n"""$', text, re.M | re.S)
    return json.loads(ast.literal_eval(table)), np.frombuffer(zlib.decompress(b64decode(packed)), "<f8")


def test_the_script_for_blender_switches(tmp_path: Path) -> None:
    path, clip = written(tmp_path, "blender", ".py")
    text = path.read_text(encoding="utf-8")
    compile(text, str(path), "exec")
    table, numbers = table_of(text)
    assert "by_scale" not in table and ["switches" in body for body in table["bodies"]] == [False, True, False]
    first, rows, columns = table["bodies"][1]["switches"]
    switches = numbers[first : first + rows * columns].reshape(rows, columns)
    assert switches.tolist() == [[frame, float(on)] for frame, on in clip.actors[1].switches]
    plain, _ = table_of(written(tmp_path, "blender", ".py", everybody_seen())[0].read_text(encoding="utf-8"))
    assert not any("switches" in body for body in plain["bodies"]) and "by_scale" not in plain


def test_tables_have_a_column(tmp_path: Path) -> None:
    path, clip = written(tmp_path, "csv", ".csv")
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["visible"] == "1" for row in rows] == clip.shown.ravel().tolist()
    with np.load(written(tmp_path, "npz", ".npz")[0], allow_pickle=False) as arrays:
        assert (arrays["visible"] == clip.shown).all()
    bodies = json.loads(written(tmp_path, "json", ".json")[0].read_text(encoding="utf-8"))["bodies"]
    assert "visible" not in bodies[0] and bodies[1]["visible"] == clip.shown[:, 1].tolist()


@pytest.mark.parametrize(
    ("format", "suffix"),
    [("usd", ".usda"), ("glb", ".glb"), ("blender", ".py"), ("maya", ".ma"), ("houdini", ".clip"), ("csv", ".csv"),
     ("json", ".json"), ("npz", ".npz")],
)  # fmt: skip
def test_where_all_are_seen_no_file_says_so(tmp_path: Path, format: str, suffix: str) -> None:
    take = everybody_seen()
    released = replace(take, tape=replace(take.tape, released=from_the_start(len(take.model.names))))
    plain, _ = written(tmp_path, format, suffix, take, extras=False)
    before = plain.read_bytes()
    again, clip = written(tmp_path, format, suffix, released, extras=False)
    assert clip.all_shown and again.read_bytes() == before
    if format != "blender":  # whose code is the same for all
        words = (b"visib", b"display ", b'"scale"', b"invisibleIds", b"animCurveTU", b"switches")
        assert not any(word in before for word in words)


@pytest.mark.parametrize(("format", "suffix", "asked"), [
    ("usd", ".usdc", {}), ("usd", ".usda", {"instances": True}), ("glb", ".glb", {}),
])  # fmt: skip
def test_the_ending_comes_back_as_a_layout(tmp_path: Path, format: str, suffix: str, asked: dict[str, Any]) -> None:
    path, clip = written(tmp_path, format, suffix, **asked)
    layout = read_layout(path)
    assert [each.name for each in layout.objects] == ["first", "second", "shelf"] and not layout.notes
    for i, each in enumerate(layout.objects):
        assert np.ptp(each.vertices, axis=0) == pytest.approx([0.2] * 3, abs=1e-6)  # scale 1
        assert each.position == pytest.approx(clip.positions[-1, i], abs=1e-6)


def test_films_leave_out_who_is_unseen() -> None:
    take = appearing()
    positions, orientations = Shown(take).at(np.array([0.1, SECONDS]))
    for k, there in enumerate(take.shown_at(np.array([0.1, SECONDS]))):
        every = np.ones((1, 3), bool)
        x, q = positions[k : k + 1], orientations[k : k + 1]
        (drawn,), (full,) = (list(pictures(take.scene, x, q, shown, 64, 48)) for shown in (there[None], every))
        alone = replace(take.scene, bodies=[body for body, seen in zip(take.scene.bodies, there, strict=True) if seen])
        assert (drawn == list(pictures(alone, x[:, there], q[:, there], every[:, : there.sum()], 64, 48))[0]).all()
        assert (drawn == full).all() == there.all()
