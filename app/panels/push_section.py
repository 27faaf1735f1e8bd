"""PushSection: a push that the artist tries on a body: how strong, and where to."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal

from app.kit import NumberField, Section, Text, WordButton
from app.kit.layouts import row, wide
from app.kit.painting import space
from app.look.look import Look

STRONGEST = 1e6  # N
NO_PUSH = (0.0, 0.0, 0.0)


class PushSection(Section):
    """Signals:
    changed()      another push
    drag_asked()   it is to be dragged in the view
    """

    changed = Signal()
    drag_asked = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__(look, "Try a push", "at its middle")
        self.strength = NumberField(look, "Strength", "N", "", 2, 0.1, 0.0, STRONGEST, trim=True)
        self.way = NumberField(look, "Toward", "°", "", 0, 1.0, -360.0, 360.0, trim=True,
                               name="Direction on the ground, from X toward Y")  # fmt: skip
        self.rise = NumberField(look, "Upward", "°", "", 0, 1.0, -90.0, 90.0, trim=True, name="Angle upward")
        self.none = WordButton(look, "Let go")
        self.drag = WordButton(look, "Drag it in the view")
        self.drag.clicked.connect(self.drag_asked)
        words = "Toward is counted on the ground, from X toward Y."
        self.add(
            row(wide(self.strength), self.none, gap=space("s")),
            row(wide(self.way), wide(self.rise), gap=space("s")),
            self.drag,
            Text(look, words, "text3", "small", wraps=True),
        )
        for field in (self.strength, self.way, self.rise):
            field.previewed.connect(lambda value, field=field: self._put(field, value))
            field.committed.connect(lambda value, field=field: self._put(field, value))
        self.none.clicked.connect(lambda: self.set_push(NO_PUSH))
        self.none.setEnabled(False)

    @property
    def push(self) -> tuple[float, float, float]:
        """N, along the scene's axes."""
        way, rise = math.radians(self.way.value), math.radians(self.rise.value)
        flat = self.strength.value * math.cos(rise)
        return flat * math.cos(way), flat * math.sin(way), self.strength.value * math.sin(rise)

    def set_push(self, push: tuple[float, float, float]) -> None:
        x, y, z = push
        strength = math.hypot(x, y, z)
        self.strength.set_value(strength)
        if strength > 0.0:
            self.way.set_value(math.degrees(math.atan2(y, x)))
            self.rise.set_value(math.degrees(math.asin(max(-1.0, min(1.0, z / strength)))))
        self._tell()

    def _put(self, field: NumberField, value: float) -> None:
        field.set_value(value)
        self._tell()

    def _tell(self) -> None:
        self.none.setEnabled(self.strength.value > 0.0)
        self.changed.emit()
