"""Every ending that entrances are judged by is sound, and stands by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.run import forward
from engine.scene.spec import Scene
from tests.bench import scenes_endings, scenes_settled
from tests.bench.catalogue_endings import ENDINGS, HARD, WALLS

SECONDS, STANDS = 0.2, 1e-6  # s, m
IN_MOTION = {"CRASH"}  # a middle frame: its bodies fly
TOO_MANY = 300  # bodies; of more only the poses are checked

COUNTS = {
    "wall of 45": 45,
    "12 coins in a heap": 12,
    "40 coins as a letter": 40,
    "Jenga tower of 18": 18,
    "10 cannonballs": 10,
    "house of 3 cards": 3,
    "house of 6 cards": 6,
    "arch of 9 stones": 9,
    "30 marbles in a bowl": 30,
    "14 balls in a tray": 14,
    "chain of 12": 12,
    "2000 scattered boxes": 2000,
    "5000 scattered boxes": 5000,
    "t->-t of 79 boxes": 79,
}


def moving(scene: Scene) -> int:
    return sum(not body.static for body in scene.bodies)


def falls(scene: Scene) -> float:
    """How far (m) the exact engine moves anybody."""
    take = forward(scene, SECONDS)
    assert take.stopped is None
    return float(np.abs(take.positions - take.positions[0]).max())


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_is_sound_and_stands(name: str) -> None:
    scene = ENDINGS[name]()
    assert [str(problem) for problem in scene.problems() if problem.severity == "error"] == []
    if moving(scene) <= TOO_MANY and name not in IN_MOTION:
        assert falls(scene) <= STANDS


def test_they_have_as_many_bodies_as_they_say() -> None:
    assert {name: moving(ENDINGS[name]()) for name in COUNTS} == COUNTS
    assert [moving(make()) for make in WALLS.values()] == [count for count, _ in WALLS]
    assert len(HARD) == 28


SLIPPERY: dict[str, Callable[[], Scene]] = {
    "plank": scenes_endings.plank_against_a_wall,
    "cards": scenes_endings.card_house,
    "arch": scenes_endings.arch,
    "slope": scenes_endings.box_on_a_slope,
}


@pytest.mark.parametrize("name", SLIPPERY)
def test_what_stands_by_friction_falls_without_it(name: str) -> None:
    """The test of standing sees what does not."""
    scene = SLIPPERY[name]()
    bodies = [replace(body, material=replace(body.material, friction=0.02)) for body in scene.bodies]
    assert falls(replace(scene, bodies=bodies)) > 1e-3


def test_a_kept_heap_is_not_changed_by_its_users() -> None:
    first = scenes_settled.coin_heap()
    first.bodies[0].position = (9.0, 9.0, 9.0)
    assert scenes_settled.coin_heap().bodies[0].position != (9.0, 9.0, 9.0)
