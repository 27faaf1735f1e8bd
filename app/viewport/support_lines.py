"""SupportLines: an arrow from every body of a stack to each that carries it, while somebody looks at the stacking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.document.document import Document
from app.look.look import Look
from app.session.playback import Playback
from app.session.selection import Selection
from app.tools.tool import Marks, Stroke
from engine.scene.seat import Seat

if TYPE_CHECKING:
    from app.viewport.view import View

MOST = 400  # arrows; more would hide the bodies
HEAD = 0.18  # share of the arrow
THIN, STRONG = 1.2, 2.6  # px: any arrow, and those of the selected body


class SupportLines(QObject):
    def __init__(
        self, view: View, document: Document, playback: Playback, selection: Selection, look: Look, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view, self._document, self._playback, self._selection = view, document, playback, selection
        self._look = look
        self._seats: Sequence[Seat] = ()
        self._drawn = False
        for signal in (document.changed, playback.moved, selection.changed, look.changed):
            signal.connect(self._show)

    def show(self, seats: Sequence[Seat]) -> None:
        """None of them: no arrows."""
        self._seats = seats
        self._show()

    def _show(self) -> None:
        """Only at the ending: elsewhere bodies are not where they rest."""
        strokes = self._strokes() if self._seats and self._playback.at_ending else []
        if strokes or self._drawn:
            self._drawn = bool(strokes)
            self._view.set_extra_marks("support", Marks(strokes=strokes) if strokes else None)

    def _strokes(self) -> list[Stroke]:
        places = {body.id: np.array(body.position, float) for body in self._document.shown.bodies if not body.hidden}
        pairs = [(seat.id, carrier) for seat in self._seats for carrier in seat.below]
        pairs = [pair for pair in pairs if pair[0] in places and pair[1] in places][:MOST]
        chosen = set(self._selection.ids)
        strokes = []
        for pair in sorted(pairs, key=lambda pair: bool(chosen & set(pair))):
            strong = bool(chosen & set(pair))
            color = self._look.hex("accent" if strong else "text2")
            strokes += [
                Stroke(line, color, STRONG if strong else THIN) for line in arrow(places[pair[0]], places[pair[1]])
            ]
        return strokes


def arrow(tail: np.ndarray, tip: np.ndarray) -> list[np.ndarray]:
    """Shaft and head, each (k, 3); nothing between bodies in one place."""
    shaft = tip - tail
    length = float(np.linalg.norm(shaft))
    if length < 1e-9:
        return []
    side = np.cross(shaft, [0.0, 1.0, 0.0] if abs(shaft[1]) < 0.9 * length else [1.0, 0.0, 0.0])
    side *= 0.5 * HEAD * length / np.linalg.norm(side)
    neck = tip - HEAD * shaft
    return [np.array([tail, tip]), np.array([neck + side, tip, neck - side])]
