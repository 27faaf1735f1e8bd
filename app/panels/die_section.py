"""The section in which an artist chooses the number that dice end with."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from app.document.die_edits import number_up, show_number
from app.kit import Section, Segments
from app.look.look import Look
from app.panels.body_model import common, samples
from app.session.selection import Selection
from engine.scene.dice import is_die
from engine.scene.spec import Body

NUMBERS = tuple((str(number), str(number)) for number in range(1, 7))


class DieSection(Section):
    """Shown while all that is selected are dice. Locked ones keep their number."""

    def __init__(self, look: Look, selection: Selection) -> None:
        super().__init__(look, "Die")
        self._document = selection.document
        self.number = Segments(look, NUMBERS, "Number on top")
        self.number.chosen.connect(
            lambda number: selection.edit(f"Show {number} on {{}}", show_number, int(number)))  # fmt: skip
        self.fields("Ends with", "on top", self.number)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        self.setVisible(all(is_die(body) for body in bodies))
        if self.isHidden():
            return
        self.number.setEnabled(any(not body.locked for body in bodies))
        gravity = self._document.shown.gravity
        shown = common(samples(bodies, attrgetter("orientation")), lambda body: number_up(body, gravity))
        self.number.set_current(None if shown.mixed or shown.value is None else str(shown.value))
