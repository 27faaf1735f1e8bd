"""Blender itself reads what we write: world matrices of every body at every frame, rate, range, sizes, names.

`make test-dcc` runs this with the module bpy in an environment of its own; FOREGONE_BLENDER names its Python. All files
are written first and read by one Blender process.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mixed import mixed_take
from pxr import Usd

from engine.cli import main
from engine.export.appearing import UNREAD
from engine.export.clip import Clip
from engine.export.settings import FORMATS, missing, preset, rate_fraction
from engine.export.write import export
from engine.run import backward
from engine.scene.colors import linear
from engine.scene.dice import SPOT_COLOR
from engine.scene.spec import Scene
from engine.shapes.ask import ask
from engine.tape.path import Path as Shown
from tests.engine.appearing_takes import appearing, everybody_seen

RATES = (23.976, 24.0, 25.0, 29.97, 30.0, 60.0, 120.0)
AXES = [(unit, up) for unit in ("m", "cm") for up in ("z", "y")]
AT_ANY_FRAME, AT_THE_ENDING = 1e-5, 1e-6
Y_UP = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


@dataclass(frozen=True)
class Case:
    format: str
    fps: float = 24.0
    unit: str = "m"
    up: str = "z"
    rotation: str = "quaternion"
    suffix: str = ""

    def __str__(self) -> str:
        return f"{self.format}-{self.fps:g}-{self.unit}-{self.up}-{self.rotation[0]}{self.suffix}"


CASES = [
    *(Case("usd", fps, unit, up) for fps in RATES for unit, up in AXES),
    Case("usd", 24.0, "cm", "y", "euler"),
    Case("usd", 24.0, suffix=".usda"),
    *(Case("glb", fps) for fps in RATES),
    *(Case("blender", fps) for fps in RATES),
    Case("blender", 24.0, rotation="euler"),
    Case("blend", 23.976),
    *(Case("fbx", fps) for fps in (24.0, 30.0, 29.97)),
    *(Case("alembic", fps, "m", "y") for fps in RATES),  # Alembic keeps neither unit nor axis: Blender expects these
]


@dataclass(frozen=True)
class Read:
    clip: Clip
    values: dict[str, Any]
    path: Path

    @property
    def stage_rate(self) -> float:
        return float(Usd.Stage.Open(str(self.path)).GetFramesPerSecond())

    @property
    def stage_codes(self) -> float:
        return float(Usd.Stage.Open(str(self.path)).GetTimeCodesPerSecond())


@pytest.fixture(scope="session")
def read(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Read]:
    folder = tmp_path_factory.mktemp("exports")
    take, clips, jobs = mixed_take(), {}, []
    for case in CASES:
        assert missing(FORMATS[case.format]) == ""
        path = folder / f"{case}{case.suffix or FORMATS[case.format].suffixes[0]}"
        asked = dict(fps=case.fps, unit=case.unit, up=case.up, rotation=case.rotation, hold=3, thin=None)
        clips[case] = clip = export(take, path, preset("blender", case.format, **asked))
        names = [actor.name for actor in clip.actors]
        frames = clip.frames.numbers.tolist()
        jobs.append({"path": str(path), "fps": rate_fraction(case.fps), "frames": frames, "names": names})
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    reader = Path(__file__).with_name("read_in_blender.py")
    command = [os.environ["FOREGONE_BLENDER"], str(reader), str(folder / "jobs.json"), str(folder / "read.npz")]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    with np.load(folder / "read.npz", allow_pickle=False) as found:
        values = [{key.partition("/")[2]: found[key] for key in found.files if key.startswith(f"{i}/")} for i in
                  range(len(jobs))]  # fmt: skip
    paths = [Path(str(job["path"])) for job in jobs]
    return {case: Read(clips[case], each, path) for case, each, path in zip(CASES, values, paths, strict=True)}


def matrices(q: np.ndarray) -> np.ndarray:
    """Our own, so that a fault in the export cannot hide."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_blender_shows_the_take(read: dict[Case, Read], case: Case) -> None:
    clip, values = read[case].clip, read[case].values
    take = mixed_take()
    positions, orientations = Shown(take).at(clip.frames.times)
    turns = matrices(orientations)
    if case.up == "y" and case.format == "usd":
        turns = turns @ Y_UP.T  # the file's meshes lie with y up in their own frame, too
    seen = values["matrices"]
    scale = np.linalg.norm(seen[..., :3, :3], axis=-2)
    np.testing.assert_allclose(scale, np.broadcast_to(scale[..., :1], scale.shape), rtol=1e-5)
    place_error = np.linalg.norm(seen[..., :3, 3] - positions, axis=-1)
    turn_error = np.abs(seen[..., :3, :3] / scale[..., None, :] - turns).max(axis=(-1, -2))
    worst = np.maximum(place_error, turn_error)
    ending = clip.frames.ending
    assert ending is not None
    print(f"{case}: {worst.max():.1e} at any frame, {worst[ending:].max():.1e} from the ending on")
    assert worst.max() < AT_ANY_FRAME
    authored = np.array([body.position for body in take.scene.bodies])
    assert np.linalg.norm(seen[ending:, :, :3, 3] - authored, axis=-1).max() < AT_THE_ENDING
    assert worst[ending:].max() < AT_THE_ENDING


