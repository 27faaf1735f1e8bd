"""Add a text: letters, boxes, or balls in bins."""

from __future__ import annotations

from typing import cast

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QLineEdit

from app.makers.fields import Choice, Segments, Toggle, count_field, length_field
from app.makers.made import Made
from app.makers.made_dialog import MadeDialog
from app.makers.text_bodies import Style, TextSpec, make_text
from app.makers.text_outline import Typeface

WEIGHTS = {"Regular": 400, "Semibold": 600, "Bold": 700, "Black": 900}


class TextDialog(MadeDialog):
    title, verb, command = "Add text", "Add text", "Add text"

    def fill(self) -> None:
        start = TextSpec()
        self.text = self.add_row("Text", QLineEdit(start.text))
        self.text.setPlaceholderText("Type a text")
        self.text.setAccessibleName("Text")
        self.text.setMaxLength(200)
        self.text.selectAll()
        self.family = self.add_row("Font", Choice(self.look, families(), start.face.family, "Font"))
        self.weight = self.add_row("Weight", Choice(self.look, list(WEIGHTS), "Bold", "Weight"))
        self.add_line()
        choices = [("letters", "Letters"), ("boxes", "Boxes"), ("balls", "Balls in bins")]
        self.style_choice = self.add_wide(Segments(choices, start.style, "Made of"))
        self.pose = self.add_wide(Segments([("upright", "Upright"), ("flat", "Lying flat")], "upright", "Pose"))
        height = length_field(start.height, 0.01, 100.0, name="Height of capitals")
        self.height_field = self.add_row("Height", height)
        self.depth_field = self.add_row("Depth", length_field(start.depth, 0.002, 10.0, 0.01, name="Depth"))
        spacing = length_field(start.spacing, -0.5, 10.0, 0.01, name="More space between letters")
        self.spacing = self.add_row("Spacing", spacing)
        self.rows = self.add_row("Rows", count_field(start.rows, 3, 100, name="Rows"))
        self.filled = self.add_wide(Toggle(self.look, "Fill around the letters"))
        self.style_choice.chosen.connect(self._show_what_applies)
        self._show_what_applies()

    def _show_what_applies(self) -> None:
        style = self.style_choice.current
        self.show_row(self.pose, style != "balls")
        self.show_row(self.depth_field, style != "balls")
        self.show_row(self.rows, style != "letters")
        self.show_row(self.filled, style != "letters")
        self.filled.setText("Fill the other bins" if style == "balls" else "Fill around the letters")

    def spec(self) -> TextSpec:
        return TextSpec(
            text=self.text.text(),
            face=Typeface(self.family.currentText(), WEIGHTS[self.weight.currentText()]),
            style=cast(Style, self.style_choice.current),
            height=self.height_field.value(),
            depth=self.depth_field.value(),
            spacing=self.spacing.value(),
            upright=self.pose.current == "upright",
            rows=self.rows.value(),
            filled=self.filled.isChecked(),
        )

    def make(self) -> Made:
        return make_text(self.spec())


def families() -> list[str]:
    """Font families whose outlines can be used, the studio's own first."""
    found = [f for f in QFontDatabase.families() if QFontDatabase.isSmoothlyScalable(f) and not f.startswith(".")]
    own = QFont(Typeface().family).family()
    return [own, *(family for family in found if family != own)]
