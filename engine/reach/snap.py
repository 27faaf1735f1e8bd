"""Snap: the nearest ending that a throw reached, settled until the exact engine says that it rests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.errors import ForegoneError
from engine.scene.reach_map import ReachMap, pose_of
from engine.scene.record import Quaternion, Vector
from engine.scene.settled import Settled
from engine.scene.spec import Scene
from engine.settle import settle

SETTLES = 0.1  # sizes: an ending that settles further away was another one

Told = Callable[[int, int], object]
"""Hears how many endings were tried, of how many; to stop, it raises."""


def snapped(scene: Scene, found: ReachMap, told: Told = lambda tried, count: None) -> Settled:
    """Where the body of the map rests, near where a throw of it came to rest, as near as can be to where it is in the
    scene. Raises ForegoneError."""
    body = scene.find(found.body)
    if body is None:
        raise ForegoneError(f"There is no body {found.name!r}.")
    nearest = found.nearest_to(body).rest
    for tried, rest in enumerate(nearest):
        told(tried, len(nearest))
        place, turn = as_pose(rest)
        put = [replace(each, position=place, orientation=turn) if each is body else each for each in scene.bodies]
        settled = settle(replace(scene, bodies=put), [body.id])
        ends = np.stack([rest, pose_of(*settled.poses[body.id])])
        if not settled.restless and np.ptp(found.features(ends), axis=0).max() <= SETTLES * found.size:
            return settled
    raise ForegoneError(f"No throw of {found.name} ends where it can rest.")


def as_pose(seven: np.ndarray) -> tuple[Vector, Quaternion]:
    x, y, z, w, i, j, k = (float(c) for c in seven)
    return (x, y, z), (w, i, j, k)
