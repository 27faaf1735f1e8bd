"""Where a body will press first and pressed last: the lowest corners, when they are within a twentieth of a second."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.analysis.inspect import inspect, step_at
from engine.run import forward
from engine.scene.inspection import Inspection
from engine.scene.spec import Body, Box, Material, Scene
from engine.tape.take import Take
from tests.bench.scenes import turn

FALL = 0.2  # m
HITS = math.sqrt(2.0 * FALL / 9.81)  # s


def dropped(lean: float) -> Take:
    """A box let go FALL over the ground, turned about y."""
    half = (0.2, 0.1, 0.05)
    low = half[0] * abs(math.sin(lean)) + half[2] * math.cos(lean)
    lively = Material(restitution=0.8)
    return forward(
        Scene([Body("box", Box(half), (0.0, 0.0, low + FALL), turn("y", lean), lively, id="box")]), HITS + 0.06
    )


def told(take: Take, time: float) -> Inspection:
    return inspect(take, "contact", "box", step_at(take, time))


@pytest.mark.parametrize(("lean", "corners"), [(0.0, 4), (0.4, 2)])
def test_before_a_landing_the_corners_that_touch_first_are_shown(lean: float, corners: int) -> None:
    take = dropped(lean)
    found = told(take, HITS - 0.02)
    assert found.title == "About to touch" and '"box" is about to touch the ground' in found.sentence
    places = np.array([mark.at for mark in found.drawing.marks])
    assert len(places) == corners
    if lean:  # turned toward +x that side hangs down
        assert places[:, 0].min() > 0.1
    seconds = next(number.value for number in found.numbers if number.label == "Touches in")
    assert seconds == pytest.approx(0.02, abs=4e-3)


def test_far_from_everything_it_touches_nothing_and_after_the_bounce_it_has_just_left() -> None:
    take = dropped(0.0)
    assert told(take, 0.05).title == "Touches nothing"
    left = told(take, HITS + 0.03)
    assert left.title == "Just left" and len(left.drawing.marks) == 4
