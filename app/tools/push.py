"""PushTool: the mouse pulls at the middle of a body, and the force it would take grows with the way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt

from app.look.quantity_words import force_words
from app.tools.drag import Sight
from app.tools.stage import Stage
from app.tools.tool import Dot, Expect, Label, Marks, Pointer, Stroke, Tool
from engine.scene.spec import Body
from engine.shapes.solids import Solids

Push = tuple[float, float, float]
NO_PUSH: Push = (0.0, 0.0, 0.0)
UNKNOWN = 10.0  # N, for a body whose weight is not known


class PushTool(Tool):
    """A drag as long as the body is wide pushes with its weight. Shift keeps the push level."""

    name = "push"
    cursor = Qt.CursorShape.CrossCursor

    def __init__(
        self, stage: Stage, body: Body, weight: float, changed: Callable[[Push], None], finished: Callable[[], None]
    ) -> None:
        """`changed` hears every push (N), `finished` when the mouse lets go of the last one."""
        super().__init__(stage)
        solids = Solids(body)
        low, high = solids.low.min(axis=0), solids.high.max(axis=0)
        self._middle = np.array(body.position, float)
        self._strength = (weight or UNKNOWN) / max(1e-6, float((high - low).max()))  # N/m
        self._changed, self._finished = changed, finished
        self._way: np.ndarray | None = None  # m, while it is dragged

    def press(self, pointer: Pointer) -> bool:
        self._follow(pointer)
        return True

    def move(self, pointer: Pointer) -> bool:
        if self._way is None:
            return False
        self._follow(pointer)
        return True

    def release(self, pointer: Pointer) -> bool:
        if self._way is not None:
            self._way = None
            self._finished()
        return True

    def busy(self) -> bool:
        return True

    def cancel(self) -> None:
        self._way = None
        self._changed(NO_PUSH)
        self._finished()

    def expects(self) -> list[Expect]:
        return [Expect("Drag", "pull at the body"), Expect("Shift", "level"), Expect("Esc", "no push")]

    def marks(self) -> Marks:
        accent = self.stage.look.hex("accent")
        if self._way is None:
            return Marks(dots=[Dot(self._middle, accent, 6.0, self.stage.look.view("background_bottom"))])
        tip = self._middle + self._way
        force = force_words(self._strength * float(np.linalg.norm(self._way)))
        label = Label(12.0, -12.0, force, anchor=tip, aside="push")
        return Marks([Stroke(np.array([self._middle, tip]), accent, 2.6, arrow=1.0)], [label])

    def _follow(self, pointer: Pointer) -> None:
        sight, pixel = Sight(self.stage.camera, *self.stage.extent), np.array([pointer.x, pointer.y])
        there = sight.on_view_plane(pixel, self._middle)
        if pointer.shift:
            level = sight.ray(pixel).meet_plane(self._middle, np.array([0.0, 0.0, 1.0]))
            there = level if level is not None else there
        self._way = there - self._middle
        x, y, z = (self._strength * self._way).tolist()
        self._changed((x, y, z))
        self.stage.refresh()
