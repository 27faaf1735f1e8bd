"""Rows and columns as one expression: what stands side by side, or one under the other."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QStackedLayout, QVBoxLayout, QWidget

NOWHERE = Qt.AlignmentFlag(0)  # takes all of its place
Margins = tuple[int, int, int, int]  # px: left, top, right, bottom
NO_EDGE = (0, 0, 0, 0)
Layout = TypeVar("Layout", bound=QBoxLayout)


class Put(NamedTuple):
    """An entry with more to say about its place."""

    entry: QWidget | QLayout | None  # None: empty room
    share: int = 0  # of the room that is left over
    align: Qt.AlignmentFlag = NOWHERE


Entry = QWidget | QLayout | Put | int  # a number is so many px of empty room
FILL = Put(None, 1)  # all the room that is left over


def wide(entry: QWidget | QLayout) -> Put:
    """Gets the room that is left over."""
    return Put(entry, 1)


def at_left(entry: QWidget) -> Put:
    return Put(entry, align=Qt.AlignmentFlag.AlignLeft)


def at_right(entry: QWidget) -> Put:
    return Put(entry, align=Qt.AlignmentFlag.AlignRight)


def centred(entry: QWidget) -> Put:
    return Put(entry, align=Qt.AlignmentFlag.AlignHCenter)


def row(*entries: Entry, of: QWidget | None = None, gap: int | None = None, edge: Margins = NO_EDGE) -> QHBoxLayout:
    """Side by side. `of`: the widget that is laid out so; `gap`: px between entries, None for what the style has."""
    return _filled(QHBoxLayout(), of, entries, gap, edge)


def column(*entries: Entry, of: QWidget | None = None, gap: int | None = None, edge: Margins = NO_EDGE) -> QVBoxLayout:
    """One under the other."""
    return _filled(QVBoxLayout(), of, entries, gap, edge)


def stacked(*pages: QWidget, of: QWidget) -> QStackedLayout:
    """One over the other: the first is seen."""
    layout = QStackedLayout(of)
    for page in pages:
        layout.addWidget(page)
    return layout


def held(layout: QLayout) -> QWidget:
    """A widget with nothing but this in it, to be shown, hidden and stacked as one."""
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def _filled(layout: Layout, of: QWidget | None, entries: tuple[Entry, ...], gap: int | None, edge: Margins) -> Layout:
    if of is not None:
        of.setLayout(layout)
    layout.setContentsMargins(*edge)
    if gap is not None:
        layout.setSpacing(gap)
    for entry in entries:
        put(layout, entry)
    return layout


def put(layout: QBoxLayout, entry: Entry) -> None:
    """At the end of a row or column."""
    if isinstance(entry, int):
        layout.addSpacing(entry)
        return
    what, share, align = entry if isinstance(entry, Put) else Put(entry)
    if what is None:
        layout.addStretch(share)
    elif isinstance(what, QWidget):
        layout.addWidget(what, share, align)
    else:
        layout.addLayout(what, share)
