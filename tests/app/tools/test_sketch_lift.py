"""Strokes projected from known throws and slides are read back: direction, height and length, from many cameras."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from fake_stage import FakeStage
from hypothesis import given, settings
from hypothesis import strategies as st

from app.camera import Camera
from app.tools.sketch_reading import SketchError, read_sketch
from engine.hints.lift import lift_arc
from engine.hints.sketch import bearing_of
from engine.scene.spec import Body, Box, Scene, Sphere, Vector

DOWN = (0.0, 0.0, -9.81)


def die_on_a_table() -> Scene:
    return Scene(
        [
            Body("Die", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1), id="die"),
            Body("Table", Box((0.3, 0.3, 0.2)), (1.6, 0.0, 0.2), id="table", static=True),
        ]
    )


def camera(azimuth: float, elevation: float, **fields: object) -> Camera:
    made = Camera((0.4, 0.0, 0.3), 4.0, math.radians(azimuth), math.radians(elevation))
    return replace(made, **fields)  # type: ignore[arg-type]


def drawn(stage: FakeStage, points: np.ndarray) -> np.ndarray:
    pixels, ahead = stage.camera.project(points, *stage.extent)
    assert ahead.all()
    return pixels


def arc(start: Vector, height: float, count: int = 60) -> np.ndarray:
    """The way of the die's underside."""
    return lift_arc(start, (0.0, 0.0, 0.0), height, DOWN).points(count)


def apart(a: float, b: float) -> float:
    """Degrees between two bearings."""
    return abs(math.remainder(a - b, 360.0))


@pytest.mark.parametrize("view", [(-60.0, 22.0), (-90.0, 12.0), (-120.0, 45.0), (-75.0, 60.0), (60.0, 30.0)])
@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("backward", [False, True])
def test_an_arc_is_read_as_the_throw_it_was(
    qapp: object, view: tuple[float, float], orthographic: bool, backward: bool
) -> None:
    stage = FakeStage(Scene(die_on_a_table().bodies[:1]))
    stage.camera = camera(*view, orthographic=orthographic)
    pixels = drawn(stage, arc((1.0, -0.4, 0.0), 0.6))
    hint = read_sketch(stage, pixels[::-1] if backward else pixels).hint
    assert hint.kind == "bounce" and hint.body == "die"
    bearing = bearing_of(hint, DOWN)
    assert bearing is not None and apart(bearing, math.degrees(math.atan2(-0.4, 1.0))) < 3.0
    assert hint.height == pytest.approx(0.6, rel=0.05)
    assert hint.distance == pytest.approx(math.hypot(1.0, 0.4), rel=0.03)
    thrown = lift_arc((1.0, -0.4, 0.0), (0.0, 0.0, 0.0), 0.6, DOWN)
    assert hint.velocity is not None and math.dist(hint.velocity, thrown.velocity) < 0.05 * math.hypot(*thrown.velocity)
    assert hint.stroke is not None and len(hint.stroke) <= 64


@settings(max_examples=60, deadline=None)
@given(
    azimuth=st.floats(-180.0, 180.0),
    elevation=st.floats(14.0, 50.0),
    turn=st.floats(-50.0, 50.0),
    distance=st.floats(0.6, 1.4),
    height=st.floats(0.25, 1.0),
)
def test_any_arc_seen_broadside_comes_back(
    qapp: object, azimuth: float, elevation: float, turn: float, distance: float, height: float
) -> None:
    """Within 50 degrees of across the line of sight; nothing else is in the way."""
    stage = FakeStage(Scene([Body("Die", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1), id="die")]))
    stage.camera = Camera((0.0, 0.0, 0.3), 5.0, math.radians(azimuth), math.radians(elevation))
    side = math.radians(azimuth + 90.0 + turn)
    start = (distance * math.cos(side), distance * math.sin(side), 0.0)
    hint = read_sketch(stage, drawn(stage, arc(start, height))).hint
    assert hint.kind == "bounce"
    assert apart(bearing_of(hint, DOWN) or 0.0, math.degrees(side)) < 6.0
    assert hint.height == pytest.approx(height, rel=0.1)


