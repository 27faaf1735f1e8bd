"""Rules for shapes: what makes a solid impossible, and how big it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.scene.flatness import is_flat
from engine.scene.spec import Box, Capsule, Compound, Cylinder, Hull, Plane, Sphere, TriangleMesh

DEEPEST_COMPOUND = 8  # compounds within compounds; also stops one that contains itself
THIN_TRIANGLE = 1e-12  # area over longest edge squared below which a triangle has no usable normal


class Fault(NamedTuple):
    """A problem of a shape before it is known whose shape it is."""

    code: str
    message: str  # completes "<body>: ..."
    fix: str


def is_number(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def is_vector(value: Any, length: int = 3) -> bool:
    return isinstance(value, tuple) and len(value) == length and all(is_number(c) for c in value)


def shape_faults(shape: Any, static: bool, depth: int = 0) -> Iterator[Fault]:
    """Everything wrong with one shape, parts of compounds included."""
    if isinstance(shape, Sphere):
        yield from _sizes(radius=shape.radius)
    elif isinstance(shape, Box):
        yield from _box_faults(shape)
    elif isinstance(shape, Capsule):
        yield from _sizes(radius=shape.radius, half_length=shape.half_length)
    elif isinstance(shape, Cylinder):
        yield from _sizes(radius=shape.radius, half_height=shape.half_height)
    elif isinstance(shape, Hull):
        yield from _hull_faults(shape)
    elif isinstance(shape, Compound):
        yield from _compound_faults(shape, static, depth)
    elif isinstance(shape, Plane):
        yield from _plane_faults(shape, static)
    elif isinstance(shape, TriangleMesh):
        yield from _mesh_faults(shape, static)
    else:
        yield Fault("shape-unknown", f"its shape is {_short(shape)}, which is no shape.", "Give it one.")


def _short(value: Any) -> str:
    """A value as it may stand in a message."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _sizes(**sizes: Any) -> Iterator[Fault]:
    for name, value in sizes.items():
        words = name.replace("_", " ")
        if not is_number(value):
            yield Fault(
                "size-not-a-number", f"its {words} is {_short(value)}, not a number.", "Enter a length in metres."
            )
        elif value <= 0.0:
            yield Fault("size-not-positive", f"its {words} is {value:g} m.", "A length must be above zero.")


def _box_faults(shape: Box) -> Iterator[Fault]:
    if isinstance(shape.half, tuple) and len(shape.half) == 3:
        yield from _sizes(half_x=shape.half[0], half_y=shape.half[1], half_z=shape.half[2])
    else:
        yield Fault(
            "size-not-a-number", f"its half sizes are {_short(shape.half)}.", "A box needs three lengths in metres."
        )


def _points_fault(points: Any, what: str) -> Fault | None:
    if not isinstance(points, np.ndarray) or points.ndim != 2 or points.shape[1] != 3:
        return Fault("points-malformed", f"its {what} are not rows of three numbers.", "Import the mesh again.")
    if not np.isfinite(points).all():
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        return Fault(
            "points-not-finite", f"number {row} of its {what} is not a finite place.", "Import the mesh again."
        )
    return None


def _hull_faults(shape: Hull) -> Iterator[Fault]:
    fault = _points_fault(shape.points, "hull points")
    if fault:
        yield fault
        return
    distinct = len(np.unique(shape.points, axis=0))
    if distinct < 4:
        yield Fault("hull-too-few-points", f"its hull has {distinct} different points.", "A solid needs at least four.")
    elif np.abs(shape.points).max() < 1e100 and is_flat(shape.points):
        yield Fault(
            "hull-flat", "the points of its hull all lie in one plane.", "Give it some thickness, or use a thin box."
        )


def _plane_faults(shape: Plane, static: bool) -> Iterator[Fault]:
    if not static:
        yield Fault("plane-moves", "a plane has no end and cannot move.", "Make the body static, or use a flat box.")
    if not is_vector(shape.normal) or not 0.0 < math.hypot(*shape.normal) < math.inf:
        yield Fault(
            "plane-normal", f"its plane normal {_short(shape.normal)} points nowhere.", "Use for example (0, 0, 1)."
        )
    if not is_vector(shape.point):
        yield Fault(
            "plane-point", f"its plane point {_short(shape.point)} is not a place.", "Use for example (0, 0, 0)."
        )


