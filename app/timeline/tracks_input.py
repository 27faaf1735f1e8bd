"""Mouse and wheel in the tracks: scrub, pan, zoom, select, and drag the range and the arrivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent

from app.document import edits
from app.look.look import size
from app.timeline.body_rows import handle_at
from app.timeline.certificate_track import jump_time, stretch_at
from app.timeline.gestures import Gesture, Scrub, arrival_drag, arrival_label, range_drag
from app.timeline.ruler import range_end_at
from app.timeline.shown import Shown

if TYPE_CHECKING:
    from app.timeline.tracks import Tracks

NOTCH = 120.0  # Qt's units per notch of a wheel
ZOOM = 1.2  # per notch
PAN = 80.0  # px per notch
CLICK = 3.0  # px that a click may move and still be none


class TracksInput:
    def __init__(self, tracks: Tracks) -> None:
        self._tracks = tracks
        self._gesture: Gesture | None = None
        self._pan: QPointF | None = None
        self._pressed = QPointF()
        self._far = False  # the mouse has left the place of the press

    @property
    def busy(self) -> bool:
        return self._gesture is not None or self._pan is not None

    @property
    def scrubbing(self) -> bool:
        return isinstance(self._gesture, Scrub)

    def cancel(self) -> bool:
        """End what is under way as if it had not begun; was there something?"""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def press(self, event: QMouseEvent) -> None:
        shown = self._tracks.shown
        if shown is None or self.busy:
            return
        self._pressed, self._far = event.position(), False
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = event.position()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._begin(shown, event)

    def _begin(self, shown: Shown, event: QMouseEvent) -> None:
        tracks, at = self._tracks, event.position()
        end, handle = range_end_at(shown, at.x(), at.y()), handle_at(shown, at.x(), at.y())
        number = shown.areas.row_at(int(at.y()))
        if end is not None:
            self._gesture = range_drag(tracks.document, tracks.playback, end)
        elif handle is not None:
            row = shown.rows[handle]
            tracks.selection.set([row.id])
            tracks.hold(handle)
            grip = (at.x() - shown.handle_x(row)) / shown.axis.scale
            self._gesture = arrival_drag(tracks.document, tracks.playback, row.id, row.name, grip)
        elif number is not None:
            self._select(shown, number, event.modifiers())
        elif at.x() >= shown.areas.labels and at.y() < shown.areas.body_rows.y():
            self._gesture = Scrub(tracks.playback)
            stretch = stretch_at(shown, at.x(), at.y())
            jump = stretch is not None and stretch.tier > 0
            self._gesture.move(jump_time(shown, stretch) if jump and stretch else shown.axis.time(at.x()))

    def _select(self, shown: Shown, number: int, keys: Qt.KeyboardModifier) -> None:
        tracks, row = self._tracks, shown.rows[number]
        tracks.hold(None)
        if keys & Qt.KeyboardModifier.ControlModifier:
            tracks.selection.toggle(row.id)
        elif keys & Qt.KeyboardModifier.ShiftModifier:
            start = tracks.row_of(tracks.selection.active)
            start = number if start is None else start
            step = 1 if number >= start else -1
            tracks.selection.add(shown.rows[k].id for k in range(start, number + step, step))
        else:
            tracks.selection.set([row.id])

    def move(self, event: QMouseEvent) -> None:
        tracks, at = self._tracks, event.position()
        if self._pan is not None:
            step, self._pan = at - self._pan, at
            tracks.set_axis(tracks.axis.moved(step.x(), tracks.whole))
            tracks.scroll_to(tracks.areas.scroll - round(step.y()))
        elif self._gesture is not None:
            self._far = self._far or abs(at.x() - self._pressed.x()) >= CLICK
            if self._far:
                self._gesture.move(tracks.axis.time(at.x()))
        else:
            self._show_cursor(at)

    def _show_cursor(self, at: QPointF) -> None:
        shown, shape = self._tracks.shown, Qt.CursorShape.ArrowCursor
        if shown is not None:
            stretch = stretch_at(shown, at.x(), at.y())
            if handle_at(shown, at.x(), at.y()) is not None or range_end_at(shown, at.x(), at.y()) is not None:
                shape = Qt.CursorShape.SizeHorCursor
            elif stretch is not None and stretch.tier > 0:
                shape = Qt.CursorShape.PointingHandCursor
        if self._tracks.cursor().shape() != shape:
            self._tracks.setCursor(shape)

    def release(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan = None
        elif event.button() == Qt.MouseButton.LeftButton and self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.end()

    def double_click(self, event: QMouseEvent) -> None:
        """On a handle: the director decides again when the body arrives. On the ruler: all of the film."""
        tracks, shown, at = self._tracks, self._tracks.shown, event.position()
        if shown is None or event.button() != Qt.MouseButton.LeftButton:
            return
        handle = handle_at(shown, at.x(), at.y())
        if handle is not None:
            row = shown.rows[handle]
            scene = edits.set_fields(tracks.document.scene, [row.id], arrival=None)
            tracks.document.edit(arrival_label(row.name), scene)
        elif shown.areas.ruler.contains(at.toPoint()) and range_end_at(shown, at.x(), at.y()) is None:
            tracks.fit()
        else:
            self.press(event)

    def wheel(self, event: QWheelEvent) -> None:
        tracks, at = self._tracks, event.position()
        if tracks.shown is None:
            return
        event.accept()
        across, up = (float(turn) / NOTCH for turn in (event.angleDelta().x(), event.angleDelta().y()))
        if at.x() < tracks.areas.labels:
            tracks.scroll_to(tracks.areas.scroll - round(up * 3 * size("track_row")))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or (across and not up):
            tracks.set_axis(tracks.axis.moved(PAN * (up or across), tracks.whole))
        elif up:
            tracks.set_axis(tracks.axis.zoomed(ZOOM**up, at.x(), tracks.whole, tracks.playback.fps))
