"""Endings that are a little off: within what was asked, still at rest, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.bench.scenes import brick_stack, material
from engine.bench.scenes_director import letters
from engine.contact.tiers import PLASTIC
from engine.direct.director import Options
from engine.direct.disorder import disordered
from engine.direct.ending import ending_of
from engine.geometry.turns import rotation_matrix
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Scene
from engine.take.audit import certify
from engine.take.run import backward

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


def test_who_touches_whom_stays_the_same() -> None:
    """Two boxes a tenth of a millimetre apart, and a stack: it moves as one."""
    box = Box((0.05, 0.05, 0.05))
    close = [Body("left", box, (0, 0, 0.05)), Body("right", box, (0.1001, 0, 0.05))]
    scene = Scene(bodies=close)
    before, after = (ending_of(compile_scene(each)) for each in (scene, disordered(scene, 0.02, 1)))
    assert sorted(zip(before.a, before.b, strict=True)) == sorted(zip(after.a, after.b, strict=True))
    stack = brick_stack(3)
    moved = disordered(stack, 0.02, 5)
    gaps = [np.linalg.norm(np.subtract(each.bodies[0].position, each.bodies[2].position)) for each in (stack, moved)]
    assert gaps[0] == pytest.approx(gaps[1], abs=1e-15)
    assert moved.bodies[0].position != stack.bodies[0].position


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
