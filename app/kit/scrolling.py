"""What a panel is laid out in: a column, and a scroll area that shows the panel behind it and scrolls one way only."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.kit.layouts import Entry, column, held
from app.kit.painting import space


def panel_column(*entries: Entry) -> QVBoxLayout:
    """The column of a panel, with the margins that all of them have."""
    return column(*entries, gap=space("s"), edge=(space("l"), space("m"), space("l"), space("m")))


class PanelScroll(QScrollArea):
    def __init__(self, content: QWidget | QLayout, sideways: bool = False, keeps_width: bool = False) -> None:
        """`keeps_width`: the bar is always there, so that its coming does not wrap the words anew."""
        super().__init__()
        content = held(content) if isinstance(content, QLayout) else content
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        (self.setVerticalScrollBarPolicy if sideways else self.setHorizontalScrollBarPolicy)(off)
        if keeps_width:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)
