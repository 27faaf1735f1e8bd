"""What the body panel shows and does, without a window: common values of many bodies, and edits of one value."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from app.document import edits
from app.document.material_presets import PRESETS
from app.look.number_text import length_text, mass_text
from engine.scene.spec import Body, Material, Quaternion, Scene, Vector
from engine.shapes.answers import ShapeAnswers
from engine.shapes.ask import ANSWERS, ask
from engine.shapes.sphere import RADIUS
from engine.shapes.turns import from_angles, to_angles

T = TypeVar("T")
CUSTOM = "Custom"
MOST_WEIGHED = 300  # bodies; above, adding up the masses would be felt


class Common(NamedTuple, Generic[T]):
    """The active body's value, and whether others have another."""

    value: T
    mixed: bool


def common(bodies: Sequence[Body], read: Callable[[Body], T]) -> Common[T]:
    """The last body is the active one. Stops at the first difference."""
    value = read(bodies[-1])
    return Common(value, any(read(body) != value for body in bodies))


def samples(bodies: Sequence[Body], read: Callable[[Body], Any]) -> list[Body]:
    """One body for each different value, the active body last: thousands of bodies mostly share a few, and what these
    have in common is soon found out. All bodies where values cannot be told apart by their hash."""
    try:
        by_value = {read(body): body for body in bodies}
    except TypeError:
        return list(bodies)
    by_value.pop(read(bodies[-1]), None)
    return [*by_value.values(), bodies[-1]]


def common_axis(bodies: Sequence[Body], field: str, axis: int) -> Common[float]:
    """One component of `position`, `velocity` or `angular_velocity`."""
    return common(bodies, lambda body: float(getattr(body, field)[axis]))


def common_material(bodies: Sequence[Body], field: str) -> Common[float]:
    return common(bodies, lambda body: float(getattr(body.material, field)))


def common_limit(bodies: Sequence[Body], field: str, end: int) -> Common[float]:
    """One end of what Generate may choose for `friction` or `restitution`."""
    return common(bodies, lambda body: float(getattr(body.material, f"{field}_limits")[end]))


def replaced(values: Vector, axis: int, value: float) -> Vector:
    """A vector with one component changed, the others bit for bit the same."""
    changed = list(values)
    changed[axis] = value
    return (changed[0], changed[1], changed[2])


def set_vector(scene: Scene, ids: Collection[str], axis: int, value: float, field: str) -> Scene:
    """One component of `position`, `velocity` or `angular_velocity`. What is locked does not change place."""
    chosen = edits.movable(scene, ids) if field == "position" else ids

    def changed(body: Body) -> Body:
        values: dict[str, Any] = {field: replaced(getattr(body, field), axis, value)}
        return replace(body, **values)

    return edits.alter(scene, chosen, changed)


class Angles:
    """Angles as the artist typed them.

    A quaternion does not tell 100 degrees about y from 180, 80, 180, so a field that only converted back would jump
    while it is dragged. Turns made here remember their angles; all others are converted.
    """

    MOST = 4096

    def __init__(self) -> None:
        self._typed: dict[Quaternion, Vector] = {}

    def common(self, bodies: Sequence[Body], axis: int) -> Common[float]:
        return common(bodies, lambda body: self.of(body.orientation)[axis])

    def of(self, orientation: Quaternion) -> Vector:
        found = self._typed.get(orientation)
        if found is None:
            found = to_angles(orientation)
            self._remember(orientation, found)
        return found

    def turned(self, scene: Scene, ids: Collection[str], axis: int, degrees: float) -> Scene:
        """One angle of many bodies; a body that has it already keeps its quaternion bit for bit."""

        def turn(body: Body) -> Body:
            angles = self.of(body.orientation)
            if angles[axis] == degrees:
                return body
            fresh = replaced(angles, axis, degrees)
            orientation = from_angles(fresh)
            self._remember(orientation, fresh)
            return replace(body, orientation=orientation)

        return edits.alter(scene, edits.movable(scene, ids), turn)

    def _remember(self, orientation: Quaternion, angles: Vector) -> None:
        if len(self._typed) >= self.MOST:
            self._typed.clear()
        self._typed[orientation] = angles


