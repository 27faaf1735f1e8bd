"""Shapes scaled along the world's axes.

A box, hull or mesh follows each axis; a sphere stays a sphere; a capsule or cylinder keeps its round section. A turned
shape cannot be sheared: each of its own axes takes the scale of the world's axes, weighted by how far it points along
them.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.scene.spec import (
    Box,
    Capsule,
    Compound,
    Cylinder,
    Hull,
    Plane,
    Quaternion,
    Shape,
    Sphere,
    TriangleMesh,
    Vector,
)
from engine.shapes.turns import rotation_matrix

THINNEST = 1e-4  # m, half a size that scaling never goes below


def scaled_shape(shape: Shape, orientation: Quaternion, factors: Vector) -> Shape:
    """The shape under a scale along the world's axes; factors are taken without sign."""
    world = np.abs(np.asarray(factors, float))
    weight = rotation_matrix(orientation) ** 2  # [world, own]: how far an own axis points along a world axis
    own = world @ weight
    if isinstance(shape, Compound):
        mean = float(np.prod(own)) ** (1.0 / 3.0)
        return replace(
            shape,
            parts=[
                (scaled_shape(part, (1.0, 0.0, 0.0, 0.0), (mean, mean, mean)), tuple(mean * c for c in at), turned)
                for part, at, turned in shape.parts
            ],
        )
    return _scaled(shape, own)


def _scaled(shape: Shape, own: np.ndarray) -> Shape:
    def size(length: float, factor: float) -> float:
        return max(THINNEST, length * float(factor))

    across = math.sqrt(own[0] * own[1])
    if isinstance(shape, Sphere):
        return replace(shape, radius=size(shape.radius, float(np.prod(own)) ** (1.0 / 3.0)))
    if isinstance(shape, Box):
        half = (size(shape.half[0], own[0]), size(shape.half[1], own[1]), size(shape.half[2], own[2]))
        return replace(shape, half=half)
    if isinstance(shape, Capsule):
        return replace(shape, radius=size(shape.radius, across), half_length=size(shape.half_length, own[2]))
    if isinstance(shape, Cylinder):
        return replace(shape, radius=size(shape.radius, across), half_height=size(shape.half_height, own[2]))
    if isinstance(shape, Hull):
        return replace(shape, points=shape.points * np.maximum(own, THINNEST))
    if isinstance(shape, TriangleMesh):
        return replace(shape, vertices=shape.vertices * np.maximum(own, THINNEST))
    assert isinstance(shape, Plane)
    return shape
