"""LoadWatch: finds out which forces the selected body withstands when somebody asks; an edit ends it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.panels.inspection_panel import InspectionPanel
from app.runs.job import Job
from app.shell.studio import Studio
from engine.scene.load_map import LoadMap
from engine.scene.spec import Scene


class LoadWatch(QObject):
    def __init__(self, studio: Studio, panels: Sequence[InspectionPanel], parent: QObject) -> None:
        super().__init__(parent)
        self._studio = studio
        self._section = next(panel.loads for panel in panels if panel.loads is not None)
        self._job: Job | None = None
        self._of: tuple[Scene, str] | None = None  # what is asked about, or shown
        self._section.asked.connect(self.ask)
        studio.refreshed.connect(self._follow)

    def ask(self) -> None:
        self._drop()
        studio = self._studio
        body = studio.selection.active
        if not body:
            return
        self._of = (studio.document.scene, body)
        self._section.set_busy()
        self._job = studio.worker.loads(*self._of)
        self._job.finished.connect(self._take)
        self._job.failed.connect(self._give_up)

    def _follow(self) -> None:
        studio = self._studio
        if self._of is not None and self._of != (studio.document.scene, studio.selection.active or ""):
            self._drop()
            self._section.clear()

    def _take(self, found: LoadMap) -> None:
        self._job = None
        self._section.show_map(found)

    def _give_up(self, reason: str) -> None:
        self._job, self._of = None, None
        self._section.clear(reason)

    def _drop(self) -> None:
        job, self._job, self._of = self._job, None, None
        if job is not None:
            job.cancel()
