"""Looking around never promises too much: in the steps called free, the narrow phase finds nothing either."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.arrivals.ahead.lookout import Traffic, fastest_point, look_around
from engine.arrivals.ahead.order import NEVER
from engine.arrivals.structure import boxes_at_rest
from engine.collide.detect import Detector
from engine.model.arrays import copy_state
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Body, Box, Capsule, Cylinder, Scene, Sphere
from engine.step.drift import drift
from engine.step.scratch import make_scratch
from tests.bench import scenes_director as scenes

SHAPES = (Box((0.1, 0.05, 0.03)), Cylinder(0.06, 0.08), Capsule(0.04, 0.08), Sphere(0.07))


def flyer_and_wall(shape: object) -> Scene:
    wall = scenes.bonded_wall(2, 2)
    flyer = Body("a flyer", shape, (0, 0, 2.0))  # type: ignore[arg-type]
    return Scene(bodies=[*wall.bodies, flyer, Body("z post", Cylinder(0.05, 0.3), (0.8, 0, 0.3), static=True)])


MODELS = [compile_scene(flyer_and_wall(shape)) for shape in SHAPES]


@settings(max_examples=120, deadline=None)
@given(
    which=st.integers(0, len(SHAPES) - 1),
    place=st.tuples(st.floats(-0.6, 1.0), st.floats(-0.5, 0.5), st.floats(0.05, 0.8)),
    velocity=st.tuples(*[st.floats(-4.0, 4.0)] * 3),
    spin=st.tuples(*[st.floats(-20.0, 20.0)] * 3),
    seed=st.integers(0, 1000),
)
def test_free_steps_are_free(
    which: int,
    place: tuple[float, float, float],
    velocity: tuple[float, float, float],
    spin: tuple[float, float, float],
    seed: int,
) -> None:
    model = MODELS[which]
    params = make_params(1 / 480, (0.0, 0.0, -9.81))
    body, n = model.names.index("a flyer"), len(model.names)
    scratch = make_scratch(model)
    state = copy_state(model.start)
    q = np.random.default_rng(seed).normal(size=4)
    state.x[body], state.q[body] = place, q / np.linalg.norm(q)
    state.v[body], state.l[body] = velocity, model.bodies.inertia[body] @ np.array(spin)
    parts = np.searchsorted(model.geometry.part_body, np.arange(n + 1)).astype(np.int64)
    none = np.zeros(1, np.int64)
    ways = (none, none, np.zeros((1, 1, 3)), np.zeros((1, 1, 4)), np.zeros(1))
    boxes = boxes_at_rest(model, scratch.detect.narrow.cores)
    traffic = Traffic(
        np.full(n, NEVER), np.full(n, -1), *ways, model.bodies.size, boxes, model.start, parts, (0.0, 0.0, 1.0),
        np.full(n, 2e-3), 48, (0.0, 0.0, 0.02),
    )  # fmt: skip
    pace = fastest_point(model.bodies.inverse_inertia, model.bodies.size, params, body, state)
    steps, blocker = look_around(scratch.detect.narrow, pace, body, 10, 1, traffic, copy_state(state))
    assert blocker == -1
    detector = Detector(model.geometry, model.bodies.inverse_mass, 256)
    awake = np.arange(n) == body
    before, work = copy_state(state), np.zeros((n, 3))
    for _ in range(steps):
        drift(state.x, state.q, state.v, state.l, model.bodies.inverse_inertia, -params.dt, before.x, before.q, work)
        assert detector.find(before.x, before.q, state.x, state.q, awake, params.slop) == 0
        before.v[body] = state.v[body] - params.dt * np.array([0.0, 0.0, -9.81])
        state, before = copy_state(before), before
