"""HintLayer: shows hints in the view: those of selected bodies, and all of them while the sketch tool is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.document.hint_edits import with_bodies
from app.tools.hint_marks import hint_marks
from app.tools.sketch import SketchTool
from app.tools.tool import Marks
from app.viewport.marks_of import MarksOf

if TYPE_CHECKING:
    from app.viewport.view import View


class HintLayer(MarksOf):
    owner = "hints"

    def __init__(self, view: View) -> None:
        super().__init__(view)
        view.selection.hint_chosen.connect(self.follow)
        view.expects_changed.connect(self.follow)

    def state(self) -> tuple[object, ...]:
        tool = self._view.tool
        drawing = isinstance(tool, SketchTool) and tool.drawing
        return self._view.selection.hint, isinstance(tool, SketchTool), drawing

    def marks(self) -> Marks:
        """While a stroke is drawn none is the chosen one: the stroke itself is."""
        view, scene, marks = self._view, self._view.document.shown, Marks()
        chosen, sketching, drawing = self.state()
        for hint, body in with_bodies(scene, None if sketching else view.selection.ids):
            if not body.hidden:
                marks += hint_marks(scene, hint, body, view.look, hint.id == chosen and not drawing)
        return marks
