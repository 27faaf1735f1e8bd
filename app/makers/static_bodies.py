"""Things that never move: what endings stand on and lean against. Each stands on the ground at the origin.

Sizes are outer sizes in metres.
"""

from __future__ import annotations

import math

import numpy as np

from app.makers.lengths import on_grid
from engine.scene.spec import Body, Box, Compound, Hull, Material, Plane, Quaternion, Shape, Vector

WOOD = Material(name="Wood", density=650.0, friction=0.45, restitution=0.35)
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)
Part = tuple[Shape, Vector, Quaternion]


def new_plane(height: float = 0.0) -> Body:
    """An endless floor at a height."""
    return Body("Plane", Plane((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)), (0.0, 0.0, height), material=WOOD, static=True)


def new_slope(degrees: float = 20.0) -> Body:
    """An endless floor that rises toward +x, through the origin."""
    angle = math.radians(degrees)
    return Body("Slope", Plane((-math.sin(angle), 0.0, math.cos(angle))), material=WOOD, static=True)


def new_table(length: float = 1.2, depth: float = 0.8, height: float = 0.75, thickness: float = 0.04) -> Body:
    """A top on four legs; the origin is the middle of the top's upper face, so that z is the height it offers."""
    length, depth, height, thickness = (on_grid(v) for v in (length, depth, height, thickness))
    leg = on_grid(min(0.06, 0.25 * length, 0.25 * depth))
    top: Part = (Box((0.5 * length, 0.5 * depth, 0.5 * thickness)), (0.0, 0.0, -0.5 * thickness), UPRIGHT)
    x, y, tall = 0.5 * (length - leg), 0.5 * (depth - leg), height - thickness
    legs: list[Part] = [
        (Box((0.5 * leg, 0.5 * leg, 0.5 * tall)), (sx * x, sy * y, -thickness - 0.5 * tall), UPRIGHT)
        for sx in (-1.0, 1.0)
        for sy in (-1.0, 1.0)
    ]
    return Body("Table", Compound([top, *legs]), (0.0, 0.0, height), material=WOOD, static=True)


def new_ramp(length: float = 1.0, depth: float = 0.5, height: float = 0.35) -> Body:
    """A wedge that rises toward +x."""
    x, y, z = (0.5 * on_grid(v) for v in (length, depth, height))
    corners = [[sx * x, sy * y, sz * z] for sx, sz in ((-1, -1), (1, -1), (1, 1)) for sy in (-1, 1)]
    return Body("Ramp", Hull(np.array(corners)), (0.0, 0.0, z), material=WOOD, static=True)


def new_barrier(length: float = 2.0, height: float = 1.0, thickness: float = 0.1) -> Body:
    """A straight wall in one piece, along x."""
    x, y, z = (0.5 * on_grid(v) for v in (length, thickness, height))
    return Body("Barrier", Box((x, y, z)), (0.0, 0.0, z), material=WOOD, static=True)


def new_bin(length: float = 0.6, depth: float = 0.4, height: float = 0.3, thickness: float = 0.02) -> Body:
    """An open box: a floor and four walls that touch without overlapping."""
    length, depth, height, thickness = (on_grid(v) for v in (length, depth, height, thickness))
    half, inner = 0.5 * thickness, 0.5 * depth - thickness
    lift = 0.5 * thickness  # the origin is the middle of the whole
    floor: Part = (Box((0.5 * length, 0.5 * depth, half)), (0.0, 0.0, half - 0.5 * height), UPRIGHT)
    tall = 0.5 * (height - thickness)
    walls: list[Part] = [
        (Box((0.5 * length, half, tall)), (0.0, sign * (0.5 * depth - half), lift), UPRIGHT) for sign in (-1.0, 1.0)
    ]
    walls += [(Box((half, inner, tall)), (sign * (0.5 * length - half), 0.0, lift), UPRIGHT) for sign in (-1.0, 1.0)]
    return Body("Bin", Compound([floor, *walls]), (0.0, 0.0, 0.5 * height), material=WOOD, static=True)


NEW_STATIC = {
    "Plane": new_plane,
    "Slope": new_slope,
    "Table": new_table,
    "Ramp": new_ramp,
    "Barrier": new_barrier,
    "Bin": new_bin,
}
