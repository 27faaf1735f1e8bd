"""Settling: afterwards nothing overlaps, nothing floats, and the exact engine does not move it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine import forward
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Material, Scene, Sphere, TriangleMesh
from engine.settle import Poses, settle

TETRAHEDRON = Hull(np.array([[0, 0, 0.08], [0.08, 0, -0.04], [-0.06, 0.06, -0.04], [-0.06, -0.06, -0.04]]))
HAMMER = Compound([(Box((0.02, 0.02, 0.1)), (0, 0, 0)), (Box((0.1, 0.02, 0.02)), (0, 0, 0.1))])


def placed(scene: Scene, poses: Poses) -> Scene:
    bodies = [replace(b, position=poses[b.id][0], orientation=poses[b.id][1]) if b.id in poses else b
              for b in scene.bodies]  # fmt: skip
    return replace(scene, bodies=bodies)


def wall(rows: int, columns: int) -> Scene:
    rng, bricks = np.random.default_rng(3), []
    for row in range(rows):
        for column in range(columns):
            x, y = 0.202 * column + 0.1 * (row % 2) + rng.normal() * 0.002, rng.normal() * 0.002
            bricks.append(Body(f"Brick {len(bricks)}", Box((0.1, 0.05, 0.03)), (x, y, 0.032 + 0.062 * row)))
    return Scene(bodies=bricks)


def heap() -> Scene:
    rng = np.random.default_rng(1)
    shapes = [Sphere(0.06), Box((0.08, 0.06, 0.05)), Capsule(0.04, 0.06), Cylinder(0.05, 0.06), TETRAHEDRON, HAMMER]
    bodies = []
    for i, shape in enumerate(2 * shapes):
        q = rng.normal(size=4)
        x, y = rng.normal(size=2) * 0.1
        bodies.append(Body(f"Thing {i}", shape, (x, y, 0.2 + 0.15 * i), tuple(q)))  # type: ignore[arg-type]
    return Scene(bodies=bodies)


def through_each_other() -> Scene:
    return Scene(bodies=[Body(f"Box {i}", Box((0.1, 0.1, 0.1)), (0.03 * i, 0.01 * i, 0.05)) for i in range(5)])


def on_a_slope() -> Scene:
    turn = (math.cos(0.15), 0.0, math.sin(0.15), 0.0)
    slope = Body("Slope", Box((1, 1, 0.1)), (0, 0, 0.5), turn, static=True)
    crate = Body("Crate", Box((0.1, 0.1, 0.1)), (0, 0, 0.9), material=Material(friction=0.6))
    return Scene(bodies=[slope, crate, Body("Can", Cylinder(0.05, 0.1), (0.1, 0.3, 0.9))])


def on_a_mesh() -> Scene:
    corners = np.array([[-1, -1, 0.5], [1, -1, 0.5], [1, 1, 0.5], [-1, 1, 0.5]])
    table = Body("Table", TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]])), static=True)
    return Scene(ground=False, bodies=[table, Body("Cup", Cylinder(0.05, 0.1), (0, 0.1, 0.7)), Body("Ball", Sphere(0.1),
                 (0.4, 0, 0.8))])  # fmt: skip


@pytest.mark.parametrize("make", [lambda: wall(5, 3), heap, through_each_other, on_a_slope, on_a_mesh],
                         ids=["wall", "heap", "through each other", "slope", "mesh"])  # fmt: skip
def test_what_has_settled_rests_by_the_exact_law(make: Callable[[], Scene]) -> None:
    scene = make()
    result = settle(scene)
    assert result.moving == () and result.fallen == () and not result.stopped
    after = placed(scene, result.poses)
    assert after.problems() == []
    take = forward(after, 1.0)
    assert np.linalg.norm(take.positions - take.positions[0], axis=2).max() < 1e-9
    assert settle(scene).poses == result.poses, "the same scene settles the same way"


def test_nothing_is_thrown_about() -> None:
    """Boxes through each other are pushed apart, not shot away."""
    scene = through_each_other()
    places = np.array([place for place, _ in settle(scene).poses.values()])
    assert np.abs(places[:, :2]).max() < 0.8 and places[:, 2].max() < 0.8


def test_only_the_chosen_ones_move() -> None:
    scene = wall(3, 2)
    lifted = replace(scene, bodies=[*scene.bodies[:-1], replace(scene.bodies[-1], position=(0.3, 0, 0.5))])
    result = settle(lifted, [scene.bodies[-1].id])
    assert list(result.poses) == [scene.bodies[-1].id]
    assert result.poses[scene.bodies[-1].id][0][2] == pytest.approx(0.154, abs=1e-6)  # on the held row


def test_what_falls_away_is_told_and_stays_where_it_was() -> None:
    table = Body("Table", Box((0.5, 0.5, 0.05)), (0, 0, 0.5), static=True)
    balls = [Body("On", Sphere(0.1), (0, 0, 0.7)), Body("Off", Sphere(0.1), (2, 0, 0.5))]
    scene = Scene(ground=False, bodies=[table, *balls])
    result = settle(scene)
    assert result.fallen == ("b3",) and result.moving == () and result.poses["b3"][0] == (2, 0, 0.5)
    assert result.poses["b2"][0][2] == pytest.approx(0.65, abs=1e-6)


def test_a_wish_to_stop_is_heard() -> None:
    asked = []

    def watch(stage: str, at_rest: int, count: int, poses: Callable[[], Poses]) -> bool:
        asked.append((at_rest, count))
        return False

    result = settle(wall(8, 8), watch=watch)
    assert result.stopped and len(asked) == 1 and asked[0][1] == 64
