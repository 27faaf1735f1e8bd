"""A scroll area that shows the panel behind it, and scrolls in one direction only."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class PanelScroll(QScrollArea):
    def __init__(self, content: QWidget, sideways: bool = False) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        (self.setVerticalScrollBarPolicy if sideways else self.setHorizontalScrollBarPolicy)(off)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)
