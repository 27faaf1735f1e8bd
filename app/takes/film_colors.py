"""FilmColors: what the colours of bodies in the view tell of the shown take: when each comes to rest, and how honest
its worst step is. How much energy each body has is not in a film, so that mode shows nothing of a take."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from app.look.tiers import of_ranks, ranks
from app.session.playback import Playback
from app.viewport.view import View
from engine.scene.film import Film


class FilmColors(QObject):
    def __init__(self, view: View, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view, self._playback = view, playback
        self._film: Film | None = None
        playback.changed.connect(self._follow)

    def _follow(self) -> None:
        film = self._playback.film
        if film is not self._film:
            self._film = film
            self._view.set_body_values("arrival", arrivals(film) if film is not None else {})
            self._view.set_body_values("certificate", worst_tiers(film) if film is not None else {})


def arrivals(film: Film) -> dict[str, float]:
    """s before the ending at which each body comes to rest; those that never move have none."""
    rest = film.ending - film.rest
    return {key: float(max(value, 0.0)) for key, value in zip(film.bodies, rest, strict=True) if np.isfinite(value)}


def worst_tiers(film: Film) -> dict[str, float]:
    """The worst tier of each body that touches something."""
    worst = np.full(len(film.bodies), -1, np.int64)
    for column in (0, 1):
        touching = film.event_body[:, column]
        np.maximum.at(worst, touching[(touching >= 0) & (touching < len(worst))], 0)
        marked = film.mark_body[:, column]
        known = (marked >= 0) & (marked < len(worst))
        np.maximum.at(worst, marked[known], ranks(film.mark_tier[known]).astype(np.int64))
    return {key: float(tier) for key, tier in zip(film.bodies, of_ranks(worst), strict=True) if tier >= 0}
