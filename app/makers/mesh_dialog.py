"""Import a mesh: what the file holds, what it means, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
from PySide6.QtWidgets import QLabel

from app.makers import mesh_job
from app.makers.fields import Segments
from app.makers.import_dialog import ImportDialog
from app.makers.job_process import JobProcess
from app.makers.made import Batch, Made, counted, put_clear
from app.makers.maker_dialog import Proposal
from app.makers.mesh_import import MeshFile, save_read
from app.makers.mesh_shapes import MeshChoice, Treatment, first_choice, mesh_body, scale_remark, size_in_metres
from engine.scene.spec import Scene

DETAIL = {"coarse": 0.12, "medium": 0.05, "fine": 0.02}  # concavity that may stay, as a fraction of the size
SAID = {
    "hull": "Moves. Hollows are filled.",
    "pieces": "Moves. Hollows stay, as far as the detail goes.",
    "static": "Never moves. Every triangle counts.",
}


class MeshDialog(ImportDialog):
    title = command = "Import mesh"
    found: MeshFile | None

    def fill(self) -> None:
        self._pieces: dict[str, list[np.ndarray]] = {}  # by detail
        self._splitting = ""  # the detail that is being worked on
        self.fill_file(["m", "cm", "mm", "in"])
        kinds = [("hull", "Hull"), ("pieces", "Convex pieces"), ("static", "Static")]
        self.treatment = self.add_wide(Segments(kinds, "hull", "Becomes"))
        self.said = self.add_wide(QLabel())
        self.said.setObjectName("makerSummary")
        details = [(key, key.capitalize()) for key in DETAIL]
        self.detail = self.add_row("Detail", Segments(details, "medium", "Detail"))
        self.show_row(self.detail, False)
        for segments in (self.unit, self.up, self.treatment, self.detail):
            segments.chosen.connect(self._chosen)
        self.choose_from(JobProcess(mesh_job, self), self.unit, self.up, self.treatment, self.detail)
        self.process.answered.connect(self._answered)

    def start(self, path: Path) -> None:
        self.process.begin(["read", str(path), self.process.file("read.npz")])

    def choice(self) -> MeshChoice:
        treatment = cast(Treatment, self.treatment.current)
        return MeshChoice(self.unit.current, self.up.current == "y", treatment)

    def propose_read(self, scene: Scene) -> Proposal:
        assert self.found is not None
        choice = self.choice()
        pieces = self._pieces.get(self.detail.current) if choice.treatment == "pieces" else None
        body = mesh_body(self.found, choice, pieces)
        made = Made((Batch(body.name, (body,)),))
        shown, ids = put_clear(scene, made)
        warnings = tuple(remark for remark in (*self.found.remarks, scale_remark(self.found, choice)) if remark)
        if pieces == []:
            warnings = ("This mesh cannot be split into convex pieces. Its hull is used.", *warnings)
        elif choice.treatment == "pieces" and pieces is None:
            words = "Splitting into convex pieces. Until then its hull is shown."
            return Proposal(shown, (), words, warnings, ready=False)
        size = " x ".join(f"{v:.3g}" for v in size_in_metres(self.found, choice))
        what = counted(len(pieces), "convex piece") if pieces else "1 static body" if body.static else "1 hull"
        return Proposal(shown, tuple(ids), f"{what} · {size} m", warnings)

    def _chosen(self) -> None:
        self.said.setText(SAID[self.treatment.current])
        self.show_row(self.detail, self.treatment.current == "pieces")
        self._split_if_wanted()
        self.rebuild_soon()

    def _split_if_wanted(self) -> None:
        wanted = self.treatment.current == "pieces" and self.detail.current not in self._pieces
        if self.found is None or not wanted:
            self.process.cancel()
            return
        self._splitting = self.detail.current
        source = self.process.file("source.npz")
        save_read(self.found, Path(source))
        self.process.begin(["split", source, self.process.file("pieces.npz"), repr(DETAIL[self._splitting])])

    def _answered(self, found: MeshFile | list[np.ndarray]) -> None:
        if isinstance(found, MeshFile):
            self._was_read(found)
        else:
            self._pieces[self._splitting] = found
            self.rebuild_soon()

    def _was_read(self, mesh: MeshFile) -> None:
        self.found = mesh
        kind = "convex" if mesh.convex else "closed, with hollows" if mesh.closed else "not closed"
        self.facts.setText(f"{counted(len(mesh.triangles), 'triangle')}, {kind}")
        likely = first_choice(mesh)
        self._let_choose(True)
        self.unit.choose(likely.unit)
        self.up.choose("y" if likely.y_up else "z")
        self.treatment.choose(likely.treatment)
        self._chosen()

    def _failed(self, reason: str) -> None:
        """A mesh that cannot be split can still be a hull."""
        if self.found is None:
            super()._failed(reason)
        else:
            self._pieces[self._splitting] = []
            self.rebuild_soon()
