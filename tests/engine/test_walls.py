"""Brick walls: the island solver reaches its tolerance at rest and under impact, and what rests stays."""

from __future__ import annotations

import numpy as np
import pytest

from engine.bench import scenes
from engine.contact.island_solver import empty_solver_work
from engine.model.arrays import copy_state
from engine.model.compile import compile_scene
from engine.params import make_params
from engine.scene.spec import Scene
from engine.step.backward import backward_step
from engine.step.forward import forward_step
from engine.step.scratch import Scratch, make_scratch
from engine.take.audit import certify
from engine.take.run import backward, forward


def ready(scene: Scene, dt: float = 1 / 480) -> Scratch:
    model = compile_scene(scene)
    return make_scratch(model, make_params(dt, scene.gravity))


def nothing(s: Scratch, state: object) -> None:
    """Decide nothing: authored materials, no goals."""


@pytest.mark.parametrize("courses, width", [(4, 2), (6, 5), (10, 10)], ids=["10", "33", "105"])
def test_a_wall_at_rest_and_hit_solves_to_the_tolerance(courses: int, width: int) -> None:
    s = ready(scenes.wall(courses, width))
    state = copy_state(s.model.start)
    after, residual = forward_step(s, state, state, nothing)
    assert residual <= 1e-12
    assert s.tier[: s.count].max() == 0 and s.residual[: s.count].max() <= 1e-12
    assert np.array_equal(after.x, state.x)

    hit = copy_state(s.model.start)
    hit.v[s.model.names.index(f"brick{courses - 1:02d}.01")] = (0.3, 0.1, -3.0)
    s.asleep[:] = False
    s.warm_keys = s.warm_keys[:0]
    after, residual = forward_step(s, hit, hit, nothing)
    assert residual <= 1e-12
    assert s.tier[: s.count].max() == 0 and s.residual[: s.count].max() <= 1e-12
    assert np.abs(after.v).max() > 0.1, "the hit is felt"


def test_an_island_too_large_to_factorise_is_swept_and_says_so() -> None:
    s = ready(scenes.wall(4, 2))
    s.solver = empty_solver_work(int(s.moves.sum()), s.base.shape[0], largest=3)
    state = copy_state(s.model.start)
    after, residual = forward_step(s, state, state, nothing)
    assert 1e-12 < residual < 1e-3
    assert np.abs(after.v).max() < 1e-3


def test_an_arriving_brick_is_carried_by_the_wall() -> None:
    """Backward: the top brick lands at 3 m/s; the impulse goes to the ground through bricks that do not move."""
    s = ready(scenes.wall(6, 5))
    body = s.model.names.index("brick05.02")

    def arrive(s: Scratch, state: object) -> None:
        from engine.direct.launch import ask

        ask(s.count, s.contacts, s.kick, body, (0.3, 0.1, -3.0), (0.0, 0.0, 0.0), s.model.start.x, 1e-9, False, False)

    before, residual = backward_step(s, copy_state(s.model.start), arrive)
    assert residual <= 1e-12
    assert s.residual[: s.count].max() <= 1e-12
    assert before.v[body] == pytest.approx((0.3, 0.1, -3.0), abs=1e-9)
    others = np.delete(before.v, body, axis=0)
    assert np.abs(others).max() < 1e-9


@pytest.mark.parametrize("direction", [backward, forward])
def test_an_awake_wall_does_not_creep(direction: object) -> None:
    """Without sleeping, half a second either way; the residual must not be read as motion."""
    from engine.direct.director import Options

    scene = scenes.wall(4, 3)
    extra = {"options": Options(launch=False)} if direction is backward else {}
    take = direction(scene, 0.5, 1 / 240, sleep=False, **extra)  # type: ignore[operator]
    assert np.abs(take.tape.x - take.model.start.x).max() <= 1e-12
    report = certify(take)
    assert report.exact_fraction == 1.0 and report.max_residual <= 1e-12
