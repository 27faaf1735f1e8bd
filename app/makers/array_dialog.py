"""Copy the selection in a grid or around a circle."""

from __future__ import annotations

from app.makers.arrays import ArraySpec, array
from app.makers.fields import Segments, Toggle, count_field, length_field, side_by_side
from app.makers.maker_dialog import MakerDialog, Proposal
from engine.scene.spec import Scene


class ArrayDialog(MakerDialog):
    """Works on what is selected; selecting something else meanwhile copies that."""

    title, verb, command = "Array", "Make copies", "Array"

    def fill(self) -> None:
        start = ArraySpec()
        self.kind = self.add_wide(Segments([("grid", "Grid"), ("circle", "Circle")], start.kind, "Arrangement"))
        self.counts = [count_field(n, 1, 1000, f"Count along {a}") for n, a in zip(start.counts, "xyz", strict=True)]
        self._count_row = self.add_row("Count x, y, z", side_by_side(*self.counts))
        measures = [("relative", "In sizes"), ("absolute", "In metres")]
        self.measure = self.add_row("Spacing", Segments(measures, "relative", "Spacing measured"))
        self.spacing = [
            length_field(s, -1000.0, 1000.0, 0.1, "", f"Spacing along {a}")
            for s, a in zip(start.spacing, "xyz", strict=True)
        ]
        self._spacing_row = self.add_row("x, y, z", side_by_side(*self.spacing))
        self.around = self.add_row("Count", count_field(start.around, 1, 10_000, "Count around"))
        self.radius = self.add_row("Radius", length_field(start.radius, 0.0, 1000.0, 0.1, name="Radius"))
        self.sweep = self.add_row("Sweep", length_field(start.sweep, -360.0, 360.0, 15.0, "°", "Sweep"))
        self.sweep.setDecimals(1)
        self.turned = self.add_wide(Toggle(self.look, "Turn copies with the circle", start.turned))
        self.kind.chosen.connect(self._show_what_applies)
        self.selection.changed.connect(self.rebuild_soon)
        self._show_what_applies()

    def _show_what_applies(self) -> None:
        grid = self.kind.current == "grid"
        for field in (self._count_row, self.measure, self._spacing_row):
            self.show_row(field, grid)
        for field in (self.around, self.radius, self.sweep, self.turned):
            self.show_row(field, not grid)

    def spec(self) -> ArraySpec:
        nx, ny, nz = (field.value() for field in self.counts)
        dx, dy, dz = (field.value() for field in self.spacing)
        return ArraySpec(
            kind="grid" if self.kind.current == "grid" else "circle",
            counts=(nx, ny, nz),
            relative=self.measure.current == "relative",
            spacing=(dx, dy, dz),
            around=self.around.value(),
            radius=self.radius.value(),
            sweep=self.sweep.value(),
            turned=self.turned.isChecked(),
        )

    def propose(self, scene: Scene) -> Proposal:
        here = {body.id for body in scene.bodies}
        chosen = [key for key in self.selection.ids if key in here]  # copies on show may be clicked: they do not count
        made = array(scene, chosen, self.spec())
        if made.refused:
            return Proposal(None, refused=made.refused)
        if not made.added:
            return Proposal(None, refused="One in all is what there is. Raise a count.")
        return Proposal(made.scene, (*chosen, *made.added), made.summary)
