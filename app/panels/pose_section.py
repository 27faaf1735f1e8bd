"""The sections about where bodies end: place, turn, size, arrival, motion at the ending."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import partial
from operator import attrgetter

from app.document import edits
from app.kit import AXES, NumberField, Section, Text, Toggle, axis_fields
from app.look.look import Look
from app.panels.body_model import Angles, common, common_axis, samples, set_spin, set_vector
from app.panels.editing import bind_axes, bind_selected
from app.panels.size_model import common_size, set_size, size_fields
from app.session.selection import Selection
from engine.scene.spec import Body, Scene
from engine.shapes.answers import SizeField

SMALLEST = 2e-4  # m, the thinnest a body may be made
AT_ENDING, IN_THE_MIDDLE = "Motion at the ending", "Motion in this frame"
DEFAULT_ARRIVAL = 0.5  # s before the end, when an arrival is switched on


class EndingSection(Section):
    """Position, rotation and size. Locked bodies keep theirs; when all are locked the fields are off."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Ending pose")
        self._angles = Angles()
        self._size_fields: tuple[SizeField, ...] = ()
        self.position = axis_fields(look, "Position", quantity="length", decimals=3, step=0.01)
        self.rotation = axis_fields(look, "Rotation", unit="°", quantity="angle", decimals=2, step=1.0, trim=True)
        self.sizes = [NumberField(look, axis, "", "length", 3, 0.005, minimum=SMALLEST) for axis in AXES]
        bind_axes(self.position, selection, "Move {}", partial(set_vector, field="position"))
        bind_axes(self.rotation, selection, "Rotate {}", self._angles.turned)
        bind_axes(self.sizes, selection, "Resize {}", self._resized)
        self.fields("Position", "m", *self.position)
        self.fields("Rotation", "", *self.rotation)
        self._size_block = self.fields("Size", "m", *self.sizes)
        self._size_note = Text(look, "Different shapes: size them one kind at a time.", "text3", "caption", wraps=True)
        self.add(self._size_note)

    def _resized(self, scene: Scene, ids: Collection[str], at: int, length: float) -> Scene:
        return set_size(scene, ids, self._size_fields[at], length)

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

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Arrival")
        self._selection = selection
        self.static = Toggle(look, "Static", "Never moves.")
        self.static.toggled.connect(
            lambda on: selection.edit("Make {} static" if on else "Free {}", edits.set_fields, static=on)
        )
        self.timed = Toggle(look, "Fixed arrival", "Off: each take decides when.")
        self.timed.toggled.connect(self._set_timed)
        self.seconds = NumberField(look, "", "s", "time", 2, 0.01, 0.0, 3600.0, name="Arrival")
        bind_selected(self.seconds, selection, "Time the arrival of {}",
                      lambda scene, ids, value: edits.set_fields(scene, ids, arrival=value))  # fmt: skip
        self.add(self.static, self.timed)
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

    def _set_timed(self, on: bool) -> None:
        words = f"{'Time' if on else 'Leave open'} the arrival of {{}}"
        self._selection.edit(words, edits.set_fields, arrival=self.seconds.value if on else None)


class MotionSection(Section):
    """Velocity and spin that a body has in the authored frame; folded away, because most endings are at rest."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, AT_ENDING, "at rest", folds=True, opened=False)
        self._document = selection.document
        self.velocity = axis_fields(look, "Velocity", decimals=2, step=0.05, trim=True)
        self.spin = axis_fields(look, "Spin", decimals=1, step=5.0, trim=True)
        bind_axes(self.velocity, selection, "Set the motion of {}", partial(set_vector, field="velocity"))
        bind_axes(self.spin, selection, "Set the motion of {}", set_spin)
        self.fields("Velocity", "m/s", *self.velocity)
        self.fields("Spin", "°/s", *self.spin)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        bodies = samples(bodies, attrgetter("velocity", "angular_velocity"))
        for axis in range(3):
            self.velocity[axis].set_value(*common_axis(bodies, "velocity", axis))
            turn = common_axis(bodies, "angular_velocity", axis)
            self.spin[axis].set_value(math.degrees(turn.value), turn.mixed)
        still = all(not any(body.velocity) and not any(body.angular_velocity) for body in bodies)
        self.heading.aside.set_text("at rest" if still else "moving")
        self.heading.rename(IN_THE_MIDDLE if self._document.shown.request.after > 0.0 else AT_ENDING)
