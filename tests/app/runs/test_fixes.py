"""One-click fixes: what they say, and that the problem is gone afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.document import fixes
from app.document.fixes import Item, fixed, length
from engine.rules import scene_problems
from engine.scene.spec import Body, Box, Hint, Joint, Material, Scene, Sphere

UP = (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.004, "4 mm"), (0.03, "3 cm"), (0.0123, "1.2 cm"), (1.24, "1.2 m"), (0.00002, "0.02 mm"), (31.2, "31 m"),
     (1.0, "1 m"), (0.01, "1 cm"), (1e-8, "less than 0.001 mm")],
)  # fmt: skip
def test_lengths_are_said_as_people_say_them(value: float, words: str) -> None:
    assert length(value) == words


def brick(name: str, height: float, **fields: object) -> Body:
    return Body(name, Box((0.1, 0.1, 0.1)), (0, 0, height), **fields)  # type: ignore[arg-type]


def test_push_apart_moves_the_upper_one_by_the_depth() -> None:
    scene = Scene(bodies=[brick("Brick 9", 0.1), brick("Brick 12", 0.296)])
    item = fixes.overlap("error", ("b1", "Brick 9"), ("b2", "Brick 12"), 0.004, (0, 0, -1))
    assert item.message == "Brick 9 is 4 mm inside Brick 12." and item.fix == "Push apart"
    after = fixed(scene, item)
    assert after is not None and after.bodies[1].position == pytest.approx((0, 0, 0.3))
    assert after.bodies[0] is scene.bodies[0]
    locked = replace(scene, bodies=[scene.bodies[0], replace(scene.bodies[1], locked=True)])
    after = fixed(locked, item)
    assert after is not None and after.bodies[0].position == pytest.approx((0, 0, 0.096))
    both = replace(scene, bodies=[replace(body, locked=True) for body in scene.bodies])
    assert fixed(both, item) is None


def test_overlap_with_the_ground_lifts_the_body() -> None:
    item = fixes.overlap("error", ("b1", "Die"), ("ground", "ground"), 0.01, UP)
    assert item.message == "Die is 1 cm inside the ground."
    after = fixed(Scene(bodies=[brick("Die", 0.09)]), item)
    assert after is not None and after.bodies[0].position == pytest.approx((0, 0, 0.1))


def test_drop_takes_what_hangs_together() -> None:
    scene = Scene(bodies=[brick("Lamp", 0.13), brick("Shade", 0.33)])
    item = fixes.floating([("b1", "Lamp"), ("b2", "Shade")], ("b7", "Table"), 0.03, UP, UP)
    assert item.message == "Lamp hangs 3 cm above Table." and item.fix == "Drop"
    after = fixed(scene, item)
    assert after is not None and [body.position[2] for body in after.bodies] == pytest.approx([0.1, 0.3])
    slanted = fixes.floating([("b1", "Lamp")], ("b7", "Table"), 0.03, (0.6, 0, 0.8), UP)
    assert slanted.fix == fixes.SETTLE and fixed(scene, slanted) is None
    nothing = fixes.floating([("b1", "Lamp")], None, float("inf"), UP, UP)
    assert nothing.message == "Lamp hangs in the air: there is nothing below it." and not nothing.fix


FAULTS = {
    "duplicate-name": Scene(bodies=[brick("A", 1), brick("A", 2), brick("A", 3), brick("A 1", 4)]),
    "static-moves": Scene(bodies=[brick("A", 1, static=True, velocity=(1, 0, 0)), Body("B", Sphere(1))]),
    "static-arrives": Scene(bodies=[brick("A", 1, static=True, arrival=1.0), Body("B", Sphere(1))]),
    "friction-range": Scene(bodies=[brick("A", 1, material=Material(friction=0.5, friction_range=(0.6, 0.7)))]),
    "restitution-range": Scene(
        bodies=[brick("A", 1, material=Material(restitution=0.9, restitution_range=(0.1, 0.2)))]
    ),
    "hint-static": Scene(bodies=[brick("A", 1, static=True), Body("B", Sphere(1))], hints=[Hint("bounce", "A")]),
    "joint-static": Scene(bodies=[brick("A", 1, static=True), Body("B", Sphere(1))], joints=[Joint("ball", "A")]),
    "joint-same": Scene(bodies=[Body("B", Sphere(1))], joints=[Joint("ball", "B", "B"), Joint("ball", "B")]),
    "joint-body": Scene(bodies=[Body("B", Sphere(1))], joints=[Joint("ball", "B", "gone")]),
    "joint-limits": Scene(bodies=[Body("B", Sphere(1))], joints=[Joint("hinge", "B", lo=0.5, hi=1.0)]),
    "duplicate-id": Scene(bodies=[brick("A", 1, id="b1"), brick("B", 2, id="b1")]),
}


@pytest.mark.parametrize("code", FAULTS)
def test_after_the_fix_the_problem_is_gone(code: str) -> None:
    scene = FAULTS[code]
    item = next(fixes.about_value(scene, p) for p in scene_problems(scene) if p.code == code)
    assert item.fix and item.ids
    after = fixed(scene, item)
    assert after is not None and scene_problems(after) == []
    assert scene_problems(scene) != [], "the scene given is not changed"


def test_problems_without_a_fix_say_what_to_do() -> None:
    scene = Scene(bodies=[Body("Ball", Sphere(-1))])
    item = fixes.about_value(scene, scene_problems(scene)[0])
    assert item.fix == "" and item.advice and item.ids == ("b1",) and fixed(scene, item) is None
    assert fixed(scene, Item("error", "unheard-of", (), "", fix="Try")) is None


def test_only_the_joints_with_the_fault_go() -> None:
    scene = Scene(bodies=[Body("B", Sphere(1))], joints=[Joint("ball", "B", "B"), Joint("ball", "B", name="kept")])
    item = fixes.about_value(scene, next(p for p in scene_problems(scene) if p.code == "joint-same"))
    after = fixed(scene, item)
    assert after is not None and [joint.name for joint in after.joints] == ["kept"]
    assert item.ids == ("b1",) and "links B with itself" in item.message
