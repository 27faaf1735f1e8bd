"""A child process with one job at a time, seen from the window."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTemporaryDir, Signal

import app
from engine.errors import ForegoneError

STOP_WITHIN = 2000  # ms


class JobProcess(QObject):
    """Starting another job stops the one under way. The module that does the work is run with the arguments of a job;
    its `answer` reads what a job with these arguments has left, and LOST is what to say when it left nothing. Exit
    code 2 means: a sentence for the artist is on stdout.

    Signals:
        answered(object)   what a job has left
        failed(str)        a sentence for the artist
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, module: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._module = module
        self._folder = QTemporaryDir()
        self._process: QProcess | None = None

    def cancel(self) -> None:
        """Stop the job; nothing is told."""
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect()
            process.errorOccurred.disconnect()
            process.kill()
            process.waitForFinished(STOP_WITHIN)
            process.deleteLater()

    def file(self, name: str) -> str:
        """A path for what goes between the processes."""
        return self._folder.filePath(name)

    def begin(self, arguments: list[str]) -> None:
        self.cancel()
        process = QProcess(self)
        surroundings = QProcessEnvironment.systemEnvironment()
        # The package may be run from a folder rather than installed; the child must find the same one.
        root = str(Path(app.__file__).parent.parent)
        surroundings.insert("PYTHONPATH", root)
        process.setProcessEnvironment(surroundings)
        process.finished.connect(lambda code, _status: self._ended(process, arguments, code))
        process.errorOccurred.connect(lambda error: self._broke(process, error))
        self._process = process
        process.start(sys.executable, ["-m", self._module.__name__, *arguments])

    def _broke(self, process: QProcess, error: QProcess.ProcessError) -> None:
        """Only a process that never ran ends here; one that crashed is told by `finished` too."""
        if error is QProcess.ProcessError.FailedToStart and process is self._process:
            self._process = None
            process.deleteLater()
            self.failed.emit(self._module.LOST)

    def _ended(self, process: QProcess, arguments: list[str], code: int) -> None:
        if process is not self._process:
            return
        self._process = None
        said = bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace").strip()
        process.deleteLater()
        if code == 2 and said:
            self.failed.emit(said.splitlines()[-1])
        elif code != 0:
            self.failed.emit(self._module.LOST)
        else:
            self._tell(arguments)

    def _tell(self, arguments: list[str]) -> None:
        try:
            found = self._module.answer(arguments)
        except ForegoneError:
            self.failed.emit(self._module.LOST)
        else:
            self.answered.emit(found)
