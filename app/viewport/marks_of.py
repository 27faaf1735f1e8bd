"""MarksOf: keeps marks about the document in the view, and makes them anew only when what they show may differ."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject

from app.tools.tool import Marks
from engine.scene.spec import Scene

if TYPE_CHECKING:
    from app.viewport.view import View


class MarksOf(QObject):
    """Marks are places in the scene, so the camera does not matter. Subclasses connect what else concerns them to
    `follow`."""

    owner: ClassVar[str]

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._view = view
        self._state: tuple[object, ...] = ()
        self._scene: Scene | None = None  # kept, so that no other scene gets its identity
        self._drawn = False
        view.document.changed.connect(self.follow)
        view.selection.changed.connect(self.follow)
        view.look.changed.connect(self._repaint)

    @abstractmethod
    def state(self) -> tuple[object, ...]:
        """What the marks depend on besides the scene and the selection."""

    @abstractmethod
    def marks(self) -> Marks: ...

    def follow(self) -> None:
        view = self._view
        state = (id(view.document.shown), view.selection.ids, *self.state())
        if state == self._state:
            return
        self._state, self._scene = state, view.document.shown
        marks = self.marks()
        if marks or self._drawn:
            self._drawn = bool(marks)
            view.set_extra_marks(self.owner, marks or None)

    def _repaint(self) -> None:
        self._state = ()
        self.follow()
