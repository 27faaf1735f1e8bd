"""Add a brick wall or a round tower."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QDoubleSpinBox

from app.makers.fields import Segments, count_field, length_field
from app.makers.made import Made
from app.makers.made_dialog import MadeDialog
from app.makers.wall import Bond, WallSpec, make_wall


class WallDialog(MadeDialog):
    title, verb, command = "Add wall", "Add wall", "Add wall"

    def fill(self) -> None:
        start = WallSpec()
        self.form_choice = self.add_wide(Segments([("wall", "Straight"), ("tower", "Round tower")], "wall", "Form"))
        bonds = [("running", "Running"), ("stack", "Stack"), ("flemish", "Flemish"), ("english", "English")]
        self.bond = self.add_wide(Segments(bonds, start.bond, "Bond"))
        self.courses = self.add_row("Courses", count_field(start.courses, 1, 500, name="Courses"))
        self.bricks = self.add_row("Bricks", count_field(start.bricks, 1, 2000, name="Bricks in a course"))
        self.add_line()
        self.length = self._brick_row("Brick length", start.length)
        self.depth_field = self._brick_row("Brick depth", start.depth)
        self.brick_height = self._brick_row("Brick height", start.height)
        self.joint = self.add_row("Joint", length_field(start.joint, 0.0, 1.0, 0.002, name="Joint"))
        self.joint.setToolTip("Gap between neighbours in a course. Courses always stand on each other.")
        self.form_choice.chosen.connect(self._show_what_applies)

    def _brick_row(self, name: str, start: float) -> QDoubleSpinBox:
        return self.add_row(name, length_field(start, 0.005, 10.0, 0.01, name=name))

    def _show_what_applies(self) -> None:
        self.show_row(self.bond, self.form_choice.current == "wall")

    def spec(self) -> WallSpec:
        return WallSpec(
            bond=cast(Bond, self.bond.current),
            courses=self.courses.value(),
            bricks=self.bricks.value(),
            length=self.length.value(),
            depth=self.depth_field.value(),
            height=self.brick_height.value(),
            joint=self.joint.value(),
            tower=self.form_choice.current == "tower",
        )

    def make(self) -> Made:
        return make_wall(self.spec())
