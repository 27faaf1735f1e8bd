"""What a drag in the tracks does. One class per gesture; each ends in one command of the history, or in none."""

from __future__ import annotations

from collections.abc import Callable

from app.document import edits
from app.document.document import Document
from app.document.take_edits import ask_for
from app.session.playback import Playback
from engine.scene.spec import Scene

END_NAMES = ("first", "last")


class Gesture:
    """A drag from a press to a release. `move` is told the moment under the mouse, in s."""

    def move(self, time: float) -> None: ...

    def end(self) -> None: ...

    def cancel(self) -> None: ...


class Scrub(Gesture):
    """The moment under the mouse is shown at once; nothing to undo."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        playback.stop()

    def move(self, time: float) -> None:
        self._playback.go(time)


class Edit(Gesture):
    """A drag whose outcome is a scene: previewed while it lasts, one command at its end."""

    def __init__(self, document: Document, label: str, change: Callable[[float], Scene]) -> None:
        self._document, self._label, self._change = document, label, change
        self._time: float | None = None  # None: not moved yet

    def move(self, time: float) -> None:
        self._time = time
        self._document.preview(self._change(time))

    def end(self) -> None:
        """From the scene as it is now: a take may have come during the drag."""
        if self._time is not None:
            self._document.edit(self._label, self._change(self._time))

    def cancel(self) -> None:
        self._document.preview(None)


def range_drag(document: Document, playback: Playback, end: int) -> Edit:
    """One end of the range that plays: whole frames, at least one apart; at the film's own ends nothing is asked."""
    other = playback.frame_at(playback.range[1 - end])

    def change(time: float) -> Scene:
        frame = min(max(playback.frame_at(time), 0), playback.last_frame)
        frame = min(frame, other - 1) if end == 0 else max(frame, other + 1)
        free = frame <= 0 if end == 0 else frame >= playback.last_frame
        value = None if free else playback.time_of(frame)
        return ask_for(document.scene, **{END_NAMES[end]: value})

    return Edit(document, "Change the range", change)


def with_arrival(scene: Scene, playback: Playback, body: str, frame: int) -> Scene:
    """The body is to come to rest at a frame, before the ending or at it."""
    frame = min(max(frame, 0), playback.ending_frame)
    return edits.set_fields(scene, [body], arrival=max(0.0, playback.ending - playback.time_of(frame)))


def arrival_label(name: str) -> str:
    return f"When {name} comes to rest"


def arrival_drag(document: Document, playback: Playback, body: str, name: str, grip: float) -> Edit:
    """`grip`: s from the handle to the place where it was taken."""

    def change(time: float) -> Scene:
        return with_arrival(document.scene, playback, body, playback.frame_at(time - grip))

    return Edit(document, arrival_label(name), change)
