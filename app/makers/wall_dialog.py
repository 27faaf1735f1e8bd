"""Add a brick wall or a round tower."""

from __future__ import annotations

from typing import cast

from app.makers.fields import Segments, count_field, length_field
from app.makers.made import Made
from app.makers.made_dialog import MadeDialog
from app.makers.wall import Bond, WallSpec, make_wall


class WallDialog(MadeDialog):
    title, verb, command = "Add wall", "Add wall", "Add wall"

    def fill(self) -> None:
        start = WallSpec()
        self.form_choice = Segments([("wall", "Straight"), ("tower", "Round tower")], "wall", "Form")
        bonds = [("running", "Running"), ("stack", "Stack"), ("flemish", "Flemish"), ("english", "English")]
        self.bond = Segments(bonds, start.bond, "Bond")
        self.courses = count_field(start.courses, 1, 500, name="Courses")
        self.bricks = count_field(start.bricks, 1, 2000, name="Bricks in a course")
        self.length = length_field(start.length, 0.005, 10.0, 0.01, name="Brick length")
        self.depth_field = length_field(start.depth, 0.005, 10.0, 0.01, name="Brick depth")
        self.brick_height = length_field(start.height, 0.005, 10.0, 0.01, name="Brick height")
        self.joint = length_field(start.joint, 0.0, 1.0, 0.002, name="Joint")
        self.joint.setToolTip("Gap between neighbours in a course. Courses always stand on each other.")
        self.add_wide(self.form_choice)
        self.add_wide(self.bond)
        self.add_row("Courses", self.courses)
        self.add_row("Bricks", self.bricks)
        self.add_line()
        self.add_row("Brick length", self.length)
        self.add_row("Brick depth", self.depth_field)
        self.add_row("Brick height", self.brick_height)
        self.add_row("Joint", self.joint)
        self.form_choice.chosen.connect(self._show_what_applies)
        counts, lengths = (self.courses, self.bricks), (self.length, self.depth_field, self.brick_height, self.joint)
        self.rebuild_on(
            *(segments.chosen for segments in (self.form_choice, self.bond)),
            *(number.valueChanged for number in (*counts, *lengths)),
        )

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
