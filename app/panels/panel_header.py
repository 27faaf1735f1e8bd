"""The title line of a dock: its name, and small buttons or a hint at the right. The dock is moved by it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.look.look import Look, size
from app.panels.control import space
from app.panels.text import Text


class PanelHeader(QWidget):
    def __init__(self, look: Look, title: str, *aside: QWidget) -> None:
        super().__init__()
        self.setFixedHeight(size("dock_title"))
        row = QHBoxLayout(self)
        row.setContentsMargins(space("m"), 0, space("s"), 0)
        row.setSpacing(0)
        row.addWidget(Text(look, title, "text", "body_strong"))
        row.addStretch(1)
        for entry in aside:
            row.addWidget(entry)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), size("dock_title"))  # docks ask for this, not for the fixed height
