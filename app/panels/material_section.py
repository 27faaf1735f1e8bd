"""The section about what bodies are made of, and how far Generate may bend that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHBoxLayout

from app.document import edits
from app.document.document import Document
from app.document.material_presets import PRESETS
from app.look.look import Look
from app.panels.body_model import (
    assign_preset,
    common,
    common_limit,
    common_material,
    material_samples,
    preset_name,
    set_coefficient,
    set_range,
    who,
)
from app.panels.buttons import WordButton
from app.panels.choice import Choice
from app.panels.control import space
from app.panels.editing import bind, bind_range
from app.panels.number_field import NumberField
from app.panels.number_text import MIXED
from app.panels.section import Section
from app.panels.slider import RangeSlider
from app.panels.text import Text
from app.session.selection import Selection
from engine.scene.spec import Body, Scene

VALUE_WIDTH = 64  # px, of the number behind a slider
LIMITS = {"restitution": (0.0, 1.0), "friction": (0.0, 1.0), "rolling_friction": (0.0, 0.01)}
"""Ends of the sliders; friction and rolling may be typed larger."""
WORDS = {"restitution": "bounce", "friction": "friction", "rolling_friction": "rolling", "density": "density"}


class MaterialSection(Section):
    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, "Material")
        self._look, self._document, self._selection = look, document, selection
        self.preset = Choice(look, [material.name for material in PRESETS], "Material preset")
        self.preset.chosen.connect(self._assign)
        self.density = NumberField(look, "", "kg/m³", "", 0, 10.0, 0.001, 1e6, name="Density")
        bind(self.density, document, self._label("density"), self._plain("density"))
        self.row("Preset", self.preset)
        self.row("Density", self.density)
        self.sliders: dict[str, RangeSlider] = {}
        self.values: dict[str, NumberField] = {}
        for field, words in (("restitution", "Bounce"), ("friction", "Friction"), ("rolling_friction", "Rolling")):
            self._coefficient(field, words)
        note = Text(look, "Takes may tune a collision inside the lit range.", "text3", "caption", wraps=True)
        self.add(note)
        self.ranges = _Ranges(look, document, selection)
        self.add(self.ranges)

    def _coefficient(self, field: str, words: str) -> None:
        low, high = LIMITS[field]
        rolling = field == "rolling_friction"
        slider = RangeSlider(self._look, low, high, 4 if rolling else 2, words)
        largest = {"restitution": 1.0, "friction": 10.0, "rolling_friction": 1000.0}[field]
        unit, step = ("mm", 0.1) if rolling else ("", 0.01)
        value = NumberField(self._look, "", unit, "", 2, step, 0.0, largest, framed=False, name=words)
        value.setFixedWidth(VALUE_WIDTH)
        edit = self._plain(field) if rolling else self._tunable(field)
        bind(slider, self._document, self._label(field), edit)
        bind(value, self._document, self._label(field), self._in_millimetres(field) if rolling else edit)
        if not rolling:
            bind_range(slider, self._document, self._label(field), self._ranger(field))
        self.sliders[field], self.values[field] = slider, value
        self.row(words, slider, value)

    def _label(self, field: str) -> Callable[[], str]:
        return lambda: f"Change {WORDS[field]} of {who(self._selection.bodies())}"

    def _plain(self, field: str) -> Callable[..., Scene]:
        return lambda scene, value: edits.set_material(scene, self._selection.ids, **{field: value})

    def _in_millimetres(self, field: str) -> Callable[..., Scene]:
        """Rolling friction is a length of tenths of millimetres: in metres nobody could read it."""
        return lambda scene, value: edits.set_material(scene, self._selection.ids, **{field: value / 1000.0})

    def _tunable(self, field: str) -> Callable[..., Scene]:
        return lambda scene, value: set_coefficient(scene, self._selection.ids, field, value)

    def _ranger(self, field: str) -> Callable[..., Scene]:
        return lambda scene, ends: set_range(scene, self._selection.ids, field, ends)

    def _assign(self, name: str) -> None:
        scene = assign_preset(self._document.scene, self._selection.ids, name)
        self._document.edit(f"Make {who(self._selection.bodies())} of {name.lower()}", scene)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        bodies = material_samples(bodies)
        name = common(bodies, lambda body: preset_name(body.material))
        self.preset.set_text(MIXED if name.mixed else name.value)
        self.density.set_value(*common_material(bodies, "density"))
        for field, slider in self.sliders.items():
            found = common_material(bodies, field)
            slider.set_value(*found)
            factor = 1000.0 if field == "rolling_friction" else 1.0
            self.values[field].set_value(factor * found.value, found.mixed)
        active = bodies[-1].material
        self.sliders["restitution"].set_range(active.restitution_limits)
        self.sliders["friction"].set_range(active.friction_limits)
        self.ranges.show_bodies(bodies)


class _Ranges(Section):
    """The ends of the lit ranges as numbers, for exact values and for the keyboard."""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, "Tuning ranges", "usual", folds=True, opened=False)
        self._document, self._selection, self._look = document, selection, look
        self.ends = {
            "restitution": self._pair("restitution", "Bounce", 1.0),
            "friction": self._pair("friction", "Friction", 10.0),
        }
        reset = WordButton(look, "Use the usual ranges", plain=True)
        reset.setToolTip("Bounce up to 1, friction down to 0")
        reset.clicked.connect(self._reset)
        line = QHBoxLayout()
        line.setSpacing(space("s"))
        line.addWidget(reset)
        line.addStretch(1)
        self.add(line)

    def _pair(self, field: str, words: str, largest: float) -> tuple[NumberField, NumberField]:
        low = NumberField(self._look, "from", "", "", 2, 0.01, 0.0, largest, name=f"{words} from")
        high = NumberField(self._look, "to", "", "", 2, 0.01, 0.0, largest, name=f"{words} to")
        for end, control in enumerate((low, high)):
            bind(
                control,
                self._document,
                lambda: f"Change the range of {WORDS[field]} of {who(self._selection.bodies())}",
                self._end_setter(field, end),
            )
        self.fields(words, "", low, high)
        return low, high

    def _end_setter(self, field: str, end: int) -> Callable[..., Scene]:
        """The other end gives way where the two would cross."""

        def edit(scene: Scene, value: float) -> Scene:
            body = next(entry for entry in scene.bodies if entry.id == self._selection.active)
            low, high = getattr(body.material, f"{field}_limits")
            ends = (value, max(value, high)) if end == 0 else (min(low, value), value)
            return set_range(scene, self._selection.ids, field, ends)

        return edit

    def _reset(self) -> None:
        scene = edits.set_material(
            self._document.scene, self._selection.ids, friction_range=None, restitution_range=None
        )
        self._document.edit(f"Use the usual ranges for {who(self._selection.bodies())}", scene)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        for field, pair in self.ends.items():
            for end, control in enumerate(pair):
                control.set_value(*common_limit(bodies, field, end))
        own = any(body.material.friction_range or body.material.restitution_range for body in bodies)
        self.heading.aside.set_text("your own" if own else "usual")
