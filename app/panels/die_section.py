"""The section that makes boxes dice and chooses the number they end with."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from app.document.die_edits import number_up, set_spots, show_number
from app.document.document import Document
from app.look.look import Look
from app.panels.body_model import common, samples, who
from app.panels.section import Section
from app.panels.segments import Segments
from app.panels.toggle import Toggle
from app.session.selection import Selection
from engine.scene.dice import is_die
from engine.scene.spec import Body, Box

CUBE = 1.01  # longest over shortest edge
NUMBERS = tuple((str(number), str(number)) for number in range(1, 7))


class DieSection(Section):
    """Shown while all that is selected are dice, or cubes that could be. Locked dice keep their number."""

    def __init__(self, look: Look, document: Document, selection: Selection) -> None:
        super().__init__(look, "Die")
        self._document, self._selection = document, selection
        self.spots = Toggle(look, "Spots", "Opposite sides sum to seven.")
        self.spots.toggled.connect(self._set_spots)
        self.number = Segments(look, NUMBERS, "Number on top")
        self.number.chosen.connect(self._show)
        self.add(self.spots)
        self._row = self.fields("Ends with", "on top", self.number)

    def show_bodies(self, bodies: Sequence[Body]) -> None:
        shaped = samples(bodies, lambda body: (id(body.shape), is_die(body)))
        self.setVisible(all(is_die(body) or _is_cube(body) for body in shaped))
        if self.isHidden():
            return
        dice = common(bodies, is_die)
        self.spots.set_on(None if dice.mixed else dice.value)
        self._row.setVisible(dice.value and not dice.mixed)
        self.number.setEnabled(any(not body.locked for body in bodies))
        gravity = self._document.shown.gravity
        shown = common(samples(bodies, attrgetter("orientation")), lambda body: number_up(body, gravity))
        self.number.set_current(None if shown.mixed or shown.value is None else str(shown.value))

    def _set_spots(self, on: bool) -> None:
        words = f"{'Draw' if on else 'Remove'} spots on {who(self._selection.bodies())}"
        self._document.edit(words, set_spots(self._document.scene, self._selection.ids, on))

    def _show(self, key: str) -> None:
        words = f"Show {key} on {who(self._selection.bodies())}"
        self._document.edit(words, show_number(self._document.scene, self._selection.ids, int(key)))


def _is_cube(body: Body) -> bool:
    return isinstance(body.shape, Box) and max(body.shape.half) <= CUBE * min(body.shape.half)