@pytest.mark.parametrize("case", CASES, ids=str)
def test_blender_shows_bodies_of_the_right_size_and_name(read: dict[Case, Read], case: Case) -> None:
    clip, values = read[case].clip, read[case].values
    _, orientations = Shown(mixed_take()).at(clip.frames.times[-1:])
    for i, (body, turn) in enumerate(zip(mixed_take().scene.bodies, matrices(orientations[0]), strict=True)):
        wanted = np.ptp(ask(body.shape).surface().points @ turn.T, axis=0)
        np.testing.assert_allclose(values["sizes"][i], wanted, atol=2e-6 * max(1.0, wanted.max()))
    names = set(values["names"].tolist())
    assert {actor.name for actor in clip.actors} <= names
    if case.format == "blender":  # which ran twice
        assert len(names) == len(values["names"]) == len(clip.actors)
        assert len(values["keys"]) == 2 * sum(actor.keyed for actor in clip.actors)  # the first motion is kept, too


@pytest.mark.parametrize("case", [case for case in CASES if case.format in ("usd", "blender", "blend")], ids=str)
def test_blender_takes_over_rate_and_range(read: dict[Case, Read], case: Case) -> None:
    """Blender reads no rate from USD; what the stage says is then looked at instead."""
    clip, values = read[case].clip, read[case].values
    assert values["range"].tolist() == [clip.first, clip.last]
    numerator, denominator = rate_fraction(case.fps)
    told = [float(values["fps"])] if case.format != "usd" else [read[case].stage_rate, read[case].stage_codes]
    assert told == pytest.approx([numerator / denominator] * len(told), rel=1e-6)


@pytest.mark.parametrize("case", [case for case in CASES if case.format in ("glb", "fbx")], ids=str)
def test_times_of_keys_are_those_of_frames(read: dict[Case, Read], case: Case) -> None:
    """These files have times and no rate of their own; Blender puts keys at time times its whole rate."""
    clip, values = read[case].clip, read[case].values
    numerator, denominator = rate_fraction(case.fps)
    whole = -(-numerator // denominator)
    seconds = np.array([clip.first, clip.last]) * denominator / numerator
    np.testing.assert_allclose(values["keys"].min(axis=0)[0], seconds[0] * whole, rtol=1e-5)
    np.testing.assert_allclose(values["keys"].max(axis=0)[1], seconds[1] * whole, rtol=1e-5)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_die_has_its_spots(read: dict[Case, Read], case: Case) -> None:
    rows, surface = read[case].values["die"], read[case].clip.actors[0].surface
    spots, points = surface.spots, surface.points[surface.corners[surface.triangles]]
    assert spots is not None and len(rows) == 2
    area = np.linalg.norm(np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]), axis=1)
    share = area[surface.spot_triangles].sum() / area.sum()
    order = np.argsort(rows[:, 3])  # spots first
    assert rows[order[0], 3] / rows[:, 3].sum() == pytest.approx(share, rel=1e-5) == pytest.approx(0.0967, rel=1e-3)
    if case.format != "alembic":  # which has no colours
        wanted = [linear(SPOT_COLOR), linear(read[case].clip.actors[0].color)]
        np.testing.assert_allclose(rows[order, :3], wanted, atol=1e-3)


def test_take_data_arrives_as_custom_properties(read: dict[Case, Read]) -> None:
    for case in (Case("blender"), Case("glb"), Case("blend", 23.976)):
        told = json.loads(str(read[case].values["properties"]))
        die = told[read[case].clip.actors[0].name]
        assert die["name"] == "die" and die["shape"] == "box" and "bounce" in die["hints"]


