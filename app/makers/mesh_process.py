"""The process that reads and splits meshes, seen from the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal

from app.makers.job_process import JobProcess
from app.makers.mesh_import import MeshFile, load_read, save_read
from app.makers.mesh_job import load_pieces


class MeshProcess(JobProcess):
    """Signals:
    read(MeshFile)     a file was read
    split(list)        points (n, 3) of convex pieces, in the units of the file
    """

    read = Signal(object)
    split = Signal(object)
    module = "app.makers.mesh_job"
    lost = "Reading this mesh stopped unexpectedly. Your scene is safe."

    def start_read(self, path: Path) -> None:
        self.begin(["read", str(path), self.file("read.npz")])

    def start_split(self, mesh: MeshFile, threshold: float) -> None:
        source = self.file("source.npz")
        save_read(mesh, Path(source))
        self.begin(["split", source, self.file("pieces.npz"), repr(threshold)])

    def answered(self, arguments: list[str]) -> None:
        if arguments[0] == "read":
            self.read.emit(load_read(Path(arguments[2])))
        else:
            self.split.emit(load_pieces(Path(arguments[2])))
