"""Import a layout: what a file from another program holds becomes the ending."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel

from app.document.edits import moved
from app.makers import layout_job
from app.makers.fields import Toggle
from app.makers.import_dialog import ImportDialog
from app.makers.job_process import JobProcess
from app.makers.layout_job import LayoutFile
from app.makers.made import Batch, Made, counted, free_place
from app.makers.maker_dialog import Proposal
from engine.export.settings import UNITS
from engine.layout.convert import converted
from engine.layout.floors import extents, with_fixed_floors
from engine.layout.merge import merged
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Scene, Sphere, TriangleMesh

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


class LayoutDialog(ImportDialog):
    """Signals:
    arrived()    what the file holds is on show for the first time
    """

    arrived = Signal()
    title = command = "Import layout"
    found: LayoutFile | None

    def fill(self) -> None:
        self.fill_file([*UNITS, OWN])
        self.unit.button(OWN).hide()
        self.add_line()
        self.same = self.add_wide(Toggle(self.look, "Replace bodies with the same name", True))
        self.said = self.add_wide(QLabel(SAID[True]))
        self.said.setObjectName("makerSummary")
        self.said.setWordWrap(True)
        self.said.setIndent(24)
        self.floors = self.add_wide(Toggle(self.look, "Keep large, flat objects fixed", True))
        self.same.toggled.connect(lambda on: self.said.setText(SAID[on]))
        self.choose_from(JobProcess(layout_job, self), self.unit, self.up, self.same, self.floors)
        self.process.answered.connect(self._was_read)

    def start(self, path: Path) -> None:
        self.process.begin([str(path), self.process.file("layout.foregone")])

    def propose_read(self, scene: Scene) -> Proposal:
        assert self.found is not None
        bodies, beside = self._bodies(self.found), not self.same.isChecked()
        result = merged(scene, _beside(scene, bodies) if beside else bodies, replace_same=not beside)
        chosen = set(result.ids)
        come = [body for body in result.scene.bodies if body.id in chosen]
        unsaid = () if self.found.known else (UNSAID,)
        warnings = (*unsaid, *self._remarks(result.scene, come), *self.found.notes, *result.notes)
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
        return f"{', '.join(words)} · from {self.file.text()}"

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
        self.found = found
        self.facts.setText(_kinds(found.bodies))
        self._let_choose(True)
        usual = next((key for key, metres in UNITS.items() if abs(metres / found.metres - 1.0) < 1e-6), OWN)
        if usual == OWN:
            self.unit.button(OWN).setText(f"{found.metres:.4g} m")
            self.unit.button(OWN).show()
        self.unit.choose(usual)
        self.up.choose(found.up)
        self.rebuild()
        self.arrived.emit()


def _kinds(bodies: tuple[Body, ...]) -> str:
    """ "9 boxes, 2 balls, 1 hull"."""
    counts = {kind: sum(type(body.shape) is kind for body in bodies) for kind in KINDS}
    return ", ".join(counted(count, *KINDS[kind]) for kind, count in counts.items() if count)


def _beside(scene: Scene, bodies: list[Body]) -> list[Body]:
    """Moved together to where they stand clear of everything."""
    by = free_place(scene, Made((Batch("Layout", tuple(bodies)),)))
    return [moved(body, by) for body in bodies] if any(by) else bodies
