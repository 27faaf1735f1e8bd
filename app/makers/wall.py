"""Brick walls, laid dry: courses stand on each other without bed joints, so that every brick is carried.

All lengths are put on a binary grid (lengths.py): faces that touch have the same coordinate to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from app.look.look import body_palette
from app.makers.bonds import Course, Piece, english, flemish, running, stacked
from app.makers.lengths import on_grid
from app.makers.made import LIMIT, Batch, Made, counted, refuse, too_many
from app.makers.shades import shade
from engine.scene.spec import Body, Box, Material
from engine.shapes.turns import about

Bond = Literal["running", "stack", "flemish", "english"]
CLAY, SAND = body_palette()[0], body_palette()[1]
BRICK = Material(name="Fired brick", density=1900.0, friction=0.6, restitution=0.25)
_LAY = {"running": running, "stack": stacked, "flemish": flemish, "english": english}
THINNEST = 1e-3  # m, of a brick or of what a bond leaves of one


@dataclass(frozen=True)
class WallSpec:
    bond: Bond = "running"
    courses: int = 7
    bricks: int = 8  # whole bricks along a course, or around the tower
    length: float = 0.25  # m
    depth: float = 0.125
    height: float = 0.065
    joint: float = 0.0  # m, between neighbours in a course
    tower: bool = False  # a round one, in running bond


def make_wall(spec: WallSpec) -> Made:
    """Bricks of a wall along x, centred on the origin, standing on the ground; or of a round tower."""
    reason = _refusal(spec)
    if reason:
        return refuse(reason)
    rough = spec.courses * spec.bricks * (3 if spec.bond in ("flemish", "english") and not spec.tower else 1)
    if rough > 2 * LIMIT:
        return too_many(rough, "Use fewer courses or bricks.")
    placed = _tower(spec) if spec.tower else _straight(spec)
    if isinstance(placed, Made):
        return placed
    if len(placed) > LIMIT:
        return too_many(len(placed), "Use fewer courses or bricks.")
    cut = 0 if spec.tower else _cut(spec)
    summary = counted(len(placed) - cut, "brick") + (f", {cut} cut" if cut else "")
    return Made((Batch("Tower" if spec.tower else "Wall", tuple(placed)),), f"{summary} · {_size(spec, placed)}")


def _refusal(spec: WallSpec) -> str:
    if spec.courses < 1 or spec.bricks < 1:
        return "A wall needs at least one course and one brick."
    sizes = (spec.length, spec.depth, spec.height, spec.joint)
    if not all(math.isfinite(value) for value in sizes) or min(sizes[:3]) < THINNEST or spec.joint < 0.0:
        return "A brick must be at least 1 mm long, deep and high, and the joint not negative."
    if spec.tower:
        return "A tower needs at least three bricks around." if spec.bricks < 3 else ""
    if spec.bond == "running" and spec.length - spec.joint < 2 * THINNEST:
        return "The joint leaves nothing of a half brick. Make it narrower."
    if spec.bond in ("flemish", "english") and spec.length - spec.depth - 2 * spec.joint < 2 * THINNEST:
        return "This bond needs bricks longer than deep. Make them longer, or choose running bond."
    return ""


def _straight(spec: WallSpec) -> list[Body] | Made:
    length, depth, height, joint = (on_grid(v) for v in (spec.length, spec.depth, spec.height, spec.joint))
    bodies: list[Body] = []
    for number in range(spec.courses):
        course: Course = _LAY[spec.bond](number, spec.bricks, length, depth, joint)
        if min(piece.length for piece in course.pieces) < 2.0 * joint:
            return refuse("The joint is too wide: cut bricks would drop into it. Make it narrower.")
        middle = on_grid(0.5 * course.length)
        for piece in course.pieces:
            half = (0.5 * piece.length, 0.5 * piece.depth, 0.5 * height)
            place = (piece.start + half[0] - middle, piece.across, (number + 0.5) * height)
            bodies.append(_brick(piece, half, place, len(bodies) + 1))
    return bodies


def _cut(spec: WallSpec) -> int:
    """How many pieces are no whole bricks."""
    sizes = (spec.bricks, on_grid(spec.length), on_grid(spec.depth), on_grid(spec.joint))
    return sum(piece.cut for number in range(spec.courses) for piece in _LAY[spec.bond](number, *sizes).pieces)


def _brick(piece: Piece, half: tuple[float, float, float], place: tuple[float, float, float], number: int) -> Body:
    color = shade(SAND if piece.cut else CLAY, number)
    return Body(f"{piece.name} {number}", Box(half), place, material=BRICK, color=color)


def _tower(spec: WallSpec) -> list[Body]:
    """Bricks around a circle, neighbours meeting at their inner edges; every other course turned by half a brick, so
    that each brick lies on two."""
    length, depth, height, joint = (on_grid(v) for v in (spec.length, spec.depth, spec.height, spec.joint))
    step = 2.0 * math.pi / spec.bricks
    radius = 0.5 * depth + 0.5 * (length + joint) / math.tan(0.5 * step)
    radius *= 1.0 + 1e-12  # rounding may open the seam, never close it
    bodies: list[Body] = []
    for number in range(spec.courses):
        for k in range(spec.bricks):
            angle = (k + 0.5 * (number % 2)) * step
            place = (radius * math.sin(angle), -radius * math.cos(angle), (number + 0.5) * height)
            turned = about((0.0, 0.0, 1.0), angle)
            half = (0.5 * length, 0.5 * depth, 0.5 * height)
            number_here = len(bodies) + 1
            color = shade(CLAY, number_here)
            bodies.append(Body(f"Brick {number_here}", Box(half), place, turned, material=BRICK, color=color))
    return bodies


def _size(spec: WallSpec, bodies: list[Body]) -> str:
    high = spec.courses * spec.height
    if spec.tower:
        across = 2.0 * (math.hypot(*bodies[0].position[:2]) + 0.5 * spec.depth)
        return f"{across:.2f} m across, {high:.2f} m high"
    wide = 2.0 * max(body.position[0] + body.shape.half[0] for body in bodies if isinstance(body.shape, Box))
    return f"{wide:.2f} m wide, {high:.2f} m high"
