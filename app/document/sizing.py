"""Shapes scaled along the world's axes.

A box, hull or mesh follows each axis; a sphere stays a sphere; a capsule or cylinder keeps its round section. A turned
shape cannot be sheared: each of its own axes takes the scale of the world's axes, weighted by how far it points along
them.
"""

from __future__ import annotations

import numpy as np

from engine.scene.spec import Quaternion, Shape, Vector
from engine.shapes.answers import THINNEST
from engine.shapes.ask import ask
from engine.shapes.turns import rotation_matrix


def scaled_shape(shape: Shape, orientation: Quaternion, factors: Vector) -> Shape:
    """The shape under a scale along the world's axes; factors are taken without sign."""
    weight = rotation_matrix(orientation) ** 2  # [world, own]: how far an own axis points along a world axis
    return ask(shape).scaled(np.abs(np.asarray(factors, float)) @ weight, THINNEST)
