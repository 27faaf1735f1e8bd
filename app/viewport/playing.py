"""Playing: the view shows the moment that playback has reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session.playback import Playback

if TYPE_CHECKING:
    from app.viewport.view import View


class Playing(QObject):
    def __init__(self, view: View, playback: Playback) -> None:
        super().__init__(view)
        self._view, self._playback = view, playback
        playback.moved.connect(self._show)
        playback.changed.connect(self._show)

    def _show(self) -> None:
        """At the ending the document's own poses, bit for bit; before it those of the film."""
        film = self._playback.film
        if film is None or self._playback.at_ending:
            self._view.set_poses(None)
            return
        positions, orientations = film.at(self._playback.time)
        self._view.set_poses(dict(zip(film.bodies, zip(positions, orientations, strict=True), strict=True)))
