"""Details: the long text behind a message, to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget

from app.kit.layouts import FILL, column, row


class Details(QDialog):
    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Details")
        head = QLabel(title, self)
        head.setWordWrap(True)
        self.text = QPlainTextEdit(text, self)
        self.text.setReadOnly(True)
        copy, close = QPushButton("Copy", self), QPushButton("Close", self)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        close.clicked.connect(self.close)
        close.setDefault(True)
        column(head, self.text, row(FILL, copy, close), of=self, gap=12, edge=(20, 18, 20, 16))
        self.resize(640, 360)
