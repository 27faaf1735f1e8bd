"""StackingWatch: while somebody looks at the stacking panel, the worker says how the ending holds together."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.panels.stacking_panel import StackingPanel
from app.shell.asking import Asking
from app.shell.studio import Studio
from app.viewport.support_lines import SupportLines
from engine.scene.seat import Stacking
from engine.scene.spec import Scene

PAUSE = 300  # ms without an edit


class StackingWatch(Asking):
    """Asks after a pause in editing, and not at all while the panel is hidden."""

    def __init__(self, studio: Studio, panel: StackingPanel, parent: QObject) -> None:
        super().__init__(PAUSE, parent)
        self._studio, self._panel = studio, panel
        self._lines = SupportLines(studio.view, studio.playback)
        self._seen: Scene | None = None
        studio.refreshed.connect(self._follow)
        panel.looked_at.connect(self._follow)

    def _follow(self) -> None:
        scene = self._studio.document.scene
        self._lines.show(self._panel.stacking.seats if self._panel.isVisible() else ())
        if not self._panel.isVisible() or self._studio.job is not None:
            self.stop()  # a job wants the worker for itself; its end is followed by another look
        elif scene is not self._seen and not self._pause.isActive():
            self._drop_job()
            self._pause.start()

    def _forget(self) -> None:
        self._seen = None
        self._panel.set_busy(False)

    def _ask(self) -> None:
        scene = self._seen = self._studio.document.scene
        if not scene.bodies:
            self._panel.set_stacking(Stacking((), ()))
            return
        self._panel.set_busy(True)
        self._run(self._studio.worker.stacking(scene), self._take, self._give_up)

    def _take(self, stacking: Stacking) -> None:
        self._job = None
        self._panel.set_stacking(stacking)
        self._lines.show(stacking.seats)

    def _give_up(self) -> None:
        """Not worth a message: the next edit asks again."""
        self._job = None
        self._panel.set_busy(False)
