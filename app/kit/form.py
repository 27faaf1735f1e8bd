"""Lines of a form: a label and what it names, or a caption over fields of equal width."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit.layouts import FILL, Put, column, held, row, wide
from app.kit.number_field import NumberField
from app.kit.painting import space
from app.kit.text import Text
from app.look.look import Look

AXES = "XYZ"
LABEL_WIDTH = 64  # px, so that the fields of a panel start at one line


def field_label(look: Look, words: str) -> Text:
    made = Text(look, words, "text2", "small")
    made.setFixedWidth(LABEL_WIDTH)
    return made


def beside(*entries: QWidget, gap: int | None = None) -> QWidget:
    """Side by side, to be hidden as one; what can grow shares the room."""
    return held(row(*(_grown(entry) for entry in entries), gap=space("s") - 2 if gap is None else gap))


def labelled(look: Look, words: str, *entries: QWidget) -> QWidget:
    return beside(field_label(look, words), *entries, gap=space("s"))


def captioned(look: Look, words: str, unit: str, *entries: QWidget) -> QWidget:
    caption = row(Text(look, words, "text2", "small"), FILL, Text(look, unit, "text3", "small"))
    fields = row(*map(wide, entries), gap=space("s") - 2)
    return held(column(caption, fields, gap=space("xs"), edge=(0, 0, 0, 2)))


def _grown(entry: QWidget) -> QWidget | Put:
    return wide(entry) if entry.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding else entry


def axis_fields(look: Look, name: str, **kind: Any) -> list[NumberField]:
    """A field for each of X, Y and Z; `kind` as for a NumberField."""
    return [NumberField(look, axis, name=f"{name} {axis}", **kind) for axis in AXES]
