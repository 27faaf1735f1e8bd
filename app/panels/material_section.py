"""The section about what bodies are made of, and how far Generate may bend that."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

from app.document import edits
from app.document.material_presets import PRESETS
from app.kit import Choice, NumberField, RangeSlider, Section, Text, WordButton
from app.kit.layouts import FILL, row
from app.kit.painting import space
from app.look.look import Look
from app.look.number_text import MIXED
from app.panels.body_model import (
    assign_preset,
    common,
    common_limit,
    common_material,
    material_samples,
    preset_name,
    set_coefficient,
    set_range,
)
from app.panels.editing import bind_axes, bind_range, bind_selected
from app.session.selection import Selection
from engine.scene.spec import Body, Scene

VALUE_WIDTH = 64  # px, of the number behind a slider
WORDS = {"restitution": "bounce", "friction": "friction", "rolling_friction": "rolling", "density": "density"}


class _Kind(NamedTuple):
    """How a coefficient is shown: its slider's end, and the number behind it."""

    words: str
    end: float  # of the slider; more may be typed
    decimals: int  # of the slider
    unit: str  # of the number
    factor: float  # numbers per unit of the engine
    step: float
    largest: float


KINDS = {
    "restitution": _Kind("Bounce", 1.0, 2, "", 1.0, 0.01, 1.0),
    "friction": _Kind("Friction", 1.0, 2, "", 1.0, 0.01, 10.0),
    "rolling_friction": _Kind("Rolling", 0.01, 4, "mm", 1000.0, 0.1, 1000.0),
}
"""Rolling friction is a length of tenths of millimetres: in metres nobody could read it."""
TUNABLE = ("restitution", "friction")


class MaterialSection(Section):
    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Material")
        self._selection = selection
        self.preset = Choice(look, [material.name for material in PRESETS], "Material preset")
        self.preset.chosen.connect(lambda name: selection.edit(f"Make {{}} of {name.lower()}", assign_preset, name))
        self.density = NumberField(look, "", "kg/m³", "", 0, 10.0, 0.001, 1e6, name="Density")
        self._bind(self.density, "density")
        self.row("Preset", self.preset)
        self.row("Density", self.density)
        self.sliders = {field: RangeSlider(look, 0.0, kind.end, kind.decimals, kind.words)
                        for field, kind in KINDS.items()}  # fmt: skip
        self.values = {field: self._value(look, field) for field in KINDS}
        for field, kind in KINDS.items():
            self._bind(self.sliders[field], field)
            self._bind(self.values[field], field, kind.factor)
            self.row(kind.words, self.sliders[field], self.values[field])
        for field in TUNABLE:
            bind_range(self.sliders[field], selection, _change(field), partial(set_range, field=field))
        self.ranges = _Ranges(look, selection)
        note = "Takes may tune a collision inside the lit range."
        self.add(Text(look, note, "text3", "caption", wraps=True), self.ranges)

    @staticmethod
    def _value(look: Look, field: str) -> NumberField:
        kind = KINDS[field]
        made = NumberField(look, "", kind.unit, "", 2, kind.step, 0.0, kind.largest, framed=False, name=kind.words)
        made.setFixedWidth(VALUE_WIDTH)
        return made

    def _bind(self, control: NumberField | RangeSlider, field: str, factor: float = 1.0) -> None:
        def edit(scene: Scene, ids: Collection[str], value: float) -> Scene:
            if field in TUNABLE:
                return set_coefficient(scene, ids, value, field)
            return edits.set_material(scene, ids, **{field: value / factor})

        bind_selected(control, self._selection, _change(field), edit)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        bodies = material_samples(bodies)
        name = common(bodies, lambda body: preset_name(body.material))
        self.preset.set_text(MIXED if name.mixed else name.value)
        self.density.set_value(*common_material(bodies, "density"))
        for field, slider in self.sliders.items():
            found = common_material(bodies, field)
            slider.set_value(*found)
            self.values[field].set_value(KINDS[field].factor * found.value, found.mixed)
        for field in TUNABLE:
            self.sliders[field].set_range(getattr(bodies[-1].material, f"{field}_limits"))
        self.ranges.show_bodies(bodies)


class _Ranges(Section):
    """The ends of the lit ranges as numbers, for exact values and for the keyboard."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Tuning ranges", "usual", folds=True, opened=False)
        self._selection = selection
        self.ends = {field: self._pair(look, field) for field in TUNABLE}
        reset = WordButton(look, "Use the usual ranges", plain=True)
        reset.setToolTip("Bounce up to 1, friction down to 0")
        reset.clicked.connect(lambda: selection.edit(
            "Use the usual ranges for {}", edits.set_material, friction_range=None, restitution_range=None
        ))  # fmt: skip
        self.add(row(reset, FILL, gap=space("s")))

    def _pair(self, look: Look, field: str) -> list[NumberField]:
        kind = KINDS[field]
        made = [NumberField(look, end, "", "", 2, 0.01, 0.0, kind.largest, name=f"{kind.words} {end}")
                for end in ("from", "to")]  # fmt: skip
        bind_axes(made, self._selection, f"Change the range of {WORDS[field]} of {{}}", partial(self._ended, field))
        self.fields(kind.words, "", *made)
        return made

    def _ended(self, field: str, scene: Scene, ids: Collection[str], end: int, value: float) -> Scene:
        """The other end gives way where the two would cross."""
        body = next(entry for entry in scene.bodies if entry.id == self._selection.active)
        low, high = getattr(body.material, f"{field}_limits")
        return set_range(scene, ids, (value, max(value, high)) if end == 0 else (min(low, value), value), field)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        for field, pair in self.ends.items():
            for end, control in enumerate(pair):
                control.set_value(*common_limit(bodies, field, end))
        own = any(body.material.friction_range or body.material.restitution_range for body in bodies)
        self.heading.aside.set_text("your own" if own else "usual")


def _change(field: str) -> str:
    return f"Change {WORDS[field]} of {{}}"
