"""Export the take that is shown: with questions, or as the last time."""

from __future__ import annotations

from app.shell.action import Action

ACTIONS = (
    Action("file.export", "Export take…", "File", "Write this take for another program, or as a film.",
           lambda studio: studio.exporting.open(), ("Ctrl+E",), icon="export",
           why_not=lambda studio: studio.exporting.why_not(), line=True),
    Action("file.export_again", "Export again", "File", "Write this take as the last one, to the same place.",
           lambda studio: studio.exporting.again(),
           ("Ctrl+Shift+E",), why_not=lambda studio: studio.exporting.why_not_again()),
)  # fmt: skip
