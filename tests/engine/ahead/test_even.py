"""Even shares: the same push of a flat bounce, spread over all it touches, inside the cones."""

from __future__ import annotations

import numpy as np
import pytest

from engine.arrivals.ahead.even import make_evening, share_again
from engine.contact.kick import CONTACTS
from engine.decide.plan import CONSTANT, make_plan
from engine.model.arrays import copy_state
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Body, Box, Scene
from engine.step.backward import backward_step
from engine.step.scratch import make_scratch
from tests.bench.scenes import material

HALF = (0.1, 0.05, 0.05)


@pytest.mark.parametrize("sideways", [0.0, 0.2], ids=["sticks", "slides"])
def test_a_flat_bounce_on_two_bricks_presses_all_corners(sideways: float) -> None:
    low = [
        Body(f"low{i}", Box(HALF), (x, 0, 0.05), static=True, material=material())
        for i, x in enumerate((-0.102, 0.102))
    ]
    brick = Body("brick", Box(HALF), (0, 0, 0.1506), velocity=(0, sideways, 0.5), material=material())
    scene = Scene([*low, brick])
    model, params = compile_scene(scene), make_params(1 / 480, scene.gravity)
    body, s = model.names.index("brick"), make_scratch(model)
    state, before = copy_state(model.start), copy_state(model.start)
    nothing = np.zeros(len(model.names))
    backward_step(s, make_plan(CONSTANT, 0.0, {}, nothing, nothing), params.dt, params, state, before)
    count, contacts, kick = int(s.counts[CONTACTS]), s.contacts, s.kick
    assert count == 8
    sign = np.where(contacts.a[:count] == body, 1.0, -1.0)[:, None]

    def push() -> tuple[np.ndarray, np.ndarray]:
        own = sign * kick.impulse[:count]
        return own.sum(0), np.cross(contacts.point[:count] - before.x[body], own).sum(0)

    force, turn = push()
    share_again(count, contacts, kick, body, model.bodies.size, before.x, 1.0, params, make_evening(16))
    force_now, turn_now = push()
    assert np.abs(force_now - force).max() <= 1e-13 * np.abs(force).max()
    assert np.abs(turn_now - turn).max() <= 1e-13 * np.abs(force).max()
    up = (sign * kick.impulse[:count])[:, 2]
    assert up.min() > 0.0, "every corner bears something"
    level = np.linalg.norm(kick.impulse[:count, :2], axis=1)
    if sideways:
        assert level == pytest.approx(0.4 * up), "friction stays at its bound where it slides"
    else:
        assert up.max() - up.min() <= 1e-9 * up.max() and level.max() <= 1e-9 * up.max()
