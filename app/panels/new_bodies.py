"""New bodies of the shelf and the Add menu: sizes that stand well beside each other, resting on the ground."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from app.document.material_presets import PRESETS
from engine.scene.dice import PIPS
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Material, Plane, Sphere, Vector

BOX_EDGE = 0.2  # m, of a new box; the other shapes are about as large
DIE_EDGE = 0.1


def preset(name: str) -> Material:
    """A material of its own, as in the table of presets."""
    return replace(next(material for material in PRESETS if material.name == name))


def new_body(kind: str) -> Body:
    """A body of a kind in PLACEABLE, standing on the ground at the origin; it has no id and no colour yet."""
    return _MAKERS[kind]()


def wedge(length: float, width: float, height: float) -> Hull:
    """A ramp that rises along +x, its origin in the middle of its bounding box."""
    x, y, z = length / 2, width / 2, height / 2
    points = [(-x, -y, -z), (-x, y, -z), (x, -y, -z), (x, y, -z), (x, -y, z), (x, y, z)]
    return Hull(np.array(points))


def _box() -> Body:
    half = BOX_EDGE / 2
    return Body("Box", Box((half, half, half)), position=(0.0, 0.0, half), material=preset("Wood"))


def _die() -> Body:
    """Ends with its six on top."""
    half = DIE_EDGE / 2
    box = Box((half, half, half))
    return Body("Die", box, position=(0.0, 0.0, half), material=preset("Plastic"), extra={PIPS: True})


def _ball() -> Body:
    return Body("Ball", Sphere(0.1), position=(0.0, 0.0, 0.1), material=preset("Rubber"))


def _capsule() -> Body:
    """Lies along x: on its end it would fall over."""
    lying = (0.5**0.5, 0.0, 0.5**0.5, 0.0)
    return Body("Capsule", Capsule(0.06, 0.1), position=(0.0, 0.0, 0.06), orientation=lying, material=preset("Plastic"))


def _cylinder() -> Body:
    return Body("Cylinder", Cylinder(0.08, 0.1), position=(0.0, 0.0, 0.1), material=preset("Steel"))


def _ramp() -> Body:
    size: Vector = (0.8, 0.4, 0.3)
    return Body("Ramp", wedge(*size), position=(0.0, 0.0, size[2] / 2), material=preset("Wood"), static=True)


def _ground() -> Body:
    return Body("Ground", Plane(), static=True, material=preset("Stone"))


_MAKERS: Mapping[str, Callable[[], Body]] = {
    "box": _box,
    "die": _die,
    "sphere": _ball,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "ramp": _ramp,
    "ground": _ground,
}
PLACEABLE = tuple(_MAKERS)
"""Kinds that are one body; the other tiles of the shelf (mesh, wall, text) open a dialog."""