def test_a_layout_from_blender_comes_back_to_its_objects(tmp_path: Path) -> None:
    """Pivots are wherever the artist had them: after import, take and re-export every corner is where it was placed."""
    in_blender("layout_in_blender.py", "write", tmp_path / "layout.usdc", tmp_path / "placed.npz")
    assert main(["import", str(tmp_path / "layout.usdc"), "--out", str(tmp_path / "layout.foregone")]) == 0
    scene = Scene.load(tmp_path / "layout.foregone")
    assert sorted(type(body.shape).__name__ for body in scene.bodies) == ["Box", "Box", "Box", "Sphere"]
    take = backward(scene, 0.5, 1 / 240, seed=2)
    clip = export(take, tmp_path / "take.py", preset("blender", "blender"))
    in_blender("layout_in_blender.py", "read", tmp_path / "take.py", tmp_path / "ending.npz", str(clip.ending))
    in_blender("layout_in_blender.py", "read", tmp_path / "take.py", tmp_path / "start.npz", str(clip.first))
    with np.load(tmp_path / "placed.npz") as placed, np.load(tmp_path / "ending.npz") as ending:
        assert sorted(placed.files) == sorted(ending.files) and len(placed.files) == 4  # no object was made anew
        off = {name: float(np.abs(placed[name] - ending[name]).max()) for name in placed.files}
    print(f"corners off at the ending: {off}")
    assert max(off.values()) < 1e-6
    with np.load(tmp_path / "placed.npz") as placed, np.load(tmp_path / "start.npz") as start:
        assert all(np.abs(placed[name] - start[name]).max() > 1e-3 for name in placed.files)  # they did come in


APPEARING = ("usd", "glb", "blender", "blend", "fbx", "alembic")


@pytest.fixture(scope="session")
def appeared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Clip, np.ndarray]]:
    """Of every format: the clip, and what Blender makes of the second box, frame by frame: is it hidden in the view, is
    it hidden in pictures, its scale, its place."""
    folder = tmp_path_factory.mktemp("appearing")
    clips = {}
    for format in APPEARING:
        asked = {"up": "y"} if format == "alembic" else {}
        path = folder / f"take{FORMATS[format].suffixes[0]}"
        clips[format] = export(appearing(), path, preset("blender", format, **asked))
    found = {}
    for format, clip in clips.items():
        path = folder / f"take{FORMATS[format].suffixes[0]}"
        in_blender("hidden_in_blender.py", path, folder / f"{format}.npz", clip.actors[1].name, clip.first, clip.last)
        with np.load(folder / f"{format}.npz") as arrays:
            found[format] = clip, arrays["rows"]
    return found


@pytest.mark.parametrize("format", APPEARING)
def test_blender_shows_bodies_from_when_they_appear(appeared: dict[str, tuple[Clip, np.ndarray]], format: str) -> None:
    clip, rows = appeared[format]
    shown = clip.shown[:, 1]
    assert not shown[0] and shown[-1]
    unseen = np.where(rows[:, 2] < 1e-3, True, rows[:, :2].all(axis=1))
    if format in UNREAD:
        assert not unseen.any()  # Blender does not look; the export says so
        assert "Blender shows it all along" in clip.notes[0]
    else:
        assert (unseen == ~shown).all()
        assert (rows[:, 0] == rows[:, 1]).all()
    assert np.abs(rows[shown, 2] - 1.0).max() < 1e-6
    authored = np.array(appearing().scene.bodies[1].position)
    assert np.abs(rows[-1, 3:] - authored).max() < AT_THE_ENDING


def test_a_newer_take_shows_whom_the_old_one_hid(tmp_path: Path) -> None:
    for name, take in (("old", appearing()), ("new", everybody_seen())):
        clip = export(take, tmp_path / f"{name}.py", preset("blender", "blender"))
    both = "import runpy\n" + "".join(f"runpy.run_path({str(tmp_path / name)!r})\n" for name in ("old.py", "new.py"))
    (tmp_path / "both.py").write_text(both, encoding="utf-8")
    in_blender("hidden_in_blender.py", tmp_path / "both.py", tmp_path / "rows.npz", "second", clip.first, clip.last)
    with np.load(tmp_path / "rows.npz") as arrays:
        assert not arrays["rows"][:, :2].any()


def in_blender(script: str, *arguments: object) -> None:
    command = [os.environ["FOREGONE_BLENDER"], str(Path(__file__).with_name(script)), *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
