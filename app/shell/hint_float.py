"""HintFloat: the last-operation panel over the view, kept in a free corner and in step with F9."""

from __future__ import annotations

from itertools import product

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtWidgets import QWidget

from app.document.hint_edits import body_of
from app.panels.last_operation import LastOperation
from app.shell.hint_commands import PANEL
from app.shell.studio import Studio
from app.tools.hint_path import hint_path
from app.viewport.mark_places import box
from engine.shapes.extent import bounds

NEAR = 6.0  # px round the points of the curve
ROUND_ANCHOR = 110.0  # px round an anchor, where the handles to move it are


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

    def busy(self) -> list[QRectF]:
        """The hint's body and its curve, or a joint's anchor; not what lies behind the camera."""
        view, joint = self._studio.view, self._studio.selection.chosen_joint()
        if joint is not None:
            anchor, ahead = view.camera.project(np.array([joint.anchor]), *view.extent)
            return [box(anchor, ROUND_ANCHOR)] if ahead.all() else []
        scene, hint = self._studio.document.shown, self._studio.selection.chosen_hint()
        body = body_of(scene, hint) if hint is not None else None
        if hint is None or body is None:
            return []
        round_body, ahead = view.camera.project(np.array(list(product(*zip(*bounds(body), strict=True)))), *view.extent)
        found = [box(round_body, NEAR)] if ahead.all() else []
        path = hint_path(scene, hint, body)
        if path is not None:
            curve, ahead = view.camera.project(path.points, *view.extent)
            found += [box(pixel[None, :], NEAR) for pixel in curve[ahead]]
        return found

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)
