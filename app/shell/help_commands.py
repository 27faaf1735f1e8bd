"""Find a command, the list of shortcuts, where the log is, about."""

from __future__ import annotations

import importlib.metadata

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.session.settings import home
from app.shell.action import Action
from app.shell.studio import Studio


def show_shortcuts(studio: Studio) -> None:
    from app.shell.shortcut_list import ShortcutList

    ShortcutList(studio, studio.shell).show()


def about(studio: Studio) -> None:
    from app.shell.about import About

    About(version(), studio.shell).show()


def open_data_folder(studio: Studio) -> None:
    home().mkdir(parents=True, exist_ok=True)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(home())))


def version() -> str:
    try:
        return importlib.metadata.version("foregone")
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


ACTIONS = (
    Action("help.find", "Find a command…", "Help", "Search everything that can be done.",
           lambda studio: studio.shell.palette_float.open(), ("F3", "Ctrl+Shift+P"), icon="command.find",
           on_welcome=True),
    Action("help.shortcuts", "Keyboard shortcuts", "Help", "All keys, by menu.", show_shortcuts, ("F1",),
           icon="shortcuts", on_welcome=True),
    Action("help.folder", "Open the data folder", "Help", "Settings, recovered work and the log.", open_data_folder,
           line=True, on_welcome=True),
    Action("help.about", "About Foregone", "Help", "Version and licences.", about, on_welcome=True),
)  # fmt: skip
