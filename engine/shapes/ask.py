"""Who answers for a shape. A compound asks its parts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.algebra import times
from engine.functions import cube_root
from engine.scene.faults import DEEPEST_COMPOUND, Fault, is_vector, short
from engine.scene.spec import Box, Capsule, Compound, Cylinder, Hull, Plane, Shape, Sphere, TriangleMesh
from engine.shapes.answers import THINNEST, Extent, Magnitude, Pieces, ShapeAnswers, around
from engine.shapes.box import BoxAnswers
from engine.shapes.capsule import CapsuleAnswers
from engine.shapes.cloud import extent_fields
from engine.shapes.components import components
from engine.shapes.cylinder import CylinderAnswers
from engine.shapes.hull import HullAnswers
from engine.shapes.inertia import MassProperties, together
from engine.shapes.plane import PlaneAnswers
from engine.shapes.sphere import SphereAnswers
from engine.shapes.surface import Surface, joined_surface
from engine.shapes.triangle_mesh import TriangleMeshAnswers


def ask(shape: Shape) -> ShapeAnswers[Any]:
    answers = ANSWERS.get(type(shape))
    if answers is None:
        raise TypeError(f"{shape!r:.40} is no shape")
    return answers(shape)


def shape_faults(shape: Any, static: bool, depth: int = 0) -> Iterator[Fault]:
    """Everything wrong with what should be a shape, parts of compounds included."""
    if type(shape) in ANSWERS:
        yield from ask(shape).faults(static, depth)
    else:
        yield Fault("shape-unknown", f"its shape is {short(shape)}, which is no shape.", "Give it one.")


class CompoundAnswers(ShapeAnswers[Compound]):
    """Parts add up, also where they overlap."""

    word = "Joined shape"

    @property
    def massive(self) -> bool:  # type: ignore[override]
        return all(ask(part.shape).massive for part in components(self.shape))

    @property
    def rolls(self) -> bool:  # type: ignore[override]
        parts = components(self.shape)
        return len(parts) == 1 and ask(parts[0].shape).rolls

    def faults(self, static: bool, depth: int = 0) -> Iterator[Fault]:
        if depth >= DEEPEST_COMPOUND:
            yield Fault("compound-too-deep", "its compound is nested too deeply.", "Put the parts side by side.")
            return
        if not isinstance(self.shape.parts, list) or not self.shape.parts:
            yield Fault("compound-empty", "its compound has no parts.", "Add a part, or delete the body.")
            return
        for number, part in enumerate(self.shape.parts, start=1):
            if not isinstance(part, tuple) or len(part) != 3:
                yield Fault(
                    "compound-part", f"part {number} is {short(part)}.", "A part is (shape, position, orientation)."
                )
                continue
            inner, position, orientation = part
            if not is_vector(position):
                yield Fault("position", f"part {number} stands at {short(position)}.", "Enter three numbers in metres.")
            if not is_vector(orientation, 4) or not any(orientation):
                yield Fault(
                    "orientation", f"part {number} has the orientation {short(orientation)}.", "Reset its rotation."
                )
            for fault in shape_faults(inner, static, depth + 1):
                yield fault._replace(message=f"in part {number}, {fault.message}")

    def mass(self, density: float) -> MassProperties:
        parts = []
        for part in components(self.shape):
            own = ask(part.shape).mass(density)
            place, turn = part.place + times(part.turn, own.center), part.turn
            parts.append(MassProperties(own.mass, place, times(times(turn, own.inertia), turn.T)))
        return parts[0] if len(parts) == 1 else together(parts)

    def volume(self) -> float | None:
        parts = [ask(part).volume() for part, _, _ in self.shape.parts]
        return None if None in parts else math.fsum(part for part in parts if part is not None)

    def reach(self, directions: np.ndarray) -> np.ndarray:
        parts = components(self.shape)
        found = [ask(part.shape).reach(times(directions, part.turn)) + times(directions, part.place) for part in parts]
        return np.max(found, axis=0)

    def box(self, place: np.ndarray, turn: np.ndarray) -> Extent | None:
        """Planes do not count."""
        found = [
            ask(part.shape).box(place + times(turn, part.place), times(turn, part.turn))
            for part in components(self.shape)
        ]
        return around([box for box in found if box is not None])

    def scale(self) -> Magnitude:
        parts = [(2.0 * math.hypot(*place), ask(part).scale()) for part, place, _ in self.shape.parts]
        return Magnitude(max(away + part.large for away, part in parts), min(part.thin for _, part in parts))

    def scaled(self, factors: np.ndarray, least: float = 0.0) -> Compound:
        """As a whole, to keep its round parts round."""
        mean = cube_root(float(np.prod(factors)))
        parts = [
            (ask(part).scaled(np.full(3, mean), least), tuple(mean * c for c in place), turn)
            for part, place, turn in self.shape.parts
        ]
        return replace(self.shape, parts=parts)

    def surface(self) -> Surface:
        return joined_surface([(ask(part.shape).surface(), part.place, part.turn) for part in components(self.shape)])

    def points(self) -> np.ndarray:
        parts = components(self.shape)
        return np.concatenate([times(ask(part.shape).points(), part.turn.T) + part.place for part in parts])

    def pieces(self, place: np.ndarray, turn: np.ndarray, shrink: float) -> Pieces:
        parts = components(self.shape)
        found = [
            ask(part.shape).pieces(place + times(turn, part.place), times(turn, part.turn), shrink) for part in parts
        ]
        return Pieces(
            [solid for pieces in found for solid in pieces.solids],
            np.concatenate([pieces.triangles for pieces in found]),
            tuple(plane for pieces in found for plane in pieces.planes),
        )


def _grown(answers: ShapeAnswers, axis: int, factor: float) -> Shape:
    return answers.scaled(np.full(3, factor), THINNEST)


CompoundAnswers.sizes = extent_fields(CompoundAnswers, _grown)

ANSWERS: dict[type, type[ShapeAnswers[Any]]] = {
    Sphere: SphereAnswers,
    Box: BoxAnswers,
    Capsule: CapsuleAnswers,
    Cylinder: CylinderAnswers,
    Hull: HullAnswers,
    Compound: CompoundAnswers,
    Plane: PlaneAnswers,
    TriangleMesh: TriangleMeshAnswers,
}
