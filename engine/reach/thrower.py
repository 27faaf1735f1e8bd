"""Thrower: lets one body go again and again in the fast engine, among others that rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.algebra import norm, times
from engine.errors import ForegoneError
from engine.fast.world import FastWorld
from engine.model.arrays import copy_state
from engine.model.compile import Model, compile_scene
from engine.params import PREVIEW_DT
from engine.scene.reach_map import BEAT, FELL, MOVING, NO_ROOM, RESTED
from engine.scene.spec import Body, Scene
from engine.shapes.turns import rotation_matrix

BEAT_STEPS = round(BEAT / PREVIEW_DT)
LONGEST = 160  # beats until a throw is given up: 8 s
OVERLAP = 1e-4  # m: deeper in something else no throw begins
FALLEN = 4.0  # sizes below everything: it will not come back
LOOKED_AT = 10  # beats for which the authored ending is let go
STAYED = 0.02  # sizes: what moves less in that time stays


@dataclass(frozen=True)
class Thrown:
    fate: int
    poses: np.ndarray  # (k, 7) float64  centre of mass and turn at the start and after every beat


class Thrower:
    def __init__(self, scene: Scene, body: Body) -> None:
        self.model: Model = compile_scene(alone(scene, body))
        self.row = self.model.index(body)
        self.size = float(self.model.bodies.size[self.row])
        self._world = FastWorld(self.model, PREVIEW_DT)
        gravity = np.array(scene.gravity, float)
        self._down = gravity / norm(gravity)

    def throw(
        self, places: np.ndarray, velocities: np.ndarray, turn: np.ndarray, spin: np.ndarray, floor: float
    ) -> Thrown:
        """From the first of the places (k, 3) that is free. `floor`: m along gravity, below which nothing is."""
        start, row = copy_state(self.model.start), self.row
        axes = rotation_matrix(turn)
        start.q[row] = turn
        start.l[row] = times(axes, times(self.model.bodies.inertia[row], times(axes.T, spin)))
        for k in np.flatnonzero(np.isfinite(places[:, 0])):
            start.x[row], start.v[row] = places[k], velocities[k]
            self._world.reset(start)
            self._world.run(1)
            if self._world.penetration() < OVERLAP:
                self._world.reset(start)
                return self._fall(LONGEST, floor)
        return Thrown(NO_ROOM, np.zeros((0, 7)))

    def stays(self) -> bool:
        """Does the body stay at its ending when it is let go there?"""
        self._world.reset(self.model.start)
        poses = self._fall(LOOKED_AT, np.inf).poses
        turn = 2.0 * min(norm(poses[-1, 3:] - poses[0, 3:]), norm(poses[-1, 3:] + poses[0, 3:]))
        return bool(norm(poses[-1, :3] - poses[0, :3]) + self.size * turn <= STAYED * self.size)

    def _fall(self, beats: int, floor: float) -> Thrown:
        state, row = self._world.state, self.row
        poses = [np.concatenate([state.x[row], state.q[row]])]
        while len(poses) <= beats:
            self._world.run(BEAT_STEPS)
            poses.append(np.concatenate([state.x[row], state.q[row]]))
            if self._world.at_rest:
                return Thrown(RESTED, np.array(poses))
            if times(state.x[row], self._down) > floor:
                return Thrown(FELL, np.array(poses))
        return Thrown(MOVING, np.array(poses))


def alone(scene: Scene, body: Body) -> Scene:
    """The scene in which only this body moves, from rest."""
    if body.static:
        raise ForegoneError(f"{body.name} never moves, so it comes from nowhere.")
    if any(scene.find(key) is body for joint in scene.joints for key in (joint.a, joint.b)):
        raise ForegoneError(f"{body.name} is held by a joint, and cannot be thrown by itself.")
    if not any(scene.gravity):
        raise ForegoneError("Without gravity nothing that is thrown comes to rest.")
    bodies = [_resting(each, each.id == body.id) for each in scene.bodies]
    return replace(scene, bodies=bodies, hints=[], joints=[], entrances=[], arrival_order=[])


def _resting(body: Body, free: bool) -> Body:
    return replace(body, velocity=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 0.0), static=not free, arrival=None)
