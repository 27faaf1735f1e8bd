"""The benchmark scenes are what their names say."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.compile import compile_scene
from engine.run import forward
from engine.scene.spec import Scene
from tests.bench import scenes_exact, scenes_forward
from tests.bench.quality import overlaps


def touching(scene: Scene) -> np.ndarray:
    x = np.array([body.position for body in scene.bodies])
    return overlaps(compile_scene(scene), x, np.array([body.orientation for body in scene.bodies]))


def moving(scene: Scene) -> int:
    return sum(not body.static for body in scene.bodies)


def test_counts() -> None:
    assert [moving(make()) for make in (scenes_forward.bins, scenes_forward.letters, scenes_forward.stack)] == [
        3037,
        200,
        30,
    ]
    assert moving(scenes_forward.pile()) == 1000 and len(scenes_forward.bins().bodies) == 3037 + 2 * 57
    assert [moving(scenes_exact.brick_wall(n)) for n in scenes_exact.WALLS] == [10, 30, 100]


@pytest.mark.parametrize("count", [1, 3, 16, 17])
def test_filled_bins_hold_one_ball_each_that_touches_the_ground_alone(count: int) -> None:
    scene = scenes_forward.filled_bins(count)
    assert touching(scene) == pytest.approx(np.zeros(count), abs=1e-12)
    assert not scene.problems()


@pytest.mark.parametrize("make", [scenes_forward.bins, scenes_forward.letters, scenes_forward.pile])
def test_what_is_dropped_touches_nothing_at_first(make: object) -> None:
    assert touching(make()).size == 0  # type: ignore[operator]


@pytest.mark.parametrize("balls", [14, 30, 55, 91, 140])
def test_a_pyramid_touches_without_overlap(balls: int) -> None:
    scene = scenes_exact.ball_pyramid(balls)
    n = round((3 * balls) ** (1 / 3) - 0.5)
    below = sum(4 * k * k for k in range(1, n))  # every ball above the ground lies on four
    beside = sum(2 * k * (k - 1) for k in range(1, n + 1))
    depth = touching(scene)
    assert moving(scene) == balls and len(depth) == n * n + below + beside
    assert depth.max() < 1e-12


def test_a_pyramid_rests_and_a_slippery_one_does_not() -> None:
    still, sliding = (
        forward(make(14), 0.1, 1 / 240) for make in (scenes_exact.ball_pyramid, scenes_exact.slippery_pyramid)
    )
    assert (
        np.abs(still.tape.x - still.tape.x[0]).max() < 1e-12 < 1e-3 < np.abs(sliding.tape.x - sliding.tape.x[0]).max()
    )


def test_the_topmost_body_is_struck() -> None:
    wall = scenes_exact.brick_wall(10)
    hit = scenes_exact.struck(wall)
    (fast,) = [body for body in hit.bodies if any(body.velocity)]
    assert fast.position[2] == max(body.position[2] for body in wall.bodies) and not any(
        any(body.velocity) for body in wall.bodies
    )
    assert scenes_exact.arriving(wall).hints[0].body == fast.name


def test_a_settled_pile_lies_in_its_container() -> None:
    scene = scenes_exact.settled_pile(20, seconds=2.0)
    boxes = [body for body in scene.bodies if not body.static]
    assert max(abs(c) for body in boxes for c in body.position[:2]) < 2.0
    assert max(body.position[2] for body in boxes) < 0.5 and touching(scene).size >= 20
    assert not any(any(body.velocity) for body in boxes)
