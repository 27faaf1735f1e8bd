"""Entrances as records: which one counts, what the camera sees, the file, the fingerprint, the command line."""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import Body, Box, Camera, Entrance, Group, ProjectError, Scene, Stage, Stagger
from engine.cli import main
from engine.commands import run as run_command
from engine.commands.entering import entering
from engine.scene.entrance import ENTRANCE_KINDS
from engine.scene.file import read_member
from engine.scene.fingerprint import fingerprint
from engine.scene.nearest import entrances_of
from engine.tape.release import HOWS

SCENES = sorted((Path(__file__).resolve().parents[2] / "assets" / "scenes").glob("*.foregone"))
FULL = Entrance(
    "die",
    "toss",
    side=(90, 20),
    height=(0.3, 0.8),
    speed=(1, 2),
    spin=(0, 9),
    region=((0, 0, 1), (1, 1, 0.5)),
    off_camera=True,
    start=((1, 2, 3), (0, 1, 0, 0), 2),
    extra={"mood": "brisk"},
)


def scene(**fields: Any) -> Scene:
    box = Box((0.05, 0.05, 0.05))
    bodies = [
        Body("die", box, (0, 0, 0.05)),
        Body("cup", box, (1, 0, 0.05)),
        Body("pen", box, (2, 0, 0.05), group="g2"),
    ]
    groups = [Group("g1", "Table"), Group("g2", "Tray", parent="g1")]
    return Scene(**{"bodies": bodies, "groups": groups, **fields})


def everything() -> Scene:
    return scene(
        entrances=[FULL, Entrance(side="left", before="unseen")],
        stagger=Stagger("bottom up", 0.25),
        stage=Stage((0, 0, 1), (2, 2, 1), extra={"soft": True}),
        camera=Camera.look_at((0, -5, 1), (0, 0, 0), lens=35, name="Shot 1"),
    )


def test_every_release_has_a_kind_that_can_be_asked_for() -> None:
    assert set(HOWS) - {""} == set(ENTRANCE_KINDS) - {"auto"}


def kinds(made: Scene) -> list[str]:
    return [each.kind for each in entrances_of(made, made.bodies)]


def test_without_entrances_nothing_is_asked() -> None:
    made = scene()
    assert made.entrance_of(made.bodies[0]) == Entrance() and Entrance().kind == "auto"


def test_the_nearest_entrance_counts() -> None:
    """Its own, its group's, that of the group around it, everybody's; where it stands in the list does not count."""
    steps = [Entrance(kind="drop"), Entrance("g1", "roll"), Entrance("Tray", "slide"), Entrance("pen", "toss")]
    for given in (steps, steps[::-1]):
        assert kinds(scene(entrances=given)) == ["drop", "drop", "toss"]
    assert kinds(scene(entrances=steps[:3])) == ["drop", "drop", "slide"]
    assert kinds(scene(entrances=steps[:2])) == ["drop", "drop", "roll"]
    assert kinds(scene(entrances=steps[1:2])) == ["auto", "auto", "roll"]
    made = scene(entrances=steps)
    assert made.entrance_of(made.bodies[2]) is steps[3]


def test_the_last_of_equals_counts() -> None:
    assert kinds(scene(entrances=[Entrance("b1", "drop"), Entrance("die", "toss")])) == ["toss", "auto", "auto"]
    assert kinds(scene(entrances=[Entrance("die", "toss"), Entrance("b1", "drop")])) == ["drop", "auto", "auto"]
    assert kinds(scene(entrances=[Entrance(kind="drop"), Entrance(kind="roll")])) == ["roll"] * 3


def test_an_id_is_stronger_than_a_name() -> None:
    made = scene(entrances=[Entrance("b1", "toss")])
    made.bodies[1].name = "b1"
    assert kinds(made) == ["toss", "auto", "auto"]


