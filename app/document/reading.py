"""A project read for the studio: bodies with the same shape or material share one object.

In the studio scenes are values, so sharing is safe, and what is worked out about a shape (its mesh, its reach) is kept
by identity: for a wall of 3000 bricks it is then done once, not 3000 times.
"""

from __future__ import annotations

from collections.abc import Hashable
from os import PathLike

from app.document.edits import changed
from engine.scene.spec import Box, Capsule, Cylinder, Entry, Material, Scene, Sphere

SIMPLE = (Sphere, Box, Capsule, Cylinder, Material)  # made of numbers and text; others are hardly ever equal


def read_project(path: str | PathLike[str]) -> Scene:
    """Raises engine.errors.ProjectError. Needs no window: a thread can do it."""
    return shared(Scene.load(path))


def shared(scene: Scene) -> Scene:
    """The same scene, with one object for all equal shapes and materials."""
    known: dict[Hashable, Entry] = {}
    bodies = []
    for body in scene.bodies:
        shape, material = _first(body.shape, known), _first(body.material, known)
        alone = shape is body.shape and material is body.material
        bodies.append(body if alone else changed(body, shape=shape, material=material))
    scene.bodies = bodies  # nobody else has seen it yet
    return scene


def _first(record: Entry, known: dict[Hashable, Entry]) -> Entry:
    """The first equal record; equal to the bit, for 0.0 and -0.0 are told apart by what is made of them."""
    if not isinstance(record, SIMPLE) or record.extra:
        return record
    return known.setdefault((type(record), repr(record)), record)
