"""The stage: what the picture shows. Bodies are first seen at its edge, or outside.

It is the box of the scene, or what the camera sees; without either a space around the ending, with room for a throw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.arrivals.structure import boxes_at_rest
from engine.collide.cores import build_cores
from engine.model.arrays import PLANE
from engine.model.compile import Model
from engine.scene.entrance import Camera
from engine.scene.spec import Scene

TIMES = 2.5  # the ending's own size, in all,
ROOM = 4.0  # and at least so many sizes of its largest body beyond it
STEPS_OUT = 64  # places looked at on the way out of a picture
AROUND = np.concatenate([np.eye(3), -np.eye(3), np.zeros((1, 3))])  # points of a ball that are looked for


@dataclass(frozen=True)
class StageBox:
    """Of an ending, and who looks at it."""

    low: np.ndarray  # (3,) m
    high: np.ndarray  # (3,) m
    camera: Camera | None

    def way_out(self, x: np.ndarray, along: np.ndarray, size: float) -> float:
        """m from x along a unit direction until a ball of this size has left."""
        low, high = self.low - size, self.high + size
        with np.errstate(divide="ignore", invalid="ignore"):
            to = np.where(along > 0.0, (high - x) / along, np.where(along < 0.0, (low - x) / along, np.inf))
        edge = max(float(to.min()), 0.0)
        if self.camera is None:
            return edge
        far = 0.0
        for i in range(STEPS_OUT):
            if far >= edge or not self.camera.sees(x + far * along + size * AROUND).any():
                break
            far += size * (1.0 + 0.25 * i)
        return min(far, edge)

    def shows(self, x: np.ndarray, size: float) -> bool:
        """Whether a ball at x is, even in part, on the stage."""
        inside = bool(((x + size > self.low) & (x - size < self.high)).all())
        if self.camera is None or not inside:
            return inside
        return bool(self.camera.sees(x + size * AROUND).any())


def stage_of(scene: Scene, model: Model) -> StageBox:
    if scene.stage is not None:
        center, half = np.array(scene.stage.center, float), np.array(scene.stage.half, float)
        return StageBox(center - half, center + half, scene.camera)
    moving = np.flatnonzero(model.bodies.inverse_mass > 0.0)
    own = np.isin(model.geometry.part_body, moving) & (model.geometry.part_kind != PLANE)
    boxes = boxes_at_rest(model, build_cores(model.geometry))[own]
    low, high = boxes[:, :3].min(0), boxes[:, 3:].max(0)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    room = ROOM * float(model.bodies.size[moving].max())
    half = np.maximum(TIMES * half, half + room)
    if scene.camera is not None:
        half = half + 1e3 * float(half.max())  # the picture alone says who is seen
    return StageBox(middle - half, middle + half, scene.camera)
