"""Dice: which boxes have spots, and which side is up."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from app.document import edits
from engine.scene.dice import PIPS, SIDES, is_die
from engine.scene.spec import Body, Box, Quaternion, Scene, Vector
from engine.scene.vectors import up_of
from engine.shapes.turns import between, product, rotation_matrix

LEVEL = math.cos(math.radians(15.0))  # a side that points up as well as this is the one shown
FLAT = 1e-12  # a side turned up is level to rounding


def set_spots(scene: Scene, ids: Collection[str], on: bool) -> Scene:
    """Make boxes dice, or plain again."""

    def spotted(body: Body) -> Body:
        if not isinstance(body.shape, Box) or is_die(body) == on:
            return body
        others = {key: value for key, value in body.extra.items() if key != PIPS}
        return edits.changed(body, extra={**others, PIPS: True} if on else others)

    return edits.alter(scene, ids, spotted)


def number_up(body: Body, gravity: Vector) -> int | None:
    """The number a die shows; None while it stands on an edge."""
    ways = _ways(body.orientation) @ up_of(gravity)
    return list(SIDES.values())[int(ways.argmax())] if ways.max() > LEVEL else None


def show_number(scene: Scene, ids: Collection[str], number: int) -> Scene:
    """Turn dice the shortest way so that a side is up, standing where they stood. Locked ones stay."""
    up = up_of(scene.gravity)
    chosen = set(edits.movable(scene, ids))
    poses: dict[str, tuple[Vector, Quaternion]] = {}
    for body in scene.bodies:
        if body.id in chosen and isinstance(body.shape, Box) and is_die(body):
            way = _ways(body.orientation)[list(SIDES.values()).index(number)]
            if float(way @ up) < 1.0 - FLAT:
                turned = product(between(way.tolist(), up.tolist()), body.orientation)
                rise = _depth(body.shape, turned, up) - _depth(body.shape, body.orientation, up)
                x, y, z = (np.array(body.position) + rise * up).tolist()
                poses[body.id] = (x, y, z), turned
    return edits.place(scene, poses)


def _ways(orientation: Quaternion) -> np.ndarray:
    """(6, 3) where the sides point, in the order of SIDES."""
    axes = rotation_matrix(orientation)
    return np.array([sign * axes[:, axis] for axis, sign in SIDES])


def _depth(shape: Box, orientation: Quaternion, up: np.ndarray) -> float:
    """m from the middle of a box down to its lowest point."""
    parts = np.abs(up @ rotation_matrix(orientation))
    parts[parts < FLAT] = 0.0
    return float(parts @ np.array(shape.half))
