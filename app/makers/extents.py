"""Boxes around bodies, along the world's axes."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Plane, Shape, Sphere, TriangleMesh
from engine.shapes.leaves import leaves
from engine.shapes.turns import IDENTITY, rotation_matrix


def body_extent(body: Body) -> tuple[np.ndarray, np.ndarray] | None:
    """Lowest and highest corner (3,) m of the box around a body, exact for every shape; None for an endless plane."""
    place, turn = np.array(body.position, float), rotation_matrix(body.orientation)
    found = [_solid_extent(leaf.shape, place + turn @ leaf.place, turn @ leaf.turn) for leaf in leaves(body.shape)]
    boxes = [box for box in found if box is not None]
    if not boxes:
        return None
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def extent(bodies: Iterable[Body]) -> tuple[np.ndarray, np.ndarray] | None:
    """The box around several bodies; planes do not count."""
    lows, highs = [], []
    for body in bodies:
        shape = body.shape
        half = (shape.radius,) * 3 if isinstance(shape, Sphere) else None
        if isinstance(shape, Box) and body.orientation == IDENTITY:
            half = shape.half
        if half is not None:  # thousands of these are usual: no arrays for each
            lows.append([c - h for c, h in zip(body.position, half, strict=True)])
            highs.append([c + h for c, h in zip(body.position, half, strict=True)])
        elif (box := body_extent(body)) is not None:
            lows.append(list(box[0]))
            highs.append(list(box[1]))
    return (np.min(lows, axis=0), np.max(highs, axis=0)) if lows else None


def _solid_extent(shape: Shape, place: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    if isinstance(shape, Plane):
        return None
    if isinstance(shape, (Hull, TriangleMesh)):
        points = place + (shape.points if isinstance(shape, Hull) else shape.vertices) @ turn.T
        return points.min(axis=0), points.max(axis=0)
    half = _half_extent(shape, turn)
    return place - half, place + half


def _half_extent(shape: Shape, turn: np.ndarray) -> np.ndarray:
    """Half the sizes of the box around a solid that is symmetric about its origin."""
    if isinstance(shape, Sphere):
        return np.full(3, shape.radius)
    if isinstance(shape, Box):
        return np.abs(turn) @ np.array(shape.half)
    axis = turn[:, 2]
    if isinstance(shape, Capsule):
        return np.abs(axis) * shape.half_length + shape.radius
    assert isinstance(shape, Cylinder)
    across = np.array([math.sqrt(max(0.0, 1.0 - float(c) ** 2)) for c in axis])
    return np.abs(axis) * shape.half_height + across * shape.radius
