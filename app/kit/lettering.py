"""Fonts and their measures, made once: a picture per frame asks for them many times."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontMetricsF

from app.look.fonts import font

MEDIUM, BOLD = QFont.Weight.Medium, QFont.Weight.DemiBold


@cache
def letters(role: str, weight: QFont.Weight | None = None) -> QFont:
    """A font by its role in the tokens, in another weight if one is given. Not to be changed."""
    made = font(role)
    if weight is not None:
        made.setWeight(weight)
    return made


@cache
def measures(role: str, weight: QFont.Weight | None = None) -> QFontMetricsF:
    return QFontMetricsF(letters(role, weight))
