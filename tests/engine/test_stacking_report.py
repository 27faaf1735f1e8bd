"""The report of a stack: who can leave, in whose way they are, who carries whom, what stands only under a weight."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.analysis.leaving import way_out
from engine.analysis.stacking import report
from engine.scene.seat import Seat
from engine.scene.spec import Body, Box, Scene, Sphere
from tests.bench import scenes
from tests.bench.scenes_director import balls_in_a_tray, bonded_wall, heavy_topped_wall

UP = np.array([0.0, 0.0, 1.0])
NOWHERE = np.zeros((1, 3))


def level(*directions: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Contacts of a ball: every normal goes through its centre."""
    normals = np.array(directions, float)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals, -normals


@pytest.mark.parametrize(
    ("normals", "leaves"),
    [
        ([(0, 0, 1)], True),
        ([(0, 0, 1), (0, 0, -1)], False),  # between a table and a lid: it slides, and no contact opens
        ([(0, 0, 1), (1, 0, 0)], True),  # leaning, at a right angle
        ([(0, 0, 1), (1, 0, 0), (-1, 0, 0)], True),  # between walls: straight up
        ([(2, 0, 1), (-2, 0, 1)], True),  # a steep pocket: the normals oppose each other
        ([(1, 0, 0), (-1, 0, 1), (-1, 0, -1)], False),  # from three sides, in the plane
    ],
)
def test_a_way_out_of_contacts(normals: list[tuple[float, float, float]], leaves: bool) -> None:
    toward, arms = level(*normals)
    way = way_out(toward, arms, UP)
    assert (way is not None) == leaves
    if way is not None:
        rates = np.hstack([toward, np.cross(arms, toward)]) @ way
        assert rates.min() >= -1e-9 and rates.max() > 1e-6


def test_turning_may_be_the_only_way_out() -> None:
    """Held down at one end only: the plank cannot rise, and cannot move, but its other end can."""
    normals = np.array([(0, 0, 1), (0, 0, -1)], float)
    arms = np.array([(-1, 0, -0.1), (-1, 0, 0.1)], float)
    assert way_out(normals, arms, UP) is None
    arms = np.array([(-1, 0, -0.1), (1, 0, 0.1)], float)  # carried at one end, held down at the other
    way = way_out(normals, arms, UP)
    assert way is not None and abs(way[4]) > 0.1


def seats(scene: Scene) -> dict[str, Seat]:
    return {seat.name: seat for seat in report(scene).seats}


def test_a_wall_is_told_brick_by_brick() -> None:
    scene = bonded_wall(2, 2)
    told, ids = seats(scene), {body.name: body.id for body in scene.bodies}
    low, high = told["brick0.0"], told["brick1.1"]
    assert not low.free and low.reason == '"brick1.0" presses on it from above and the ground carries it.'
    assert high.free and high.by_rule and high.reason == "Nothing holds it: it can leave upward."
    assert high.below == (ids["brick0.0"], ids["brick0.1"]) and high.above == () and (low.course, high.course) == (0, 1)
    assert set(low.above) == {ids["brick1.0"], ids["brick1.1"]}
    assert report(scene).troubles == ()


def test_it_can_be_stopped_between_bodies() -> None:
    looks: list[int] = []

    def third_time() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        report(bonded_wall(2, 2), third_time)
    assert len(looks) == 3


def test_carriers_come_first() -> None:
    told = report(bonded_wall(3, 3)).seats
    place = {seat.id: number for number, seat in enumerate(told)}
    assert len(told) == 10 and all(place[under] < place[seat.id] for seat in told for under in seat.below)


def test_where_the_rule_is_wrong_the_program_is_right() -> None:
    walls = [
        Body(f"wall {side}", Box((0.1, 1, 0.5)), (0.2 * x, 0, 0.5), static=True) for side, x in (("l", -1), ("r", 1))
    ]
    told = seats(Scene([*walls, Body("jammed", Box((0.1, 0.1, 0.1)), (0, 0, 0.1))]))["jammed"]
    assert told.free and not told.by_rule
    assert told.reason == 'It sits between "wall l" and "wall r", yet it can leave upward.'
    ball = seats(balls_in_a_tray())["ball2.00"]
    assert ball.free and len(ball.below) == 4
    # A ball in a groove of two steep ramps: the normals oppose each other.
    turned = math.radians(60)
    ramps = [
        Body(f"ramp{s}", Box((1, 1, 0.1)), (0.4 * s, 0, 0), scenes.turn("y", -s * turned), static=True) for s in (-1, 1)
    ]
    away = 0.4 * math.sin(turned) - 0.1  # of the groove's middle from each face, along its normal
    groove = Scene([*ramps, Body("ball", Sphere(0.1), (0, 0, (0.1 - away) / math.cos(turned)))], ground=False)
    told = seats(groove)["ball"]
    assert told.free and not told.by_rule and told.reason.endswith("yet it can leave upward.")


def test_what_needs_a_weight_is_named() -> None:
    scene = heavy_topped_wall()
    words = [trouble.words for trouble in report(scene).troubles]
    assert words == [
        '"brick2.0" stands only because "brick3.0" weighs it down.',
        '"brick2.2" stands only because "brick3.1" weighs it down.',
    ]
    names = {body.id: body.name for body in scene.bodies}
    assert [names[key] for key in report(scene).troubles[0].ids] == ["brick2.0", "brick3.0"]


def test_what_does_not_stand_is_told() -> None:
    told = report(Scene([Body("cloud", Box((0.1, 0.1, 0.1)), (0, 0, 1.0))]))
    assert told.seats[0].reason == "It touches nothing." and told.seats[0].free
    assert [trouble.words for trouble in told.troubles] == ['"cloud" does not stand where it is: it hangs in the air.']


def test_arrival_times_that_contradict_the_support_are_told() -> None:
    scene = scenes.brick_stack(2)
    bottom, top = scene.bodies
    bottom.arrival, top.arrival = 0.4, 0.9
    (trouble,) = report(scene).troubles
    assert trouble.ids == (top.id, bottom.id)
    assert trouble.words == (
        f'"{top.name}" cannot come to rest 0.9 s before the end: "{bottom.name}", which carries it, '
        "comes to rest 0.4 s before the end."
    )
    bottom.arrival, top.arrival = 0.9, 0.4
    assert report(scene).troubles == ()
    bottom.arrival = None
    assert report(scene).troubles == ()
