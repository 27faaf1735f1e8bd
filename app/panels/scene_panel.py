"""ScenePanel: what is true for the whole scene: its name, gravity, the ground, and how much there is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt

from app.document.difference import Difference
from app.document.document import Document
from app.document.material_presets import PRESETS
from app.kit import (
    Choice,
    LazyPanel,
    NumberField,
    PanelScroll,
    RangeSlider,
    Section,
    Segments,
    Text,
    TextField,
    Toggle,
    axis_fields,
    panel_column,
)
from app.kit.layouts import FILL, column, row
from app.look.look import Look
from app.look.number_text import number_text
from app.panels.body_model import preset_name
from app.panels.editing import bind
from app.panels.material_section import KINDS, VALUE_WIDTH
from app.panels.scene_model import (
    GRAVITIES,
    SAME_AS_BODY,
    counts,
    gravity_key,
    set_gravity,
    set_gravity_axis,
    set_ground_field,
    set_ground_preset,
)

GROUND_WORDS = {"restitution": "Bounce", "friction": "Friction"}


class ScenePanel(LazyPanel):
    def __init__(self, document: Document, look: Look) -> None:
        super().__init__()
        self._document, self._look = document, look
        self.name = TextField(look, "Name of the scene", "Name of the scene", framed=False, lettering="panel_title")
        self.name.committed.connect(
            lambda text: document.edit("Name the scene", replace(document.scene, name=text.strip()))
        )
        sections = (self._gravity_section(), self._ground_section(), self._count_section())
        column(PanelScroll(panel_column(self.name, *sections, FILL)), of=self)
        document.changed.connect(self._follow)

    def _gravity_section(self) -> Section:
        section = Section(self._look, "Gravity")
        self.gravity = Segments(self._look, [(key, words) for key, (words, _) in GRAVITIES.items()], "Gravity")
        self.gravity.chosen.connect(self._choose_gravity)
        section.add(self.gravity)
        self.vector = axis_fields(self._look, "Gravity", decimals=2, step=0.05)
        for axis, field in enumerate(self.vector):
            bind(field, self._document, lambda: "Change gravity", partial(set_gravity_axis, axis=axis))
        section.fields("Direction and strength", "m/s²", *self.vector)
        return section

    def _ground_section(self) -> Section:
        section = Section(self._look, "Ground")
        self.ground = Toggle(self._look, "Ground", "A floor without end at height 0.")
        self.ground.toggled.connect(self._toggle_ground)
        section.add(self.ground)
        entries = [SAME_AS_BODY, *(material.name for material in PRESETS)]
        self.ground_preset = Choice(self._look, entries, "Material of the ground")
        self.ground_preset.chosen.connect(
            lambda name: self._document.edit("Change the ground", set_ground_preset(self._document.scene, name))
        )
        self._ground_rows = [section.row("Material", self.ground_preset)]
        self.ground_sliders: dict[str, RangeSlider] = {}
        self.ground_values: dict[str, NumberField] = {}
        for field, words in GROUND_WORDS.items():
            slider = RangeSlider(self._look, name=f"{words} of the ground")
            largest = KINDS[field].largest
            value = NumberField(
                self._look, decimals=2, minimum=0.0, maximum=largest, framed=False, name=f"{words} of the ground"
            )
            value.setFixedWidth(VALUE_WIDTH)
            for control in (slider, value):
                bind(control, self._document, lambda: "Change the ground", partial(set_ground_field, field=field))
            self.ground_sliders[field], self.ground_values[field] = slider, value
            self._ground_rows.append(section.row(words, slider, value))
        return section

    def _count_section(self) -> Section:
        section = Section(self._look, "In this scene")
        self.counts: dict[str, Text] = {}
        for words, _ in counts(self._document.shown):
            self.counts[words] = Text(self._look, "", "text", "small", align=Qt.AlignmentFlag.AlignRight)
            section.add(row(Text(self._look, words, "text2", "small"), FILL, self.counts[words]))
        return section

    def show_now(self) -> None:
        scene = self._document.shown
        self.name.set_text(scene.name)
        self.gravity.set_current(gravity_key(scene.gravity))
        for axis, field in enumerate(self.vector):
            field.set_value(scene.gravity[axis])
        self.ground.set_on(scene.ground)
        material = scene.ground_material
        self.ground_preset.set_text(SAME_AS_BODY if material is None else preset_name(material))
        for entry in self._ground_rows:
            entry.setVisible(scene.ground and (entry is self._ground_rows[0] or material is not None))
        if material is not None:
            for name in GROUND_WORDS:
                self.ground_sliders[name].set_value(getattr(material, name))
                self.ground_values[name].set_value(getattr(material, name))
        for words, number in counts(scene):
            self.counts[words].set_text(number_text(number, 0))

    def _follow(self, change: Difference) -> None:
        if change.settings or change.added or change.removed or change.changed or change.groups or change.hints:
            self.refresh()

    def _choose_gravity(self, key: str) -> None:
        words = GRAVITIES[key][0]
        name = "No gravity" if key == "none" else f"Gravity of {words if key == 'mars' else 'the ' + words}"
        self._document.edit(name, set_gravity(self._document.scene, key))

    def _toggle_ground(self, on: bool) -> None:
        self._document.edit("Add the ground" if on else "Remove the ground", replace(self._document.scene, ground=on))
