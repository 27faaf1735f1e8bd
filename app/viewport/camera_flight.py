"""A camera on its way to another place: out-cubic, then still."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from app.camera import Camera
from app.look.look import tokens


class CameraFlight(QVariantAnimation):
    """Calls `show` with the cameras on the way, and lastly with the goal itself."""

    def __init__(self, show: Callable[[Camera], None], parent: QObject) -> None:
        super().__init__(parent)
        self._show = show
        self._start = self._goal = Camera()
        self.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.valueChanged.connect(self._step)

    @property
    def under_way(self) -> bool:
        return self.state() == QVariantAnimation.State.Running

    def fly(self, start: Camera, goal: Camera, reduce_motion: bool) -> None:
        self.stop()
        self._start, self._goal = start, goal
        if reduce_motion or start == goal:
            self._show(goal)
            return
        self.setDuration(int(tokens()["motion"]["camera_frame"]))
        self.start()

    def _step(self, part: float) -> None:
        if self.under_way or part >= 1.0:
            self._show(self._start.blended(self._goal, float(part)))
