"""Which objects of a layout are what things stand on: large and flat ones, beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.scene.spec import Body
from engine.shapes.ask import ask
from engine.shapes.turns import rotation_matrix

FLAT = 0.25  # of its shorter side: at most that thick
LARGE = 10.0  # times the area that the object in the middle of all covers


def extents(bodies: Sequence[Body]) -> np.ndarray:
    """(n, 2, 3) m: the box round each body; planes have none and stand as a point."""
    found = np.zeros((len(bodies), 2, 3))
    points: dict[int, np.ndarray] = {}
    for k, body in enumerate(bodies):
        if ask(body.shape).endless:
            found[k] = body.position
            continue
        if id(body.shape) not in points:
            points[id(body.shape)] = ask(body.shape).points()
        world = points[id(body.shape)] @ rotation_matrix(body.orientation).T + np.array(body.position)
        found[k] = world.min(axis=0), world.max(axis=0)
    return found


def with_fixed_floors(bodies: Sequence[Body]) -> list[Body]:
    """Floors, tables and the like never move."""
    if len(bodies) < 2:
        return list(bodies)
    boxes = extents(bodies)
    x, y, z = (boxes[:, 1] - boxes[:, 0]).T
    usual = float(np.median(x * y))
    floor = (z <= FLAT * np.minimum(x, y)) & (x * y >= LARGE * usual)
    return [replace(body, static=True) if is_floor else body for body, is_floor in zip(bodies, floor, strict=True)]