def set_spin(scene: Scene, ids: Collection[str], axis: int, degrees: float) -> Scene:
    return set_vector(scene, ids, axis, math.radians(degrees), "angular_velocity")


def set_range(scene: Scene, ids: Collection[str], ends: tuple[float, float] | None, field: str) -> Scene:
    """What Generate may choose for `friction` or `restitution`; None: the default range."""
    return edits.set_material(scene, ids, **{f"{field}_range": ends})


def set_coefficient(scene: Scene, ids: Collection[str], value: float, field: str) -> Scene:
    """`friction` or `restitution`; a range of its own is stretched so that the authored value stays inside."""

    def changed(body: Body) -> Body:
        ends = getattr(body.material, f"{field}_range")
        fields: dict[str, Any] = {field: value}
        if ends is not None:
            fields[f"{field}_range"] = (min(ends[0], value), max(ends[1], value))
        return replace(body, material=replace(body.material, **fields))

    return edits.alter(scene, ids, changed)


def assign_preset(scene: Scene, ids: Collection[str], name: str) -> Scene:
    material = next(entry for entry in PRESETS if entry.name == name)
    return edits.assign_material(scene, ids, material)


def _values(material: Material) -> tuple[float, float, float, float]:
    return (material.density, material.friction, material.restitution, material.rolling_friction)


_PRESET_NAMES = {_values(entry): entry.name for entry in PRESETS}


def preset_name(material: Material) -> str:
    """The preset whose values a material has (ranges for Generate do not count), else its own name, else "Custom"."""
    found = _PRESET_NAMES.get(_values(material))
    if found is not None:
        return found
    named = material.name and material.name not in _PRESET_NAMES.values()
    return material.name if named else CUSTOM


def material_samples(bodies: Sequence[Body]) -> list[Body]:
    """One body for each different material, the active body last: enough to know what their materials have in
    common."""
    by_object = samples(bodies, lambda body: id(body.material))
    return samples(by_object, lambda body: _MATERIAL_FIELDS(body.material))


_MATERIAL_FIELDS = attrgetter(
    "density", "friction", "restitution", "rolling_friction", "friction_range", "restitution_range", "name"
)


def kind_word(body: Body) -> str:
    return ANSWERS.get(type(body.shape), ShapeAnswers).word


def size_words(body: Body) -> str:
    """ "20 × 20 × 20 cm" in one unit, "Ø 20 cm", or "" where a shape has no end."""
    answers = ask(body.shape)
    if answers.sizes == (RADIUS,):
        return f"Ø {length_text(2 * answers.radius())}"
    size = answers.size()
    if size is None:
        return ""
    unit = length_text(max(size)).rsplit(" ", 1)[1]
    factor = {"mm": 1000.0, "cm": 100.0, "m": 1.0}[unit]
    return " × ".join(f"{factor * length:.4g}" for length in size) + f" {unit}"


def mass(body: Body) -> float | None:
    """kg; None for what never moves or has no volume."""
    found = None if body.static else ask(body.shape).volume()
    return None if found is None else found * body.material.density


def summary(bodies: Sequence[Body]) -> tuple[str, str]:
    """Title and sentence of the card: what is selected, how large and how heavy it is."""
    if len(bodies) > 1:
        words = "A dash marks a field where they differ; a new value goes to all of them."
        weight_words = _weight(bodies) if len(bodies) <= MOST_WEIGHED else ""
        return weight_words or "Several bodies", words
    body = bodies[0]
    weight = mass(body)
    size = size_words(body)
    material = preset_name(body.material)
    title = f"{kind_word(body)}, {mass_text(weight)}" if weight is not None else f"{kind_word(body)}, never moves"
    sentence = f"{size}. " if size else "Reaches as far as the scene. "
    return title, sentence + (f"{material}." if material != CUSTOM else "A material of its own.")


def _weight(bodies: Sequence[Body]) -> str:
    masses = [weight for body in bodies if (weight := mass(body)) is not None]
    return f"{mass_text(math.fsum(masses))} in all" if masses else ""
