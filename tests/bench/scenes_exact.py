"""Scenes for the exact steps: islands of many contacts, at rest, and struck by (or, backward, built up by) one body."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from engine.params import PREVIEW_DT
from engine.scene.spec import Body, Hint, Material, Scene, Sphere
from tests.bench import scenes, scenes_forward
from tests.bench.ours import Ours

BLOW = (0.3, 0.1, -3.0)  # m/s
LANDING = (0.0, 0.3, -3.0)  # m/s
WALLS = {10: (4, 2), 30: (4, 7), 100: (8, 12)}
"""Bricks -> courses, width."""


def brick_wall(bricks: int) -> Scene:
    return scenes.wall(*WALLS[bricks])


def ball_pyramid(balls: int, radius: float = 0.1, friction: float = 1.0) -> Scene:
    """Balls in a square pyramid: 14 = 3^2 + 2^2 + 1, 30, 55, 91, 140.

    Friction 1 holds it; at 0.6 the one of 55 begins to slide."""
    layers = next(n for n in range(1, 100) if n * (n + 1) * (2 * n + 1) // 6 >= balls)
    material, bodies = Material(friction=friction), []
    for layer in range(layers):
        side, z = layers - layer, radius * (1.0 + math.sqrt(2.0) * layer)
        for i in range(side):
            for j in range(side):
                place = ((2 * i - side + 1) * radius, (2 * j - side + 1) * radius, z)
                bodies.append(Body(f"ball{layer}.{i}{j}", Sphere(radius), place, material=material))
    return Scene(bodies=bodies, name=f"{len(bodies)} balls stacked")


def slippery_pyramid(balls: int) -> Scene:
    """One that slides apart as it stands."""
    return ball_pyramid(balls, friction=0.4)


def settled_pile(boxes: int, seconds: float = 6.0) -> Scene:
    """Boxes dumped into a container and let come to rest by the fast engine."""
    scene = scenes_forward.pile(boxes)
    runner = Ours(scene, PREVIEW_DT)
    runner.run(round(seconds / PREVIEW_DT))
    x, q = runner.poses()
    nothing = (0.0, 0.0, 0.0)
    for i, body in enumerate(scene.bodies):
        if not body.static:
            body.position, body.orientation = tuple(x[i]), tuple(q[i] / np.linalg.norm(q[i]))
            body.velocity = body.angular_velocity = nothing
    return scene


def struck(scene: Scene, velocity: tuple[float, float, float] = BLOW) -> Scene:
    """The topmost body starts with a velocity, downward into what carries it."""
    top = topmost(scene)
    bodies = [dataclasses.replace(body, velocity=velocity) if body is top else body for body in scene.bodies]
    return Scene(bodies=bodies, name=f"{scene.name}, struck")


def arriving(scene: Scene, velocity: tuple[float, float, float] = LANDING, time: float = 0.05) -> Scene:
    """The topmost body came last, with a velocity (for runs backward). It came from the open side of a wall: along it,
    it would have come through its neighbours."""
    hint = Hint("launch", topmost(scene).name, velocity=velocity, time=time)
    return Scene(bodies=scene.bodies, hints=[hint], name=f"{scene.name}, built up")


def topmost(scene: Scene) -> Body:
    """The highest body, the most central of several."""
    moving = [body for body in scene.bodies if not body.static]
    centre = np.mean([body.position for body in moving], axis=0)

    def rank(body: Body) -> tuple[float, float]:
        return -round(body.position[2], 6), math.dist(body.position[:2], centre[:2])

    return min(moving, key=rank)
