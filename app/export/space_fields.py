"""SpaceFields: unit, axes and rotations of the file. What a format fixes is shown and cannot be changed."""

from __future__ import annotations

from app.export.form_row import Fields, form_row
from app.kit import Choice, Segments
from app.look.look import Look
from engine.export.settings import HANDS, ROTATIONS, UNIT_WORDS, UPS, Settings

WIDTHS = {"unit": 110, "up": 66, "hand": 120}  # px


class SpaceFields(Fields):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._words = {"unit": UNIT_WORDS, "up": UPS, "hand": HANDS}
        names = {"unit": "Unit", "up": "Axis that points up", "hand": "Handedness"}
        self.choices = {key: Choice(look, list(words.values()), names[key]) for key, words in self._words.items()}
        for key, choice in self.choices.items():
            choice.setMinimumWidth(WIDTHS[key])
            choice.chosen.connect(lambda words, key=key: self._choose(key, words))
        self.rotation = Segments(look, list(ROTATIONS.items()), "Rotation", fitted=True)
        self.rotation.chosen.connect(lambda key: self.changed.emit({"rotation": key}))
        axes = form_row(look, "Unit and axis", *self.choices.values())
        self.stand(axes, form_row(look, "Rotation", self.rotation))

    def show_settings(self, settings: Settings) -> None:
        kind = settings.kind
        for key, choice in self.choices.items():
            choice.set_text(self._words[key][getattr(settings, key)])
            choice.setEnabled(key in kind.chooses)
            choice.why = "" if key in kind.chooses else f"Set by {kind.name}"
            choice.setToolTip(choice.why)
        self.rotation.set_current(settings.rotation)
        self.rotation.setEnabled("rotation" in kind.chooses)
        self.rotation.setToolTip("" if "rotation" in kind.chooses else f"Set by {kind.name}")

    def _choose(self, key: str, words: str) -> None:
        self.changed.emit({key: next(name for name, shown in self._words[key].items() if shown == words)})