def _mesh_faults(shape: TriangleMesh, static: bool) -> Iterator[Fault]:
    if not static:
        yield Fault(
            "mesh-moves",
            "a triangle mesh is a surface without mass and cannot move.",
            "Make the body static, or use its hull or a compound of hulls.",
        )
    fault = _points_fault(shape.vertices, "mesh vertices")
    if fault:
        yield fault
        return
    triangles = shape.triangles
    if not isinstance(triangles, np.ndarray) or triangles.ndim != 2 or triangles.shape[1] != 3 or len(triangles) == 0:
        yield Fault("mesh-malformed", "its triangles are not rows of three whole numbers.", "Import the mesh again.")
        return
    wrong = np.flatnonzero(((triangles < 0) | (triangles >= len(shape.vertices))).any(axis=1))
    if len(wrong):
        yield Fault(
            "mesh-index",
            f"{len(wrong)} of its triangles (first: {wrong[0]}) use vertices that do not exist.",
            "Import the mesh again.",
        )
        return
    thin = _thin_triangles(shape.vertices[triangles])
    if len(thin):
        yield Fault(
            "mesh-degenerate",
            f"{len(thin)} of its triangles (first: {thin[0]}) have no area.",
            "Remove them: merge doubled vertices and delete empty faces.",
        )


def _thin_triangles(corners: np.ndarray) -> np.ndarray:
    sides = corners - np.roll(corners, 1, axis=1)
    longest = np.abs(sides).max(axis=(1, 2))
    with np.errstate(all="ignore"):
        scaled = sides / longest[:, None, None]  # relative, so that tiny and huge triangles do not under- or overflow
        area = 0.5 * np.linalg.norm(np.cross(scaled[:, 0], scaled[:, 1]), axis=1)
    return np.flatnonzero(~(area > THIN_TRIANGLE))


def _compound_faults(shape: Compound, static: bool, depth: int) -> Iterator[Fault]:
    if depth >= DEEPEST_COMPOUND:
        yield Fault("compound-too-deep", "its compound is nested too deeply.", "Put the parts side by side.")
        return
    if not isinstance(shape.parts, list) or not shape.parts:
        yield Fault("compound-empty", "its compound has no parts.", "Add a part, or delete the body.")
        return
    for number, part in enumerate(shape.parts, start=1):
        if not isinstance(part, tuple) or len(part) != 3:
            yield Fault(
                "compound-part", f"part {number} is {_short(part)}.", "A part is (shape, position, orientation)."
            )
            continue
        inner, position, orientation = part
        if not is_vector(position):
            yield Fault("position", f"part {number} stands at {_short(position)}.", "Enter three numbers in metres.")
        if not is_vector(orientation, 4) or not any(orientation):
            yield Fault(
                "orientation", f"part {number} has the orientation {_short(orientation)}.", "Reset its rotation."
            )
        for fault in shape_faults(inner, static, depth + 1):
            yield fault._replace(message=f"in part {number}, {fault.message}")


def reach(shape: Any) -> float:
    """Rough radius (m) of a faultless shape about its origin; 0 for a plane."""
    if isinstance(shape, Sphere):
        return float(shape.radius)
    if isinstance(shape, Box):
        return math.hypot(*shape.half)
    if isinstance(shape, Capsule):
        return float(shape.radius + shape.half_length)
    if isinstance(shape, Cylinder):
        return math.hypot(shape.radius, shape.half_height)
    if isinstance(shape, Compound):
        return max(math.hypot(*position) + reach(part) for part, position, _ in shape.parts)
    if isinstance(shape, (Hull, TriangleMesh)):
        return float(np.abs(shape.points if isinstance(shape, Hull) else shape.vertices).max())
    return 0.0


def smallest(shape: Any) -> float:
    """Smallest extent (m) of a faultless shape, roughly; inf for a plane."""
    if isinstance(shape, Sphere):
        return 2.0 * float(shape.radius)
    if isinstance(shape, Box):
        return 2.0 * float(min(shape.half))
    if isinstance(shape, Capsule):
        return 2.0 * float(shape.radius)
    if isinstance(shape, Cylinder):
        return 2.0 * float(min(shape.radius, shape.half_height))
    if isinstance(shape, Compound):
        return min(smallest(part) for part, _, _ in shape.parts)
    if isinstance(shape, Hull):
        return float(np.ptp(shape.points, axis=0).min())
    return math.inf
