"""KeyFields: switches for what is written of the motion. Each says its effect; those without one are not there."""

from __future__ import annotations

from app.export.export_words import spin_words, still_words
from app.export.form_row import Fields
from app.export.outcome import Outcome
from app.kit import NumberField, Toggle
from app.kit.layouts import held, row, wide
from app.kit.painting import space
from app.look.look import Look
from engine.export.settings import Settings

USUAL_ERROR = 1e-4  # m
ERRORS = (0.001, 1000.0)  # mm
WITHOUT_EXTRAS = ("csv", "houdini")  # have no place for them
EXTRAS = {"json": "in the file beside the poses", "npz": "in the array “take”"}


class KeyFields(Fields):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.still = Toggle(look, "Leave still bodies without keys", " ", leads=True)
        self.extras = Toggle(look, "Keep hints and take data", " ", leads=True)
        self.thin = Toggle(look, "Thin out keys", " ", leads=True)
        self.subframes = Toggle(look, "Keys between frames for fast spinners", " ", leads=True)
        self.instances = Toggle(look, "One PointInstancer for all bodies", "small and quick; rotations lose precision",
                                leads=True)  # fmt: skip
        self.error = NumberField(look, "", "mm", decimals=3, step=0.05, minimum=ERRORS[0], maximum=ERRORS[1], trim=True,
                                 name="Largest error of thinned keys")  # fmt: skip
        self.error.setFixedWidth(92)
        self._error = USUAL_ERROR
        self._thin_row = held(row(wide(self.thin), self.error, gap=space("s")))
        self.stand(self.still, self.extras, self._thin_row, self.subframes, self.instances, gap="xxs")
        self.still.toggled.connect(lambda on: self.changed.emit({"still_keys": not on}))
        self.extras.toggled.connect(lambda on: self.changed.emit({"extras": on}))
        self.thin.toggled.connect(lambda on: self.changed.emit({"thin": self._error if on else None}))
        self.subframes.toggled.connect(lambda on: self.changed.emit({"subframes": on}))
        self.instances.toggled.connect(lambda on: self.changed.emit({"instances": on}))
        self.error.previewed.connect(self._set_error)
        self.error.committed.connect(self._set_error)

    def show_settings(self, settings: Settings, outcome: Outcome) -> None:
        kind = settings.kind
        for entry in (self.still, self._thin_row, self.subframes):
            entry.setVisible(kind.keys)
        self.extras.setVisible(kind.key not in WITHOUT_EXTRAS)
        self.instances.setVisible(kind.key == "usd")
        self.setVisible(kind.keys or kind.key not in WITHOUT_EXTRAS)
        self.still.set_on(not settings.still_keys)
        self.still.set_effect(still_words(outcome.still))
        self.extras.set_on(settings.extras)
        self.extras.set_effect(EXTRAS.get(kind.key, "stored as custom properties"))
        self.thin.set_on(settings.thin is not None)
        self._error = settings.thin if settings.thin is not None else self._error
        self.thin.set_effect("largest error" if settings.thin is not None else f"largest error {self._words()}")
        self.error.setVisible(settings.thin is not None)
        self.error.set_value(1000.0 * self._error)
        self.subframes.set_on(settings.subframes)
        self.subframes.set_effect(spin_words(outcome.spinning))
        self.instances.set_on(settings.instances)

    def _words(self) -> str:
        return f"{1000.0 * self._error:g} mm"

    def _set_error(self, millimetres: float) -> None:
        self.changed.emit({"thin": millimetres / 1000.0})
