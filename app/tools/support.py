"""How far a body reaches along a direction, exactly, for every shape. No Qt."""

from __future__ import annotations

import math

import numpy as np

from engine.scene.spec import (
    Body,
    Box,
    Capsule,
    Cylinder,
    Hull,
    Plane,
    Quaternion,
    Shape,
    Sphere,
    TriangleMesh,
)
from engine.shapes.leaves import Leaf, leaves
from engine.shapes.turns import rotation_matrix

AXIS_DIRECTIONS = np.vstack([np.eye(3), -np.eye(3)])


def reach(shape: Shape, orientation: Quaternion, directions: np.ndarray) -> np.ndarray:
    """The largest d . x over the points x (m, from the shape's origin) of a turned shape, for directions d (k, 3).

    Infinite where a plane has no end."""
    own = np.atleast_2d(np.asarray(directions, float)) @ rotation_matrix(orientation)
    return np.max([_leaf_reach(leaf, own) for leaf in leaves(shape)], axis=0)


def _leaf_reach(leaf: Leaf, directions: np.ndarray) -> np.ndarray:
    shape, d = leaf.shape, directions @ leaf.turn
    length = np.sqrt(np.einsum("ij,ij->i", d, d))
    if isinstance(shape, Sphere):
        far = shape.radius * length
    elif isinstance(shape, Box):
        far = np.abs(d) @ np.array(shape.half)
    elif isinstance(shape, Capsule):
        far = shape.half_length * np.abs(d[:, 2]) + shape.radius * length
    elif isinstance(shape, Cylinder):
        far = shape.half_height * np.abs(d[:, 2]) + shape.radius * np.hypot(d[:, 0], d[:, 1])
    elif isinstance(shape, Hull):
        far = (d @ shape.points.T).max(axis=1)
    elif isinstance(shape, TriangleMesh):
        far = (d @ shape.vertices.T).max(axis=1)
    else:
        assert isinstance(shape, Plane)
        far = _plane_reach(shape, d, length)
    return far + directions @ leaf.place


def _plane_reach(shape: Plane, d: np.ndarray, length: np.ndarray) -> np.ndarray:
    normal = np.array(shape.normal) / math.hypot(*shape.normal)
    along = d @ normal >= length * (1.0 - 1e-12)
    return np.where(along, d @ np.array(shape.point), np.inf)


def lowest(shape: Shape, orientation: Quaternion) -> float:
    """Height (m) of a turned shape's lowest point over its origin: mostly negative."""
    return -float(reach(shape, orientation, np.array([[0.0, 0.0, -1.0]]))[0])


def bottom(body: Body) -> float:
    """Height (m) of a body's lowest point over the ground."""
    return body.position[2] + lowest(body.shape, body.orientation)


def bounds(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (m) of the box along the world's axes around a body."""
    far = reach(body.shape, body.orientation, AXIS_DIRECTIONS)
    at = np.array(body.position)
    return at - far[3:], at + far[:3]
