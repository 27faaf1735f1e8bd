"""Single vectors outside compiled code."""

from __future__ import annotations

import math

import numpy as np

from engine.algebra import norm, times
from engine.functions import sine_cosine
from engine.scene.spec import Vector


def up_of(gravity: Vector) -> np.ndarray:
    """Unit vector against gravity; z without gravity."""
    strength = math.hypot(*gravity)
    return -np.array(gravity) / strength if strength > 0.0 else np.array([0.0, 0.0, 1.0])


def as_vector(value: np.ndarray) -> Vector:
    return float(value[0]), float(value[1]), float(value[2])


def across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors across a unit axis and each other."""
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= norm(first)
    return first, np.cross(axis, first)


def turned_about(up: np.ndarray, angle: float, v: np.ndarray) -> np.ndarray:
    """v turned by `angle` (rad) about a unit axis."""
    along = float(times(v, up)) * up
    s, c = sine_cosine(angle)
    return along + c * (v - along) + s * np.cross(up, v - along)