@pytest.mark.parametrize("view", [(-60.0, 22.0), (-90.0, 5.0), (-90.0, 0.0), (-60.0, 89.9), (30.0, 40.0)])
def test_a_line_is_read_as_a_slide_of_its_length(qapp: object, view: tuple[float, float]) -> None:
    stage = FakeStage(die_on_a_table())
    stage.camera = camera(*view)
    start = np.array([-0.9, 0.0, 0.0])
    hint = read_sketch(stage, drawn(stage, np.linspace(start, np.zeros(3), 30))).hint
    assert hint.kind == "slide"
    assert apart(bearing_of(hint, DOWN) or 0.0, 180.0) < 2.0
    assert hint.distance == pytest.approx(0.9, rel=0.03)
    friction = stage.document.scene.bodies[0].material.friction
    assert hint.speed == pytest.approx(math.sqrt(2.0 * friction * 9.81 * 0.9), rel=0.03)


def test_where_the_stroke_ends_on_the_body_changes_little(qapp: object) -> None:
    """The hand ends at the top of the die instead of under it."""
    stage = FakeStage(die_on_a_table())
    stage.camera = camera(-75.0, 20.0)
    points = arc((1.0, -0.3, 0.0), 0.5)
    points[:, 2] += np.linspace(0.0, 0.18, len(points))
    hint = read_sketch(stage, drawn(stage, points)).hint
    assert hint.height == pytest.approx(0.5, rel=0.06)
    assert apart(bearing_of(hint, DOWN) or 0.0, math.degrees(math.atan2(-0.3, 1.0))) < 3.0


def test_an_arc_from_a_table_starts_on_its_top(qapp: object) -> None:
    stage = FakeStage(die_on_a_table())
    stage.camera = camera(-80.0, 25.0)
    hint = read_sketch(stage, drawn(stage, arc((1.6, 0.0, 0.4), 0.9))).hint
    assert hint.height == pytest.approx(0.9, rel=0.06)
    assert hint.distance == pytest.approx(1.6, rel=0.03)


def test_seen_from_above_the_bow_is_the_height(qapp: object) -> None:
    stage = FakeStage(die_on_a_table())
    stage.camera = camera(-90.0, 89.9)
    part = np.linspace(1.0, 0.0, 40)
    bowed = np.stack([0.9 * part, 0.9 * part * (1.0 - part), 0.0 * part], axis=1)  # a quarter of the way to the side
    hint = read_sketch(stage, drawn(stage, bowed)).hint
    assert hint.kind == "bounce"
    assert hint.height == pytest.approx(0.225, rel=0.05)
    assert apart(bearing_of(hint, DOWN) or 0.0, 0.0) < 2.0


def test_seen_exactly_from_the_side_an_arc_has_its_height(qapp: object) -> None:
    stage = FakeStage(die_on_a_table())
    stage.camera = camera(-90.0, 0.0)
    hint = read_sketch(stage, drawn(stage, arc((-1.0, 0.0, 0.0), 0.4))).hint
    assert hint.height == pytest.approx(0.4, rel=0.05)
    assert apart(bearing_of(hint, DOWN) or 0.0, 180.0) < 1.0


def test_strokes_that_ask_for_nothing_say_why(qapp: object) -> None:
    scene = die_on_a_table()
    scene = replace(scene, bodies=[*scene.bodies, Body("Ball", Sphere(0.08), (0.0, 0.0, 0.28), id="ball")])
    stage = FakeStage(scene)
    stage.camera = camera(-80.0, 25.0)

    def words(*points: Vector) -> str:
        dense = np.concatenate([np.linspace(a, b, 12) for a, b in zip(points, points[1:], strict=False)])
        with pytest.raises(SketchError) as caught:
            read_sketch(stage, drawn(stage, dense))
        return str(caught.value)

    assert words((-1.0, 0.0, 0.0), (-0.5, 0.0, 0.0)) == "Start or end the stroke on a body."
    assert words((0.9, 0.0, 0.0), (1.6, 0.0, 0.4)).startswith("Table is static")
    assert words((0.9, 0.0, 0.0), (0.0, -0.1, 0.1)) == "Die cannot leave: Ball stands on it."
    top = (0.0, 0.0, 0.3)
    assert words((0.06, 0.0, 0.3), top) == "Stroke too short to read. Draw at least two body widths."
    assert "neither" in words((1.0, 0.0, 0.0), (0.8, 0.0, 0.6), (0.6, 0.0, 0.0), (0.4, 0.0, 0.6), top)
    assert "turns back" in words((0.5, 0.0, 0.0), (1.2, 0.0, 0.05), (0.3, 0.0, 0.1), (1.0, 0.0, 0.1), top)
    hidden = replace(stage.document.scene.bodies[0], hidden=True)
    stage.document.new(Scene([hidden]))
    stage.selection.set(["die"])
    assert words((0.9, 0.0, 0.0), (0.0, 0.0, 0.1)) == "Die is hidden. Show it first."
