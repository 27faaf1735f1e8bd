"""Pills about what an inspector draws in the view: patches and forces on or off."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.look.look import Look
from app.session.settings import Settings
from app.viewport.pill import Pill


class InspectionPills(QObject):
    """Hidden while no inspector has anything to draw.

    Signals:
        setting_chosen(str, object)   name and value of a preference
        resized()                     they came or went
    """

    setting_chosen = Signal(str, object)
    resized = Signal()

    def __init__(self, look: Look, view: QWidget) -> None:
        super().__init__(view)
        self.patches = Pill(look, "view.patches", "Patches: where bodies touch", view, menu=False, switch=True)
        self.forces = Pill(look, "view.forces", "Forces: how strongly they press", view, menu=False, switch=True)
        self.pills = (self.patches, self.forces)
        for pill, words in zip(self.pills, ("Patches", "Forces"), strict=True):
            pill.set_words(words)
            pill.hide()
            name = f"view/{words.lower()}"
            pill.clicked.connect(lambda on, name=name: self.setting_chosen.emit(name, on))

    def show_pills(self, on: bool, settings: Settings) -> None:
        self.patches.setChecked(bool(settings.get("view/patches")))
        self.forces.setChecked(bool(settings.get("view/forces")))
        if on == self.patches.isHidden():
            for pill in self.pills:
                pill.setVisible(on)
            self.resized.emit()
