"""A shape as the list of its components: simple shapes, each with its place in the body's frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.algebra import times
from engine.scene.spec import Compound, Shape
from engine.shapes.turns import rotation_matrix


class Component(NamedTuple):
    shape: Shape  # anything but Compound
    place: np.ndarray  # (3,) m, its origin in the body frame
    turn: np.ndarray  # (3, 3) rotation into the body frame


def components(shape: Shape) -> list[Component]:
    """Those of a shape, compounds (also nested ones) taken apart, in authored order."""
    if not isinstance(shape, Compound):
        return [Component(shape, np.zeros(3), np.eye(3))]
    found = []
    for part, position, orientation in shape.parts:
        place, turn = np.array(position, float), rotation_matrix(np.array(orientation, float))
        for inner in components(part):
            found.append(Component(inner.shape, place + times(turn, inner.place), times(turn, inner.turn)))
    return found
