"""Drops on the ground of a scene: what motions flown to the start of a take and those let go share."""

from __future__ import annotations

import numpy as np

from engine.algebra import norm
from engine.arrivals.brief import Brief
from engine.arrivals.dropped.drop import ROW, Dropper, Setting
from engine.arrivals.dropped.ground import lies_within
from engine.arrivals.dropped.library import key_of
from engine.arrivals.dropped.motion import Motion
from engine.arrivals.dropped.retarget import Image
from engine.arrivals.dropped.stands import standing_alone
from engine.model.arrays import CIRCLE, State
from engine.params import PREDICTED
from engine.vec import turned_back

INVERSE = np.array([1.0, -1.0, -1.0, -1.0])  # of a quaternion, times this


class Placing:
    """Bodies by the model's rows; `stands` are those whom a drop may bring in, `why` says of the others why not."""

    def __init__(self, brief: Brief) -> None:
        self.brief, self.model = brief, brief.model
        self.params = brief.params._replace(landing=PREDICTED)
        self.stands, self.why = standing_alone(brief)
        self._droppers: dict[str, Dropper] = {}

    def dropper(self, setting: Setting) -> Dropper:
        key = key_of(setting, None, 0)
        if key not in self._droppers:
            self._droppers[key] = Dropper(setting)
        return self._droppers[key]

    def heavier(self, row: int) -> float:
        """Mass of a body over that of the one that drops in its place."""
        dropper = self.dropper(self.stands[row].setting)
        return float(self.model.bodies.mass[row] / dropper.model.bodies.mass[ROW])

    def moved(self, row: int, motion: Motion, image: Image, heavier: float) -> Motion:
        """An image of the motion, to the ground and the pose of a body."""
        ground, start = self.stands[row].ground, self.model.start
        return motion.moved(image.world, image.body, heavier, start.x[row], start.q[row], ground)

    def flown(self, row: int, motion: Motion) -> State:
        return motion.flown(self.params, self.model.bodies, row)

    def lies_on_ground(self, row: int, moved: Motion, states: State) -> bool:
        """Whether everything that touches is over the ground that the body stands on."""
        ground = self.stands[row].ground
        if not len(ground.outline):
            return True
        up = -self.model.gravity / norm(self.model.gravity)
        step = np.repeat(moved.step, np.diff(moved.start))
        points = states.x[step] + turned_back(states.q[step] * INVERSE, moved.contacts["point_a"])
        reach = np.where(moved.contacts["kind_a"] == CIRCLE, moved.contacts["circle_a"], 0.0)
        return lies_within(ground, up, points, reach)
