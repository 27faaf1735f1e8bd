"""About: which version this is and under which licence the font comes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from app.kit import label
from app.kit.layouts import at_right, column

WORDS = (
    "Rigid-body animation that starts from its ending.\n\n"
    "The window uses Qt under the LGPL, the typeface Inter under the SIL Open Font License, and icons of the Phosphor "
    "and Material Design sets."
)


class About(QDialog):
    def __init__(self, version: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Foregone")
        words = label(WORDS)
        words.setWordWrap(True)
        close = QPushButton("Close")
        close.setDefault(True)
        close.clicked.connect(self.close)
        told = (label("Foregone", "brand"), label(f"Version {version}", role="second"), words)
        column(*told, 6, at_right(close), of=self, gap=10, edge=(24, 22, 24, 18))
        self.setMinimumWidth(380)
