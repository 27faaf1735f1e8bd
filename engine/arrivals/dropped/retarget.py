"""Retargeting: the images of a drop that come to rest on a given pose.

With R_f the drop's resting orientation and R the wanted one, every symmetry S of the body, mirrors included, gives

    W = R S R_f^T        and an image, when W leaves the vertical as it is: as a turn about it or a mirror through it

States and impulses are moved, nothing is simulated again: that would come out differently (chaos, and impulses that are
not unique where corners are redundant).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.algebra import determinant, times
from engine.arrivals.dropped.motion import Motion
from engine.scene.spec import Shape
from engine.shapes.ask import ask
from engine.shapes.turns import rotation_matrix

UP = np.array([0.0, 0.0, 1.0])


class Image(NamedTuple):
    world: np.ndarray  # (3, 3)  W
    body: np.ndarray  # (3, 3)   S


def resting_side(q: np.ndarray) -> np.ndarray:
    """The direction of the body that points up."""
    return times(rotation_matrix(q).T, UP)


def images(shape: Shape, motion: Motion, q: np.ndarray, angle: float) -> list[Image]:
    """Every image that rests with orientation q; `angle` (rad) is the turn about the vertical of what stands on a
    circle, where any will do."""
    return [image_by(body, motion, q) for body in symmetries(shape, motion, q, angle)]


def symmetries(shape: Shape, motion: Motion, q: np.ndarray, angle: float) -> list[np.ndarray]:
    """(3, 3) S of these images."""
    return list(ask(shape).alike(resting_side(motion.q), resting_side(q), angle))


def image_by(body: np.ndarray, motion: Motion, q: np.ndarray) -> Image:
    """The one by a symmetry S."""
    return Image(_level(times(times(rotation_matrix(q), body), rotation_matrix(motion.q).T)), body)


def _level(w: np.ndarray) -> np.ndarray:
    """The turn about the vertical, or the mirror through it, that w is but for rounding."""
    c, s = w[0, 0], w[1, 0]
    length = math.hypot(c, s)
    c, s = c / length, s / length
    side = 1.0 if determinant(w) > 0.0 else -1.0
    return np.array([[c, -side * s, 0.0], [s, side * c, 0.0], [0.0, 0.0, 1.0]])
