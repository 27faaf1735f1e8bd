"""Qt's own widgets, dressed by the style sheet: labels, small buttons and surfaces by their role."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from app.look.fonts import font


def label(words: str = "", lettering: str = "", role: str = "", parent: QWidget | None = None) -> QLabel:
    """`lettering` as in the table of fonts, `role` as in the style sheet ("second", "third", "keycap")."""
    made = QLabel(words, parent)
    if lettering:
        made.setFont(font(lettering))
    if role:
        made.setProperty("role", role)
    return made


def tool_button(name: str, tip: str, side: int, extent: tuple[int, int], parent: QWidget | None = None) -> QToolButton:
    """An icon of `side` px in a button; a screen reader says `name`. The icon is the caller's: it changes with the
    theme."""
    made = QToolButton(parent)
    made.setAccessibleName(name)
    made.setToolTip(tip)
    made.setIconSize(QSize(side, side))
    made.setFixedSize(*extent)
    return made


def set_surface(widget: QWidget, surface: str) -> None:
    """Its ground: "panel", "app", "float" and the others of the style sheet."""
    widget.setProperty("surface", surface)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
