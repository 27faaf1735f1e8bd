"""Endings that are a little off: within what was asked, still at rest, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arrivals.disorder import disordered
from engine.arrivals.ending import ending_of
from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.contact.tiers import PLASTIC
from engine.model.compile import compile_scene
from engine.run import backward
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.shapes.turns import rotation_matrix
from tests.bench.scenes import brick_stack, material
from tests.bench.scenes_director import letters

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def corners(body: Body) -> np.ndarray:
    return np.array(body.position) + CORNERS * body.shape.half @ rotation_matrix(np.array(body.orientation)).T


@pytest.mark.parametrize("tolerance", [0.001, 0.01])
def test_no_corner_is_further_off_than_allowed(tolerance: float) -> None:
    scene = letters(40, 2)
    moved = disordered(scene, tolerance, 3)
    off = np.array(
        [np.linalg.norm(corners(a) - corners(b), axis=1) for a, b in zip(scene.bodies, moved.bodies, strict=True)]
    )
    assert off.max() <= tolerance and np.median(off.max(axis=1)) > 0.2 * tolerance
    heights = np.array([corners(a)[:, 2] - corners(b)[:, 2] for a, b in zip(scene.bodies, moved.bodies, strict=True)])
    assert np.abs(heights).max() <= 1e-15, "nobody leaves the ground"
    assert [body.position for body in scene.bodies] == [body.position for body in letters(40, 2).bodies]


def pairs(scene: Scene) -> set[tuple[int, int]]:
    ending = ending_of(compile_scene(scene))
    return set(zip(ending.a.tolist(), ending.b.tolist(), strict=True))


def test_who_touches_whom_stays_the_same() -> None:
    """Two boxes a tenth of a millimetre apart, and a stack of which every brick moves by itself."""
    box = Box((0.05, 0.05, 0.05))
    close = Scene(bodies=[Body("left", box, (0, 0, 0.05)), Body("right", box, (0.1001, 0, 0.05))])
    assert pairs(disordered(close, 0.02, 1)) == pairs(close)
    stack = brick_stack(3)
    moved = disordered(stack, 0.01, 5)
    assert pairs(moved) == pairs(stack)
    ways = np.subtract([body.position for body in moved.bodies], [body.position for body in stack.bodies])
    assert (ways[:, 2] == 0.0).all() and (np.linalg.norm(np.diff(ways, axis=0), axis=1) > 1e-4).all()
    touching = ending_of(compile_scene(moved))
    assert np.abs(touching.normal[:, 2]).min() == pytest.approx(1.0, abs=1e-12)


def test_what_touches_sideways_moves_as_one() -> None:
    brick = Box((0.12, 0.06, 0.04))
    row = [Body(f"{i}", brick, (0.24 * i, 0, 0.04)) for i in range(3)]
    moved = disordered(Scene(bodies=[*row, Body("top", brick, (0.12, 0, 0.12))]), 0.005, 1)
    assert pairs(moved) == pairs(Scene(bodies=[*row, Body("top", brick, (0.12, 0, 0.12))]))
    for old, new in zip(row[1:], moved.bodies[1:3], strict=True):
        apart = np.linalg.norm(np.subtract(new.position, moved.bodies[0].position))
        assert apart == pytest.approx(np.linalg.norm(np.subtract(old.position, row[0].position)), abs=1e-15)
    assert moved.bodies[0].position != row[0].position and moved.bodies[3].position != (0.12, 0, 0.12)


def test_a_table_is_level_too_and_a_ball_on_a_ball_has_no_room() -> None:
    table = Body("table", Box((0.5, 0.5, 0.1)), (0, 0, 0.4), static=True)
    die = Body("die", Box((0.05, 0.05, 0.05)), (0, 0, 0.55))
    assert disordered(Scene(bodies=[table, die]), 0.003, 1).bodies[1].position != die.position
    balls = [Body("lower", Sphere(0.1), (0, 0, 0.1)), Body("upper", Sphere(0.1), (0, 0, 0.3))]
    assert disordered(Scene(bodies=balls), 0.003, 1).bodies[1] == balls[1]


def test_takes_say_who_is_left_as_placed() -> None:
    wall = Body("wall", Box((0.02, 0.5, 0.5)), (-0.02, 0, 0.5), static=True)
    beside = Body("beside", Box((0.05, 0.05, 0.05)), (0.05, 0, 0.05))
    free = Body("free", Box((0.05, 0.05, 0.05)), (1.0, 0, 0.05))
    for bodies, words in (([wall, beside], "everything ends"), ([wall, beside, free], '"beside" ends')):
        take = backward(Scene(bodies=bodies), 0.1, 1 / 240, options=Options(disorder=0.003))
        assert any(words in note and "exactly as placed" in note for note in take.notes)
    take = backward(Scene(bodies=[free]), 0.1, 1 / 240, options=Options(disorder=0.003))
    assert not any("as placed" in note for note in take.notes)


def test_what_leans_on_something_stays() -> None:
    wall = Body("wall", Box((0.02, 0.5, 0.5)), (-0.02, 0, 0.5), static=True)
    beside = Body("beside", Box((0.05, 0.05, 0.05)), (0.05, 0, 0.05))
    free = Body("free", Box((0.05, 0.05, 0.05)), (1.0, 0, 0.05))
    moved = disordered(Scene(bodies=[wall, beside, free]), 0.01, 2)
    assert moved.bodies[:2] == [wall, beside] and moved.bodies[2].position != free.position


def test_a_take_ends_in_the_disordered_pose() -> None:
    scene = Scene(bodies=[Body("box", Box((0.1, 0.08, 0.05)), (0, 0, 0.05), material=material())])
    take = backward(scene, 0.5, 1 / 240, seed=4, options=Options(disorder=0.004))
    there = disordered(scene, 0.004, 4).bodies[0]
    assert tuple(take.positions[-1, 0]) == there.position != (0.0, 0.0, 0.05)
    assert tuple(take.orientations[-1, 0]) == there.orientation
    assert certify(take).tiers.max() <= PLASTIC
    assert disordered(scene, 0.004, 5).bodies[0].position != there.position


def test_off_by_default_and_bad_numbers_are_told() -> None:
    scene = letters(20, 0)
    assert disordered(scene, 0.0) is scene and Options().disorder == 0.0
    for bad in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="length of at least 0"):
            disordered(scene, bad)
