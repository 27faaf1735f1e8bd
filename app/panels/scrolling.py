"""What a panel is laid out in: a column, and a scroll area that shows the panel behind it and scrolls one way only."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.panels.control import space


def panel_column(content: QWidget) -> QVBoxLayout:
    """The column of a panel, with the margins that all of them have."""
    column = QVBoxLayout(content)
    column.setContentsMargins(space("l"), space("m"), space("l"), space("m"))
    column.setSpacing(space("s"))
    return column


class PanelScroll(QScrollArea):
    def __init__(self, content: QWidget, sideways: bool = False, keeps_width: bool = False) -> None:
        """`keeps_width`: the bar is always there, so that its coming does not wrap the words anew."""
        super().__init__()
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
