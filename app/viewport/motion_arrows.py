"""MotionArrows: bodies that are in motion in the authored frame carry an arrow, as long as what they go in a moment.
Only there: elsewhere the motion itself is seen."""

from __future__ import annotations

from itertools import islice

import numpy as np

from app.tools.tool import Marks, Stroke
from app.viewport.marks_of import EndingMarks, arrow

MOMENT = 0.15  # s of motion that an arrow shows
MOST = 300  # arrows; more would hide the bodies
HEAD = 0.22  # share of the arrow


class MotionArrows(EndingMarks):
    owner = "motion"

    def ending_marks(self) -> Marks:
        bodies, color = self._view.document.shown.bodies, self._view.look.hex("hint")
        moving = (body for body in bodies if not body.static and not body.hidden and any(body.velocity))
        ways = ((np.array(body.position), MOMENT * np.array(body.velocity)) for body in islice(moving, MOST))
        lines = [line for place, way in ways for line in arrow(place, place + way, HEAD, across=2)]
        return Marks(strokes=[Stroke(line, color, 2.0) for line in lines])
