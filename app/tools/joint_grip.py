"""Taking hold of joints in the view: which one is under the mouse, and moving or turning the chosen one. No bodies
move: where the joint sits in each follows from the anchor."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import numpy as np

from app.document.joint_edits import bodies_of, change_joint, joints_of, moved_to
from app.document.joint_words import called
from app.tools import drag, wording
from app.tools.drag import Sight
from app.tools.snapping import snapped
from app.tools.stage import Stage
from app.tools.transform import Transform
from engine.scene.spec import Joint, Scene
from engine.shapes.turns import about, rotate

NEAR = 10.0  # px from an anchor that still mean it


def sound_joints(scene: Scene, ids: Collection[str]) -> list[Joint]:
    """The joints of these bodies that can be drawn."""
    found = joints_of(scene, ids)
    return [joint for joint in found if len(joint.anchor) == len(joint.axis) == 3 and any(joint.axis)]


def joint_at(stage: Stage, x: float, y: float, joints: Iterable[Joint]) -> str:
    """Id of the joint whose anchor is nearest to a pixel, "" when none is near."""
    sight, best, found = Sight(stage.camera, *stage.extent), NEAR, ""
    for joint in joints:
        pixels, ahead = sight.camera.project(np.array([joint.anchor]), sight.width, sight.height)
        away = float(np.linalg.norm(pixels[0] - (x, y)))
        if ahead[0] and away <= best:
            best, found = away, joint.id
    return found


class JointTransform(Transform):
    """Moves the anchor of the chosen joint, or turns its axis."""

    def _take_hold(self) -> None:
        joint = self.stage.selection.chosen_joint()
        assert joint is not None
        self._joint = joint
        self._ids, self._bodies = [], []
        self._pivot = np.array(joint.anchor, float)
        self._active = bodies_of(self._scene, joint)[0]

    def _label(self) -> str:
        return f"{wording.VERBS[self.mode]} {called(self._scene, self._joint)}"

    def _mouse_offset(self, sight: Sight, start: np.ndarray) -> tuple[float, ...] | None:
        """Snapping takes the anchor to the grid, or to the surface under the mouse."""
        target = str(self.stage.settings.get("snap/to")) if self._snapping() else ""
        if target == "surface" and self._lock.axis is None:
            surface = self.stage.surface_at(float(self._mouse[0]), float(self._mouse[1]))
            return tuple(float(c) for c in surface.point - self._pivot) if surface is not None else None
        found = drag.offset(sight, self._pivot, start, self._mouse, self._basis(), self._lock)
        if found is None or target != "grid":
            return tuple(float(c) for c in found) if found is not None else None
        step, from_grid = float(self.stage.settings.get("snap/grid")), self._lock.axis is None
        base = self._pivot if from_grid else np.zeros(3)
        return tuple(snapped(float(b + c), step) - float(b) for b, c in zip(base, found, strict=True))

    def _result(self) -> Scene | None:
        if self.mode == "rotate":
            turn = about(self._turn_axis(), math.radians(self._amounts[0]))
            return self._with(lambda joint: replace(joint, axis=rotate(turn, joint.axis))) if self._amounts[0] else None
        if not any(self._amounts):
            return None
        along = self._basis() @ np.array(self._amounts) if self._lock.local else self._amounts
        return self._with(lambda joint: moved_to(joint, [a + b for a, b in zip(joint.anchor, along, strict=True)]))

    def _with(self, change: Callable[[Joint], Joint]) -> Scene:
        return change_joint(self._scene, self._joint.id, change)
