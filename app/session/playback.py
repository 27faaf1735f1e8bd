"""Playback: which take is looked at, at which moment, and whether it plays. Not part of the document, not undone."""

from __future__ import annotations

import math

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from app.document.difference import Difference
from app.document.document import Document
from app.document.take_edits import card_of, ranked
from engine.errors import ProjectError
from engine.scene.film import Film
from engine.scene.fingerprint import fingerprint
from engine.scene.shot import TakeCard
from engine.scene.spec import Body, Scene

RATES = (24000 / 1001, 24.0, 25.0, 30000 / 1001, 30.0, 48.0, 50.0, 60.0, 120.0)
"""Frames per second that the menu offers."""
ENDING_FIELDS = ("position", "orientation", "velocity", "angular_velocity")


def rate_words(fps: float) -> str:
    """ "23.976 fps"."""
    return f"{fps:.3f}".rstrip("0").rstrip(".") + " fps"


class Playback(QObject):
    """Frames are counted so that the authored frame falls on one: frame 0 is the first at or before the start.

    Without a take there is the authored frame alone. Time is in s, of the take; the ending is at `ending`.

    Signals:
        moved()      another moment is shown
        changed()    another take, rate, range, or playing began or ended
    """

    moved = Signal()
    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._key = ""
        self._film: Film | None = None
        self.trouble = ""  # why the chosen take has no motion to show
        self._time = 0.0
        self._direction = 0  # +1 plays, -1 plays backward, 0 stands
        self.loop = True
        self._clock = QElapsedTimer()
        self._began = 0.0  # s, where playing began
        self._scene, self._seen = document.scene, document.shown  # as they were at the last change
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        document.changed.connect(self._follow)
        document.replaced.connect(self._start_over)

    # -- what is shown -----------------------------------------------------------------------------------------------

    @property
    def key(self) -> str:
        """Id of the take; "" without one."""
        return self._key

    @property
    def film(self) -> Film | None:
        return self._film

    @property
    def card(self) -> TakeCard | None:
        return card_of(self._document.scene, self._key)

    @property
    def stale(self) -> bool:
        """Was the take made for another ending than the one in the document?"""
        card = self.card
        return card is not None and card.scene != fingerprint(self._document.scene)

    def show(self, key: str) -> None:
        """Look at a take ("": at none); the moment stays, as far as the take has it."""
        at_ending = self.at_ending
        before_end = self.ending - self._time
        self.stop()
        self._key, self._film, self.trouble = key, None, ""
        if key:
            try:
                self._film = self._document.takes.film(key)
                if self._film is None:
                    self.trouble = "The motion of this take is gone. Generate it again to see it."
            except ProjectError as error:
                self.trouble = str(error)
        self._time = self.ending if at_ending else self._held(self.ending - before_end)
        self.changed.emit()
        self.moved.emit()

    # -- time --------------------------------------------------------------------------------------------------------

    @property
    def fps(self) -> float:
        return float(self._document.scene.request.fps)

    @property
    def time(self) -> float:
        return self._time

    @property
    def first(self) -> float:
        return self._film.first if self._film is not None else 0.0

    @property
    def last(self) -> float:
        return self._film.last if self._film is not None else 0.0

    @property
    def ending(self) -> float:
        """Time of the authored frame."""
        return self._film.ending if self._film is not None else 0.0

    @property
    def at_ending(self) -> bool:
        return self._time == self.ending

    @property
    def ending_frame(self) -> int:
        return math.ceil((self.ending - self.first) * self.fps - 1e-6)

    @property
    def last_frame(self) -> int:
        return self.ending_frame + math.ceil((self.last - self.ending) * self.fps - 1e-6)

    @property
    def frame(self) -> int:
        """The nearest one."""
        return self.frame_at(self._time)

    def frame_at(self, time: float) -> int:
        return self.ending_frame + round((time - self.ending) * self.fps)

    def time_of(self, frame: int) -> float:
        """The authored frame's time comes out exactly."""
        return self.ending + (frame - self.ending_frame) / self.fps

    @property
    def range(self) -> tuple[float, float]:
        """What plays, in s."""
        request = self._document.shown.request
        first = self.first if request.first is None else min(max(request.first, self.first), self.last)
        last = self.last if request.last is None else min(max(request.last, self.first), self.last)
        return (first, last) if first < last else (self.first, self.last)

    def go(self, time: float) -> None:
        """Show a moment, on a whole frame. Playing goes on from there."""
        self._put(self.time_of(self.frame_at(self._held(time))))
        self._restart_clock()

    def go_to_frame(self, frame: int) -> None:
        self.go(self.time_of(frame))

    def go_to_ending(self) -> None:
        self.stop()
        self._put(self.ending)

    # -- playing -----------------------------------------------------------------------------------------------------

    @property
    def direction(self) -> int:
        return self._direction

    def play(self, direction: int = 1) -> None:
        """Forward, or backward with -1; from the other end when there is nothing left to play."""
        first, last = self.range
        if self._film is None or first >= last:
            return
        if direction > 0 and self._time >= last - 1e-9:
            self._put(first)
        elif direction < 0 and self._time <= first + 1e-9:
            self._put(last)
        self._direction = direction
        self._restart_clock()
        self._timer.start(max(4, int(1000.0 / self.fps)))
        self.changed.emit()

    def stop(self) -> None:
        if self._direction:
            self._direction = 0
            self._timer.stop()
            self._put(self._snapped(self._time))
            self.changed.emit()

    def toggle(self, direction: int = 1) -> None:
        if self._direction == direction:
            self.stop()
        else:
            self.play(direction)

    def _tick(self) -> None:
        """Time is what the clock says, not how many pictures were drawn: a slow machine drops frames."""
        first, last = self.range
        time = self._began + self._direction * self._clock.elapsed() / 1000.0
        if not first <= time <= last:
            if not self.loop:
                self._put(last if self._direction > 0 else first)
                self.stop()
                return
            time = self._began = first + (time - first) % (last - first)
            self._clock.restart()
        self._put(self._snapped(time))

    def _snapped(self, time: float) -> float:
        return self.time_of(self.frame_at(time))

    def _restart_clock(self) -> None:
        self._began = self._time
        self._clock.start()

    def _held(self, time: float) -> float:
        return min(max(time, self.first), self.last)

    def _put(self, time: float) -> None:
        if time != self._time:
            self._time = time
            self.moved.emit()

    # -- following ---------------------------------------------------------------------------------------------------

    def _follow(self, change: Difference) -> None:
        """Who edits the ending sees the ending; a take that left the table is no longer shown."""
        if change.bodies and not self.at_ending and self._moves_the_ending(change):
            self.go_to_ending()
        self._seen = self._document.shown
        if self._document.scene is self._scene:
            return  # a preview: take, rate and range stay what they are
        self._scene = self._document.scene
        if change.takes and self._key and self.card is None:
            self.show("")
        elif change.takes and self._key and self._film is None:
            self.show(self._key)
        elif change.request and self._direction:
            self._timer.setInterval(max(4, int(1000.0 / self.fps)))
        self.changed.emit()  # also when a preview had shown it all: whether the take is stale is known only now

    def _moves_the_ending(self, change: Difference) -> bool:
        """Names, colours and arrivals are edited while any moment is looked at."""
        if change.added or change.removed:
            return True
        before, after = ({body.id: body for body in scene.bodies} for scene in (self._seen, self._document.shown))
        return any(not _stands_still(before[key], after[key]) for key in change.changed)

    def _start_over(self) -> None:
        self.stop()
        self._key, self._film, self.trouble, self._time = "", None, "", 0.0
        scene = self._document.scene
        if scene.takes:
            self.show(scene.shot or best_take(scene).id)


def best_take(scene: Scene) -> TakeCard:
    """The calmest of those that were made for this very ending and are not rejected, or of as many as there are."""
    now = fingerprint(scene)
    kept = [card for card in scene.takes if not card.rejected] or scene.takes
    return ranked([card for card in kept if card.scene == now] or kept)[0]


def _stands_still(before: Body, after: Body) -> bool:
    """Is a body at its ending where it was, as large and as fast as it was?"""
    same = all(getattr(before, name) == getattr(after, name) for name in ENDING_FIELDS)
    return same and (before.shape is after.shape or before.shape == after.shape)
