"""When to spend time on smooth edges and fine shadows: without a graphics card only once the picture is at rest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

STILL = 140  # ms without movement
WORTH_REFINING = 0.09  # s: where the processor draws, a picture slower than this is not drawn again with smooth edges


class Refinement(QObject):
    """`refine` is called once after the last of several movements; it says whether it drew a finer picture."""

    def __init__(self, refine: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._refine = refine
        self.fine = True  # is the next picture to be a fine one?
        self._timer = QTimer(self, singleShot=True, interval=STILL)
        self._timer.timeout.connect(self._rest)

    @property
    def waiting(self) -> bool:
        """Did something move just now?"""
        return self._timer.isActive()

    def postpone(self) -> None:
        """Something moved."""
        self.fine = False
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _rest(self) -> None:
        self.fine = True
        self.fine = self._refine()
