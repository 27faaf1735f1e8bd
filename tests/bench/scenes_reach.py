"""Endings that throws reach in some places only: a table with a hole, a cup. (The box with one exit is a demo.)"""

from __future__ import annotations

import math

from engine.scene.record import Quaternion
from engine.scene.spec import Body, Box, Compound, Cylinder, Material, Scene, Sphere
from engine.shapes.turns import about, product

HOLE = 0.11  # m, half a side of the hole: a die of .1 m falls through however it is turned
CUP, SIDES, LEAN = 0.2, 12, 0.25  # m, inner radius of the floor; walls, and how far they lean outward (rad)
BALL = Material(friction=0.5, restitution=0.4, rolling_friction=0.002)


def die_by_a_hole(half: float = 0.5) -> Scene:
    """A die of .1 m on a table that has a hole in its middle; there is nothing below."""
    side = 0.5 * (half - HOLE)
    parts = [(Box((side, half, 0.05)), (sign * (HOLE + side), 0.0, 0.0)) for sign in (-1, 1)]
    parts += [(Box((HOLE, side, 0.05)), (0.0, sign * (HOLE + side), 0.0)) for sign in (-1, 1)]
    table = Body("table", Compound(parts), (0.0, 0.0, -0.05), static=True, color="#8d7b68")
    return Scene([Body("die", Box((0.05, 0.05, 0.05)), (0.27, 0.1, 0.05)), table], ground=False)


def ball_in_a_cup() -> Scene:
    """A ball of .04 m on the level floor of a cup; it looks the same after a twelfth of a turn, and in a mirror."""
    parts: list[tuple[object, ...]] = [(Cylinder(CUP + 0.05, 0.01), (0.0, 0.0, 0.01))]
    for k in range(SIDES):
        angle = 2.0 * math.pi * k / SIDES
        turn: Quaternion = product(about((0, 0, 1), angle), about((0, 1, 0), LEAN))
        out = CUP + 0.1 * math.sin(LEAN) + 0.01
        wall = Box((0.01, 0.09, 0.12))
        parts.append((wall, (out * math.cos(angle), out * math.sin(angle), 0.11), turn))
    cup = Body("cup", Compound(parts), static=True, color="#7d8fa8")
    return Scene([Body("ball", Sphere(0.04), (0.05, 0.0, 0.06), material=BALL), cup])
