"""Glyph: an icon that only shows."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent

from app.kit.painted import Painted
from app.look.icons import icon
from app.look.look import Look, size


class Glyph(Painted):
    def __init__(self, look: Look, name: str, role: str = "text3", side: int = 0) -> None:
        """`side` in px; 0: as large as icons are."""
        super().__init__(look)
        self._name, self._role = name, role
        self.setFixedSize(side or size("icon"), side or size("icon"))

    def show_icon(self, name: str, role: str = "text3") -> None:
        self._name, self._role = name, role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        icon(self._look, self._name, self._role).paint(QPainter(self), self.rect())
