"""Strokes lifted into the scene, against closed forms; hints changed afterwards stay consistent."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hints.lift import LiftError, lift_arc, lift_line
from engine.hints.sketch import (
    MOST_POINTS,
    arc_hint,
    bearing_of,
    line_hint,
    with_bearing,
    with_kind,
    with_strength,
)
from engine.scene.spec import Body, Box, Hint, Scene

EARTH = (0.0, 0.0, -9.81)
finite = st.floats(-3.0, 3.0)
vectors = st.tuples(finite, finite, finite)


def test_a_level_arc_is_the_throw_of_the_schoolbook() -> None:
    flight = lift_arc((-2.0, 0.0, 0.1), (0.0, 0.0, 0.1), 0.5, EARTH)
    fall = math.sqrt(2 * 0.5 / 9.81)
    assert flight.seconds == pytest.approx(2 * fall)
    assert flight.velocity == pytest.approx((1.0 / fall, 0.0, -9.81 * fall))
    assert flight.takeoff == pytest.approx((1.0 / fall, 0.0, 9.81 * fall))
    assert (flight.height, flight.distance) == pytest.approx((0.5, 2.0))


@given(start=vectors, end=vectors, extra=st.floats(0.01, 2.0), gravity=vectors.filter(lambda g: math.hypot(*g) > 0.5))
@settings(max_examples=80, deadline=None)
def test_a_flight_starts_tops_and_ends_where_it_was_drawn(start, end, extra, gravity) -> None:  # type: ignore[no-untyped-def]
    up = -np.array(gravity) / math.hypot(*gravity)
    height = extra + max(0.0, float((np.array(start) - end) @ up))
    flight = lift_arc(start, end, height, gravity)
    points = flight.points(4001)
    assert points[0] == pytest.approx(np.array(start), abs=1e-9)
    assert points[-1] == pytest.approx(np.array(end), abs=1e-9)
    assert ((points - end) @ up).max() == pytest.approx(height, abs=1e-4 * (1 + height))
    assert np.array(flight.takeoff) + flight.seconds * np.array(gravity) == pytest.approx(np.array(flight.velocity))


@pytest.mark.parametrize(
    "start, height, gravity, word",
    [
        ((1.0, 0.0, 0.0), 0.0, EARTH, "where the body rests"),
        ((1.0, 0.0, 0.0), -0.5, EARTH, "where the body rests"),
        ((1.0, 0.0, 2.0), 1.0, EARTH, "where it begins"),
        ((1.0, 0.0, 0.0), 1.0, (0.0, 0.0, 0.0), "gravity"),
    ],
)
def test_an_arc_nothing_can_fly_is_refused(start, height, gravity, word) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(LiftError, match=word):
        lift_arc(start, (0.0, 0.0, 0.0), height, gravity)


def test_a_line_on_level_ground_stops_by_friction() -> None:
    slide = lift_line((3.0, 4.0, 0.3), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.4, EARTH)
    assert slide.direction == pytest.approx((-0.6, -0.8, 0.0))
    assert slide.distance == pytest.approx(5.0)
    assert slide.speed == pytest.approx(math.sqrt(2 * 0.4 * 9.81 * 5.0))
    assert slide.seconds == pytest.approx(slide.speed / (0.4 * 9.81))
    assert slide.points(3)[0] == pytest.approx((3.0, 4.0, 0.0))


@pytest.mark.parametrize("uphill", [True, False])
def test_a_line_on_a_slope_counts_gravity_along_it(uphill: bool) -> None:
    angle = math.radians(15)
    normal = (-math.sin(angle), 0.0, math.cos(angle))  # rises toward +x
    along = np.array([math.cos(angle), 0.0, math.sin(angle)]) * (1 if uphill else -1)
    slide = lift_line(tuple(-0.7 * along), (0.0, 0.0, 0.0), normal, 0.5, EARTH)  # type: ignore[arg-type]
    expected = 9.81 * (0.5 * math.cos(angle) + (1 if uphill else -1) * math.sin(angle))
    assert slide.deceleration == pytest.approx(expected)
    assert slide.speed**2 == pytest.approx(2 * expected * 0.7)


@pytest.mark.parametrize(
    "start, friction, word", [((0.0, 0.0, 1.0), 0.5, "no length"), ((1.0, 0.0, 0.0), 0.0, "slippery")]
)
def test_a_line_nothing_can_slide_is_refused(start, friction, word) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(LiftError, match=word):
        lift_line(start, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), friction, EARTH)


def an_arc() -> Hint:
    flight = lift_arc((-1.0, 0.5, 0.3), (0.0, 0.0, 0.0), 0.6, EARTH)
    return arc_hint("b1", flight, 1.2, [(x, 0.0, 0.0) for x in np.linspace(-1, 0, 500)])


def a_line() -> Hint:
    return line_hint("b1", lift_line((0.0, 2.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.5, EARTH), 0.1)


def test_strokes_are_thinned_with_their_ends_kept() -> None:
    stroke = an_arc().stroke
    assert stroke is not None and len(stroke) == MOST_POINTS
    assert (stroke[0], stroke[-1]) == ((-1.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_the_bearing_is_the_side_it_comes_from() -> None:
    assert bearing_of(a_line(), EARTH) == pytest.approx(90.0)
    assert bearing_of(an_arc(), EARTH) == pytest.approx(math.degrees(math.atan2(0.5, -1.0)))
    assert bearing_of(Hint("bounce", "b1", velocity=(0, 0, -2)), EARTH) is None


@pytest.mark.parametrize("make", [an_arc, a_line])
@pytest.mark.parametrize("bearing", [0.0, 77.0, 300.0])
def test_a_new_bearing_turns_everything_about_the_vertical(make, bearing: float) -> None:  # type: ignore[no-untyped-def]
    old, new = make(), with_bearing(make(), bearing, EARTH)
    assert bearing_of(new, EARTH) == pytest.approx(bearing, abs=1e-6)
    assert (new.speed, new.height, new.distance) == pytest.approx((old.speed, old.height, old.distance))
    assert new.direction[2] == pytest.approx(old.direction[2])


def test_a_stronger_bounce_is_the_same_throw_enlarged() -> None:
    old, new = an_arc(), with_strength(an_arc(), 1.5)
    assert new.velocity == pytest.approx(tuple(1.5 * v for v in old.velocity or ()))
    assert new.height == pytest.approx(new.velocity[2] ** 2 / (2 * 9.81))
    assert new.distance == pytest.approx(2.25 * old.distance)
    assert new.stroke[0] == pytest.approx((-2.25, 0.0, 0.0))
    with pytest.raises(ValueError, match="strength"):
        with_strength(old, 0.0)


def test_a_slide_made_a_bounce_and_back_covers_the_same_way() -> None:
    line = a_line()
    bounce = with_kind(line, "bounce", EARTH)
    assert bounce.kind == "bounce" and bounce.height == pytest.approx(0.5)
    assert -bounce.velocity[2] == pytest.approx(-bounce.velocity[1]), "lands at 45 degrees"
    back = with_kind(bounce, "slide", EARTH, 0.5)
    assert (back.direction, back.speed, back.distance) == (
        pytest.approx(line.direction),
        pytest.approx(line.speed),
        pytest.approx(line.distance),
    )
    assert back.velocity is None and back.height is None


def test_hints_get_ids_and_survive_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    hints = [an_arc(), Hint("slide", "a", id="h1"), a_line()]
    scene = Scene([Body("a", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))], hints=hints)
    assert [hint.id for hint in scene.hints] == ["h2", "h1", "h3"]
    assert scene.problems() == []
    scene.save(tmp_path / "a.foregone")
    assert Scene.load(tmp_path / "a.foregone") == scene
    scene.hints.append(Hint("slide", "a", id="h3"))
    assert [problem.code for problem in scene.problems()] == ["duplicate-hint-id"]


@pytest.mark.parametrize(
    "hint, code",
    [
        (Hint("bounce", "a", height=-1.0), "hint-height"),
        (Hint("slide", "a", distance=math.nan), "hint-distance"),
        (Hint("slide", "a", stroke=((0.0, 0.0),)), "hint-stroke"),
        (Hint("slide", "a", id=3), "hint-id"),  # type: ignore[arg-type]
    ],
)
def test_a_hint_that_says_nonsense_is_told(hint: Hint, code: str) -> None:
    scene = Scene([Body("a", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))], hints=[hint])
    assert [problem.code for problem in scene.problems()] == [code]


def test_reading_and_lifting_need_no_compiler() -> None:
    code = "import sys, engine.hints.stroke, engine.hints.sketch; print('numba' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
