"""Single steps, for tests that look at one kick."""

from __future__ import annotations

import numpy as np

from engine.decide.launch import Launch
from engine.decide.plan import CONSTANT, Plan, make_plan
from engine.model.arrays import State, copy_state
from engine.model.compile import Model, compile_scene
from engine.params import Params, make_params
from engine.scene.spec import Scene
from engine.step.backward import backward_step
from engine.step.forward import forward_step
from engine.step.scratch import Scratch, enlarge, forget, make_scratch


def plan_of(model: Model, *launches: Launch) -> Plan:
    """Authored coefficients, and these launches."""
    n = len(model.names)
    return make_plan(CONSTANT, 0.0, {launch.body: launch for launch in launches}, np.zeros(n), np.zeros(n))


class Steps:
    """One scene, stepped once at a time. What the last step left is in `s`."""

    def __init__(self, scene: Scene, dt: float) -> None:
        self.model: Model = compile_scene(scene)
        self.params: Params = make_params(dt, scene.gravity)
        self.s: Scratch = make_scratch(self.model)

    @property
    def start(self) -> State:
        return copy_state(self.model.start)

    def cold(self) -> None:
        forget(self.s)

    def forward(self, state: State, came_from: State | None = None) -> tuple[State, float]:
        """The next state and the kick's residual."""
        came_from = state if came_from is None else came_from
        after = copy_state(state)
        while True:
            status, residual = forward_step(self.s, self.params, came_from, state, after, False)
            if status == 0:
                return after, residual
            self.s = enlarge(self.s, status)

    def backward(self, state: State, plan: Plan, time: float = 1.0) -> tuple[State, float]:
        """The state before and the kick's residual."""
        before = copy_state(state)
        while True:
            status, residual, _ = backward_step(self.s, plan, time, self.params, state, before)
            if status == 0:
                return before, residual
            self.s = enlarge(self.s, status)
