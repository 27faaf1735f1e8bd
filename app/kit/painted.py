"""Painted: what paints itself in the colours of the theme, and again in those of another one."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.look.look import Look


class Painted(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        look.changed.connect(self.update)
