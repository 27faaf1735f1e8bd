"""InspectionLayer: draws in the view what an inspector found, and plays the motion of which it speaks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from app.session.playback import Playback
from app.viewport.inspection_marks import Palette, inspection_marks
from engine.scene.inspection import Inspection
from engine.scene.spec import Body
from engine.shapes.solids import Solids
from engine.shapes.turns import about, product

if TYPE_CHECKING:
    from app.viewport.view import View

OWNER = "inspection"
SWING = 0.12  # how far a body swings, in its own size
SECONDS, SWINGS = 0.9, 2  # s out and back, and how often
TICK = 16  # ms


class InspectionLayer(QObject):
    def __init__(self, view: View, playback: Playback) -> None:
        super().__init__(view)
        self._view, self._playback = view, playback
        self._found: tuple[Inspection, ...] = ()
        self._drawn = False
        self._played: tuple[Body, np.ndarray, np.ndarray, float] | None = None
        self._clock, self._timer = QElapsedTimer(), QTimer(self, interval=TICK)
        self._timer.timeout.connect(self._swing)
        view.look.changed.connect(self._draw)
        view.settings_changed.connect(self._draw)

    def show(self, found: Sequence[Inspection]) -> None:
        """None of them: nothing is drawn."""
        self._stop()
        self._found = tuple(found)
        self._draw()

    def hide_marks(self) -> None:
        """Until the next answer: bodies are elsewhere now."""
        if self._drawn:
            self._view.marks.set_extra(OWNER, None)

    def _draw(self) -> None:
        if not self._found and not self._drawn:
            return
        view, settings = self._view, self._view.settings
        view.overlay.found.show_pills(bool(self._found), settings)
        marks = inspection_marks(
            self._found,
            self._size(),
            Palette(view.look),
            bool(settings.get("view/patches")),
            bool(settings.get("view/forces")),
        )
        self._drawn = bool(self._found)
        view.marks.set_extra(OWNER, marks if marks else None)

    def _body(self, found: Sequence[Inspection]) -> Body | None:
        ids = {key for inspection in found for key in inspection.ids[:1]}
        return next((body for body in self._view.document.shown.bodies if body.id in ids), None)

    def _size(self) -> float:
        """m, of the body: half of its longest side, and not less than a patch under it can be seen."""
        body = self._body(self._found)
        return body_size(body) if body is not None else 0.1

    # -- motion ------------------------------------------------------------------------------------------------------

    def play(self, found: Inspection) -> None:
        """Bodies swing a little along the motion and back, at the ending."""
        body = self._body([found])
        if body is None or found.motion is None:
            return
        self._playback.go_to_ending()
        velocity, spin = (np.array(part, float) for part in found.motion)
        size = body_size(body)
        pace = float(np.linalg.norm(velocity) + size * np.linalg.norm(spin))
        if pace < 1e-12:
            return
        share = SWING * size / pace
        self._played = (body, share * velocity, share * spin, size)
        self._clock.start()
        self._timer.start()

    def _swing(self) -> None:
        gone = self._clock.elapsed() / 1000.0
        if self._played is None or gone > SWINGS * SECONDS:
            self._stop()
            return
        body, way, turn, _ = self._played
        part = math.sin(math.pi * (gone % SECONDS) / SECONDS)
        angle = part * float(np.linalg.norm(turn))
        orientation = body.orientation
        if angle > 1e-9:
            x, y, z = (turn / np.linalg.norm(turn)).tolist()
            orientation = product(about((x, y, z), angle), orientation)
        self._view.set_poses({body.id: (tuple(np.array(body.position) + part * way), orientation)})

    def _stop(self) -> None:
        self._timer.stop()
        if self._played is not None:
            self._played = None
            self._view.set_poses(None)


def body_size(body: Body) -> float:
    """m: half of the longest side of a box round it."""
    solids = Solids(body)
    if not len(solids):
        return 0.1
    return 0.5 * float((solids.high.max(axis=0) - solids.low.min(axis=0)).max())
