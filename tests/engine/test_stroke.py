"""Strokes: arcs and lines as hands draw them are told apart, at any zoom, rotation and speed; junk is refused."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_strokes import drawn_stroke
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.arrivals import hints
from engine.hints.stroke import StrokeError, read_stroke

X = np.linspace(0.0, 1.0, 60)


def arc(height: float, x: np.ndarray = X) -> np.ndarray:
    return np.stack([x, 4.0 * height * x * (1.0 - x)], axis=1)


def test_the_public_name_is_that_of_the_design() -> None:
    assert hints.read_stroke is read_stroke


def test_at_least_98_of_100_drawn_strokes_are_read_right() -> None:
    rng = np.random.default_rng(20260)
    right = 0
    angles, heights = [], []
    for number in range(500):
        drawn = drawn_stroke(rng, "bounce" if number % 2 else "slide")
        try:
            stroke = read_stroke(drawn.points)
        except StrokeError:
            continue
        right += stroke.kind == drawn.kind
        angles.append(np.degrees(np.arccos(min(1.0, float(np.dot(stroke.direction, drawn.direction))))))
        if drawn.kind == "bounce":
            heights.append(abs(stroke.height / drawn.height - 1.0))
    print(
        f"strokes read right: {right} of 500 ({right / 5:.1f} %); direction within {np.percentile(angles, 95):.1f} "
        f"degrees and heights of arcs within {100 * np.percentile(heights, 95):.0f} % for 95 of 100"
    )
    assert right >= 490
    assert np.percentile(angles, 95) < 5.0
    assert np.percentile(heights, 95) < 0.2


@pytest.mark.parametrize("height", [-2.0, -0.5, 0.12, 0.3, 0.8, 4.0])
def test_a_parabola_is_read_exactly(height: float) -> None:
    stroke = read_stroke(arc(height))
    assert stroke.kind == "bounce"
    assert stroke.coefficient == pytest.approx(4.0 * abs(height), rel=1e-2)
    assert stroke.height == pytest.approx(height, rel=1e-2)
    assert stroke.direction == pytest.approx((1.0, 0.0), abs=1e-3)
    assert stroke.chord == pytest.approx(1.0, abs=1e-3)
    assert np.abs(stroke.curve(60) - arc(height)).max() < 0.01 * (1.0 + abs(height))


def test_two_points_are_a_line_toward_the_second() -> None:
    stroke = read_stroke([(3.0, 1.0), (3.0, -4.0)])
    assert (stroke.kind, stroke.chord) == ("slide", pytest.approx(5.0))
    assert stroke.direction == pytest.approx((0.0, -1.0))
    assert stroke.curve(2) == pytest.approx(np.array([(3.0, 1.0), (3.0, -4.0)]))


@given(
    height=st.one_of(st.floats(-1.5, -0.15), st.floats(-0.04, 0.04), st.floats(0.15, 1.5)),
    turn=st.floats(0.0, 6.28),
    scale=st.floats(1e-3, 1e4),
    move=st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0)),
    flip=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_rotation_scale_place_and_mirroring_change_nothing(
    height: float, turn: float, scale: float, move: tuple[float, float], flip: bool
) -> None:
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    plain = arc(height) + 0.01 * np.sin(np.stack([9.0 * X, 7.0 * X], axis=1))
    mirrored = plain * (1.0, -1.0) if flip else plain
    first, second = read_stroke(plain), read_stroke(scale * (mirrored @ rotation.T + move))
    assert second.kind == first.kind
    assert second.coefficient == pytest.approx(first.coefficient, abs=1e-6)
    assert second.height == pytest.approx(-first.height if flip else first.height, abs=1e-6)
    assert second.chord == pytest.approx(scale * first.chord, rel=1e-6)
    expected = rotation @ (np.array(first.direction) * ((1.0, -1.0) if flip else (1.0, 1.0)))
    assert second.direction == pytest.approx(tuple(expected), abs=1e-6)


@given(height=st.floats(0.15, 1.5), count=st.integers(20, 600), power=st.floats(0.6, 1.7))
@settings(max_examples=60, deadline=None)
def test_the_speed_of_the_hand_and_the_density_of_points_change_little(height: float, count: int, power: float) -> None:
    stroke = read_stroke(arc(height, np.linspace(0.0, 1.0, count) ** power))
    assert stroke.kind == "bounce"
    assert stroke.height == pytest.approx(height, rel=0.06)


def test_hooks_of_the_pen_do_not_bend_a_line() -> None:
    hooked = np.concatenate([[(0.02, 0.04), (0.0, 0.03)], arc(0.01), [(1.0, -0.03), (0.98, -0.05)]])
    assert read_stroke(hooked).kind == "slide"
    assert read_stroke(hooked).direction == pytest.approx((1.0, 0.0), abs=0.02)


CIRCLE = np.stack([np.cos(6.3 * X), np.sin(6.3 * X)], axis=1)
THERE_AND_BACK = np.concatenate([X, 1.0 - 0.6 * X])


@pytest.mark.parametrize(
    "points, word",
    [
        ([], "empty"),
        ([(1.0, 1.0)], "dot"),
        ([(1.0, 1.0)] * 9, "dot"),
        ([(1e9, 1.0), (1e9 + 1e-5, 1.0)], "dot"),
        ([(0.0, 0.0), (1.0, np.nan)], "nowhere"),
        ([(0.0, 0.0), (1.0, np.inf)], "nowhere"),
        ([(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)], "two coordinates"),
        ([(0.0, 0.0), (1.0,)], "two coordinates"),
        ("stroke", "two coordinates"),
        (None, "two coordinates"),
        (CIRCLE, "ends where it began"),
        (np.stack([THERE_AND_BACK, 0.0 * THERE_AND_BACK], axis=1), "turns back"),
        (np.stack([X, 0.3 * np.sin(6.3 * X)], axis=1), "neither"),
        (np.stack([X, 0.15 * np.sin(19.0 * X)], axis=1), "neither"),
    ],
)
def test_junk_is_refused_in_words(points: object, word: str) -> None:
    with pytest.raises(StrokeError, match=word):
        read_stroke(points)  # type: ignore[arg-type]


def test_random_scribbles_are_refused() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        with pytest.raises(StrokeError):
            read_stroke(rng.normal(size=(40, 2)))
