"""The command line: answers, files, exit codes. Run in this process."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image
from pxr import Usd

from engine import cli
from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.cli import main
from engine.commands.demo_scenes import die_shows_six
from engine.commands.output import plain
from engine.picture.sheet import write_sheet
from engine.run import backward
from engine.scene.request import REMEDIES
from engine.scene.spec import Body, Box, Scene
from engine.tape.store import load_take
from engine.work import takes
from engine.work.takes import EXPLODES_AT
from tests.bench import scenes
from tests.bench.scenes_director import letters


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contact sheets as small as they go: drawing is tested elsewhere."""
    monkeypatch.setattr("engine.commands.run.write_sheet", functools.partial(write_sheet, tile=(64, 48)))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "die.foregone"
    die_shows_six().save(path)
    return path


def only_json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_run_writes_takes_and_one_json_object(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "folder"
    code = main(
        [
            "run",
            str(project),
            "--takes",
            "2",
            "--seconds",
            "0.2",
            "--seed",
            "3",
            "--dt",
            "1/240",
            "--out",
            str(out),
            "--json",
        ]
    )
    result = only_json(capsys)
    assert code == 0 and sorted(take["seed"] for take in result["takes"]) == [3, 4]
    assert result == json.loads((out / "summary.json").read_text())
    starts = [take["energy_start"] for take in result["takes"]]
    assert starts == sorted(starts)
    for told in result["takes"]:
        take = load_take(out / told["file"], Scene.load(project))
        report = certify(take)
        assert told["hash"] == take.hash() and told["stopped"] is None
        assert told["energy_end"] == take.energy[-1] and told["exact_fraction"] == report.exact_fraction
        assert told["max_residual"] == report.max_residual and told["tiers"]["EXACT"] == report.exact_fraction
        assert told["replay_error"] < 1e-9
    assert (
        main(
            ["run", str(project), "--takes", "1", "--seconds", "0.2", "--seed", "3", "--dt", "1/240", "--out", str(out)]
        )
        == 0
    )
    text = capsys.readouterr().out
    assert "seed 3" in text and "residual" in text


def test_bodies_may_be_asked_to_meet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = letters(20, 1)
    scene.save(tmp_path / "word.foregone")
    command = ["run", str(tmp_path / "word.foregone"), "--takes", "1", "--seconds", "0.5", "--json", "--out"]
    assert main([*command, str(tmp_path / "out"), "--arrivals", "meeting"]) == 0
    (told,) = only_json(capsys)["takes"]
    assert told["tiers"]["GHOSTED"] == told["tiers"]["ASSISTED"] == 0.0
    take = backward(scene, 0.5, options=Options(arrivals="meeting"))
    assert told["hash"] == take.hash() != backward(scene, 0.5).hash()


@pytest.mark.parametrize(
    "remedies", [["constant"], ["blend"], ["attraction", "angular-damping"], ["linear-damping"], ["unit-links"]]
)
def test_remedies_of_the_paper_are_runs_of_their_own(
    remedies: list[str], project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [word for name in remedies for word in ("--policy", name)]
    command = ["run", str(project), "--takes", "1", "--seconds", "0.2", "--dt", "1/240", "--json", "--out"]
    main([*command, str(tmp_path / "out"), *asked])
    result = only_json(capsys)
    (told,) = result["takes"]
    take = backward(Scene.load(project), 0.2, 1 / 240, options=Options.remedied(remedies), explodes_at=EXPLODES_AT)
    assert result["policy"] == remedies and told["hash"] == take.hash()
    damped = any("damping" in name for name in remedies)
    assert (told["tiers"]["ASSISTED"] > 0.0) == damped, "a push from outside is told"


def test_the_command_line_knows_every_remedy() -> None:
    assert cli.REMEDIES == tuple(REMEDIES)


def test_the_same_command_gives_the_same_bits(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["run", str(project), "--takes", "1", "--seconds", "0.1", "--dt", "1/240", "--json", "--out"]
    answers = []
    for name in ("a", "b"):
        assert main([*command, str(tmp_path / name)]) == 0
        answers.append(only_json(capsys))
    assert all(take.pop("seconds_cpu") > 0.0 for answer in answers for take in answer["takes"])
    assert answers[0]["takes"] == answers[1]["takes"]


@pytest.mark.parametrize(
    "content", [None, b"not a zip", b"PK\x05\x06" + bytes(18)], ids=["missing", "garbage", "empty zip"]
)
def test_bad_files_are_told_without_a_traceback(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.foregone"
    if content is not None:
        path.write_bytes(content)
    assert main(["run", str(path), "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("foregone: ") and "x.foregone" in said.err
    assert "Traceback" not in said.err
    assert main(["run", str(path), "--out", str(tmp_path / "out"), "--json"]) == 1
    assert "x.foregone" in only_json(capsys)["error"]


def test_problems_of_a_scene_are_listed_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bodies = [Body("crate", Box((0.1, 0.1, 0.1)), (0, 0, 0.1)), Body("chest", Box((0.1, 0.1, 0.1)), (0.05, 0, 0.1))]
    Scene(bodies=bodies).save(tmp_path / "bad.foregone")
    assert main(["run", str(tmp_path / "bad.foregone"), "--out", str(tmp_path), "--json"]) == 1
    said = capsys.readouterr()
    assert "overlaps" in said.err and "crate" in said.err
    assert any("overlaps" in problem for problem in json.loads(said.out)["problems"])


def test_a_folder_that_cannot_be_made_is_told(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["run", str(project), "--out", str(tmp_path / "file" / "x")]) == 1
    assert capsys.readouterr().err.startswith("foregone: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["scene.foregone"],
        ["run"],
        ["run", "x", "--takes", "0", "--out", "o"],
        ["run", "x", "--seconds", "-1", "--out", "o"],
        ["run", "x", "--seconds", "nan", "--out", "o"],
        ["run", "x", "--dt", "1/0", "--out", "o"],
        ["run", "x", "--arrivals", "sideways", "--out", "o"],
        ["run", "x", "--dt", "0.5", "--out", "o"],
        ["run", "x"],
        ["demo", "cat", "--out", "o"],
        ["bench", "everything"],
        ["--nonsense"],
    ],
    ids=" ".join,
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == "" and "foregone" in said.err and "Traceback" not in said.err


def test_the_studio_is_started_by_name(monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    """Without a command, or with a file in its place, the window takes over."""
    started: list[list[str]] = []
    stand_in = types.ModuleType("app.shell.start")
    stand_in.main = lambda arguments: started.append(list(arguments)) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.shell.start", stand_in)
    assert main([]) == 0 and main([str(project)]) == 0
    assert started == [[], [str(project)]]


def test_without_a_display_the_studio_says_so() -> None:
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run([sys.executable, "-m", "engine"], capture_output=True, text=True, env=environment)
    assert done.returncode == 3 and "no display" in done.stderr and done.stdout == ""


def test_without_its_packages_the_studio_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError("none", name="PySide6")

    monkeypatch.setattr("engine.cli.importlib.import_module", missing)
    assert main([]) == 1
    assert "PySide6" in capsys.readouterr().err


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0 and capsys.readouterr().out.startswith("foregone ")
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(command in text for command in ("run", "demo", "bench", "doctor"))


def test_ctrl_c_keeps_finished_takes(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = takes.backward, []

    def second_is_interrupted(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    monkeypatch.setattr(takes, "backward", second_is_interrupted)
    out = tmp_path / "out"
    assert (
        main(["run", str(project), "--takes", "3", "--seconds", "0.1", "--dt", "1/240", "--out", str(out), "--json"])
        == 130
    )
    result = only_json(capsys)
    assert result["interrupted"] and [take["seed"] for take in result["takes"]] == [0]
    assert load_take(out / "take-0000.npz", Scene.load(project)).hash() == result["takes"][0]["hash"]


@pytest.mark.parametrize("name", ["die", "slide", "stack"])
def test_demos(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "demo",
        name,
        "--takes",
        "1",
        "--seconds",
        "0.3",
        "--dt",
        "1/240",
        "--fps",
        "12",
        "--out",
        str(tmp_path),
        "--json",
    ]
    assert main(arguments) == 0
    result = only_json(capsys)
    assert result["demo"] == name and len(result["takes"]) == 1
    scene = Scene.load(result["files"]["project"])
    assert not [problem for problem in scene.problems() if problem.severity == "error"]
    last = Path(result["files"]["csv"]).read_text().splitlines()[-1].split(",")
    assert tuple(map(float, last[2:5])) == scene.bodies[-1].position
    with Image.open(result["files"]["picture"]) as picture:
        assert picture.width > 4 * 64
    stage = Usd.Stage.Open(result["files"]["usd"])
    assert stage.GetEndTimeCode() - stage.GetStartTimeCode() == 4.0  # 0.3 s at 12 per second, and the ending
    assert Path(result["files"]["glb"]).read_bytes()[:4] == b"glTF"
    reading = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", result["files"]["mp4"]]
    film = subprocess.run([*reading, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
    assert len(film.stdout) == 5 * 640 * 360 * 3


def test_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path)
    assert main(["demo", "slide", "--takes", "1", "--seconds", "0.2", "--dt", "1/240", "--out", out, "--json"]) == 0
    capsys.readouterr()
    project, take = str(tmp_path / "slide.foregone"), str(tmp_path / "take-0000.npz")
    asked = ["--take", take, "--fps", "23.976", "--hold", "2", "--unit", "cm", "--up", "y", "--json"]
    assert main(["export", project, *asked, "--out", str(tmp_path / "shot.usda")]) == 0
    told = only_json(capsys)
    assert told["format"] == "usd" and told["unit"] == "cm" and told["last_frame"] == told["ending_frame"] + 2
    assert Usd.Stage.Open(told["file"]).GetFramesPerSecond() == pytest.approx(24000 / 1001)
    assert told["bytes"] == Path(told["file"]).stat().st_size
    small = ["--to", "png", "--width", "64", "--height", "48"]
    assert main(["export", project, "--take", take, *small, "--out", out]) == 0
    assert "frames at 24 fps" in capsys.readouterr().out and len(list(tmp_path.glob("slide_take-0000.0*.png"))) == 6
    assert main(["export", project, "--take", take, "--out", str(tmp_path / "shot.glb"), "--unit", "cm"]) == 0
    assert "glTF has its own unit: cm is not used." in capsys.readouterr().err
    for wrong, words in (
        (["--out", str(tmp_path / "shot.usda")], "which take"),
        (["--take", take, "--out", str(tmp_path / "shot.doc")], "what"),
        (["--take", take, "--to", "glb", "--out", str(tmp_path / "shot.ma")], "ends in .glb"),
        (["--take", "t9", "--out", str(tmp_path / "shot.glb")], "no take"),
        (["--take", take, "--first", "900", "--out", str(tmp_path / "shot.glb")], "frames 0 to 5"),
    ):
        assert main(["export", project, *wrong]) == 1
        assert words in capsys.readouterr().err


def test_doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert main(["doctor", "--json"]) == 0
    facts = only_json(capsys)
    assert facts["packages"]["numpy"] == np.__version__ and facts["cache"]["kernels"] > 300
    assert 0 <= facts["cache"]["compiled"] <= facts["cache"]["kernels"] and facts["problems"] == []
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FOREGONE_CACHE", str(tmp_path / "file" / "cache"))
    assert main(["doctor"]) == 1
    said = capsys.readouterr()
    assert "NOT writable" in said.out and "kernel cache" in said.err


def test_json_has_no_numbers_that_json_does_not_know() -> None:
    odd = {"a": float("nan"), "b": [np.float64(1.5), np.inf], "c": np.arange(2), "d": np.bool_(True)}
    assert plain(odd) == {"a": None, "b": [1.5, None], "c": [0, 1], "d": True}


def test_a_scene_without_bodies_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Scene().save(tmp_path / "empty.foregone")
    code = main(
        ["run", str(tmp_path / "empty.foregone"), "--takes", "1", "--seconds", "0.05", "--out", str(tmp_path), "--json"]
    )
    said = capsys.readouterr()
    assert code == 0 and "Nothing in this scene can move" in said.err and len(json.loads(said.out)["takes"]) == 1


def test_a_run_that_only_diverges_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = scenes.sphere_bounces_in()
    scene.hints.clear()
    scene.bodies[0].velocity = (0.0, 0.0, 2e4)  # above Params.max_speed
    scene.save(tmp_path / "fast.foregone")
    code = main(
        ["run", str(tmp_path / "fast.foregone"), "--takes", "1", "--seconds", "0.5", "--out", str(tmp_path), "--json"]
    )
    said = capsys.readouterr()
    assert code == 1 and "seed 0" in said.err and "diverges" in json.loads(said.out)["takes"][0]["stopped"]


OBJ_CRATE = (
    "o Crate\nv 0 0 0\nv 20 0 0\nv 0 20 0\nv 20 20 0\nv 0 0 20\nv 20 0 20\nv 0 20 20\nv 20 20 20\n"
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
)


def test_a_layout_becomes_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set.obj").write_text(OBJ_CRATE)
    command = ["import", str(tmp_path / "set.obj"), "--out", str(tmp_path / "new" / "set.foregone")]
    assert main([*command, "--json"]) == 0
    told = only_json(capsys)
    assert told["bodies"] == [{"id": "b1", "name": "Crate", "shape": "box", "static": False}] and told["added"] == 1
    assert [note.split(";")[0] for note in told["notes"]] == [
        "The file does not say its unit", "The file does not say which way is up"
    ]  # fmt: skip
    scene = Scene.load(tmp_path / "new" / "set.foregone")
    assert scene.bodies[0].shape == Box((0.1, 0.1, 0.1)) and scene.bodies[0].position == (0.1, -0.1, 0.1)
    assert main([*command, "--unit", "mm", "--up", "z"]) == 0
    assert "0 added, 1 replaced" in capsys.readouterr().out
    again = Scene.load(tmp_path / "new" / "set.foregone").bodies
    assert len(again) == 1 and again[0].position == (0.01, 0.01, 0.01) and again[0].id == "b1"
    assert main(["import", str(tmp_path / "gone.usd"), "--out", str(tmp_path / "x.foregone")]) == 1
    assert "gone.usd is not there" in capsys.readouterr().err
    assert main([*command[:3], str(tmp_path / "x.txt")]) == 1 and not (tmp_path / "x.txt").exists()
