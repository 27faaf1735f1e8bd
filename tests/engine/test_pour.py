"""Pouring: what fell becomes the ending, and the fall its take."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Body, Box, Compound, Material, Scene, Sphere, certify, load_take, pour, replay, save_take
from engine.errors import ForegoneError

WOOD = Material(friction=0.5, restitution=0.4)


def tumbling() -> Scene:
    hook = Compound([(Box((0.05, 0.02, 0.02)), (0, 0, 0)), (Box((0.02, 0.02, 0.05)), (0.03, 0, 0.07))])
    boxes = [
        Body(f"b{i}", Box((0.05, 0.04, 0.03)), (0.02 * i, 0.01 * i, 0.1 + 0.15 * i), (0.9, 0.1 * i, 0.2, 0.3),
             material=WOOD)
        for i in range(4)
    ]  # fmt: skip
    return Scene([*boxes, Body("hook", hook, (0.3, 0, 0.3), material=WOOD)])


def test_the_fall_ends_in_the_ending_and_is_certified(tmp_path) -> None:
    poured = pour(tumbling(), 5.0, 1 / 240)
    take, report = poured.take, certify(poured.take)
    assert report.ok and report.exact_fraction == 1.0
    assert replay(take).max() < 1e-9
    assert np.array_equal(take.positions[-1], [body.position for body in poured.scene.bodies])
    assert np.array_equal(take.orientations[-1], [body.orientation for body in poured.scene.bodies])
    assert np.abs(take.positions[0, :, 2] - [body.position[2] for body in tumbling().bodies]).max() < 1e-12
    save_take(tmp_path / "fall.npz", take)
    assert load_take(tmp_path / "fall.npz", poured.scene).hash() == take.hash()


def test_what_does_not_come_to_rest_is_named() -> None:
    ball = Body("marble", Sphere(0.05), (0, 0, 0.05), velocity=(1.0, 0, 0), material=WOOD)
    with pytest.raises(ForegoneError, match="'marble' still moves after 1 s"):
        pour(Scene([ball]), 1.0, 1 / 240)
