"""The title line of a dock: its name, and small buttons or a hint at the right. The dock is moved by it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.kit.layouts import FILL, row
from app.kit.painting import space
from app.kit.text import Text
from app.look.look import Look, size


class PanelHeader(QWidget):
    def __init__(self, look: Look, title: str, *aside: QWidget) -> None:
        super().__init__()
        self.setFixedHeight(size("dock_title"))
        row(Text(look, title, "text", "body_strong"), FILL, *aside, of=self, gap=0, edge=(space("m"), 0, space("s"), 0))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), size("dock_title"))  # docks ask for this, not for the fixed height
