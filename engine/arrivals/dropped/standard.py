"""The standard bodies of statistics: a box, a brick of 1:2:4, a capsule and a cylinder, of the default material.

What is round gets some rolling friction: without it nothing round ever comes to rest."""

from __future__ import annotations

import numpy as np

from engine.arrivals.dropped.drop import Setting
from engine.params import DEFAULT_DT
from engine.scene.spec import Box, Capsule, Cylinder, Material, Shape
from engine.shapes.ask import ask

GRAVITY = 9.81
ROLLING = 0.005  # m

SHAPES: dict[str, Shape] = {
    "box": Box((0.05, 0.04, 0.03)),
    "brick": Box((0.1, 0.05, 0.025)),
    "capsule": Capsule(0.05, 0.08),
    "cylinder": Cylinder(0.06, 0.07),
}

SIDES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "box": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    "brick": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    "capsule": ((1.0, 0.0, 0.0),),
    "cylinder": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
}
"""Sides up on which they come to rest; a brick on its end is too rare to wait for."""


def standard(name: str, dt: float = DEFAULT_DT) -> Setting:
    """The setting of a standard body."""
    material = Material()
    rolling = ROLLING if ask(SHAPES[name]).rolls else 0.0
    return Setting(SHAPES[name], material.friction, material.restitution, rolling, GRAVITY, dt)


def sides(name: str) -> list[np.ndarray]:
    return [np.array(side) for side in SIDES[name]]
