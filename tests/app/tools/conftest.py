"""A stage with three boxes in a row, for tools to work on."""

from __future__ import annotations

import pytest
from fake_stage import FakeStage

from engine.scene.spec import Body, Box, Group, Scene


@pytest.fixture
def stage(qapp: object) -> FakeStage:
    half = Box((0.1, 0.1, 0.1))
    scene = Scene(
        [
            Body("Brick 1", half, (-0.6, 0.0, 0.1), id="a", group="g"),
            Body("Brick 2", half, (0.0, 0.1, 0.1), id="b", group="g"),
            Body("Brick 3", half, (0.7, 0.0, 0.1), id="c"),
        ],
        groups=[Group("g", "Wall")],
    )
    return FakeStage(scene)
