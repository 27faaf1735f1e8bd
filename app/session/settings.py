"""Settings: what the studio remembers between starts. Small values under plain names, each with its default here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import platformdirs
from PySide6.QtCore import QByteArray, QSettings

from engine.export.settings import TARGETS

DEFAULTS: dict[str, Any] = {
    "look/theme": "dark",
    "look/reduce_motion": False,
    "view/navigation": "blender",  # blender, maya, plain (without Alt)
    "view/keys": "blender",  # G R S, or W E R ("maya")
    "view/shadows": True,
    "view/smooth_edges": True,
    "view/orthographic": False,
    "view/color_by": "material",
    "view/ghosts": True,
    "view/ghost_count": 4,  # before the frame that is shown
    "view/ghosts_after": 0,
    "view/ghost_step": 3,  # frames from ghost to ghost
    "view/trail": True,
    "view/patches": True,  # of what an inspector found
    "view/forces": True,
    "takes/sort": "energy",  # energy, certificate, length
    "snap/on": False,
    "snap/grid": 0.05,  # m
    "snap/angle": 15.0,  # degrees
    "snap/to": "grid",  # grid, ground, surface
    "snap/align": False,  # turn bodies upright on the surface they snap to
    "hints/panel": True,  # the panel that changes the hint just drawn (F9)
    "start/welcome": True,
    "files/recent": [],
    "files/folder": "",
    "export/target": "blender",
    "export/folder": "",
    **{f"export/{target}": "" for target in TARGETS},  # JSON
    "window/geometry": QByteArray(),
    "window/layout": QByteArray(),
}


def home() -> Path:
    """Folder of settings, journals and autosaves; FOREGONE_HOME overrides the user's own."""
    chosen = os.environ.get("FOREGONE_HOME")
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("foregone", appauthor=False))


class Settings:
    """Reads and writes at once; a value of the wrong type in the file counts as absent."""

    def __init__(self, file: Path | None = None) -> None:
        self._store = QSettings(str(file or home() / "settings.ini"), QSettings.Format.IniFormat)

    def get(self, name: str) -> Any:
        default = DEFAULTS[name]
        value = self._store.value(name)
        if value is None:
            return default
        try:
            if isinstance(default, bool):
                return {"true": True, "false": False}[str(value).lower()]
            if isinstance(default, list):
                return [str(entry) for entry in ([value] if isinstance(value, str) else value)]
            return type(default)(value)
        except (KeyError, TypeError, ValueError):
            return default

    def set(self, name: str, value: Any) -> None:
        assert name in DEFAULTS, name
        self._store.setValue(name, value)

    def sync(self) -> None:
        self._store.sync()
