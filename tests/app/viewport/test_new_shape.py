"""A shape that the window has never seen is drawn, picked and dropped by what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from app.camera import Ray
from app.tools.snapping import drop
from app.viewport.layout import layout_of
from app.viewport.picking import cast
from engine.scene.record import Entry
from engine.scene.spec import Body, Hull, Scene
from engine.shapes.ask import ANSWERS
from engine.shapes.hull import HullAnswers


@dataclass(eq=False)
class Pyramid(Entry):
    half: float  # m, of its foot
    height: float  # m
    extra: dict[str, Any] = field(default_factory=dict)


class PyramidAnswers(HullAnswers):
    word = "Pyramid"

    def __init__(self, shape: Any) -> None:
        foot = [(x * shape.half, y * shape.half, 0.0) for x in (-1, 1) for y in (-1, 1)]
        super().__init__(Hull(np.array([*foot, (0.0, 0.0, shape.height)])))


def test_a_new_shape_needs_nothing_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWERS, Pyramid, PyramidAnswers)
    scene = Scene([Body("Pyramid", Pyramid(0.5, 1.0), (0.0, 0.0, 2.0))])  # type: ignore[arg-type]
    layout = layout_of(scene)
    (solids,) = layout.kinds.values()
    assert solids.mesh is not None and len(solids.mesh.edges) == 8
    assert layout.low[0].tolist() == [-0.5, -0.5, 2.0] and layout.high[0].tolist() == [0.5, 0.5, 3.0]
    hit = cast(layout, Ray(np.array([0.1, 0.0, 9.0]), np.array([0.0, 0.0, -1.0])))
    assert hit is not None and hit.distance == pytest.approx(9.0 - 2.8)
    assert drop(scene, [scene.bodies[0].id]).bodies[0].position[2] == pytest.approx(0.0, abs=1e-8)
