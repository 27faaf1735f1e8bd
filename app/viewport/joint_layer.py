"""JointLayer: shows the joints of selected bodies in the view: a ring at the anchor, the axis of hinges and sliders,
and thin lines to the bodies it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from app.tools.tool import Dot, Marks, Stroke
from engine.scene.spec import Joint, Scene

if TYPE_CHECKING:
    from app.viewport.view import View

OWNER = "joints"
AXIS = 0.6  # half length of an axis, as a share of the way from the anchor to the first body's origin
SHORTEST = 0.03  # m
RING, LINE = 4.5, 1.4  # px


class JointLayer(QObject):
    """Works only when what it shows may have changed: marks are places in the scene, so the camera does not matter."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._view = view
        self._state: tuple[object, ...] = ()
        self._scene: Scene | None = None  # kept, so that no other scene gets its identity
        self._drawn = False
        view.document.changed.connect(self._follow)
        view.selection.changed.connect(self._follow)
        view.look.changed.connect(self._repaint)

    def _repaint(self) -> None:
        self._state = ()
        self._follow()

    def _follow(self) -> None:
        view = self._view
        state = (id(view.document.shown), view.selection.ids)
        if state == self._state:
            return
        self._state, self._scene = state, view.document.shown
        color = view.look.view("hint")
        marks = joint_marks(view.document.shown, set(view.selection.ids), color, view.look.view("background_bottom"))
        if marks or self._drawn:
            self._drawn = bool(marks)
            view.set_extra_marks(OWNER, marks or None)


def joint_marks(scene: Scene, selected: set[str], color: str, inside: str) -> Marks:
    """Marks of the joints that hold a selected body; joints with a fault have none."""
    marks = Marks()
    for joint in scene.joints if selected else ():
        if not isinstance(joint, Joint) or not len(joint.anchor) == len(joint.axis) == 3 or not any(joint.axis):
            continue
        bodies = [body for key in (joint.a, joint.b) if key and (body := scene.find(key)) is not None]
        if not any(body.id in selected for body in bodies):
            continue
        anchor, axis = np.array(joint.anchor, float), np.array(joint.axis, float)
        reach = [np.array(body.position, float) - anchor for body in bodies]
        marks.strokes += [Stroke(np.array([anchor, anchor + way]), color, LINE, 0.6, dash=(4.0, 3.0)) for way in reach]
        if joint.kind in ("hinge", "slider"):
            half = max(AXIS * float(np.linalg.norm(reach[0])), SHORTEST) * axis / np.linalg.norm(axis)
            marks.strokes.append(Stroke(np.array([anchor - half, anchor + half]), color, 2.0 * LINE))
        marks.dots.append(Dot(anchor, color, RING, inside))
    return marks
