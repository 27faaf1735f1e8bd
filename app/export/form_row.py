"""Rows of the middle column: a label and what it names, all in line."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.kit import NumberField, Text
from app.kit.painting import space
from app.look.look import Look

LABEL_WIDTH = 100  # px
NUMBER_WIDTH = 118  # px, of a field with a label or a unit in it


def form_row(look: Look, words: str, *entries: QWidget) -> QWidget:
    """Entries that may grow share the room; returns the row, to hide it as one."""
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(space("s"))
    label = Text(look, words, "text2")
    label.setFixedWidth(LABEL_WIDTH)
    line.addWidget(label)
    grows = False
    for entry in entries:
        wide = entry.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding and entry.maximumWidth() > 4096
        line.addWidget(entry, 1 if wide else 0)
        grows = grows or wide
    if not grows:
        line.addStretch(1)
    return row


def form_column(parent: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(space("s"))
    return column


def frames_field(look: Look, label: str, name: str, lowest: int, highest: int, unit: str = "") -> NumberField:
    """A whole number of frames, or of pixels."""
    field = NumberField(look, label, unit, decimals=0, step=1.0, minimum=lowest, maximum=highest, name=name)
    field.setFixedWidth(NUMBER_WIDTH)
    return field
