"""Playing: the one place that connects playback to the view: poses, ghosts, trails, endings and the pills of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.session.playback import Playback
from app.viewport import past
from app.viewport.ghosts import Ghost
from app.viewport.motion_marks import Trail
from engine.scene.film import Film

if TYPE_CHECKING:
    from app.viewport.view import View
    from engine.scene.spec import Scene

MOST_ENDINGS = 8
NO_TRAILS: list[Trail] = []


class Playing(QObject):
    def __init__(self, view: View, playback: Playback) -> None:
        super().__init__(view)
        self._view, self._playback = view, playback
        self._film: Film | None = None
        self._away: tuple[Film, float] | None = None  # what poses the view shows; None: the document's
        self._ghosted: tuple[object, ...] = ()  # what the ghosts were made of
        self._other: tuple[Film | None, str] = (None, "")  # the take that is compared with this one, and its colour
        self._moving = np.zeros(0, np.int64)  # rows of the film
        self._row_of: dict[str, int] = {}
        self._trails: list[Trail] = NO_TRAILS
        self._trailed: tuple[object, ...] = ()  # what the trails were made of
        self._judged: tuple[Scene | None, str] = (None, "")  # what was last found stale or not
        self._stale = False
        playback.moved.connect(self._show)
        playback.changed.connect(self._show)
        view.selection.changed.connect(self._show_round)
        view.settings_changed.connect(self._show_round)
        view.ending_needed.connect(self._show_ending)
        self._show_pills()

    def compare_with(self, other: Film | None, color: str = "") -> None:
        """Show the bodies of another take too, as ghosts in a colour ("#rrggbb"), at the same time before the ending;
        None ends it."""
        self._other = (other, color)
        self._show_ghosts()

    def _show(self) -> None:
        """At the ending the document's own poses, bit for bit; before it those of the film, and at the end of one that
        plays and ends in disorder. Bodies that one of them does not have stay where the other has them, or are not
        there."""
        playback = self._playback
        film = playback.film
        if film is not self._film:
            self._film = film
            self._moving = past.moving_rows(film) if film is not None else np.zeros(0, np.int64)
            self._row_of = {key: row for row, key in enumerate(film.bodies)} if film is not None else {}
        card = playback.card
        placed = playback.at_ending and not (playback.direction and card is not None and card.disorder)
        away = (film, playback.time) if film is not None and not placed else None
        if away != self._away and film is not None and away is not None:
            self._view.set_pose_arrays(film.bodies, *film.at(playback.time), film.shown_at(playback.time))
        elif away != self._away:
            self._view.set_poses(None)
        self._away = away
        self._show_round()

    def _show_round(self) -> None:
        """What is seen besides the bodies."""
        self._show_pills()
        self._show_ghosts()
        self._show_trails()
        self._show_endings()

    def _show_pills(self) -> None:
        card = self._playback.card if self._film is not None else None
        judged = (self._view.document.scene, self._playback.key)
        if judged[0] is not self._judged[0] or judged[1] != self._judged[1]:
            self._judged, self._stale = judged, self._playback.stale
        self._view.overlay.motion.show_settings(self._view.settings)
        self._view.overlay.motion.show_take(card.name if card is not None else "", self._stale)

    @property
    def _worth_it(self) -> bool:
        """Who edits the ending, or has edited it, and stands there, does not look at how the old one came about."""
        document = self._view.document
        edited = self._stale or document.shown is not document.scene
        return self._film is not None and not (edited and self._playback.at_ending)

    def _show_ghosts(self) -> None:
        settings, playback = self._view.settings, self._playback
        film = self._film if self._worth_it and settings.get("view/ghosts") else None
        counts = (settings.get("view/ghost_count"), settings.get("view/ghosts_after"))
        pace = (playback.time, 1.0 / playback.fps, counts, settings.get("view/ghost_step"))
        compared = (self._film if self._worth_it else None, *self._other)
        made_of = (film, self._view.selection.ids, pace, compared)
        if made_of == self._ghosted:
            return
        self._ghosted = made_of
        ghosts: list[Ghost] = []
        if film is not None:
            rows = past.ghost_rows(film, self._moving, self._row_of, self._view.selection.ids)
            times = past.ghost_times(*pace, self._view.look.view("ghost_opacity_nearest_first"))
            ghosts = past.ghosts(film, rows, playback.time, times) if len(rows) else []
        self._view.set_ghosts([*ghosts, *self._ghosts_of_other(*compared)])

    def _ghosts_of_other(self, film: Film | None, other: Film | None, color: str) -> list[Ghost]:
        if film is None or other is None:
            return []
        opacity = float(self._view.look.view("ghost_opacity_nearest_first")[0])
        return past.other_take(film, other, film.ending - self._playback.time, opacity, color)

    def _show_trails(self) -> None:
        playback, selected = self._playback, self._view.selection.ids
        trails = NO_TRAILS
        if self._film is not None and self._worth_it and self._view.settings.get("view/trail"):
            made_of = (self._film, selected, playback.fps)
            if made_of != self._trailed:
                times = np.array([playback.time_of(frame) for frame in range(playback.last_frame + 1)])
                rows = [self._row_of[key] for key in selected if key in self._row_of]
                self._trails, self._trailed = past.trails(self._film, rows, times) or NO_TRAILS, made_of
            trails = self._trails
        self._view.marks.set_trails(trails, playback.frame, playback.ending_frame)

    def _show_endings(self) -> None:
        film, playback = self._film, self._playback
        if film is None or playback.at_ending:
            self._view.marks.set_endings(())
            return
        bodies = [body for body in self._view.selection.bodies()[-MOST_ENDINGS:] if body.id in self._row_of]
        rows = np.array([self._row_of[body.id] for body in bodies], np.int64)
        places = np.array([body.position for body in bodies], float).reshape(-1, 3)
        turns = np.array([body.orientation for body in bodies], float).reshape(-1, 4)
        left = past.away(film, rows, playback.time, (places, turns))
        self._view.marks.set_endings(body.id for body, gone in zip(bodies, left, strict=True) if gone)

    def _show_ending(self) -> None:
        """Nothing is edited where it is not."""
        if not self._playback.at_ending:
            self._playback.go_to_ending()
            self._view.say("Back at the ending: that is what you edit.")
