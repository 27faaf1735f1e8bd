"""One take with every shape, a fixed table, awkward names, and a body that spins: what the readers are asked about."""

from __future__ import annotations

import functools

import numpy as np

from engine.arrivals.options import Options
from engine.run import backward
from engine.scene.dice import PIPS
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hint, Hull, Material, Plane, Scene, Sphere
from engine.tape.take import Take


def mixed_scene() -> Scene:
    hull = Hull(np.array([[0.1, 0, -0.05], [-0.1, 0, -0.05], [0, 0.12, -0.05], [0, -0.12, -0.05], [0, 0, 0.15]]))
    ell = Compound([(Box((0.1, 0.04, 0.03)), (0.0, 0.0, 0.0)), (Box((0.03, 0.04, 0.05)), (0.07, 0.0, 0.08))])
    bouncy = Material(friction=0.4, restitution=0.5)
    bodies = [
        Body("die", Box((0.05, 0.05, 0.05)), (0.0, 0.0, 0.05), (0.9238795325112867, 0, 0, 0.3826834323650898), bouncy,
             extra={PIPS: True}),
        Body("Ball 1", Sphere(0.06), (0.5, 0.1, 0.06), material=bouncy),
        Body("Ball 1", Sphere(0.06), (0.5, -0.4, 0.06), material=bouncy),
        Body("Größe/7", Capsule(0.04, 0.08), (-0.5, 0.2, 0.04), (0.7071067811865476, 0, 0.7071067811865476, 0), bouncy),
        Body("can", Cylinder(0.05, 0.07), (0.1, 0.6, 0.07), material=bouncy),
        Body("stone", hull, (-0.5, -0.4, 0.05), material=bouncy),
        Body("ell", ell, (0.1, -0.6, 0.03), material=bouncy, color="#3366cc"),
        Body("table", Box((0.3, 0.3, 0.02)), (1.5, 0.0, 0.02), static=True),
        Body("wall", Plane((-1.0, 0.0, 0.0), (4.0, 0.0, 0.0)), static=True),
    ]  # fmt: skip
    hints = [Hint("bounce", "die", direction=(1.0, 0.0, 0.0), speed=1.5)]
    return Scene(bodies=bodies, ground=True, name="Mixed take", hints=hints)


@functools.cache
def mixed_take(seconds: float = 0.8) -> Take:
    return backward(mixed_scene(), seconds, 1 / 240, 3, Options(arrivals="ahead"))
