"""Export the take that is shown: with questions, or as the last time."""

from __future__ import annotations

from app.shell.action import Action
from app.shell.studio import Studio


def open_dialog(studio: Studio) -> None:
    studio.exporting.open()


def again(studio: Studio) -> None:
    studio.exporting.again()


ACTIONS = (
    Action("file.export", "Export take…", "File", "Write this take for another program, or as a film.", open_dialog,
           ("Ctrl+E",), icon="export", why_not=lambda studio: studio.exporting.why_not(), line=True),
    Action("file.export_again", "Export again", "File", "Write this take as the last one, to the same place.", again,
           ("Ctrl+Shift+E",), why_not=lambda studio: studio.exporting.why_not_again()),
)  # fmt: skip
