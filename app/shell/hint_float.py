"""HintFloat: the last-operation panel over the view, kept in its corner and in step with F9."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.document.hint_edits import body_of
from app.panels.last_operation import LastOperation
from app.shell.hint_commands import PANEL
from app.shell.studio import Studio


class HintFloat(LastOperation):
    def __init__(self, studio: Studio, over: QWidget) -> None:
        super().__init__(studio.look, studio.document, studio.selection, over)
        self._studio = studio
        over.installEventFilter(self)
        studio.refreshed.connect(self._follow)
        studio.selection.hint_copied.connect(self._tell_copied)
        self._follow()

    def _follow(self) -> None:
        self.set_wanted(bool(self._studio.settings.get(PANEL)))

    def _tell_copied(self) -> None:
        hint = self._studio.selection.copied_hint
        body = body_of(self._studio.document.scene, hint) if hint is not None else None
        if body is not None:
            self._studio.shell.say(f"Hint of {body.name} copied. Select other bodies and press Ctrl+V.")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)
