"""What entrances ask of bodies that rest on each other, or come in along the ground: where they are let go, and how."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine import Body, Box, Camera, Cylinder, Entrance, Material, Scene, Sphere, backward, certify
from engine.arrivals.along import LENGTH
from engine.arrivals.stage import stage_of
from engine.model.compile import compile_scene
from engine.tape.take import Take
from tests.bench.scenes_endings import running_bond

ROLLS = Material(rolling_friction=0.002)
LYING = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)


def stack() -> list[Body]:
    return [Body(f"box{i}", Box((0.1, 0.05, 0.05)), (0.0, 0.0, 0.05 + 0.1 * i)) for i in range(3)]


def die() -> Body:
    return Body("it", Box((0.04, 0.04, 0.04)), (0.0, 0.0, 0.04))


def came_from(take: Take, name: str = "it") -> np.ndarray:
    """m, from where it rests to where it was let go."""
    body = next(each for each in take.scene.bodies if each.name == name)
    way: np.ndarray = np.array(take.releases[name].position) - body.position
    return way


@pytest.mark.parametrize("seed", [0, 1])
def test_a_die_slides_in_from_the_side_that_was_asked_for(seed: int) -> None:
    take = backward(Scene([die()], entrances=[Entrance(kind="slide", side=(90.0, 20.0))]), 2.0, seed=seed)
    way, radius, report = came_from(take), 0.04 * math.sqrt(3.0), certify(take)
    assert abs(math.degrees(math.atan2(way[1], way[0])) - 90.0) <= 15.0 and abs(way[2]) < 1e-3
    assert 0.9 * LENGTH[0] * radius < np.linalg.norm(way) < 1.1 * LENGTH[1] * radius
    assert take.releases["it"].how == "slide" and report.ok and report.exact_in_motion > 0.98
    assert take.notes == ()


def test_a_slide_is_as_fast_as_was_asked_for() -> None:
    take = backward(Scene([die()], entrances=[Entrance(kind="slide", speed=(1.0, 1.1))]), 2.0)
    speed = math.hypot(*take.releases["it"].velocity)
    friction = take.scene.bodies[0].material.friction
    assert 0.9 < speed < 1.2
    assert np.linalg.norm(came_from(take)) == pytest.approx(speed**2 / (2.0 * friction * 9.81), rel=0.05)


@pytest.mark.parametrize(
    "shape, high, turn", [(Sphere(0.05), 0.05, (1.0, 0.0, 0.0, 0.0)), (Cylinder(0.04, 0.1), 0.04, LYING)]
)
def test_what_is_round_rolls_in(shape: Sphere | Cylinder, high: float, turn: tuple[float, ...]) -> None:
    body = Body("it", shape, (0.0, 0.0, high), turn, material=ROLLS)
    take = backward(Scene([body], entrances=[Entrance(kind="roll")]), 3.0)
    report, way = certify(take), came_from(take)
    assert take.releases["it"].how == "roll" and report.ok and report.exact_in_motion == 1.0
    assert np.linalg.norm(way[:2]) > 3.0 * high and abs(way[2]) < 1e-6
    velocity, spin = (np.array(part) for part in (take.releases["it"].velocity, take.releases["it"].angular_velocity))
    rim = velocity + np.cross(spin, [0.0, 0.0, -high])
    assert np.linalg.norm(rim) < 0.05 * np.linalg.norm(velocity), "it rolls without slipping"
    if isinstance(shape, Cylinder):
        assert abs(way[1]) < 1e-6, "across its axis, which lies along y"


def test_who_cannot_roll_is_told_and_comes_in_otherwise() -> None:
    take = backward(Scene([die()], entrances=[Entrance(kind="roll")]), 2.0)
    assert take.notes == ('"it" does not roll in: it does not lie on its round side',)
    assert take.releases["it"].how == "drop"
    smooth = Scene([Body("it", Sphere(0.05), (0.0, 0.0, 0.05))], entrances=[Entrance(kind="roll")])
    assert any("without rolling friction" in note for note in backward(smooth, 2.0).notes)


def test_those_on_others_are_let_go_in_the_region_that_was_asked_for() -> None:
    centre, half = (0.4, 0.0, 0.7), (0.3, 0.3, 0.3)
    take = backward(Scene(stack(), entrances=[Entrance(region=(centre, half))]), 3.0)
    for release in take.releases.values():
        assert (np.abs(np.subtract(release.position, centre)) <= half).all()
    assert certify(take).ok and take.notes == ()


def test_those_on_others_are_let_go_outside_the_picture() -> None:
    camera = Camera.look_at((1.5, -1.0, 0.5), (0.0, 0.0, 0.15), lens=50.0)
    take = backward(Scene(stack(), entrances=[Entrance(off_camera=True)], camera=camera), 3.0)
    assert not camera.sees(np.array([release.position for release in take.releases.values()])).any()
    assert certify(take).ok and take.notes == ()


def test_the_way_out_of_a_picture_ends_at_its_border() -> None:
    """Seen level from 2 m away by a lens of 36 mm on a square of 36 mm, half the picture is 1 m high there."""
    camera = Camera.look_at((0.0, -2.0, 0.05), (0.0, 0.0, 0.05), lens=36.0, aspect=1.0)
    scene = Scene(stack()[:1], camera=camera)
    stage = stage_of(scene, compile_scene(scene))
    out = stage.way_out(np.array([0.0, 0.0, 0.05]), np.array([0.0, 0.0, 1.0]), 0.02)
    assert 1.02 - 1e-9 <= out < 1.3


@pytest.mark.parametrize("seconds", [4.0, 1.4])
def test_bricks_fall_from_above_the_stage_where_the_take_is_long_enough(seconds: float) -> None:
    scene = running_bond(10)
    scene.entrances = [Entrance(kind="drop")]
    take = backward(scene, seconds)
    report, stage = certify(take), stage_of(scene, take.model)
    over = [release.position[2] > stage.high[2] for release in take.releases.values()]
    told = [note for note in take.notes if "from above the stage" in note]
    if seconds > 2.0:
        assert sum(over) + len(told) == 10 and sum(over) >= 8
    else:
        assert not any(over) and len(told) == 1 and "too short" in told[0]
    assert report.ok and "placed" not in {release.how for release in take.releases.values()}
