"""What bodies look like from above, from the front and from the side: the hulls of their convex parts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from engine.algebra import times
from engine.scene.reach_map import PLANES, Plane
from engine.scene.spec import Body
from engine.shapes.ask import ask
from engine.shapes.components import components
from engine.shapes.turns import rotation_matrix

MOST = 400  # parts that are drawn: more would be a grey patch


def outlines(bodies: Iterable[Body]) -> dict[Plane, tuple[np.ndarray, ...]]:
    """Corners (h, 2), all the way round, of every part that has an end."""
    clouds = [cloud for body in bodies for cloud in _clouds(body)][:MOST]
    return {
        plane: tuple(hull for cloud in clouds if (hull := _hull(cloud[:, (right, up)])) is not None)
        for plane, (right, up, _) in PLANES.items()
    }


def _clouds(body: Body) -> list[np.ndarray]:
    """Points whose hulls are the parts of a body, in the world."""
    place, turn = np.array(body.position, float), rotation_matrix(body.orientation)
    parts = [part for part in components(body.shape) if not ask(part.shape).endless]
    return [times(times(ask(part.shape).points(), part.turn.T) + part.place, turn.T) + place for part in parts]


def _hull(points: np.ndarray) -> np.ndarray | None:
    try:
        found: np.ndarray = points[ConvexHull(points).vertices]
    except QhullError:  # seen from the edge
        return None
    return found
