"""The size fields of each kind of shape: what they are called, how they are read and written. Lengths in m."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.document import edits
from app.document.sizing import THINNEST, scaled_shape
from app.panels.body_model import Common, common
from app.panels.volume import extents
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Scene, Shape, Sphere, TriangleMesh
from engine.shapes.turns import IDENTITY


@dataclass(frozen=True)
class SizeField:
    label: str  # inside the field
    name: str  # in full
    read: Callable[[Any], float]
    write: Callable[[Any, float], Shape]


def _edge(axis: int) -> Callable[[Box], float]:
    return lambda shape: 2.0 * shape.half[axis]


def _half_of(axis: int) -> Callable[[Box, float], Box]:
    def write(shape: Box, length: float) -> Box:
        half = list(shape.half)
        half[axis] = 0.5 * length
        return replace(shape, half=(half[0], half[1], half[2]))

    return write


def _extent(axis: int) -> Callable[[Shape], float]:
    def read(shape: Shape) -> float:
        found = extents(shape)
        return 0.0 if found is None else found[axis]

    return read


def _stretched(axis: int) -> Callable[[Shape, float], Shape]:
    """Hulls and meshes stretch along one of their axes; a compound grows as a whole, to keep its round parts round."""

    def write(shape: Shape, length: float) -> Shape:
        size = _extent(axis)(shape)
        if size <= 0.0:
            return shape
        factor = length / size
        if isinstance(shape, Compound):
            return scaled_shape(shape, IDENTITY, (factor, factor, factor))
        factors = [1.0, 1.0, 1.0]
        factors[axis] = factor
        by = np.array(factors)
        if isinstance(shape, Hull):
            return replace(shape, points=shape.points * by)
        assert isinstance(shape, TriangleMesh)
        return replace(shape, vertices=shape.vertices * by)

    return write


def _capsule_length(shape: Capsule, length: float) -> Capsule:
    return replace(shape, half_length=max(THINNEST, 0.5 * length - shape.radius))


_AXES = tuple(zip("XYZ", ("Width", "Depth", "Height"), strict=True))
_EXTENTS = tuple(SizeField(label, name, _extent(i), _stretched(i)) for i, (label, name) in enumerate(_AXES))

SIZE_FIELDS: dict[type, tuple[SizeField, ...]] = {
    Sphere: (SizeField("Radius", "Radius", lambda s: s.radius, lambda s, r: replace(s, radius=r)),),
    Box: tuple(SizeField(label, name, _edge(i), _half_of(i)) for i, (label, name) in enumerate(_AXES)),
    Capsule: (
        SizeField("Radius", "Radius", lambda s: s.radius, lambda s, r: replace(s, radius=r)),
        SizeField("Length", "Length over all", lambda s: 2.0 * (s.half_length + s.radius), _capsule_length),
    ),
    Cylinder: (
        SizeField("Radius", "Radius", lambda s: s.radius, lambda s, r: replace(s, radius=r)),
        SizeField("Height", "Height", lambda s: 2.0 * s.half_height, lambda s, h: replace(s, half_height=0.5 * h)),
    ),
    Hull: _EXTENTS,
    Compound: _EXTENTS,
    TriangleMesh: _EXTENTS,
}


def size_fields(bodies: Sequence[Body]) -> tuple[SizeField, ...]:
    """The fields that all of these bodies have: none when their kinds differ."""
    kinds = {type(body.shape) for body in bodies}
    return SIZE_FIELDS.get(kinds.pop(), ()) if len(kinds) == 1 else ()


def common_size(bodies: Sequence[Body], field: SizeField) -> Common[float]:
    return common(bodies, lambda body: field.read(body.shape))


def set_size(scene: Scene, ids: Collection[str], field: SizeField, length: float) -> Scene:
    """One size of many bodies of one kind, about their origins; locked ones keep theirs."""

    def resized(body: Body) -> Body:
        if field.read(body.shape) == length:
            return body
        return replace(body, shape=field.write(body.shape, length))

    return edits.alter(scene, edits.movable(scene, ids), resized)
