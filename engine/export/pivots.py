"""Pivots: a body that came from another program may have been an object whose own frame lies elsewhere in the solid.
Its motion goes back to that very frame, so that keys fit the object they came from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.scene.spec import Body, Scene
from engine.shapes.surface import Surface
from engine.shapes.turns import rotation_matrix


@dataclass(frozen=True)
class Pivot:
    """Pose of the object's frame in the body's."""

    place: tuple[float, float, float]  # m
    turn: tuple[float, float, float, float]  # w x y z

    def surface(self, surface: Surface) -> Surface:
        """A surface in the body's frame, seen from the object's."""
        turn = rotation_matrix(self.turn)
        points = (surface.points - np.array(self.place)) @ turn
        return replace(surface, points=points, normals=surface.normals @ turn)

    def carried(self, x: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where the object's frame is while the body's is at x (k, 3), q (k, 4)."""
        w, v = q[:, :1], q[:, 1:]
        place = np.broadcast_to(np.array(self.place), v.shape)
        across = 2.0 * np.cross(v, place)
        a, u = self.turn[0], np.array(self.turn[1:])
        turned = np.concatenate([w * a - (v * u).sum(1, keepdims=True), w * u + a * v + np.cross(v, u)], axis=1)
        return x + place + w * across + np.cross(v, across), turned


def pivots_of(scene: Scene) -> dict[int, Pivot]:
    """Place of a body in the scene -> its pivot, for those that have one (engine/layout/merge.py)."""
    found = ((i, pivot_of(body)) for i, body in enumerate(scene.bodies))
    return {i: pivot for i, pivot in found if pivot is not None}


def pivot_of(body: Body) -> Pivot | None:
    """None also for what cannot be understood: a project may say anything in its extra fields."""
    value: Any = body.extra.get("pivot")
    try:
        (x, y, z), (a, b, c, d) = ([float(number) for number in part] for part in value)
    except (TypeError, ValueError):
        return None
    length = math.hypot(a, b, c, d)
    if not (math.isfinite(x + y + z) and math.isfinite(length) and length > 0.0):
        return None
    return Pivot((x, y, z), (a / length, b / length, c / length, d / length))
