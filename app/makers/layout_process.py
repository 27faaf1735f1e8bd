"""The process that reads layouts, seen from the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal

from app.makers.job_process import JobProcess
from app.makers.layout_job import load_layout
from engine.errors import ProjectError


class LayoutProcess(JobProcess):
    """Signals:
    read(LayoutFile)   a file was read
    """

    read = Signal(object)
    module = "app.makers.layout_job"

    def start(self, path: Path) -> None:
        self.begin([str(path), self.file("layout.foregone")])

    def answered(self, arguments: list[str]) -> None:
        try:
            found = load_layout(Path(arguments[1]))
        except ProjectError:
            self.failed.emit(self.lost)
        else:
            self.read.emit(found)
