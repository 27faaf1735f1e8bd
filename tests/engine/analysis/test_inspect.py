"""One door to all inspectors: endings, takes, problems, fixes that hold what they promise, and the command."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.analysis.inspect import TOPICS, inspect, problems, step_at
from engine.cli import main
from engine.errors import ForegoneError
from engine.run import backward
from engine.scene.file import save_scene
from engine.scene.inspection import as_json
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Box, Scene
from engine.tape.store import save_take

PLINTH = Body("Plinth", Box((0.5, 0.3, 0.25)), (0.4, 0.0, 0.25), static=True, id="plinth")


def jutting(margin: float) -> Scene:
    """A box whose middle lies `margin` (m) inside the left edge of a plinth, and a brick on the ground."""
    box = Body("Box", Box((0.45, 0.25, 0.08)), (-0.1 + margin, 0.0, 0.58), id="box")
    brick = Body("Brick", Box((0.1, 0.05, 0.03)), (-0.8, 0.0, 0.03), id="brick")
    return Scene([box, brick, PLINTH])


@pytest.mark.parametrize("topic", TOPICS)
def test_answers_survive_the_way_through_json(topic: str) -> None:
    found = inspect(jutting(0.01), topic, "box")
    assert found.topic == topic and found.ids == ("box",)
    assert json.dumps(as_json(found)) and pickle.loads(pickle.dumps(found)) == found


def test_a_motion_and_marks_survive_it_too() -> None:
    found = inspect(jutting(-0.02), "stability", "box")
    assert found.motion is not None and found.drawing.marks and found.checks[0].holds is False
    assert json.dumps(as_json(found)) and pickle.loads(pickle.dumps(found)) == found


def test_the_fix_does_what_it_says() -> None:
    scene = jutting(0.01)
    found = inspect(scene, "contact", "box")
    assert found.level == "warning" and found.state == "sticking" and "10 mm" in found.sentence
    assert found.fix is not None and found.fix.by[0] > 0.0 == found.fix.by[1]
    place = tuple(a + b for a, b in zip(scene.bodies[0].position, found.fix.by, strict=True))
    moved = replace(scene, bodies=[replace(scene.bodies[0], position=place), *scene.bodies[1:]])
    assert inspect(moved, "contact", "box").level == "fine"


def test_no_fix_is_offered_where_something_is_in_the_way() -> None:
    scene = jutting(0.01)
    wall = Body("Wall", Box((0.02, 0.3, 0.2)), (-0.1 + 0.01 + 0.45 + 0.03, 0.0, 0.7), static=True, id="wall")
    found = inspect(replace(scene, bodies=[*scene.bodies, wall]), "contact", "box")
    assert found.level == "warning" and found.fix is None


def test_a_push_changes_the_verdict() -> None:
    scene = jutting(0.2)
    weight = next(arrow for arrow in inspect(scene, "stability", "box").drawing.arrows if arrow.role == "load")
    hard = abs(weight.along[2])
    assert inspect(scene, "stability", "box", push=(0.1 * hard, 0.0, 0.0)).title == "Holds"
    assert inspect(scene, "stability", "box", push=(2.0 * hard, 0.0, 0.0)).level == "bad"


def test_problems_are_those_that_fall_and_those_about_to() -> None:
    assert problems(jutting(0.2)) == []
    (about,) = problems(jutting(0.01))
    assert (about.ids, about.level) == (("box",), "warning") and about.fix is not None
    (falls,) = problems(jutting(-0.02))
    assert (falls.topic, falls.ids, falls.level) == ("stability", ("box",), "bad")


def test_very_many_bodies_are_not_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tower = Scene([Body(f"{k}", Box((0.1, 0.1, 0.05)), (0.0, 0.0, 0.05 + 0.1 * k), id=f"b{k}") for k in range(6)])
    assert inspect(tower, "stability", "b2").title == "Stands"
    monkeypatch.setattr("engine.analysis.stability.scene.MOST_AT_ONCE", 5)
    found = inspect(tower, "stability", "b2")
    assert found.level == "unknown" and "among 6 bodies" in found.sentence


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(ForegoneError, match="nothing can be said about"):
        inspect(jutting(0.1), "weather", "box")
    with pytest.raises(ForegoneError, match='no body has the id "nobody"'):
        inspect(jutting(0.1), "contact", "nobody")
    assert inspect(jutting(0.1), "stability", "plinth").title == "Fixed in place"


def test_asking_can_be_stopped() -> None:
    def stop() -> None:
        raise InterruptedError

    for topic in TOPICS:
        with pytest.raises(InterruptedError):
            inspect(jutting(0.1), topic, "box", look_up=stop)


def answer_of(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_take_is_asked_at_a_step_and_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = Scene([Body("Die", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.05), id="die")])
    take = backward(scene, 0.5, seed=1)
    assert step_at(take, float(take.times[7])) == 7 and step_at(take, 99.0) == take.tape.steps - 1
    first = inspect(take, "stability", "die", 0)
    assert "hangs in the air" in first.sentence, "as it is in the first step"
    assert inspect(take, "contact", "die").title == "Rests"
    scene.save(tmp_path / "die.foregone")
    save_take(tmp_path / "take.npz", take)
    words = ["inspect", str(tmp_path / "die.foregone"), "--take", str(tmp_path / "take.npz"), "--json"]
    assert main([*words, "--frame", "0", "--topic", "stability"]) == 0
    told = answer_of(capsys)
    assert told["time"] == pytest.approx(0.0, abs=0.05) and "hangs" in told["inspections"][0]["sentence"]
    assert main([*words, "--time", "9"]) == 1
    assert "is not in it" in answer_of(capsys)["error"]


def test_a_take_inside_a_project_is_found_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = Scene([Body("Die", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.05), id="die")])
    take = backward(scene, 0.3, seed=1)
    save_take(tmp_path / "take.npz", take)
    scene = replace(scene, takes=[TakeCard("t1", "Take 01", seed=1, seconds=0.3)])
    file = tmp_path / "die.foregone"
    save_scene(scene, file, members={"takes/t1.npz": tmp_path / "take.npz"})
    for name in ("t1", "Take 01"):
        assert main(["inspect", str(file), "--take", name, "--topic", "contact", "--json"]) == 0
        told = answer_of(capsys)["inspections"][0]
        assert told["title"] == "Rests" and told["plots"]
    save_scene(replace(scene, takes=[*scene.takes, TakeCard("t2", "Take 02", seed=2, seconds=0.3)]), file)
    assert main(["inspect", str(file), "--take", "t2"]) == 1
    assert "the record of Take 02 is gone" in capsys.readouterr().err


def test_the_command_tells_of_a_push_and_of_the_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "two.foregone")
    lower, upper = (Body(name, Box((0.1, 0.1, 0.1)), (0.0, 0.0, z), id=name) for name, z in (("low", 0.1), ("up", 0.3)))
    scene = Scene([lower, upper])
    scene.save(file)
    assert main(["inspect", file, "--body", "low", "--topic", "stability", "--push", "1", "0", "0"]) == 0
    assert "takes this force" in capsys.readouterr().out
    assert main(["inspect", file]) == 0
    told = capsys.readouterr().out
    assert "low: held by others" in told and "carries up" in told and "up: free to have come last" in told
    assert main(["inspect", file, "--json"]) == 0
    assert [each["name"] for each in answer_of(capsys)["whole"]["seats"]] == ["low", "up"]

    take = str(tmp_path / "take-1.npz")
    save_take(take, backward(scene, 0.2))
    assert main(["inspect", file, "--take", take, "--body", "up"]) == 0
    told = capsys.readouterr().out
    assert "J when let go" in told and "Friction lowered" in told


def test_the_command_tells_words_or_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "shelf.foregone")
    jutting(0.01).save(file)
    assert main(["inspect", file, "--body", "Box", "--topic", "contact"]) == 0
    assert "[!] contact:" in capsys.readouterr().out
    assert main(["inspect", file, "--body", "Box", "--topic", "stability"]) == 0
    assert "Must stand: yes (no other motion)" in capsys.readouterr().out
    assert main(["inspect", file, "--json"]) == 0
    told = answer_of(capsys)
    assert [each["ids"] for each in told["problems"]] == [["box"]]
    assert len(told["inspections"]) == 2 * len(TOPICS)
    assert main(["inspect", file, "--body", "Lamp"]) == 1
    assert 'no body is called "Lamp". There are: Box, Brick, Plinth.' in capsys.readouterr().err
    assert main(["inspect", file, "--frame", "3"]) == 1
    assert "--take" in capsys.readouterr().err
