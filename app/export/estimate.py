"""How large a file will be, from what is counted in it: a guess to decide by, within a factor of two.

Numbers in text have some 17 digits while a body moves and few where it rests, for it was placed there. Packed arrays
of what moves hardly shrink, of what rests they shrink to nothing. Fitted to takes of a wall of 45 bricks, a die on a
table and a word of 60 balls."""

from __future__ import annotations

from dataclasses import dataclass

from engine.scene.dice import is_die
from engine.scene.spec import Body, Shape
from engine.shapes.ask import ask
from engine.shapes.components import components

MEGABYTE = 1_000_000

DIGITS, PLACED = 19.0, 5.0  # characters of a number with all its digits, and of one that was typed
POSE = {"quaternion": 7, "euler": 6}  # numbers of a pose
PACKED = 0.85  # of the bytes of an array of moving bodies

PER_KEY = {"usd": 46.0, "glb": 29.0, "blend": 66.0, "fbx": 90.0, "maya": 110.0}
"""Bytes of one key of one body, position and rotation, with its time."""
PER_POSE = {"blender": 80.0, "alembic": 73.0}
"""Bytes of one pose that differs from the frame before; equal ones are kept once."""
PER_BODY = {"usd": 1100.0, "glb": 800.0, "blender": 620.0, "blend": 2600.0, "fbx": 4000.0, "maya": 3200.0,
            "alembic": 1500.0}  # fmt: skip
"""Bytes of a body without its motion: transform, material, custom properties, its share of the meshes."""
PER_POINT = {"maya": 90.0}
"""Bytes of one point of a body's surface, where bodies that look alike do not share it."""
PER_SHARED_POINT = {"usd": 65.0, "glb": 37.0, "blender": 27.0, "blend": 34.0, "fbx": 22.0, "alembic": 88.0}
"""Bytes of one point of a surface that all bodies share that look alike."""
FIXED = {"usd": 4000.0, "glb": 2500.0, "blender": 7000.0, "blend": 90_000.0, "fbx": 40_000.0, "maya": 3000.0,
         "houdini": 300.0, "alembic": 5000.0, "csv": 40.0, "json": 1200.0, "npz": 4500.0}  # fmt: skip
DIE = 488
FILM_BITS, PICTURE_BYTES = 0.036, 0.4  # per pixel: of a film, of a PNG


@dataclass(frozen=True)
class Contents:
    """What is counted in an export."""

    format: str
    bodies: int
    moving: int
    frames: int
    keys: int
    poses: int  # of all bodies and frames, those that differ from the frame before
    rotation: str = "quaternion"
    name_length: float = 8.0  # characters of a body's name, on average
    pixels: int = 0  # of one picture
    points: int = 0  # of the surfaces of all bodies
    shared_points: int = 0  # of all surfaces that differ


def estimated_bytes(what: Contents) -> float:
    numbers = POSE[what.rotation]
    if what.format == "csv":
        resting = what.bodies * what.frames - what.poses
        rows = what.bodies * what.frames * (DIGITS + what.name_length + 2.0)
        return FIXED["csv"] + rows + numbers * (what.poses * (DIGITS + 1.0) + resting * (PLACED + 1.0))
    if what.format == "json":
        resting = what.moving * what.frames - what.poses + (what.bodies - what.moving)
        motion = numbers * (what.poses * (DIGITS + 2.0) + resting * (PLACED + 2.0))
        return FIXED["json"] + motion + what.bodies * 260.0 + what.frames * 25.0
    if what.format == "npz":
        return FIXED["npz"] + PACKED * 8.0 * numbers * what.poses + 60.0 * what.bodies
    if what.format == "mp4":
        return FILM_BITS * what.pixels * what.frames / 8.0
    if what.format == "png":
        return PICTURE_BYTES * what.pixels * what.frames
    if what.format == "houdini":
        resting = what.bodies * what.frames - what.poses
        return FIXED["houdini"] + POSE["euler"] * (what.poses * DIGITS + resting * PLACED)
    motion = PER_KEY.get(what.format, 0.0) * what.keys + PER_POSE.get(what.format, 0.0) * what.poses
    solid = PER_BODY[what.format] * what.bodies + PER_POINT.get(what.format, 0.0) * what.points
    return FIXED[what.format] + solid + PER_SHARED_POINT.get(what.format, 0.0) * what.shared_points + motion


def points_of(body: Body) -> int:
    """Of the surface that is written for a body (engine/shapes/surface.py, engine/export/dice.py)."""
    return DIE if is_die(body) else sum(_points(part.shape) for part in components(body.shape))


def _points(shape: Shape) -> int:
    """All shapes that are pictures of one have as many."""
    if ask(shape).span() is None:
        return len(ask(shape).points())
    if type(shape) not in _counted:
        _counted[type(shape)] = len(ask(shape).points())
    return _counted[type(shape)]


_counted: dict[type, int] = {}
