"""MarksOf: keeps marks about the document in the view, and makes them anew only when what they show may differ.
EndingMarks: the same for what is seen only at the ending."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from PySide6.QtCore import QObject

from app.session.playback import Playback
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

    def state(self) -> tuple[object, ...]:
        """What the marks depend on besides the scene and the selection."""
        return ()

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
            view.marks.set_extra(self.owner, marks or None)

    def _repaint(self) -> None:
        self._state = ()
        self.follow()


class EndingMarks(MarksOf):
    """None while a take shows the bodies elsewhere."""

    def __init__(self, view: View, playback: Playback) -> None:
        super().__init__(view)
        self._playback = playback
        playback.moved.connect(self.follow)

    def state(self) -> tuple[object, ...]:
        return (self._playback.at_ending,)

    def marks(self) -> Marks:
        return self.ending_marks() if self._playback.at_ending else Marks()

    @abstractmethod
    def ending_marks(self) -> Marks: ...


def arrow(tail: np.ndarray, tip: np.ndarray, head: float, across: int) -> list[np.ndarray]:
    """Shaft and head, each (k, 3); nothing between places that are one. `head`: share of the arrow. The head lies flat
    on the axis `across`, or on x where the arrow goes along that."""
    shaft = tip - tail
    length = float(np.linalg.norm(shaft))
    if length < 1e-9:
        return []
    side = np.cross(shaft, np.eye(3)[across if abs(shaft[across]) < 0.9 * length else 0])
    side *= 0.5 * head * length / np.linalg.norm(side)
    neck = tip - head * shaft
    return [np.array([tail, tip]), np.array([neck + side, tip, neck - side])]
