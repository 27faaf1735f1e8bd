"""The process that reads and splits meshes, seen from the window."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTemporaryDir, Signal

import app
from app.makers.mesh_import import MeshFile, load_read, save_read
from app.makers.mesh_job import load_pieces

LOST = "Reading this mesh stopped unexpectedly. Your scene is safe."
STOP_WITHIN = 2000  # ms


class MeshProcess(QObject):
    """One job at a time; starting another stops the one under way.

    Signals:
        read(MeshFile)     a file was read
        split(list)        points (n, 3) of convex pieces, in the units of the file
        failed(str)        a sentence for the artist
    """

    read = Signal(object)
    split = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = QTemporaryDir()
        self._process: QProcess | None = None

    def start_read(self, path: Path) -> None:
        self._start(["read", str(path), self._file("read.npz")])

    def start_split(self, mesh: MeshFile, threshold: float) -> None:
        source = self._file("source.npz")
        save_read(mesh, Path(source))
        self._start(["split", source, self._file("pieces.npz"), repr(threshold)])

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

    def _file(self, name: str) -> str:
        return self._folder.filePath(name)

    def _start(self, arguments: list[str]) -> None:
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
        process.start(sys.executable, ["-m", "app.makers.mesh_job", *arguments])

    def _broke(self, process: QProcess, error: QProcess.ProcessError) -> None:
        """Only a process that never ran ends here; one that crashed is told by `finished` too."""
        if error is QProcess.ProcessError.FailedToStart and process is self._process:
            self._process = None
            process.deleteLater()
            self.failed.emit(LOST)

    def _ended(self, process: QProcess, arguments: list[str], code: int) -> None:
        if process is not self._process:
            return
        self._process = None
        said = bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace").strip()
        process.deleteLater()
        if code == 2 and said:
            self.failed.emit(said.splitlines()[-1])
        elif code != 0:
            self.failed.emit(LOST)
        elif arguments[0] == "read":
            self.read.emit(load_read(Path(arguments[2])))
        else:
            self.split.emit(load_pieces(Path(arguments[2])))
