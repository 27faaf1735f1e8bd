"""JointLayer: shows the joints of selected bodies at the ending: a ring at the anchor, the axis of hinges and sliders,
and thin lines to the bodies it holds. The chosen one is lit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.document.joint_edits import bodies_of
from app.session.playback import Playback
from app.tools.joint_grip import sound_joints
from app.tools.tool import Dot, Marks, Stroke
from app.viewport.marks_of import EndingMarks
from engine.scene.spec import Scene

if TYPE_CHECKING:
    from app.viewport.view import View

AXIS = 0.6  # half length of an axis, as a share of the way from the anchor to the first body's origin
SHORTEST = 0.03  # m
RING, LINE = 4.5, 1.4  # px


class JointLayer(EndingMarks):
    owner = "joints"

    def __init__(self, view: View, playback: Playback) -> None:
        super().__init__(view, playback)
        view.selection.joint_chosen.connect(self.follow)

    def state(self) -> tuple[object, ...]:
        return (*super().state(), self._view.selection.joint)

    def ending_marks(self) -> Marks:
        view = self._view
        colors = (view.look.hex("text"), view.look.hex("accent"), view.look.view("background_bottom"))
        return joint_marks(view.document.shown, set(view.selection.ids), view.selection.joint, colors)


def joint_marks(scene: Scene, selected: set[str], chosen: str, colors: tuple[str, str, str]) -> Marks:
    """Marks of the joints that hold a selected body; joints with a fault have none. `colors`: of joints, of the chosen
    one, inside rings."""
    marks = Marks()
    for joint in sound_joints(scene, selected):
        lit = joint.id == chosen
        color, width = (colors[1], 1.6 * LINE) if lit else (colors[0], LINE)
        anchor, axis = np.array(joint.anchor, float), np.array(joint.axis, float)
        reach = [np.array(body.position, float) - anchor for body in bodies_of(scene, joint)]
        marks.strokes += [Stroke(np.array([anchor, anchor + way]), color, width, 0.6, dash=(4.0, 3.0)) for way in reach]
        if joint.kind in ("hinge", "slider"):
            half = max(AXIS * float(np.linalg.norm(reach[0])), SHORTEST) * axis / np.linalg.norm(axis)
            marks.strokes.append(Stroke(np.array([anchor - half, anchor + half]), color, 2.0 * width))
        marks.dots.append(Dot(anchor, color, 1.4 * RING if lit else RING, color if lit else colors[2]))
    return marks
