"""Places that catch what is moved: the grid, steps of angle, the ground, surfaces. Functions of scenes; no Qt."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from app.document import edits
from app.tools.falling import Obstacles
from engine.scene.spec import Body, Quaternion, Scene
from engine.shapes.ask import ask
from engine.shapes.extent import bottom, reach
from engine.shapes.turns import between, product, rotate

UP = (0.0, 0.0, 1.0)
RESTING = 1e-9  # m, how far above a surface a body counts as standing on it


def snapped(value: float, step: float) -> float:
    """The nearest multiple of a step, as the decimal one would write (0.15, not 0.15000000000000002); the value itself
    when there is no step."""
    return round(step * round(value / step), 12) if step > 0.0 else value


def to_ground(scene: Scene, ids: Collection[str]) -> Scene:
    """Each body's lowest point on z = 0, from above or from below."""
    return edits.alter(scene, movable_solids(scene, ids), lambda body: _raised(body, -bottom(body)))


def drop(scene: Scene, ids: Collection[str]) -> Scene:
    """Bodies lowered until they first touch the ground or another body, the lowest first, so that a pile keeps its
    order. What touches something already, or has nothing under it, stays."""
    moving = movable_solids(scene, ids)
    chosen = set(moving)
    obstacles = Obstacles(scene, moving)
    bodies = sorted((body for body in scene.bodies if body.id in chosen), key=obstacles.bottom)
    dropped: dict[str, Body] = {}
    for body in bodies:
        fallen = obstacles.fall(body)
        dropped[body.id] = _raised(body, -fallen) if RESTING < fallen < math.inf else body
        obstacles.add(dropped[body.id])
    return edits.alter(scene, moving, lambda body: dropped[body.id])


def movable_solids(scene: Scene, ids: Collection[str]) -> list[str]:
    """Those of `ids` that may be moved and have a lowest point (planes have none)."""
    solid = {body.id for body in scene.bodies if not ask(body.shape).endless}
    return [key for key in edits.movable(scene, ids) if key in solid]


def rested(body: Body, point: np.ndarray, normal: np.ndarray, align: bool = False) -> Body:
    """A body over a point of a surface, its lowest point along the normal touching the surface's plane; with `align`
    its own z axis turned to the normal."""
    orientation = body.orientation
    if align:
        orientation = aligned(orientation, normal)
    height = float(reach(body.shape, orientation, -np.asarray(normal, float)[None, :])[0])
    if not math.isfinite(height):
        return body
    x, y, z = np.asarray(point, float) + height * np.asarray(normal, float)
    return replace(body, position=(float(x), float(y), float(z)), orientation=orientation)


def aligned(orientation: Quaternion, normal: np.ndarray) -> Quaternion:
    """Turned the short way so that the own z axis points along a normal."""
    return product(between(rotate(orientation, UP), (normal[0], normal[1], normal[2])), orientation)


def _raised(body: Body, by: float) -> Body:
    x, y, z = body.position
    return edits.changed(body, position=(x, y, z + by)) if by else body