def test_groups_in_a_circle_and_garbage_do_no_harm() -> None:
    made = scene(entrances=[Entrance(kind="drop"), Entrance(["pen"], "toss"), "slide"])  # type: ignore[arg-type, list-item]
    made.groups[0].parent = "g2"
    made.bodies[0].group = made.bodies[0].name = ["odd"]  # type: ignore[assignment]
    assert kinds(made) == ["drop"] * 3
    made.entrances = None  # type: ignore[assignment]
    assert kinds(made) == ["auto"] * 3


def test_values_come_in_their_plain_form() -> None:
    made = Entrance(side=np.array([1, 2]), region=[[0, 0, 1], np.ones(3)], start=[[0, 0, 1], (2, 0, 0, 0), 1])  # type: ignore[arg-type]
    assert made.side == (1.0, 2.0) and isinstance(made.side[0], float) and made.region == ((0, 0, 1), (1, 1, 1))
    assert made.start == ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), 1.0) and type(made.start[2]) is float
    assert Entrance(start="there", region=7, side=7).start == "there"  # type: ignore[arg-type]


# What the camera sees


def camera(**fields: Any) -> Camera:
    """At y = -10, looking along y: half the width of the picture is .5 of the distance, half the height .25."""
    return Camera.look_at(
        (0, -10, 0), (0, 0, 0), **{"lens": 36, "sensor": 36, "aspect": 2, "near": 1, "far": 20, **fields}
    )


def test_a_camera_that_is_not_turned_looks_straight_down() -> None:
    assert Camera().sees(np.array([[0, 0, -1.0], [0, 0, 1.0]])).tolist() == [True, False]
    assert np.array_equal(Camera().axes, np.eye(3))


@pytest.mark.parametrize(
    ("point", "seen"),
    [
        ((0, 0, 0), True),
        ((4.99, 0, 0), True),
        ((5.01, 0, 0), False),
        ((-4.99, 0, 0), True),
        ((-5.01, 0, 0), False),
        ((0, 0, 2.49), True),
        ((0, 0, 2.51), False),
        ((0, 0, -2.51), False),
        ((4.99, -0.1, 0), False),  # the picture narrows toward the camera
        ((5.04, 0.1, 0), True),
        ((0, -9.01, 0), False),  # nearer than near
        ((0, -8.99, 0), True),
        ((0, 9.99, 0), True),
        ((0, 10.01, 0), False),  # farther than far
        ((0, -20, 0), False),  # behind it
    ],
)
def test_what_a_camera_sees(point: tuple[float, float, float], seen: bool) -> None:
    assert camera().sees(np.array([point])).tolist() == [seen]
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # all of it, about the vertical
    place = np.array([3.0, 4.0, 5.0])
    other = replace(camera(), position=place + turn @ (0, -10, 0))
    other = Camera.look_at(other.position, place, lens=36, sensor=36, aspect=2, near=1, far=20)
    assert other.sees((turn @ point + place)[None]).tolist() == [seen]


def test_a_longer_lens_sees_less() -> None:
    points = np.array([[2.49, 0, 0], [2.51, 0, 0]])
    assert camera(lens=72).sees(points).tolist() == [True, False]
    assert camera(lens=72, sensor=72).sees(points).tolist() == [True, True]


def test_look_at_holds_the_picture_upright() -> None:
    rng = np.random.default_rng(1)
    for position, target in rng.normal(size=(50, 2, 3)):
        right, up, back = Camera.look_at(position, target).axes
        assert np.allclose(back * np.linalg.norm(position - target), position - target, atol=1e-12)
        assert abs(right[2]) < 1e-12 and up[2] > 0.0 and np.allclose(np.cross(right, up), back, atol=1e-12)
    down = Camera.look_at((0, 0, 5), (0, 0, 0)).axes
    assert np.allclose(down, np.eye(3))
    assert np.isfinite(Camera.look_at((1, 1, 1), (1, 1, 1)).axes).all()


