"""About: which version this is and under which licence the font comes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from app.look.fonts import font

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
        head, number, words = QLabel("Foregone", self), QLabel(f"Version {version}", self), QLabel(WORDS, self)
        head.setFont(font("brand"))
        number.setProperty("role", "second")
        words.setWordWrap(True)
        close = QPushButton("Close", self)
        close.setDefault(True)
        close.clicked.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 18)
        column.setSpacing(10)
        for widget in (head, number, words):
            column.addWidget(widget)
        column.addSpacing(6)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(380)
