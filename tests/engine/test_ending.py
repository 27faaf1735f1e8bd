"""The ending is sacred, and so are its bits."""

from __future__ import annotations

import numpy as np
import pytest

from engine.run import backward, forward
from engine.scene.spec import Body, Box, Compound, Hull, Scene, Sphere
from tests.bench import scenes

ODD = (0.1234567890123456, -2.718281828459045, 0.7)
TURNED = (0.9238795325112867, 0.0, 0.0, 0.3826834323650898)


@pytest.mark.parametrize(
    "shape",
    [
        Sphere(0.7),
        Box((0.5, 0.4, 0.7)),
        Hull(scenes.hull_points() + (0.1, 0.2, -0.7)),
        Compound([(Box((0.1, 0.1, 0.7)), (0, 0, 0)), (Sphere(0.2), (0.4, 0.1, 0.3))]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_the_last_pose_is_the_authored_one_bit_for_bit(shape: object) -> None:
    scene = Scene([Body("it", shape, ODD, TURNED)])  # type: ignore[arg-type]
    take = backward(scene, 0.5, 1 / 240, seed=3)
    assert take.positions[-1, 0].tobytes() == np.array(ODD).tobytes()
    assert take.orientations[-1, 0].tobytes() == np.array(TURNED).tobytes()
    assert np.abs(take.positions[0] - take.positions[-1]).max() > 0.0
    assert np.abs(take.positions[-2] - take.positions[-1]).max() < 1e-3, "the origin does not jump at the end"
    assert take.times[-1] == pytest.approx(0.5) and (np.diff(take.times) > 0).all()


def test_the_first_pose_of_a_forward_take_is_the_authored_one() -> None:
    take = forward(Scene([Body("it", Hull(scenes.hull_points()), (0, 0, 2), TURNED)]), 0.1, 1 / 240)
    assert take.positions[0, 0].tobytes() == np.array([0.0, 0.0, 2.0]).tobytes()
    assert take.orientations[0, 0].tobytes() == np.array(TURNED).tobytes()


def test_asked_arrival_times_are_kept() -> None:
    scene = scenes.scattered_boxes(1, 4)
    for body, arrival in zip(scene.bodies, (0.1, 0.4, 0.7, 1.0), strict=True):
        body.arrival = arrival
    take = backward(scene, 1.5, 1 / 240, seed=5)
    for i, body in enumerate(scene.bodies):
        moving = np.abs(take.positions[:, i] - take.positions[-1, i]).max(axis=1) > 0.0
        assert take.times[-1] - take.times[moving].max() == pytest.approx(body.arrival, abs=2.001 / 240)
