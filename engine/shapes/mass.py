"""Mass, centre of mass and inertia of every solid shape, in closed form."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.errors import GeometryError
from engine.scene.spec import Box, Capsule, Cylinder, Hull, Shape, Sphere
from engine.shapes.leaves import leaves
from engine.shapes.polytope import Polytope, convex_polytope

ROUND_OFF = 1e-12  # a centre of mass this close to the origin (relative to the size) is the origin


class MassProperties(NamedTuple):
    mass: float  # kg
    center: np.ndarray  # (3,) m, in the frame of the shape
    inertia: np.ndarray  # (3, 3) kg m^2, about the centre of mass, axes of the shape


def mass_properties(shape: Shape, density: float) -> MassProperties:
    """Exact for every solid; parts of a compound add up, also where they overlap.

    A centre of mass that differs from the origin only by round-off is set to zero, component by component: the
    state of a symmetric hull then starts exactly at its authored position.
    """
    parts = []
    for leaf in leaves(shape):
        own = _solid(leaf.shape, density)
        parts.append(
            MassProperties(own.mass, leaf.place + leaf.turn @ own.center, leaf.turn @ own.inertia @ leaf.turn.T)
        )
    if len(parts) == 1:
        mass, center, inertia = parts[0]
    else:
        mass, center, inertia = _together(parts)
    reach = math.sqrt(float(np.trace(inertia)) / mass) + float(np.linalg.norm(center))
    center = np.where(np.abs(center) <= ROUND_OFF * reach, 0.0, center)
    return MassProperties(mass, center, 0.5 * (inertia + inertia.T))


def _together(parts: list[MassProperties]) -> MassProperties:
    """Sum of bodies by the parallel-axis theorem."""
    mass = math.fsum(part.mass for part in parts)
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        arm = part.center - center
        inertia += part.inertia + part.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return MassProperties(mass, center, inertia)


def _solid(shape: Shape, density: float) -> MassProperties:
    origin = np.zeros(3)
    if isinstance(shape, Sphere):
        mass = density * 4.0 / 3.0 * math.pi * shape.radius**3
        return MassProperties(mass, origin, np.eye(3) * (0.4 * mass * shape.radius**2))
    if isinstance(shape, Box):
        x, y, z = shape.half
        mass = density * 8.0 * x * y * z
        return MassProperties(mass, origin, np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * (mass / 3.0))
    if isinstance(shape, Cylinder):
        r, h = shape.radius, shape.half_height
        mass = density * 2.0 * math.pi * r * r * h
        across = mass * (r * r / 4.0 + h * h / 3.0)
        return MassProperties(mass, origin, np.diag([across, across, 0.5 * mass * r * r]))
    if isinstance(shape, Capsule):
        return _capsule(shape.radius, shape.half_length, density)
    if isinstance(shape, Hull):
        return polytope_mass(convex_polytope(shape.points), density)
    raise GeometryError(f"a {type(shape).__name__} has no mass: it can only be static")


def _capsule(r: float, h: float, density: float) -> MassProperties:
    """A cylinder and two half balls, whose centres of mass lie 3/8 r beyond the ends of the segment."""
    tube = density * 2.0 * math.pi * r * r * h
    ball = density * 4.0 / 3.0 * math.pi * r**3
    across = tube * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r)
    along = 0.5 * tube * r * r + 0.4 * ball * r * r
    return MassProperties(tube + ball, np.zeros(3), np.diag([across, across, along]))


def polytope_mass(polytope: Polytope, density: float) -> MassProperties:
    """Sum over tetrahedra from an inner point to a fan of triangles on every face.

    With the apex at the origin and corners a, b, c: volume = det[a b c] / 6, first moment = volume (a+b+c) / 4,
    second moment = volume / 20 (s s^T + a a^T + b b^T + c c^T), s = a + b + c.
    """
    apex = polytope.vertices.mean(axis=0)
    triangles = np.array([(f[0], f[k], f[k + 1]) for f in polytope.faces for k in range(1, len(f) - 1)])
    corners = polytope.vertices[triangles] - apex
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    volume = float(volumes.sum())
    s = a + b + c
    arm = (volumes @ s) / (4.0 * volume)
    second = np.einsum("t,ti,tj->ij", volumes, s, s) + np.einsum("t,tki,tkj->ij", volumes, corners, corners)
    covariance = second / 20.0 - volume * np.outer(arm, arm)
    inertia = np.trace(covariance) * np.eye(3) - covariance
    return MassProperties(density * volume, apex + arm, density * inertia)
