"""Brick walls: the island solver reaches its tolerance at rest and under impact, and what rests stays."""

from __future__ import annotations

import numpy as np
import pytest
from stepping import Steps, plan_of

from engine.certificate.audit import certify
from engine.contact.island_solver import empty_solver_work
from engine.contact.rows import empty_rows
from engine.decide.launch import Launch
from engine.run import backward, forward
from tests.bench import scenes


@pytest.mark.parametrize("courses, width", [(4, 2), (6, 5), (10, 10)], ids=["10", "33", "105"])
def test_a_wall_at_rest_and_hit_solves_to_the_tolerance(courses: int, width: int) -> None:
    steps = Steps(scenes.wall(courses, width), 1 / 480)
    state = steps.start
    after, residual = steps.forward(state)
    s = steps.s
    assert residual <= 1e-12
    assert s.tier[: s.found].max() == 0 and s.residual[: s.found].max() <= 1e-12
    assert np.array_equal(after.x, state.x)

    hit = steps.start
    hit.v[steps.model.names.index(f"brick{courses - 1:02d}.01")] = (0.3, 0.1, -3.0)
    steps.cold()
    after, residual = steps.forward(hit)
    s = steps.s
    assert residual <= 1e-12
    assert s.tier[: s.found].max() == 0 and s.residual[: s.found].max() <= 1e-12
    assert np.abs(after.v).max() > 0.1, "the hit is felt"


def test_an_island_without_room_to_factorise_is_swept() -> None:
    """Sweeps alone hold a small wall to the tolerance; what they leave would be told by the residual."""
    steps = Steps(scenes.wall(4, 2), 1 / 480)
    steps.s = steps.s._replace(rows=empty_rows(100), solver=empty_solver_work(11, 100, fill_per_body=0))
    after, residual = steps.forward(steps.start)
    assert residual < 1e-9
    assert np.abs(after.v).max() < 1e-9


def test_an_arriving_brick_is_carried_by_the_wall() -> None:
    """Backward: the top brick lands at 3 m/s; the impulse goes to the ground through bricks that do not move."""
    steps = Steps(scenes.wall(6, 5), 1 / 480)
    body = steps.model.names.index("brick05.02")
    plan = plan_of(steps.model, Launch(body, 0.1, velocity=(0.3, 0.1, -3.0)))
    before, residual = steps.backward(steps.start, plan)
    assert residual <= 1e-12
    assert steps.s.residual[: steps.s.found].max() <= 1e-12
    assert before.v[body] == pytest.approx((0.3, 0.1, -3.0), abs=1e-9)
    others = np.delete(before.v, body, axis=0)
    assert np.abs(others).max() < 1e-9


@pytest.mark.parametrize("direction", [backward, forward])
def test_an_awake_wall_does_not_creep(direction: object) -> None:
    """Without sleeping, half a second either way; the residual must not be read as motion."""
    from engine.arrivals.options import Options

    scene = scenes.wall(4, 3)
    extra = {"options": Options(launch=False)} if direction is backward else {}
    take = direction(scene, 0.5, 1 / 240, sleep=False, **extra)  # type: ignore[operator]
    assert np.abs(take.tape.x - take.model.start.x).max() <= 1e-12
    report = certify(take)
    assert report.exact_fraction == 1.0 and report.max_residual <= 1e-12
