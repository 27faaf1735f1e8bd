"""New bodies of the shelf and the Add menu: sizes that stand well beside each other, resting on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from app.document.material_presets import PRESETS
from engine.scene.dice import PIPS
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Material, Sphere

LYING = (0.5**0.5, 0.0, 0.5**0.5, 0.0)  # along x


def new_body(kind: str) -> Body:
    """A body of a kind in PLACEABLE, standing on the ground at the origin; it has no id and no colour yet."""
    body = PLACEABLE[kind]
    return replace(body, material=replace(body.material), extra=dict(body.extra))


def preset(name: str) -> Material:
    return next(material for material in PRESETS if material.name == name)


def wedge(length: float, width: float, height: float) -> Hull:
    """A ramp that rises along +x, its origin in the middle of its bounding box."""
    x, y, z = length / 2, width / 2, height / 2
    points = [(-x, -y, -z), (-x, y, -z), (x, -y, -z), (x, y, -z), (x, -y, z), (x, y, z)]
    return Hull(np.array(points))


PLACEABLE: Mapping[str, Body] = {
    "box": Body("Box", Box((0.1, 0.1, 0.1)), (0.0, 0.0, 0.1), material=preset("Wood")),
    # Ends with its six on top.
    "die": Body("Die", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.05), material=preset("Plastic"), extra={PIPS: True}),
    "sphere": Body("Ball", Sphere(0.1), (0.0, 0.0, 0.1), material=preset("Rubber")),
    # On its end it would fall over.
    "capsule": Body("Capsule", Capsule(0.06, 0.1), (0.0, 0.0, 0.06), LYING, preset("Plastic")),
    "cylinder": Body("Cylinder", Cylinder(0.08, 0.1), (0.0, 0.0, 0.1), material=preset("Steel")),
    "ramp": Body("Ramp", wedge(0.8, 0.4, 0.3), (0.0, 0.0, 0.15), material=preset("Wood"), static=True),
}
"""Kinds that are one body; the other tiles of the shelf (mesh, wall, text) open a dialog."""
