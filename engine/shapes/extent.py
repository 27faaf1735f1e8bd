"""How far bodies reach, exactly, for every shape."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.algebra import times
from engine.scene.spec import Body, Quaternion, Shape
from engine.shapes.answers import Extent, around
from engine.shapes.ask import ask
from engine.shapes.turns import IDENTITY, rotation_matrix

AXIS_DIRECTIONS = np.vstack([np.eye(3), -np.eye(3)])
_UPRIGHT = np.eye(3)


def reach(shape: Shape, orientation: Quaternion, directions: np.ndarray) -> np.ndarray:
    """The largest d . x over the points x (m, from the shape's origin) of a turned shape, for directions d (k, 3).

    Infinite where a plane has no end."""
    return ask(shape).reach(times(np.atleast_2d(np.asarray(directions, float)), rotation_matrix(orientation)))


def lowest(shape: Shape, orientation: Quaternion) -> float:
    """Height (m) of a turned shape's lowest point over its origin: mostly negative."""
    return -float(reach(shape, orientation, np.array([[0.0, 0.0, -1.0]]))[0])


def bottom(body: Body) -> float:
    """Height (m) of a body's lowest point over the ground."""
    return body.position[2] + lowest(body.shape, body.orientation)


def bounds(body: Body) -> Extent:
    """Lowest and highest corner (m) of the box along the world's axes around a body; infinite where it has no end."""
    far = reach(body.shape, body.orientation, AXIS_DIRECTIONS)
    at = np.array(body.position)
    return at - far[3:], at + far[:3]


def body_extent(body: Body) -> Extent | None:
    """As `bounds`, without the planes of a body; None where nothing is left."""
    turn = _UPRIGHT if body.orientation == IDENTITY else rotation_matrix(body.orientation)
    return ask(body.shape).box(np.array(body.position, float), turn)


def extent(bodies: Iterable[Body]) -> Extent | None:
    """The box around several bodies; planes do not count."""
    return around([box for body in bodies if (box := body_extent(body)) is not None])
