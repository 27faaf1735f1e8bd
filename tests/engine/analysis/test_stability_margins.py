"""What a body can take before it moves: closed forms, and the engine's own forward run on either side of the answer."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.analysis import stability
from engine.analysis.let_go import let_go
from engine.analysis.stability.findings import Margins, hardest_pushes, margins_of, stand
from engine.analysis.stability.supports import group, groups_of
from engine.analysis.stability.unforced import Unforced
from engine.analysis.touch import Touch, touch_of
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Material, Scene
from tests.engine.analysis.test_stability_scenes import check, number, on_slope, stack
from tests.engine.analysis.test_wedged_rigid import SCENES

G = 9.81


def slot(friction: float, half: float = 0.25) -> Scene:
    """A cube on the ground between two walls that only touch it."""
    rough, wall = Material(friction=friction), Box((0.1, 1.0, 0.5))
    return Scene(
        [
            Body("box", Box((half, half, half)), (0.0, 0.0, half), material=rough, id="box"),
            Body("left", wall, (-half - 0.1, 0.0, 0.5), static=True, material=rough, id="left"),
            Body("right", wall, (half + 0.1, 0.0, 0.5), static=True, material=rough, id="right"),
        ]
    )


def leaning(touch: Touch, way: np.ndarray, angle: float) -> tuple[int, ...]:
    """Rows of those that go when gravity leans by an angle and everything is let go."""
    down = math.cos(angle) * np.array([0.0, 0.0, -1.0]) + math.sin(angle) * way
    return let_go(replace(touch.model, gravity=G * down), touch.moving).moved


def test_walls_that_only_touch_hold_nothing() -> None:
    """What a squeeze could hold is any tilt and any push; what holds is the friction of the weight."""
    scene = slot(0.3)
    found = stability.inspect_body(scene, "box")
    weight = 8 * 0.25**3 * Material().density * G
    assert number(found, "Tilt it can take") == pytest.approx(math.degrees(math.atan(0.3)), rel=1e-3)
    assert number(found, "Push it can take") == pytest.approx(0.3 * weight, rel=1e-3)
    assert "tilted by 17°" in found.sentence and check(found, "Must stand") is True


def test_a_push_askew_is_held_by_the_wall_it_presses_on() -> None:
    """F sin = mu (m g + F cos), of the angle between the push and the wall's normal."""
    touch = touch_of(compile_scene(slot(0.3)))
    own = group(touch, touch.moving)
    weight = float(np.linalg.norm(own.gravity))
    for angle in (0.9, 1.2):
        way = np.r_[math.cos(angle), math.sin(angle), 0.0, 0.0, 0.0, 0.0]
        expected = 0.3 * weight / (math.sin(angle) - 0.3 * math.cos(angle))
        assert Unforced(own.supports).furthest(own.gravity, way, 20.0 * weight) == pytest.approx(expected, rel=2e-3)
    into_the_wall = np.r_[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert Unforced(own.supports).furthest(own.gravity, into_the_wall, 20.0 * weight) == pytest.approx(20.0 * weight)


def test_the_forward_run_stays_up_to_the_margin_and_goes_beyond() -> None:
    """A little beyond it may squeeze itself between the walls; far beyond, where forces that hold exist as well, it
    does not."""
    touch = touch_of(compile_scene(slot(0.3)))
    along = np.array([0.0, 1.0, 0.0])
    assert leaning(touch, along, 0.97 * math.atan(0.3)) == ()
    assert leaning(touch, along, 1.3 * math.atan(0.3)) == tuple(touch.moving)


def test_the_jammed_book_of_the_examples_has_the_margin_of_its_forward_run() -> None:
    touch = touch_of(compile_scene(Scene.load(SCENES / "jammed_book.foregone")))
    (bodies,) = groups_of(touch)
    own = group(touch, bodies)
    weights = np.where(np.arange(len(own.gravity)) % 6 == 1, np.diag(own.mass), 0.0)  # all of them toward y
    tilt = math.atan(Unforced(own.supports).furthest(own.gravity, G * weights, 5.0))
    along = np.array([0.0, 1.0, 0.0])
    assert leaning(touch, along, 0.97 * tilt) == ()
    assert leaning(touch, along, 1.1 * tilt) != ()


def test_margins_are_never_more_than_forces_could_hold_and_mostly_as_much() -> None:
    """On one plane nothing can be squeezed: what can be held stays."""
    touch = touch_of(compile_scene(on_slope(0.2, 0.5, (0.1, 0.2, 0.3))))
    found = stand(touch, touch.moving)
    rest: Margins = margins_of(touch, [found])
    weight = float(np.linalg.norm(found.group.gravity))
    pushes = hardest_pushes(found, int(touch.moving[0]), rest.ways)
    assert rest.friction == pytest.approx(math.tan(0.2) / 0.5, abs=1e-3)
    down = int(np.argmax(rest.ways[:, 0]))
    assert pushes[down] < 0.31 * weight < pushes.max()


def test_that_a_stack_must_stand_is_proven_where_it_needs_no_friction() -> None:
    """It takes no search then. What many contacts hold by friction is not proven."""
    push = ((100.0, 0.0, 0.0), (0.0, 0.0, 0.75))
    assert check(stability.inspect_body(stack(0.0, 0.1, 0.2, 0.3), "cube 1"), "Must stand") is True
    many = stability.inspect_body(stack(0.0, 0.1, 0.2, 0.3, 0.35), "cube 1", push)
    assert check(many, "Must stand") is None and "not proven" in many.sentence
