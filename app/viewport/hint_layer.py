"""HintLayer: shows hints in the view: those of selected bodies, and all of them while the sketch tool is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.document.hint_edits import with_bodies
from app.tools.hint_marks import hint_marks
from app.tools.sketch import SketchTool
from app.tools.tool import Marks
from engine.scene.spec import Scene

if TYPE_CHECKING:
    from app.viewport.view import View

OWNER = "hints"


class HintLayer(QObject):
    """Works only when what it shows may have changed: marks are places in the scene, so the camera does not matter."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._view = view
        self._state: tuple[object, ...] = ()
        self._scene: Scene | None = None  # kept, so that no other scene gets its identity
        self._drawn = False
        view.document.changed.connect(self._follow)
        view.selection.changed.connect(self._follow)
        view.selection.hint_chosen.connect(self._follow)
        view.expects_changed.connect(self._follow)
        view.look.changed.connect(self._repaint)

    def _repaint(self) -> None:
        self._state = ()
        self._follow()

    def _follow(self) -> None:
        view, tool = self._view, self._view.tool
        sketching = isinstance(tool, SketchTool)
        drawing = isinstance(tool, SketchTool) and tool.drawing
        state = (id(view.document.shown), view.selection.ids, view.selection.hint, sketching, drawing)
        if state != self._state:
            self._state, self._scene = state, view.document.shown
            marks = self._marks(sketching, drawing)
            if marks or self._drawn:
                self._drawn = bool(marks)
                view.set_extra_marks(OWNER, marks or None)

    def _marks(self, sketching: bool, drawing: bool) -> Marks:
        """While a stroke is drawn none is the chosen one: the stroke itself is."""
        view, scene, marks = self._view, self._view.document.shown, Marks()
        chosen = view.selection.hint if not drawing else ""
        for hint, body in with_bodies(scene, None if sketching else view.selection.ids):
            if not body.hidden:
                marks += hint_marks(scene, hint, body, view.look, hint.id == chosen)
        return marks
