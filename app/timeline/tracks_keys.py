"""The keyboard in the tracks. Left and Right go through time, Up and Down through the bodies; Enter takes the arrival
handle of a row, so that the arrows move it, and Enter or Escape lets it go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPen

from app.timeline.gestures import arrival_label, with_arrival
from app.timeline.shown import Shown

if TYPE_CHECKING:
    from app.timeline.tracks import Tracks

ALONG = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
ACROSS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
FAR = 10  # frames, with Shift
OTHERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class TracksKeys:
    def __init__(self, tracks: Tracks) -> None:
        self._tracks = tracks
        self.ring = False  # the keyboard, not the mouse, brought the focus here

    def show_ring(self, ring: bool) -> None:
        """Rings are for those who use the keyboard."""
        if ring != self.ring:
            self.ring = ring
            self._tracks.repaint_all()

    def uses(self, event: QKeyEvent) -> bool:
        """Keys that are not for the window's shortcuts now."""
        if self._tracks.shown is None or event.modifiers() & OTHERS:
            return False
        if event.key() == Qt.Key.Key_Escape:
            return self._tracks.busy or self._tracks.held is not None
        return event.key() in (*ALONG, *ACROSS, *ENTER, Qt.Key.Key_Home, Qt.Key.Key_End)

    def press(self, event: QKeyEvent) -> bool:
        """Used?"""
        shown, tracks = self._tracks.shown, self._tracks
        if shown is None or not self.uses(event):
            return False
        self.show_ring(True)
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in ALONG:
            self._along(shown, ALONG[key] * (FAR if shift else 1))
        elif key in ACROSS:
            self._across(shown, ACROSS[key], shift)
        elif key in ENTER:
            self._enter(shown)
        elif key == Qt.Key.Key_Escape:
            tracks.hold(None)
        elif key == Qt.Key.Key_Home:
            tracks.playback.stop()
            tracks.playback.go(tracks.playback.range[0])
        else:
            tracks.playback.go_to_ending()
        return True

    def _along(self, shown: Shown, frames: int) -> None:
        tracks = self._tracks
        if tracks.held is None:
            tracks.playback.stop()
            tracks.playback.go_to_frame(tracks.playback.frame + frames)
            return
        row = shown.rows[tracks.held]
        frame = tracks.playback.frame_at(shown.axis.time(shown.handle_x(row))) + frames
        scene = with_arrival(tracks.document.scene, tracks.playback, row.id, frame)
        tracks.document.edit(arrival_label(row.name), scene, f"arrival {row.id}")

    def _across(self, shown: Shown, rows: int, more: bool) -> None:
        """The next body; with Shift it is selected as well."""
        tracks = self._tracks
        if not shown.rows:
            return
        here, held = tracks.row_of(tracks.selection.active), tracks.held is not None
        last = len(shown.rows) - 1
        number = min(max(here + rows, 0), last) if here is not None else 0 if rows > 0 else last
        chosen = shown.rows[number].id
        if more:
            tracks.selection.add([chosen])
        else:
            tracks.selection.set([chosen])
        tracks.hold(number if held else None)

    def _enter(self, shown: Shown) -> None:
        tracks = self._tracks
        number = tracks.row_of(tracks.selection.active)
        if number is None and shown.rows:
            number = shown.areas.visible_rows.start
            tracks.selection.set([shown.rows[number].id])
        tracks.hold(None if tracks.held is not None else number)

    def paint_ring(self, painter: QPainter, shown: Shown) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(shown.look.color("focus"), 2.0))
        painter.drawRect(QRectF(1, 1, shown.areas.width - 2, shown.areas.height - 2))
