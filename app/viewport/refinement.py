"""When to spend time on smooth edges and fine shadows: without a graphics card only once the picture is at rest."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

STILL = 140  # ms without movement
WORTH_REFINING = 0.09  # s: where the processor draws, a picture slower than this is not drawn again with smooth edges


class Refinement(QTimer):
    """`refine` is called once after the last of several movements; it says whether it drew a finer picture. Active
    while something moved just now."""

    def __init__(self, refine: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent, singleShot=True, interval=STILL)
        self._refine = refine
        self.fine = True  # is the next picture to be a fine one?
        self.timeout.connect(self._rest)

    def postpone(self) -> None:
        """Something moved."""
        self.fine = False
        self.start()

    def _rest(self) -> None:
        self.fine = True
        self.fine = self._refine()
