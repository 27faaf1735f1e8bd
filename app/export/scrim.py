"""Scrim: what lies over the window while a dialog asks about the whole of it. Clicks bring the dialog forward."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.look.look import tokens


class Scrim(QWidget):
    def __init__(self, over: QWidget, dialog: QWidget) -> None:
        super().__init__(over)
        self._over, self._dialog = over, dialog
        value = tokens()["shadow"]["dialog_scrim"]
        self._color = QColor(value["color"])
        self._color.setAlphaF(float(value["opacity"]))
        over.installEventFilter(self)
        self.setGeometry(over.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._color)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dialog.raise_()
        self._dialog.activateWindow()
