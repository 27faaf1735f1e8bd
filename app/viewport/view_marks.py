"""What the view paints over its picture, and whose it is: the tool's, a panel's, the take's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.tools.tool import Marks
from app.viewport.layout import part
from app.viewport.marks_layer import MarksLayer
from app.viewport.motion_marks import Ending, MotionMarks, Trail
from app.viewport.scene_cache import SceneCache
from app.viewport.screen_places import problem_glyphs

if TYPE_CHECKING:
    from app.viewport.view import View


class ViewMarks:
    def __init__(self, view: View, cache: SceneCache) -> None:
        self._view, self._cache = view, cache
        self._problems: dict[str, str] = {}
        self._extra: dict[str, Marks] = {}
        self.layer = MarksLayer(view.look, view)
        self.motion: MotionMarks = self.layer.motion
        self._ending_ids: tuple[str, ...] = ()

    def set_problems(self, problems: Mapping[str, str]) -> None:
        """Mark bodies with a glyph: id -> "overlap", "floating", ..."""
        self._problems = dict(problems)
        self.show()

    def set_extra(self, owner: str, marks: Marks | None) -> None:
        """Lines and labels that stay whatever the tool (a panel's forces); None takes them away."""
        if marks is None:
            self._extra.pop(owner, None)
        else:
            self._extra[owner] = marks
        self.show()

    def set_trails(self, trails: Sequence[Trail], now: int, ending: int) -> None:
        """`now` and `ending`: frames that are shown, and authored. The same list again costs least."""
        if self.motion.set_trails(trails, now, ending):
            self.show()

    def set_endings(self, ids: Iterable[str]) -> None:
        """Bodies whose ending is outlined."""
        wanted = tuple(ids)
        if wanted != self._ending_ids:
            self._ending_ids = wanted
            self._follow_endings()
            self.show()

    def follow_scene(self) -> None:
        """Bodies of the document changed."""
        if self._ending_ids:
            self._follow_endings()

    def _follow_endings(self) -> None:
        layout = self._cache.ending
        rows = self._cache.rows(self._ending_ids, unseen=True)
        self.motion.set_endings(
            [Ending(layout.bodies[row].name, part(layout, np.array([row], np.int64))) for row in rows.tolist()]
        )

    def show(self) -> None:
        """After any of them, the camera or the poses changed."""
        view = self._view
        glyphs = problem_glyphs(self._cache, self._problems, view.camera, view.extent)
        self.layer.show_marks([*self._extra.values(), view.tool.marks()], glyphs, view.camera)
