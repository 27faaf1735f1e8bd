"""Shown: everything the painters of the tracks need to know, gathered once per change. Painters keep nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.look.look import Look
from app.session.playback import Playback
from app.timeline.areas import Areas
from app.timeline.film_index import FilmIndex, Stretch
from app.timeline.time_axis import TimeAxis
from engine.scene.shot import TakeCard


class Row(NamedTuple):
    """A body that moves."""

    film: int  # its row in the film
    id: str
    name: str
    color: str  # "#rrggbb"
    hinted: bool
    arrival: float | None  # s before the ending, as the artist wants it


@dataclass(frozen=True)
class Shown:
    look: Look
    playback: Playback
    index: FilmIndex
    axis: TimeAxis
    areas: Areas
    rows: Sequence[Row]
    selected: frozenset[str]
    active: str | None
    stale: bool
    card: TakeCard | None
    stretches: tuple[Stretch, ...]
    signs: tuple[Stretch, ...]  # stretches with a sign above them
    held: int | None  # row whose arrival handle has a ring, as the arrow keys move it

    def rest_frame(self, row: Row) -> int:
        return self.playback.frame_at(float(self.index.film.rest[row.film]))

    def rest_x(self, row: Row) -> float:
        """Where the film's body comes to rest."""
        return self.axis.x(float(self.index.film.rest[row.film]))

    def asked_x(self, row: Row) -> float | None:
        """Where the artist wants it to come to rest, when that is another frame than the film's."""
        if row.arrival is None:
            return None
        time = self.playback.ending - row.arrival
        if self.playback.frame_at(time) == self.rest_frame(row):
            return None
        return self.axis.x(time)

    def handle_x(self, row: Row) -> float:
        """What is dragged: the arrival that was asked for, else the film's."""
        asked = self.asked_x(row)
        return self.rest_x(row) if asked is None else asked
