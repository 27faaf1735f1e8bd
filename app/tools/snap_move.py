"""Snapping of a move that follows the mouse: to the grid, the ground, or the surface under the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.tools.lock import Lock
from app.tools.snapping import rested, snapped
from app.tools.stage import Surface
from engine.scene.spec import Body, Quaternion, Vector
from engine.shapes.extent import bottom
from engine.shapes.turns import inverse, product


class Landing(NamedTuple):
    """Where a snapped move ends."""

    along: Vector  # m, on the axes of the gesture
    place: Vector | None = None  # m, of the active body, to the last bit
    turn: Quaternion | None = None  # about the active body's place, before the move


def on_grid(active: Body, along: Vector, lock: Lock, step: float) -> Landing:
    """The active body comes to lie on the grid; along one axis, or along its own ones, it goes in steps instead, so
    that what is off the grid can keep its distance to it."""
    if lock.local or (lock.axis is not None and not lock.plane):
        return Landing((snapped(along[0], step), snapped(along[1], step), snapped(along[2], step)))
    at = active.position
    x, y, z = (snapped(at[k] + along[k], step) if loose else at[k] for k, loose in enumerate(lock.free))
    return Landing((x - at[0], y - at[1], z - at[2]), (x, y, z))


def to_ground_offset(bodies: Sequence[Body]) -> float:
    """How far (m) up the lowest of these bodies must go to stand on z = 0."""
    lowest = min(bottom(body) for body in bodies)
    return -lowest if np.isfinite(lowest) else 0.0


def on_surface(active: Body, surface: Surface, align: bool) -> Landing:
    """The active body comes to stand on a surface; the others keep their places beside it."""
    landed = rested(active, surface.point, surface.normal, align)
    x, y, z = (to - at for to, at in zip(landed.position, active.position, strict=True))
    turned = landed.orientation != active.orientation
    turn = product(landed.orientation, inverse(active.orientation)) if turned else None
    return Landing((x, y, z), landed.position, turn)
