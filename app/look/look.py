"""Look: the theme in use. Widgets ask it for colours by role and never write one down themselves."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor

THEMES = ("dark", "light")


@cache
def tokens() -> dict[str, Any]:
    """The table of assets/look.json."""
    table: dict[str, Any] = json.loads(files("assets").joinpath("look.json").read_text(encoding="utf-8"))
    return table


def body_palette() -> list[str]:
    """Colours of bodies, "#rrggbb", in the order in which they are given out."""
    return [entry["hex"] for entry in tokens()["body_palette"]["colors"]]


class Look(QObject):
    """Signals:
    changed()   another theme: repaint, recolour icons
    """

    changed = Signal()

    def __init__(self, theme: str = "dark", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme if theme in THEMES else THEMES[0]

    @property
    def theme(self) -> str:
        return self._theme

    def set_theme(self, theme: str) -> None:
        if theme in THEMES and theme != self._theme:
            self._theme = theme
            self.changed.emit()

    def hex(self, role: str) -> str:
        """A colour by its role ("panel", "text2", "accent", ...)."""
        return str(tokens()["themes"][self._theme]["colors"][role])

    def color(self, role: str, opacity: float = 1.0) -> QColor:
        color = QColor(self.hex(role))
        color.setAlphaF(opacity)
        return color

    def view(self, name: str) -> Any:
        """A value of the view: "background_top", "light", "shadow_opacity", ..."""
        return tokens()["themes"][self._theme]["viewport"][name]

    def view_color(self, name: str, opacity: float = 1.0) -> QColor:
        color = QColor(self.view(name))
        color.setAlphaF(opacity)
        return color


def size(name: str) -> int:
    """A length in px at 100 %."""
    return int(tokens()["size"][name])
