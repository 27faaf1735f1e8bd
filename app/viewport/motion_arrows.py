"""MotionArrows: bodies that are in motion in the authored frame carry an arrow, as long as what they go in a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.document.document import Document
from app.look.look import Look
from app.session.playback import Playback
from app.tools.tool import Marks, Stroke
from engine.scene.spec import Body

if TYPE_CHECKING:
    from app.viewport.view import View

MOMENT = 0.15  # s of motion that an arrow shows
MOST = 300  # arrows; more would hide the bodies
HEAD = 0.22  # share of the arrow


class MotionArrows(QObject):
    def __init__(self, view: View, document: Document, playback: Playback, look: Look) -> None:
        super().__init__(view)
        self._view, self._document, self._playback, self._look = view, document, playback, look
        document.changed.connect(self._show)
        playback.moved.connect(self._show)
        look.changed.connect(self._show)
        self._shown = False
        self._show()

    def _show(self) -> None:
        """Only in the authored frame: elsewhere the motion itself is seen."""
        moving = self._moving() if self._playback.at_ending else []
        if moving or self._shown:
            self._shown = bool(moving)
            color = self._look.hex("hint")
            strokes = [Stroke(line, color, 2.0) for body in moving for line in arrow(body)]
            self._view.set_extra_marks("motion", Marks(strokes=strokes) if strokes else None)

    def _moving(self) -> list[Body]:
        found = []
        for body in self._document.shown.bodies:
            if not body.static and not body.hidden and any(body.velocity):
                found.append(body)
                if len(found) == MOST:
                    break
        return found


def arrow(body: Body) -> list[np.ndarray]:
    """Shaft and head, each (k, 3)."""
    tail = np.array(body.position)
    shaft = MOMENT * np.array(body.velocity)
    tip = tail + shaft
    side = np.cross(shaft, [0.0, 0.0, 1.0] if abs(shaft[2]) < 0.9 * np.linalg.norm(shaft) else [1.0, 0.0, 0.0])
    side *= 0.5 * HEAD * np.linalg.norm(shaft) / np.linalg.norm(side)
    neck = tip - HEAD * shaft
    return [np.array([tail, tip]), np.array([neck + side, tip, neck - side])]
