"""Fonts: Inter comes with the program, so that the window has the same measures everywhere."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

from PySide6.QtGui import QFont, QFontDatabase

from app.look.look import tokens


@cache
def load_fonts() -> tuple[str, ...]:
    """Make the shipped fonts known to Qt, once per process; returns the families. Needs a QGuiApplication."""
    families: list[str] = []
    for entry in sorted(files("assets").joinpath("fonts").iterdir(), key=lambda file: file.name):
        if entry.name.endswith(".otf"):
            with as_file(entry) as path:
                handle = QFontDatabase.addApplicationFont(str(path))
            families += QFontDatabase.applicationFontFamilies(handle)
    return tuple(dict.fromkeys(families))


def font(role: str = "body") -> QFont:
    """A font by its role in the tokens ("body", "small", "panel_title", ...). Digits are equally wide (tnum), so that
    values do not dance while they change."""
    entry = tokens()["font"]["sizes"][role]
    made = QFont(list(tokens()["font"]["family"]))
    made.setPixelSize(int(entry["px"]))
    made.setWeight(QFont.Weight(int(entry["weight"])))
    made.setFeature(QFont.Tag("tnum"), 1)
    return made
