"""The ruler: overlaps of a pose against closed forms and against coal."""

from __future__ import annotations

import coal
import numpy as np
import pytest

from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Scene, Sphere
from engine.shapes.turns import rotation_matrix
from tests.bench.quality import overlaps, quality


def pose(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    return np.array([body.position for body in scene.bodies]), np.array([body.orientation for body in scene.bodies])


def test_overlaps_of_a_column() -> None:
    """A ball 2 mm in the ground, a box 5 mm in the ball, a box that just touches it, and one apart."""
    scene = Scene(
        bodies=[
            Body("d ball", Sphere(0.1), (0, 0, 0.098)),
            Body("c low", Box((0.1, 0.1, 0.05)), (0, 0, 0.243)),
            Body("b high", Box((0.1, 0.1, 0.02)), (0, 0, 0.313)),
            Body("a apart", Box((0.1, 0.1, 0.4)), (5, 0, 1)),
        ]
    )
    found = overlaps(compile_scene(scene), *pose(scene))
    assert sorted(found) == pytest.approx([0.0, 0.002, 0.005], abs=1e-9)


def test_quality_in_millimetres() -> None:
    scene = Scene(bodies=[Body("b", Sphere(0.1), (0, 0, 0.097)), Body("a", Sphere(0.1), (1, 0, 0.099))])
    x, q = pose(scene)
    found = quality(compile_scene(scene), (x, q), x - (0, 0.001, 0), x - (0.003, 0.004, 0))
    assert (found.deepest_mm, found.mean_mm) == pytest.approx((3.0, 2.0)) and found.touching_pairs == 2
    assert found.mean_mm < found.p99_mm <= found.deepest_mm
    assert (found.moved_mm, found.drift_mm) == pytest.approx((5.0, 1.0))


def test_a_pose_without_contacts_has_no_overlap() -> None:
    scene = Scene(bodies=[Body("a", Sphere(0.1), (0, 0, 1))])
    x, q = pose(scene)
    assert quality(compile_scene(scene), (x, q), x, x) == (0.0, 0.0, 0.0, 0, 0.0, 0.0)


def test_overlaps_of_boxes_against_coal() -> None:
    """A hundred pairs of boxes that overlap by a little, turned at random."""
    rng = np.random.default_rng(5)
    bodies, expected = [], []
    while len(expected) < 100:
        halves, turns = rng.uniform(0.05, 0.12, (2, 3)), rng.normal(size=(2, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        way = rng.normal(size=3)
        way *= rng.uniform(0.1, 0.25) / np.linalg.norm(way)
        places = np.array([10.0 * len(expected), 0.0, 5.0]) + np.array([-0.5, 0.5])[:, None] * way
        depth = -distance(halves, places, turns)
        if not 1e-4 < depth < 0.01:
            continue
        expected.append(depth)
        for half, place, turn in zip(halves, places, turns, strict=True):
            bodies.append(Body(f"box{len(bodies):03d}", Box(tuple(half)), tuple(place), tuple(turn)))
    scene = Scene(bodies=bodies, ground=False)
    found = overlaps(compile_scene(scene), *pose(scene))
    assert found == pytest.approx(expected, abs=1e-6)


def distance(halves: np.ndarray, places: np.ndarray, turns: np.ndarray) -> float:
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-10
    request.gjk_max_iterations = request.epa_max_iterations = 2000
    boxes = [coal.Box(*(2 * half)) for half in halves]
    at = [coal.Transform3s(rotation_matrix(turn), place) for turn, place in zip(turns, places, strict=True)]
    return coal.distance(boxes[0], at[0], boxes[1], at[1], request, result)
