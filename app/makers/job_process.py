"""A child process with one job at a time, seen from the window."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTemporaryDir, Signal

import app

STOP_WITHIN = 2000  # ms


class JobProcess(QObject):
    """Starting another job stops the one under way. Subclasses name the module that does the work, say in `answered`
    what becomes of its answer, and start jobs with `begin`. Exit code 2 means: a sentence for the artist is on stdout.

    Signals:
        failed(str)        a sentence for the artist
    """

    failed = Signal(str)
    module = ""
    lost = "Reading this file stopped unexpectedly. Your scene is safe."

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = QTemporaryDir()
        self._process: QProcess | None = None

    def answered(self, arguments: list[str]) -> None:
        """The job with these arguments is done."""
        raise NotImplementedError

    @property
    def running(self) -> bool:
        return self._process is not None

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
        process.start(sys.executable, ["-m", self.module, *arguments])

    def _broke(self, process: QProcess, error: QProcess.ProcessError) -> None:
        """Only a process that never ran ends here; one that crashed is told by `finished` too."""
        if error is QProcess.ProcessError.FailedToStart and process is self._process:
            self._process = None
            process.deleteLater()
            self.failed.emit(self.lost)

    def _ended(self, process: QProcess, arguments: list[str], code: int) -> None:
        if process is not self._process:
            return
        self._process = None
        said = bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace").strip()
        process.deleteLater()
        if code == 2 and said:
            self.failed.emit(said.splitlines()[-1])
        elif code != 0:
            self.failed.emit(self.lost)
        else:
            self.answered(arguments)
