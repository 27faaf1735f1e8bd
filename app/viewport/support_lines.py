"""SupportLines: an arrow from every body of a stack to each that carries it, while somebody looks at the stacking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.tools.tool import Marks, Stroke
from app.viewport.marks_of import EndingMarks, arrow
from engine.scene.seat import Seat

MOST = 400  # arrows; more would hide the bodies
HEAD = 0.18  # share of the arrow
THIN, STRONG = 1.2, 2.6  # px: any arrow, and those of the selected body


class SupportLines(EndingMarks):
    owner = "support"
    _seats: Sequence[Seat] = ()

    def show(self, seats: Sequence[Seat]) -> None:
        """None of them: no arrows."""
        self._seats = seats
        self.follow()

    def state(self) -> tuple[object, ...]:
        return (*super().state(), self._seats)

    def ending_marks(self) -> Marks:
        view = self._view
        places = {body.id: np.array(body.position, float) for body in view.document.shown.bodies if not body.hidden}
        pairs = [(seat.id, carrier) for seat in self._seats for carrier in seat.below]
        pairs = [pair for pair in pairs if pair[0] in places and pair[1] in places][:MOST]
        chosen = set(view.selection.ids)
        strokes = []
        for pair in sorted(pairs, key=lambda pair: bool(chosen & set(pair))):
            strong = bool(chosen & set(pair))
            color, width = (view.look.hex("accent"), STRONG) if strong else (view.look.hex("text2"), THIN)
            lines = arrow(places[pair[0]], places[pair[1]], HEAD, across=1)
            strokes += [Stroke(line, color, width) for line in lines]
        return Marks(strokes=strokes)
