"""The section in which an artist chooses the number that dice end with."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from app.document.die_edits import number_up, show_number
from app.document.document import Document
from app.look.look import Look
from app.panels.body_model import common, samples, who
from app.panels.section import Section
from app.panels.segments import Segments
from app.session.selection import Selection
from engine.scene.dice import is_die
from engine.scene.spec import Body

NUMBERS = tuple((str(number), str(number)) for number in range(1, 7))


class DieSection(Section):
    """Shown while all that is selected are dice. Locked ones keep their number."""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, "Die")
        self._document, self._selection = document, selection
        self.number = Segments(look, NUMBERS, "Number on top")
        self.number.chosen.connect(self._show)
        self.fields("Ends with", "on top", self.number)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        self.setVisible(all(is_die(body) for body in bodies))
        if self.isHidden():
            return
        self.number.setEnabled(any(not body.locked for body in bodies))
        gravity = self._document.shown.gravity
        shown = common(samples(bodies, attrgetter("orientation")), lambda body: number_up(body, gravity))
        self.number.set_current(None if shown.mixed or shown.value is None else str(shown.value))

    def _show(self, key: str) -> None:
        words = f"Show {key} on {who(self._selection.bodies())}"
        self._document.edit(words, show_number(self._document.scene, self._selection.ids, int(key)))
