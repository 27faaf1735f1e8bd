"""The sections about where bodies end: place, turn, size, arrival, motion at the ending."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import attrgetter

from app.document import edits
from app.document.document import Document
from app.look.look import Look
from app.panels.body_model import Angles, common, common_axis, samples, set_arrival, set_spin, set_vector, who
from app.panels.editing import bind
from app.panels.number_field import NumberField
from app.panels.section import Section
from app.panels.size_model import common_size, set_size, size_fields
from app.panels.text import Text
from app.panels.toggle import Toggle
from app.session.selection import Selection
from engine.scene.spec import Body, Scene
from engine.shapes.answers import SizeField

AXES = "XYZ"
SMALLEST = 2e-4  # m, the thinnest a body may be made
AT_ENDING, IN_THE_MIDDLE = "Motion at the ending", "Motion in this frame"
DEFAULT_ARRIVAL = 0.5  # s before the end, when an arrival is switched on


class EndingSection(Section):
    """Position, rotation and size. Locked bodies keep theirs; when all are locked the fields are off."""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, "Ending pose")
        self._look, self._document, self._selection = look, document, selection
        self._angles = Angles()
        self._size_fields: tuple[SizeField, ...] = ()
        self.position = [
            self._field(f"Position {axis}", axis, "", "length", 3, 0.01, self._mover(k)) for k, axis in enumerate(AXES)
        ]
        self.rotation = [
            self._field(f"Rotation {axis}", axis, "°", "angle", 2, 1.0, self._turner(k)) for k, axis in enumerate(AXES)
        ]
        self.sizes = [self._size_field(k) for k in range(3)]
        self.fields("Position", "m", *self.position)
        self.fields("Rotation", "", *self.rotation)
        self._size_block = self.fields("Size", "m", *self.sizes)
        self._size_note = Text(look, "Different shapes: size them one kind at a time.", "text3", "caption", wraps=True)
        self.add(self._size_note)

    def _field(
        self,
        name: str,
        label: str,
        unit: str,
        quantity: str,
        decimals: int,
        step: float,
        edit: Callable[..., Scene],
    ) -> NumberField:
        field = NumberField(self._look, label, unit, quantity, decimals, step, trim=quantity == "angle", name=name)
        verb = "Move" if quantity == "length" else "Rotate"
        bind(field, self._document, lambda: f"{verb} {who(self._selection.bodies())}", edit)
        return field

    def _mover(self, axis: int) -> Callable[..., Scene]:
        return lambda scene, value: set_vector(scene, self._selection.ids, "position", axis, value)

    def _turner(self, axis: int) -> Callable[..., Scene]:
        return lambda scene, value: self._angles.turned(scene, self._selection.ids, axis, value)

    def _size_field(self, at: int) -> NumberField:
        field = NumberField(self._look, AXES[at], "", "length", 3, 0.005, minimum=SMALLEST)
        bind(
            field,
            self._document,
            lambda: f"Resize {who(self._selection.bodies())}",
            lambda scene, value: set_size(scene, self._selection.ids, self._size_fields[at], value),
        )
        return field

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        free = any(not body.locked for body in bodies)
        turned = samples(bodies, attrgetter("orientation"))
        for axis in range(3):
            self.position[axis].set_value(*common_axis(bodies, "position", axis))
            self.rotation[axis].set_value(*self._angles.common(turned, axis))
        for field in (*self.position, *self.rotation, *self.sizes):
            field.setEnabled(free)
        shaped = samples(bodies, lambda body: id(body.shape))
        self._size_fields = size_fields(shaped)
        self._size_block.setVisible(bool(self._size_fields))
        self._size_note.setVisible(len({type(body.shape) for body in shaped}) > 1)
        for at, field in enumerate(self.sizes):
            field.setVisible(at < len(self._size_fields))
            if at < len(self._size_fields):
                entry = self._size_fields[at]
                field.rename(entry.label, entry.name)
                field.set_value(*common_size(shaped, entry))


class ArrivalSection(Section):
    """Does it move at all, and when does it come to rest?"""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, "Arrival")
        self._document, self._selection = document, selection
        self.static = Toggle(look, "Static", "Never moves.")
        self.static.toggled.connect(self._set_static)
        self.timed = Toggle(look, "Fixed arrival", "Off: each take decides when.")
        self.timed.toggled.connect(self._set_timed)
        self.seconds = NumberField(look, "", "s", "time", 2, 0.01, 0.0, 3600.0, name="Arrival")
        bind(
            self.seconds,
            document,
            lambda: f"Time the arrival of {who(selection.bodies())}",
            lambda scene, value: set_arrival(scene, selection.ids, value),
        )
        self.add(self.static)
        self.add(self.timed)
        self._row = self.fields("Comes to rest", "before the end", self.seconds)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        bodies = samples(bodies, attrgetter("static", "arrival"))
        static = common(bodies, lambda body: body.static)
        self.static.set_on(None if static.mixed else static.value)
        timed = common(bodies, lambda body: body.arrival is not None)
        self.timed.set_on(None if timed.mixed else timed.value)
        self.timed.setEnabled(static.mixed or not static.value)
        self._row.setVisible(any(body.arrival is not None for body in bodies) and self.timed.isEnabled())
        arrival = common(bodies, lambda body: body.arrival)
        self.seconds.set_value(arrival.value if arrival.value is not None else DEFAULT_ARRIVAL, arrival.mixed)

    def _set_static(self, on: bool) -> None:
        words = f"{'Make' if on else 'Free'} {who(self._selection.bodies())}{' static' if on else ''}"
        self._document.edit(words, edits.set_fields(self._document.scene, self._selection.ids, static=on))

    def _set_timed(self, on: bool) -> None:
        seconds = self.seconds.value if on else None
        words = f"{'Time the' if on else 'Leave open the'} arrival of {who(self._selection.bodies())}"
        self._document.edit(words, set_arrival(self._document.scene, self._selection.ids, seconds))


class MotionSection(Section):
    """Velocity and spin that a body has in the authored frame; folded away, because most endings are at rest."""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, AT_ENDING, "at rest", folds=True, opened=False)
        self._document, self._selection, self._look = document, selection, look
        self.velocity = [self._field(f"Velocity {axis}", axis, 2, 0.05, self._pusher(k)) for k, axis in enumerate(AXES)]
        self.spin = [self._field(f"Spin {axis}", axis, 1, 5.0, self._spinner(k)) for k, axis in enumerate(AXES)]
        self.fields("Velocity", "m/s", *self.velocity)
        self.fields("Spin", "°/s", *self.spin)

    def _field(self, name: str, axis: str, decimals: int, step: float, edit: Callable[..., Scene]) -> NumberField:
        field = NumberField(self._look, axis, decimals=decimals, step=step, trim=True, name=name)
        bind(field, self._document, lambda: f"Set the motion of {who(self._selection.bodies())}", edit)
        return field

    def _pusher(self, axis: int) -> Callable[..., Scene]:
        return lambda scene, value: set_vector(scene, self._selection.ids, "velocity", axis, value)

    def _spinner(self, axis: int) -> Callable[..., Scene]:
        return lambda scene, value: set_spin(scene, self._selection.ids, axis, value)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        bodies = samples(bodies, attrgetter("velocity", "angular_velocity"))
        for axis in range(3):
            self.velocity[axis].set_value(*common_axis(bodies, "velocity", axis))
            turn = common_axis(bodies, "angular_velocity", axis)
            self.spin[axis].set_value(math.degrees(turn.value), turn.mixed)
        still = all(not any(body.velocity) and not any(body.angular_velocity) for body in bodies)
        self.heading.aside.set_text("at rest" if still else "moving")
        self.heading.rename(IN_THE_MIDDLE if self._document.shown.request.after > 0.0 else AT_ENDING)
