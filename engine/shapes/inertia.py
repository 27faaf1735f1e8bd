"""Mass, centre of mass and inertia, of solids put together and of polytopes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.algebra import dots, times
from engine.shapes.polytope import Polytope


class MassProperties(NamedTuple):
    mass: float  # kg
    center: np.ndarray  # (3,) m, in the frame of the shape
    inertia: np.ndarray  # (3, 3) kg m^2, about the centre of mass, axes of the shape


def together(parts: list[MassProperties]) -> MassProperties:
    """Sum of bodies by the parallel-axis theorem."""
    mass = math.fsum(part.mass for part in parts)
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        arm = part.center - center
        inertia += part.inertia + part.mass * (times(arm, arm) * np.eye(3) - np.outer(arm, arm))
    return MassProperties(mass, center, inertia)


def polytope_mass(polytope: Polytope, density: float) -> MassProperties:
    """Sum over tetrahedra from an inner point to a fan of triangles on every face.

    With the apex at the origin and corners a, b, c: volume = det[a b c] / 6, first moment = volume (a+b+c) / 4,
    second moment = volume / 20 (s s^T + a a^T + b b^T + c c^T), s = a + b + c.
    """
    apex = polytope.vertices.mean(axis=0)
    triangles = np.array([(f[0], f[k], f[k + 1]) for f in polytope.faces for k in range(1, len(f) - 1)])
    corners = polytope.vertices[triangles] - apex
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volumes = dots(a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    s = a + b + c
    arm = times(volumes, s) / (4.0 * volume)
    squares = sum(each[:, :, None] * each[:, None, :] for each in (s, a, b, c))
    second = np.add.reduce(volumes[:, None, None] * squares, axis=0)
    covariance = second / 20.0 - volume * np.outer(arm, arm)
    inertia = np.trace(covariance) * np.eye(3) - covariance
    return MassProperties(density * volume, apex + arm, density * inertia)
