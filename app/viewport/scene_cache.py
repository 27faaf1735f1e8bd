"""What the view has worked out of the scene it shows: layout, colours, draw list. Each is made again only when
something it depends on changed. No GL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from app.document.difference import Difference
from app.look.look import Look
from app.viewport.boxes import box_corners
from app.viewport.coloring import Entry, colors, legend
from app.viewport.draw_list import Batch, draw_list
from app.viewport.ghosts import Ghost, ghost_list
from app.viewport.layout import Layout, followed, layout_of, moved, without
from engine.scene.spec import Scene

NO_ROWS = np.zeros(0, np.int64)
NO_POSES = ((), np.zeros((0, 3)), np.zeros((0, 4)))
Poses = tuple[Sequence[str], np.ndarray, np.ndarray]  # ids, positions (k, 3) m, orientations (k, 4)


class SceneCache:
    def __init__(self, look: Look) -> None:
        self._look = look
        self._scene = Scene()
        self._rest: Layout | None = None  # at the ending
        self._layout: Layout | None = None  # as shown
        self._poses: Poses = NO_POSES
        self._shown: np.ndarray | None = None  # (k,) which of those posed are to be seen; None: all
        self._posed: tuple[object, object, np.ndarray, np.ndarray] | None = None  # what `_known` answered last
        self._ghosts: list[Ghost] = []
        self._ghost_batches: list[Batch] | None = []
        self._mode = "material"
        self._values: dict[str, dict[str, Any]] = {}
        self._paint: np.ndarray | None = None  # (n, 4)
        self._batches: list[Batch] | None = None
        self._row_of: dict[str, int] | None = None

    def set_scene(self, scene: Scene, change: Difference | None = None) -> None:
        """`change`: what differs from the scene before, if that is known; bodies that only moved then cost little."""
        self._scene = scene
        rest = self._followed(scene, change) if change is not None else None
        if rest is None:
            self._paint = self._row_of = None
        self._rest, self._layout, self._batches, self._ghost_batches = rest, None, None, None

    def _followed(self, scene: Scene, change: Difference) -> Layout | None:
        if self._rest is None or change.added or change.removed or change.order:
            return None
        row_of = self._rows()
        rows = [row_of.get(key, -1) for key in change.changed]
        return followed(self._rest, scene, rows) if -1 not in rows else None

    def set_poses(
        self, ids: Sequence[str], positions: np.ndarray, orientations: np.ndarray, shown: np.ndarray | None = None
    ) -> None:
        """Bodies elsewhere than at their ending; those not marked in `shown` (k,) are neither drawn nor picked.
        The same `ids` object again and again costs least."""
        self._poses = (ids, positions, orientations)
        self._shown = shown if shown is not None and not shown.all() else None
        self._layout = self._batches = None

    def set_ghosts(self, ghosts: list[Ghost]) -> None:
        self._ghosts, self._ghost_batches = ghosts, None

    def set_mode(self, mode: str) -> None:
        self._mode = mode
        self.recolor()

    def set_values(self, mode: str, values: Mapping[str, Any]) -> None:
        self._values[mode] = dict(values)
        if mode == self._mode:
            self.recolor()

    def recolor(self) -> None:
        """Another theme."""
        self._paint = self._batches = self._ghost_batches = None

    @property
    def ending(self) -> Layout:
        """Where the document has its bodies, whatever is shown."""
        if self._rest is None:
            self._rest = layout_of(self._scene)
        return self._rest

    @property
    def layout(self) -> Layout:
        """As shown."""
        if self._layout is None:
            ids, positions, orientations = self._poses
            rest = self.ending
            rows, known = self._known(ids)
            posed = moved(rest, rows, positions[known], orientations[known]) if len(rows) else rest
            unseen = self._unseen()
            self._layout = without(posed, unseen) if len(unseen) else posed
        return self._layout

    def _unseen(self) -> np.ndarray:
        """Rows of bodies that are not there to be seen yet."""
        if self._shown is None:
            return NO_ROWS
        rows, known = self._known(self._poses[0])
        return rows[~self._shown[known]]

    def _known(self, ids: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Rows of those ids that are visible, and which of the ids these are."""
        row_of = self._rows()
        if self._posed is None or self._posed[0] is not ids or self._posed[1] is not row_of:
            rows = np.array([row_of.get(key, -1) for key in ids], np.int64)
            known = np.flatnonzero(rows >= 0)
            self._posed = (ids, row_of, rows[known], known)
        return self._posed[2], self._posed[3]

    @property
    def batches(self) -> list[Batch]:
        if self._batches is None:
            self._batches = draw_list(self.layout, self._colors())
        return self._batches

    @property
    def ghosts(self) -> list[Batch]:
        """Like `batches`; the last number of an instance is its opacity."""
        if self._ghost_batches is None:
            self._ghost_batches = ghost_list(self._ghosts, self.ending, self._rows(), self._colors())
        return self._ghost_batches

    def _colors(self) -> np.ndarray:
        if self._paint is None:
            bodies, numbers = self.ending.bodies, self.ending.numbers
            self._paint = colors(self._mode, bodies, numbers, self._values.get(self._mode, {}), self._look)
        return self._paint

    def rows(self, ids: Iterable[str], unseen: bool = False) -> np.ndarray:
        """Rows of those bodies that are visible; `unseen`: of those not to be seen yet as well."""
        row_of = self._rows()
        found = [row_of[key] for key in ids if key in row_of]
        if found and self._shown is not None and not unseen:
            gone = set(self._unseen().tolist())
            found = [row for row in found if row not in gone]
        return np.array(found, np.int64) if found else NO_ROWS

    def _rows(self) -> dict[str, int]:
        if self._row_of is None:
            self._row_of = {body.id: row for row, body in enumerate(self.ending.bodies)}
        return self._row_of

    def bounds(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray] | None:
        """Box round all bodies that are seen, or some; None without any."""
        layout = self.layout
        if rows is None and self._shown is not None:
            rows = np.setdiff1d(np.arange(len(layout.bodies)), self._unseen())
        low, high = (layout.low, layout.high) if rows is None else (layout.low[rows], layout.high[rows])
        return (low.min(axis=0), high.max(axis=0)) if len(low) else None

    def corners(self, rows: np.ndarray) -> np.ndarray:
        """(8 n, 3) corners of the boxes round bodies."""
        return box_corners(self.layout.low[rows], self.layout.high[rows])

    def corners_round(self, rows: np.ndarray) -> np.ndarray:
        """(8, 3) corners of the one box round some bodies."""
        low, high = self.layout.low[rows].min(axis=0), self.layout.high[rows].max(axis=0)
        return box_corners(low, high)

    def legend(self, mode: str) -> list[Entry]:
        """What a mode shows now."""
        return legend(mode, self._values.get(mode, {}), self._scene.bodies, self._look)
