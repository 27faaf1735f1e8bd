"""Our fast forward engine as a runner beside the peers."""

from __future__ import annotations

import numpy as np

from engine.fast.world import FastWorld
from engine.model.compile import compile_scene
from engine.scene.spec import Scene


class Ours:
    """Runs a scene with the fast engine; bodies may sleep, as by default, or not."""

    name = "foregone"

    def __init__(self, scene: Scene, dt: float, sleep: bool = True) -> None:
        self._model = compile_scene(scene)
        self._world = FastWorld(self._model, dt, sleep=sleep)

    def reset(self) -> None:
        self._world.reset(self._model.start)

    def run(self, steps: int) -> None:
        self._world.run(steps)

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        state, rows = self._world.state, self._model.row_of
        return state.x[rows].copy(), state.q[rows].copy()

    def asleep(self) -> float:
        return float(self._world.asleep[self._model.bodies.inverse_mass > 0.0].mean())