@pytest.mark.parametrize(
    ("who", "right"), [(None, 0), (camera(), 0), (Camera.look_at((9, 0, 3), (0, 0, 0)), 90), (Camera(), 0)]
)
def test_sides_are_those_of_whoever_looks(who: Camera | None, right: float) -> None:
    for turned, word in ((0, "right"), (90, "behind"), (180, "left"), (270, "front")):
        degrees, spread = Entrance(side=word).sector(who) or (math.nan, 0.0)
        assert abs((degrees - right - turned + 180.0) % 360.0 - 180.0) < 1e-9 and spread == 90.0
    assert Entrance(side="top").sector(who) is None and Entrance().sector(who) is None
    assert Entrance(side=(12, 5)).sector(who) == (12.0, 5.0)


# The file


def test_everything_comes_back_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "e.foregone"
    made = everything()
    made.save(path)
    loaded = Scene.load(path)
    assert loaded == made and loaded.entrances[0].start == FULL.start and loaded.entrances[0].extra == {"mood": "brisk"}
    assert isinstance(loaded.camera, Camera) and loaded.camera.name == "Shot 1" and loaded.stage.extra == {"soft": True}
    assert fingerprint(loaded) == fingerprint(made)
    first = path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == first
    tree = json.loads(read_member(path, "project.json"))
    assert tree["entrances"][1] == {
        "who": "", "kind": "auto", "side": "left", "off_camera": False, "before": "unseen"
    }, "what is not asked for is not written"  # fmt: skip


def test_a_scene_without_is_written_as_before(tmp_path: Path) -> None:
    scene().save(tmp_path / "s.foregone")
    tree = json.loads(read_member(tmp_path / "s.foregone", "project.json"))
    assert set(tree) == {"format", "name", "gravity", "ground", "next_id", "groups", "bodies", "hints"}
    assert tree["format"] == 1


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_projects_of_before_are_as_they_were(path: Path, tmp_path: Path) -> None:
    made = Scene.load(path)
    assert made.entrances == [] and made.stagger is made.stage is made.camera is None
    made.save(tmp_path / "again.foregone")
    old, new = (json.loads(read_member(each, "project.json")) for each in (path, tmp_path / "again.foregone"))
    assert list(new) == list(old) and new["format"] == old["format"]
    assert Scene.load(tmp_path / "again.foregone") == made


