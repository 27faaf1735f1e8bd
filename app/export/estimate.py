"""How large a file will be, from what is counted in it. A guess to decide by: within a factor of two for tables and
arrays (measured), about that for the rest.

Numbers in text have some 17 digits while a body moves and few where it rests, for it was placed there. Packed arrays
of what moves hardly shrink, of what rests they shrink to nothing."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1_000_000

DIGITS, PLACED = 19.0, 5.0  # characters of a number with all its digits, and of one that was typed
POSE = {"quaternion": 7, "euler": 6}  # numbers of a pose
PACKED = 0.85  # of the bytes of an array of moving bodies

PER_KEY = {"usd": 44.0, "glb": 28.0, "blender": 120.0, "blend": 480.0, "fbx": 90.0, "maya": 150.0}
"""Bytes of one key of one body, position and rotation, with its time."""
PER_SAMPLE = {"houdini": 100.0, "alembic": 128.0}
"""Bytes of one frame of one body, whether it is keyed or not."""
PER_BODY = {"usd": 900.0, "glb": 700.0, "blender": 700.0, "blend": 2600.0, "fbx": 4000.0, "maya": 3200.0,
            "houdini": 500.0, "alembic": 1600.0}  # fmt: skip
"""Bytes of a body without its motion: transform, material, custom properties, its share of the meshes."""
FIXED = {"usd": 4000.0, "glb": 1500.0, "blender": 9000.0, "blend": 700_000.0, "fbx": 40_000.0, "maya": 3000.0,
         "houdini": 300.0, "alembic": 9000.0, "csv": 40.0, "json": 1200.0, "npz": 4500.0}  # fmt: skip
FILM_BITS, PICTURE_BYTES = 0.08, 0.4  # per pixel: of a film, of a PNG


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
    motion = PER_KEY.get(what.format, 0.0) * what.keys
    motion += PER_SAMPLE.get(what.format, 0.0) * what.bodies * what.frames
    return FIXED[what.format] + PER_BODY[what.format] * what.bodies + motion
