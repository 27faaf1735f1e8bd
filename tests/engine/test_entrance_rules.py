"""Every rule about entrances fires on the mistake it is for, and garbage never raises."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Body, Box, Camera, Entrance, Group, Scene, Stage, Stagger
from engine.rules import scene_problems

NAN, INF = math.nan, math.inf
POSE = ((0, 0, 1), (1, 0, 0, 0))


def scene(*entrances: Any, **fields: Any) -> Scene:
    box = Box((0.05, 0.05, 0.05))
    bodies = [Body("die", box, arrival=0.5), Body("floor", box, (1, 0, 0), static=True, group="g1")]
    return Scene(**{"bodies": bodies, "groups": [Group("g1", "Set")], "entrances": list(entrances), **fields})


SOUND = [
    Entrance(),
    Entrance("die", "drop", side=(-720, 360), height=(0, 0), speed=(0, 2), spin=(0, 0)),
    Entrance("b1", "carried", region=(POSE[0], (1, 1, 1)), start=(*POSE, 0.6)),
    Entrance("Set", "placed", side="top", start=(*POSE, 1.0)),
    Entrance("g1", "flight", side="behind", speed=(1, 2)),
    Entrance(before="held"),
    Entrance(off_camera=True),
]


def test_sound_entrances_have_no_problems() -> None:
    stagger, stage = Stagger("at random", 0.0), Stage((0, 0, 0), (1, 1, 1))
    assert scene_problems(scene(*SOUND, stagger=stagger, stage=stage, camera=Camera())) == []


MISTAKES = [
    ("entrances", scene(entrances=None)),
    ("not-a-entrance", scene("drop")),
    ("entrance-who", scene(Entrance("nobody"))),
    ("entrance-who", scene(Entrance(3))),  # type: ignore[arg-type]
    ("entrance-kind", scene(Entrance(kind="fall"))),
    ("entrance-kind", scene(Entrance(kind=np.zeros(2)))),  # type: ignore[arg-type]
    ("entrance-before", scene(Entrance(before="hidden"))),
    ("entrance-camera", scene(Entrance(off_camera="yes"))),  # type: ignore[arg-type]
    ("entrance-side", scene(Entrance(side="up"))),
    ("entrance-side", scene(Entrance(side=5))),  # type: ignore[arg-type]
    ("entrance-side", scene(Entrance(side=(NAN, 5)))),
    ("entrance-side", scene(Entrance(side=(0, -1)))),
    ("entrance-side", scene(Entrance(side=(0, 361)))),
    ("entrance-height", scene(Entrance(height=(2, 1)))),
    ("entrance-height", scene(Entrance(height=(-1, 1)))),
    ("entrance-speed", scene(Entrance(speed=(0, INF)))),
    ("entrance-speed", scene(Entrance(speed=5))),  # type: ignore[arg-type]
    ("entrance-spin", scene(Entrance(spin=(0, "fast")))),  # type: ignore[arg-type]
    ("entrance-region", scene(Entrance(region=((0, 0, 0), (1, 0, 1))))),
    ("entrance-region", scene(Entrance(region=((0, 0, NAN), (1, 1, 1))))),
    ("entrance-region", scene(Entrance(region=((0, 0, 0),)))),  # type: ignore[arg-type]
    ("entrance-start", scene(Entrance(start=((0, 0, 0), (0, 0, 0, 0), 1)))),
    ("entrance-start", scene(Entrance(start=((0, 0, 0), (1, 0, 0), 1)))),  # type: ignore[arg-type]
    ("entrance-start", scene(Entrance(start=(*POSE, 0)))),
    ("entrance-start", scene(Entrance(start=(*POSE, NAN)))),
    ("entrance-start", scene(Entrance(start="there"))),  # type: ignore[arg-type]
    ("entrance-contradiction", scene(Entrance(kind="flight", start=(*POSE, 1)))),
    ("entrance-contradiction", scene(Entrance(kind="flight", before="held"))),
    ("entrance-contradiction", scene(Entrance(kind="placed", speed=(1, 2)))),
    ("entrance-contradiction", scene(Entrance(kind="placed", region=((0, 0, 0), (1, 1, 1))))),
    ("entrance-contradiction", scene(Entrance(start=(*POSE, 1), before="unseen"))),
    ("stagger", scene(stagger="left to right")),
    ("stagger-order", scene(stagger=Stagger("upwards"))),
    ("stagger-seconds", scene(stagger=Stagger(seconds=-1))),
    ("stagger-seconds", scene(stagger=Stagger(seconds=NAN))),
    ("stage", scene(stage=((0, 0, 0), (1, 1, 1)))),
    ("stage-center", scene(stage=Stage((0, NAN, 0), (1, 1, 1)))),
    ("stage-half", scene(stage=Stage((0, 0, 0), (1, 0, 1)))),
    ("stage-half", scene(stage=Stage((0, 0, 0), 1))),  # type: ignore[arg-type]
    ("camera", scene(camera="mine")),
    ("camera-position", scene(camera=Camera((0, 0)))),  # type: ignore[arg-type]
    ("camera-orientation", scene(camera=Camera(orientation=(0, 0, 0, 0)))),
    ("camera-lens", scene(camera=Camera(lens=0))),
    ("camera-sensor", scene(camera=Camera(sensor=-1))),
    ("camera-aspect", scene(camera=Camera(aspect=0))),
    ("camera-aspect", scene(camera=Camera(aspect=NAN))),
    ("camera-clip", scene(camera=Camera(near=2, far=2))),
    ("camera-clip", scene(camera=Camera(near=-1))),
    ("camera-clip", scene(camera=Camera(far=INF))),
    ("camera-name", scene(camera=Camera(name=None))),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("code", "made"), MISTAKES, ids=[f"{i}-{code}" for i, (code, _) in enumerate(MISTAKES)])
def test_a_mistake_is_told_once_with_a_fix(code: str, made: Scene) -> None:
    (problem,) = scene_problems(made)
    assert problem.code == code and problem.severity == "error"
    assert problem.message.endswith(".") and problem.fix.endswith(".")


@pytest.mark.parametrize(
    ("code", "made", "body"),
    [
        ("entrance-camera", scene(Entrance(off_camera=True)), None),
        ("entrance-static", scene(Entrance("floor", "drop")), "floor"),
        ("entrance-start-late", scene(Entrance("b1", start=(*POSE, 0.5))), "die"),
    ],
)
def test_what_is_only_doubtful_is_a_warning(code: str, made: Scene, body: str | None) -> None:
    (problem,) = scene_problems(made)
    assert (problem.severity, problem.code, problem.body) == ("warning", code, body)


def test_messages_name_whom_they_are_about() -> None:
    (problem,) = scene_problems(scene(Entrance("die", height=(2, 1))))
    assert str(problem) == "error: The entrance of 'die' has a height from 2 to 1. Enter the lower end first."
    assert problem.body == "die"
    (problem,) = scene_problems(scene(Entrance(kind="fall")))
    assert problem.message == "The entrance of everything is of the kind 'fall'." and "toss" in problem.fix


garbage = st.sampled_from(
    [None, True, 3, -1.0, NAN, INF, "x", "", [], [1], (0, "a"), {}, object(), np.ones(3), b"drop"]
)


@given(st.lists(garbage, min_size=20, max_size=20))
def test_garbage_never_raises(values: list[Any]) -> None:
    entrance = Entrance(*values[:10])
    stagger, stage = Stagger(values[10], values[11]), Stage(values[12], values[13])
    made = scene(entrance, stagger=stagger, stage=stage, camera=Camera(*values[14:20]))
    scene_problems(made)
    for name in ("entrances", "stagger", "stage", "camera"):
        setattr(made, name, values[0])
    scene_problems(made)
