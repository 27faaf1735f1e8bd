"""Bodies at rest in many ways, and strokes for them, as the sketch tool makes them."""

from __future__ import annotations

import math

import numpy as np

from engine.hints.lift import lift_arc, lift_line
from engine.hints.sketch import arc_hint, line_hint
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hint, Material, Plane, Scene, Sphere

EARTH = (0.0, 0.0, -9.81)
SLOPE = math.radians(10.0)
SLOPE_NORMAL = (math.sin(SLOPE), 0.0, math.cos(SLOPE))
RESTS = ("box", "upright box", "box on end", "sphere", "standing cylinder", "lying cylinder", "capsule", "die on table",
         "box on slope")  # fmt: skip


def turn(axis: str, degrees: float) -> tuple[float, float, float, float]:
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * (axis == other) for other in "xyz"))  # type: ignore[return-value]


def resting(rest: str, friction: float, restitution: float, *hints: Hint) -> Scene:
    """A body "it" at rest, alone but for what it stands on."""
    material = Material(friction=friction, restitution=restitution)
    on = {
        "die on table": [Body("table", Box((0.6, 0.6, 0.2)), (0, 0, 0.2), static=True, material=material)],
        "box on slope": [Body("slope", Plane(SLOPE_NORMAL), static=True, material=material)],
    }.get(rest, [])
    shape, place, pose = {
        "box": (Box((0.2, 0.15, 0.05)), (0, 0, 0.05), turn("z", 20)),
        "upright box": (Box((0.2, 0.15, 0.05)), (0, 0, 0.15), turn("x", 90)),
        "box on end": (Box((0.2, 0.15, 0.08)), (0, 0, 0.2), turn("y", 90)),
        "sphere": (Sphere(0.1), (0, 0, 0.1), turn("z", 0)),
        "standing cylinder": (Cylinder(0.1, 0.1), (0, 0, 0.1), turn("z", 0)),
        "lying cylinder": (Cylinder(0.1, 0.15), (0, 0, 0.1), turn("x", 90)),
        "capsule": (Capsule(0.08, 0.12), (0, 0, 0.08), turn("y", 90)),
        "die on table": (Box((0.05, 0.05, 0.05)), (0.1, 0.1, 0.45), turn("z", 10)),
        "box on slope": (Box((0.15, 0.1, 0.05)), tuple(0.05 * np.array(SLOPE_NORMAL)), turn("y", 10)),
    }[rest]
    it = Body("it", shape, place, pose, material)  # type: ignore[arg-type]
    return Scene([*on, it], ground=rest != "box on slope", hints=list(hints))


def came_from(bearing: float, distance: float) -> tuple[float, float, float]:
    return distance * math.cos(math.radians(bearing)), distance * math.sin(math.radians(bearing)), 0.0


def arc(bearing: float, height: float, distance: float = 1.0) -> Hint:
    return arc_hint("it", lift_arc(came_from(bearing, distance), (0.0, 0.0, 0.0), height, EARTH))


def line(bearing: float, distance: float, friction: float, rest: str = "box") -> Hint:
    normal = SLOPE_NORMAL if rest == "box on slope" else (0.0, 0.0, 1.0)
    return line_hint("it", lift_line(came_from(bearing, distance), (0.0, 0.0, 0.0), normal, friction, EARTH))
