"""Import a layout: what a file from another program holds becomes the ending."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from app.makers.fields import Segments, Toggle
from app.makers.layout_job import LayoutFile
from app.makers.layout_process import LayoutProcess
from app.makers.made import Batch, Made, counted, free_place
from app.makers.maker_dialog import MakerDialog, Proposal
from engine.export.settings import UNITS
from engine.layout.convert import converted
from engine.layout.floors import extents, with_fixed_floors
from engine.layout.merge import merged
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Scene, Sphere, TriangleMesh

FILE_NAME = 200  # px for the name of the file
LARGEST, SMALLEST = 200.0, 0.02  # m, of a whole layout; beyond, it is probably in another unit
DEEP = 1e-3  # m below the ground that is worth a word
GAP = "\N{NO-BREAK SPACE}"  # between a number and its unit
OWN = "own"  # key of a unit that is none of the usual ones
KINDS = {Box: ("box", "boxes"), Sphere: ("ball", "balls"), Cylinder: ("cylinder", ""), Capsule: ("capsule", ""),
         Hull: ("hull", ""), TriangleMesh: ("surface", "")}  # fmt: skip
UNSAID = "The file does not say its unit and which way is up. Look whether both are right."
SAID = {
    True: "They move to where the layout has them and keep materials and hints.",
    False: "Everything is added beside what is there.",
}


def import_layout(path: str | PathLike[str], *desk: Any) -> LayoutDialog:
    """Open the dialog for a file, as after dropping it on the view; `desk` is what every maker's dialog is made of.
    The caller keeps it; it deletes itself when closed."""
    dialog = LayoutDialog(*desk)
    dialog.read(Path(fspath(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.show()
    return dialog


class LayoutDialog(MakerDialog):
    """Reads in a process of its own; closing the dialog stops it.

    Signals:
        arrived()    what the file holds is on show for the first time
    """

    arrived = Signal()
    title, verb, command = "Import layout", "Import", "Import layout"

    def fill(self) -> None:
        self.layout_file: LayoutFile | None = None
        self._failure = ""
        self._name = ""  # of the file, as far as there is room
        self.file = QLabel()
        self.facts = QLabel("Reading ...")
        self.facts.setWordWrap(True)
        self.unit = Segments([(key, key) for key in (*UNITS, OWN)], "m", "Unit")
        self.unit.button(OWN).hide()
        self.up = Segments([("z", "Z up"), ("y", "Y up")], "z", "Up")
        self.same = Toggle(self.look, "Replace bodies with the same name", True)
        self.said = QLabel(SAID[True])
        self.floors = Toggle(self.look, "Keep large, flat objects fixed", True)
        self._add_rows()
        self.process = LayoutProcess(self)
        self.process.read.connect(self._was_read)
        self.process.failed.connect(self._failed)

    def read(self, path: Path) -> None:
        """Which file; once, before it is shown."""
        self._name = self.file.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, FILE_NAME)
        self.file.setText(self._name)
        self.file.setToolTip(str(path))
        self.process.start(path)

    def _add_rows(self) -> None:
        self.add_row("File", self.file)
        self.add_row("Holds", self.facts)
        self.add_line()
        self.add_row("Unit", self.unit)
        self.add_row("Up", self.up)
        self.add_line()
        self.add_wide(self.same)
        self.said.setObjectName("makerSummary")
        self.said.setWordWrap(True)
        self.said.setIndent(24)
        self.add_wide(self.said)
        self.add_wide(self.floors)
        for field in (self.unit, self.up, self.same, self.floors):
            field.setEnabled(False)
        self.same.toggled.connect(lambda on: self.said.setText(SAID[on]))
        self.rebuild_on(self.unit.chosen, self.up.chosen, self.same.toggled, self.floors.toggled)

    def propose(self, scene: Scene) -> Proposal:
        if self._failure:
            return Proposal(None, refused=self._failure)
        if self.layout_file is None:
            return Proposal(None, summary="Reading the file. Cancel stops it.")
        bodies, beside = self._bodies(self.layout_file), not self.same.isChecked()
        result = merged(scene, _beside(scene, bodies) if beside else bodies, replace_same=not beside)
        chosen = set(result.ids)
        come = [body for body in result.scene.bodies if body.id in chosen]
        unsaid = () if self.layout_file.known else (UNSAID,)
        warnings = (*unsaid, *self._remarks(result.scene, come), *self.layout_file.notes, *result.notes)
        return Proposal(result.scene, result.ids, self._summary_words(come, result.replaced), warnings)

    def _bodies(self, found: LayoutFile) -> list[Body]:
        """In the chosen unit and axes."""
        metres = found.metres if self.unit.current == OWN else UNITS[self.unit.current]
        bodies = converted(found.bodies, metres / found.metres, found.up, self.up.current)
        return with_fixed_floors(bodies) if self.floors.isChecked() else bodies

    def _summary_words(self, come: list[Body], replaced: int) -> str:
        fixed = sum(body.static for body in come)
        words = [counted(len(come), "body", "bodies")]
        words += [f"{fixed} fixed"] if fixed else []
        words += [f"{replaced} of them replaced" if replaced < len(come) else "all replaced"] if replaced else []
        return f"{', '.join(words)} · from {self._name}"

    def _remarks(self, scene: Scene, come: list[Body]) -> list[str]:
        """What looks wrong about the size and the height."""
        boxes = extents(come)
        low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
        large, found = float((high - low).max()), []
        if large > LARGEST:
            found.append(f"It would be {large:.0f}{GAP}m large. Choose a smaller unit if that is not meant.")
        elif large < SMALLEST:
            found.append(f"It would be {large * 1000:.2g}{GAP}mm large. Choose a larger unit if that is not meant.")
        moving = [k for k, body in enumerate(come) if not body.static and boxes[k, 0, 2] < -DEEP]
        if scene.ground and moving:
            what = come[moving[0]].name if len(moving) == 1 else f"{len(moving)} bodies"
            verb = "reaches" if len(moving) == 1 else "reach"
            found.append(f"{what} {verb} below the ground, by up to {-boxes[moving, 0, 2].min():.3g}{GAP}m.")
        return found

    def _was_read(self, found: LayoutFile) -> None:
        self.layout_file = found
        self.facts.setText(_kinds(found.bodies))
        for field in (self.unit, self.up, self.same, self.floors):
            field.setEnabled(True)
        usual = next((key for key, metres in UNITS.items() if abs(metres / found.metres - 1.0) < 1e-6), OWN)
        if usual == OWN:
            self.unit.button(OWN).setText(f"{found.metres:.4g} m")
            self.unit.button(OWN).show()
        self.unit.choose(usual)
        self.up.choose(found.up)
        self.rebuild()
        self.arrived.emit()

    def _failed(self, reason: str) -> None:
        self._failure = reason
        self.facts.setText("")
        self.rebuild_soon()

    def _leave(self) -> None:
        super()._leave()
        self.process.cancel()


def _kinds(bodies: tuple[Body, ...]) -> str:
    """ "9 boxes, 2 balls, 1 hull"."""
    counts = {kind: sum(type(body.shape) is kind for body in bodies) for kind in KINDS}
    return ", ".join(counted(count, *KINDS[kind]) for kind, count in counts.items() if count)


def _beside(scene: Scene, bodies: list[Body]) -> list[Body]:
    """Moved together to where they stand clear of everything."""
    dx, dy, dz = free_place(scene, Made((Batch("Layout", tuple(bodies)),)))
    if not (dx or dy or dz):
        return bodies
    return [replace(b, position=(b.position[0] + dx, b.position[1] + dy, b.position[2] + dz)) for b in bodies]