def edited(path: Path, target: Path, change: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        new.writestr("project.json", json.dumps({**json.loads(old.read("project.json")), **change}))
    return target


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"entrances": {}}, "entrances must be a list"),
        ({"entrances": ["drop"]}, r"entrances\[0\] must be a table"),
        ({"entrances": [{"who": 3}]}, r"entrances\[0\]\.who must be text"),
        ({"entrances": [{"kind": None}]}, r"entrances\[0\]\.kind must be text"),
        ({"entrances": [{}, {"side": 5}]}, r"entrances\[1\]\.side must be a word or a list of 2 numbers"),
        ({"entrances": [{"side": [5]}]}, r"entrances\[0\]\.side must be a list of 2 numbers"),
        ({"entrances": [{"side": [5, "wide"]}]}, r"entrances\[0\]\.side\[1\] must be a number"),
        ({"entrances": [{"height": 5}]}, r"entrances\[0\]\.height must be a list of 2 numbers"),
        ({"entrances": [{"region": [[0, 0, 0]]}]}, r"entrances\[0\]\.region must be a list of 2 entries"),
        ({"entrances": [{"region": [[0, 0, 0], [1, 1]]}]}, r"entrances\[0\]\.region\[1\] must be a list of 3 numbers"),
        ({"entrances": [{"region": [0, 1]}]}, r"entrances\[0\]\.region\[0\] must be a list of 3 numbers"),
        ({"entrances": [{"start": [[0, 0, 0], [1, 0, 0], 1]}]}, r"\.start\[1\] must be a list of 4 numbers"),
        ({"entrances": [{"start": [[0, 0, 0], [1, 0, 0, 0], "late"]}]}, r"\.start\[2\] must be a number"),
        ({"entrances": [{"off_camera": 1}]}, r"entrances\[0\]\.off_camera must be true or false"),
        ({"stagger": {"seconds": "slow"}}, r"stagger\.seconds must be a number"),
        ({"stage": {"center": [0, 0, 0]}}, "stage lacks the field 'half'"),
        ({"stage": []}, "stage must be a table"),
        ({"camera": {"lens": None}}, r"camera\.lens must be a number"),
        ({"camera": {"orientation": [1, 0]}}, r"camera\.orientation must be a list of 4 numbers"),
    ],
)
def test_wrong_types_are_refused_by_name(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    scene().save(tmp_path / "s.foregone")
    with pytest.raises(ProjectError, match=words):
        Scene.load(edited(tmp_path / "s.foregone", tmp_path / "t.foregone", change))


def test_wrong_types_are_not_written_either(tmp_path: Path) -> None:
    for fields, words in (
        ({"entrances": [Entrance(region=7)]}, r"entrances\[0\]\.region"),  # type: ignore[arg-type]
        ({"entrances": ["drop"]}, r"entrances\[0\] must be a Entrance"),
        ({"camera": "mine"}, "camera must be a Camera"),
    ):
        with pytest.raises(ProjectError, match=words):
            scene(**fields).save(tmp_path / "s.foregone")


def test_values_that_make_no_sense_are_kept(tmp_path: Path) -> None:
    made = scene(
        entrances=[Entrance("nobody", "fall", side="up", height=(2, math.inf), start=((0, 0, 0), (0,) * 4, -1))]
    )
    made.save(tmp_path / "s.foregone")
    assert Scene.load(tmp_path / "s.foregone") == made
    null = edited(tmp_path / "s.foregone", tmp_path / "t.foregone", {"camera": None, "stage": None, "stagger": None})
    assert Scene.load(null).camera is None


# The fingerprint


def test_fingerprints_without_entrances_are_those_of_before() -> None:
    """Kept from the last version that had none: or every project would lose its takes."""
    before = {
        "brick_wall": "ae4d8151c3f1ed811e87455d22bd715a",
        "chain": "3745a06336ca103316f235c1f8117bb0",
        "crates_sliding_in": "00eb937704579e540db77fdea56c18ec",
        "rag_doll": "7733a869b092f2416e0f0fc757c7f7f5",
    }
    assert {path.stem: fingerprint(Scene.load(path)) for path in SCENES if path.stem in before} == before


@pytest.mark.parametrize(
    "fields",
    [
        {"entrances": [Entrance(kind="drop")]},
        {"entrances": [Entrance("die", side="left")]},
        {"entrances": [Entrance("g1", start=((0, 0, 1), (1, 0, 0, 0), 1))]},
        {"stagger": Stagger()},
        {"stage": Stage((0, 0, 0), (1, 1, 1))},
        {"camera": Camera()},
    ],
)
def test_what_is_asked_makes_takes_of_before_stale(fields: dict[str, Any]) -> None:
    assert fingerprint(scene(**fields)) != fingerprint(scene())


def test_each_value_of_what_is_asked_counts() -> None:
    made = everything()
    others = [{"kind": "drop"}, {"side": (90, 21)}, {"height": (0.3, 0.9)}, {"speed": None}, {"spin": (1, 9)}]
    others += [{"region": None}, {"off_camera": False}, {"start": ((1, 2, 3), (0, 1, 0, 0), 3)}, {"before": "held"}]
    prints = [fingerprint(replace(made, entrances=[replace(FULL, **other), made.entrances[1]])) for other in others]
    prints += [fingerprint(replace(made, camera=replace(made.camera, **other))) for other in ({"lens": 36}, {"far": 9})]
    prints += [fingerprint(replace(made, stagger=Stagger("bottom up", 0.3))), fingerprint(made)]
    assert len(set(prints)) == len(prints)


def test_what_counts_is_which_entrance_each_body_has() -> None:
    by_name, by_id = scene(entrances=[Entrance("die", "drop")]), scene(entrances=[Entrance("b1", "drop")])
    assert fingerprint(by_name) == fingerprint(by_id) != fingerprint(scene(entrances=[Entrance("cup", "drop")]))
    grouped = scene(entrances=[Entrance("g1", "drop")])
    moved = replace(grouped, bodies=[replace(body, group="g1") for body in grouped.bodies])
    assert fingerprint(moved) != fingerprint(grouped), "a body that joins a group gets its entrance"
    assert fingerprint(scene(entrances=[Entrance("nobody", "drop"), Entrance()])) == fingerprint(scene())
    assert fingerprint(scene(camera=Camera(name="B"))) == fingerprint(scene(camera=Camera()))


# The command line


def asked(monkeypatch: pytest.MonkeyPatch, made: Scene, path: Path, *words: str) -> Scene:
    """The scene that a command is about to check and run."""
    made.save(path)
    seen: list[Scene] = []

    def stop(found: Scene) -> None:
        seen.append(found)
        raise ValueError("far enough")

    monkeypatch.setattr(run_command, "check", stop)
    assert main(["run", str(path), "--out", str(path.parent / "out"), *words]) == 1
    return seen[0]


def test_options_become_an_entrance_for_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = "--entrance drop --from left --height .3:.8 --speed 1:2.5 --spin 4 --before unseen".split()
    words += ["--stagger", "left-to-right", "--stagger-seconds", ".1"]
    found = asked(monkeypatch, scene(), tmp_path / "s.foregone", *words)
    assert found.entrances == [
        Entrance("", "drop", side="left", height=(0.3, 0.8), speed=(1, 2.5), spin=(4, 4), before="unseen")
    ]
    assert found.stagger == Stagger("left to right", 0.1)
    found = asked(monkeypatch, scene(), tmp_path / "s.foregone", "--from", "90:20", "--stagger", "bottom up")
    assert found.entrances == [Entrance(side=(90, 20))] and found.stagger == Stagger("bottom up")
    assert asked(monkeypatch, scene(), tmp_path / "s.foregone", "--from", "45").entrances[0].side == (45.0, 30.0)


def test_without_options_the_scene_says_it_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert asked(monkeypatch, everything(), tmp_path / "s.foregone") == everything()


def test_options_go_on_top_of_what_the_scene_says() -> None:
    found = entering(everything(), entrance="roll", stagger_seconds=1.0)
    assert found.entrance_of(found.bodies[0]) is found.entrances[0], "what is said of a body by name is nearer"
    assert found.entrance_of(found.bodies[1]) == Entrance("", "roll", side="left", before="unseen")
    assert found.stagger == Stagger("bottom up", 1.0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--entrance", "fall"], "invalid choice: 'fall'"),
        (["--from", "nowhere"], "must be left, right, front, behind, top or DEGREES[:SPREAD], not 'nowhere'"),
        (["--from", "inf"], "DEGREES[:SPREAD]"),
        (["--from", "90:400"], "a spread from 0 to 360 degrees, not 400"),
        (["--height", "2:1"], "must be LOWEST:HIGHEST, not 2:1"),
        (["--speed=-1:2"], "must be 0 or more, not -1"),
        (["--spin", "1:fast"], "must be a number, not 'fast'"),
        (["--spin", "1:inf"], "must be 0 or more, not inf"),
        (["--before", "hidden"], "invalid choice: 'hidden'"),
        (["--stagger", "upwards"], "must be one of at-once, one-after-another"),
        (["--stagger-seconds", "nan"], "must be 0 or more, not nan"),
    ],
)
def test_options_that_make_no_sense_are_wrong_usage(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "s.foregone", "--out", str(tmp_path), *words]) == 2
    assert told in capsys.readouterr().err
