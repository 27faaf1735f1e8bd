"""Import a mesh: what the file holds, what it means, and what becomes of it."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.makers.fields import Segments
from app.makers.made import Batch, Made, counted, put_clear
from app.makers.maker_dialog import MakerDialog, Proposal
from app.makers.mesh_import import MeshFile
from app.makers.mesh_process import MeshProcess
from app.makers.mesh_shapes import MeshChoice, Treatment, first_choice, mesh_body, scale_remark, size_in_metres
from engine.scene.spec import Scene

DETAIL = {"coarse": 0.12, "medium": 0.05, "fine": 0.02}  # concavity that may stay, as a fraction of the size
FILE_NAME = 200  # px for the name of the file
SAID = {
    "hull": "Moves. Hollows are filled.",
    "pieces": "Moves. Hollows stay, as far as the detail goes.",
    "static": "Never moves. Every triangle counts.",
}


def import_mesh(path: str | PathLike[str], *desk: Any) -> MeshDialog:
    """Open the dialog for a file, as after dropping it on the view; `desk` is what every maker's dialog is made of.
    The caller keeps it; it deletes itself when closed."""
    dialog = MeshDialog(*desk)
    dialog.read(Path(fspath(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.show()
    return dialog


class MeshDialog(MakerDialog):
    """Reads and splits in a process of its own; closing the dialog stops it."""

    title, verb, command = "Import mesh", "Import", "Import mesh"

    def fill(self) -> None:
        self.mesh: MeshFile | None = None
        self._pieces: dict[str, list[np.ndarray]] = {}  # by detail
        self._failure = ""
        self._splitting = ""  # the detail that is being worked on
        self.file = QLabel()
        self.facts = QLabel("Reading ...")
        self.facts.setWordWrap(True)
        self.unit = Segments([(key, key) for key in ("m", "cm", "mm", "in")], "m", "Unit")
        self.up = Segments([("z", "Z up"), ("y", "Y up")], "z", "Up")
        kinds = [("hull", "Hull"), ("pieces", "Convex pieces"), ("static", "Static")]
        self.treatment = Segments(kinds, "hull", "Becomes")
        self.said = QLabel()
        self.said.setObjectName("makerSummary")
        self.detail = Segments([(key, key.capitalize()) for key in DETAIL], "medium", "Detail")
        self._add_rows()
        self.process = MeshProcess(self)
        self.process.read.connect(self._was_read)
        self.process.split.connect(self._was_split)
        self.process.failed.connect(self._failed)

    def read(self, path: Path) -> None:
        """Which file; once, before it is shown."""
        self.file.setText(self.file.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, FILE_NAME))
        self.file.setToolTip(str(path))
        self.process.start_read(path)

    def _add_rows(self) -> None:
        self.add_row("File", self.file)
        self.add_row("Holds", self.facts)
        self.add_line()
        self.add_row("Unit", self.unit)
        self.add_row("Up", self.up)
        self.add_wide(self.treatment)
        self.add_wide(self.said)
        self.add_row("Detail", self.detail)
        for segments in (self.unit, self.up, self.treatment, self.detail):
            segments.setEnabled(False)
            segments.chosen.connect(self._chosen)
        self.show_row(self.detail, False)

    def choice(self) -> MeshChoice:
        treatment = cast(Treatment, self.treatment.current)
        return MeshChoice(self.unit.current, self.up.current == "y", treatment)

    def propose(self, scene: Scene) -> Proposal:
        if self._failure:
            return Proposal(None, refused=self._failure)
        if self.mesh is None:
            return Proposal(None, summary="Reading the file. Cancel stops it.")
        choice = self.choice()
        pieces = self._pieces.get(self.detail.current) if choice.treatment == "pieces" else None
        body = mesh_body(self.mesh, choice, pieces)
        made = Made((Batch(body.name, (body,)),))
        shown, ids = put_clear(scene, made)
        warnings = tuple(remark for remark in (*self.mesh.remarks, scale_remark(self.mesh, choice)) if remark)
        if pieces == []:
            warnings = ("This mesh cannot be split into convex pieces. Its hull is used.", *warnings)
        elif choice.treatment == "pieces" and pieces is None:
            words = "Splitting into convex pieces. Until then its hull is shown."
            return Proposal(shown, (), words, warnings, ready=False)
        size = " x ".join(f"{v:.3g}" for v in size_in_metres(self.mesh, choice))
        what = counted(len(pieces), "convex piece") if pieces else "1 static body" if body.static else "1 hull"
        return Proposal(shown, tuple(ids), f"{what} · {size} m", warnings)

    def _chosen(self) -> None:
        self.said.setText(SAID[self.treatment.current])
        self.show_row(self.detail, self.treatment.current == "pieces")
        self._split_if_wanted()
        self.rebuild_soon()

    def _split_if_wanted(self) -> None:
        wanted = self.treatment.current == "pieces" and self.detail.current not in self._pieces
        if self.mesh is None or not wanted:
            self.process.cancel()
            return
        self._splitting = self.detail.current
        self.process.start_split(self.mesh, DETAIL[self._splitting])

    def _was_read(self, mesh: MeshFile) -> None:
        self.mesh = mesh
        kind = "convex" if mesh.convex else "closed, with hollows" if mesh.closed else "not closed"
        self.facts.setText(f"{counted(len(mesh.triangles), 'triangle')}, {kind}")
        likely = first_choice(mesh)
        for segments in (self.unit, self.up, self.treatment, self.detail):
            segments.setEnabled(True)
        self.unit.choose(likely.unit)
        self.up.choose("y" if likely.y_up else "z")
        self.treatment.choose(likely.treatment)
        self._chosen()

    def _was_split(self, pieces: list[np.ndarray]) -> None:
        self._pieces[self._splitting] = pieces
        self.rebuild_soon()

    def _failed(self, reason: str) -> None:
        """A file that cannot be read is the end; a mesh that cannot be split can still be a hull."""
        if self.mesh is None:
            self._failure = reason
            self.facts.setText("")
        else:
            self._pieces[self._splitting] = []
        self.rebuild_soon()

    def _leave(self) -> None:
        super()._leave()
        self.process.cancel()
