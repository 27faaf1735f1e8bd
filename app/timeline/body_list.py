"""BodyList: the rows of the tracks, in the order of the scene. A row is read from its body when it is looked at: of
thousands only a few are in sight, and a drag in the view changes all of their bodies many times a second."""

from __future__ import annotations

from collections.abc import Sequence

from app.document.difference import Difference
from app.document.hint_edits import hinted
from app.timeline.film_index import FilmIndex
from app.timeline.shown import Row
from engine.scene.colors import body_color
from engine.scene.spec import Scene


class BodyList(Sequence[Row]):
    """Bodies that move in the film and are still in the scene."""

    def __init__(self, index: FilmIndex | None, scene: Scene) -> None:
        self._index, self._scene = index, scene
        self._read()

    def _read(self) -> None:
        film = self._index.film if self._index is not None else None
        moving = {film.bodies[row]: row for row in self._index.moving.tolist()} if film and self._index else {}
        ids = [body.id for body in self._scene.bodies]
        self._places = [place for place, key in enumerate(ids) if key in moving]
        self._film_rows = [moving[ids[place]] for place in self._places]
        self._numbers = {ids[place]: number for number, place in enumerate(self._places)}
        self._hinted = hinted(self._scene)

    def follow(self, scene: Scene, change: Difference) -> None:
        self._scene = scene
        if change.added or change.removed or change.order:
            self._read()
        elif change.hints:
            self._hinted = hinted(scene)

    def number(self, body: str | None) -> int | None:
        """Which row a body has."""
        return self._numbers.get(body) if body is not None else None

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> Row:  # type: ignore[override]  # nobody asks for several at once
        place = self._places[number]
        body = self._scene.bodies[place]
        color = body_color(body, place)
        return Row(self._film_rows[number], body.id, body.name, color, body.id in self._hinted, body.arrival)
