"""Rows of the middle column: a label and what it names, all in line."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.kit import NumberField, Text
from app.kit.layouts import FILL, Put, column, held, row
from app.kit.painting import space
from app.look.look import Look

LABEL_WIDTH = 100  # px
NUMBER_WIDTH = 118  # px, of a field with a label or a unit in it


def form_row(look: Look, words: str, *entries: QWidget) -> QWidget:
    """Entries that may grow share the room; returns the row, to hide it as one."""
    label = Text(look, words, "text2")
    label.setFixedWidth(LABEL_WIDTH)
    shares = [Put(entry, int(_may_grow(entry))) for entry in entries]
    rest = () if any(each.share for each in shares) else (FILL,)
    return held(row(label, *shares, *rest, gap=space("s")))


def _may_grow(entry: QWidget) -> bool:
    return entry.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding and entry.maximumWidth() > 4096


class Fields(QWidget):
    """A group of rows that are shown or hidden as one.

    Signals:
        changed(dict)   fields of Settings that the artist chose
    """

    changed = Signal(object)

    def stand(self, *rows: QWidget, gap: str = "s") -> None:
        column(*rows, of=self, gap=space(gap))


def frames_field(look: Look, label: str, name: str, lowest: int, highest: int, unit: str = "") -> NumberField:
    """A whole number of frames, or of pixels."""
    field = NumberField(look, label, unit, decimals=0, step=1.0, minimum=lowest, maximum=highest, name=name)
    field.setFixedWidth(NUMBER_WIDTH)
    return field
