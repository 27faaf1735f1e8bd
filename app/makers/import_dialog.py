"""Dialogs that import a file: it is read in a process of its own, and closing the dialog stops that."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.makers.fields import Segments
from app.makers.job_process import JobProcess
from app.makers.maker_dialog import MakerDialog, Proposal
from engine.scene.spec import Scene

FILE_NAME = 200  # px for the name of the file


class ImportDialog(MakerDialog):
    """Subclasses have a process, fields that mean nothing before the file is read (`choices`), and say in
    `propose_read` what accepting makes of what was read (`found`)."""

    verb = "Import"
    process: JobProcess
    choices: tuple[QWidget, ...] = ()
    found: Any = None  # what the file holds; None: not read yet

    @classmethod
    def opened(cls, path: str | PathLike[str], *desk: Any) -> Self:
        """Open the dialog for a file, as after dropping it on the view; `desk` is what every maker's dialog is made
        of. The caller keeps it; it deletes itself when closed."""
        dialog = cls(*desk)
        dialog._read(Path(fspath(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.show()
        return dialog

    def start(self, path: Path) -> None:
        """Let the process read a file."""
        raise NotImplementedError

    def propose_read(self, scene: Scene) -> Proposal:
        raise NotImplementedError

    def fill_file(self, units: list[str]) -> None:
        """The rows of every import: which file, what it holds, in which unit and with which axis up."""
        self._failure = ""
        self.file = self.add_row("File", QLabel())
        self.facts = self.add_row("Holds", QLabel("Reading ..."))
        self.facts.setWordWrap(True)
        self.add_line()
        self.unit = self.add_row("Unit", Segments([(key, key) for key in units], "m", "Unit"))
        self.up = self.add_row("Up", Segments([("z", "Z up"), ("y", "Y up")], "z", "Up"))

    def choose_from(self, process: JobProcess, *choices: QWidget) -> None:
        self.process, self.choices = process, choices
        process.failed.connect(self._failed)
        self._let_choose(False)

    def propose(self, scene: Scene) -> Proposal:
        if self._failure:
            return Proposal(None, refused=self._failure)
        if self.found is None:
            return Proposal(None, summary="Reading the file. Cancel stops it.")
        return self.propose_read(scene)

    def _read(self, path: Path) -> None:
        self.file.setText(self.file.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, FILE_NAME))
        self.file.setToolTip(str(path))
        self.start(path)

    def _let_choose(self, on: bool) -> None:
        for field in self.choices:
            field.setEnabled(on)

    def _failed(self, reason: str) -> None:
        """A file that cannot be read is the end."""
        self._failure = reason
        self.facts.setText("")
        self.rebuild_soon()

    def _leave(self) -> None:
        super()._leave()
        self.process.cancel()
