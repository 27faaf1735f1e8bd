"""Arrays, boxes around bodies, static things, and how what was made comes into a scene."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.makers.arrays import ArraySpec, array
from app.makers.made import Batch, Made, free_place, put
from app.makers.wall import WallSpec, make_wall
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Plane, Scene, Sphere
from engine.shapes.extent import body_extent, extent
from engine.shapes.turns import from_angles, rotation_matrix

ONE = Scene(bodies=[Body("Die", Box((0.1, 0.2, 0.3)), (1.0, 2.0, 0.3), locked=True)])


def test_a_grid_in_sizes_touches() -> None:
    made = array(ONE, ["b1"], ArraySpec(counts=(2, 1, 3)))
    assert len(made.added) == 5 and made.summary == "6 in all, 5 new" and made.scene.bodies[0] is ONE.bodies[0]
    places = sorted(body.position for body in made.scene.bodies)
    assert places[3][0] - places[0][0] == pytest.approx(0.2, abs=2e-6)
    step = places[1][2] - places[0][2]
    assert 0.6 <= step + 1e-15 and step == pytest.approx(0.6, abs=2e-6)  # touching, never overlapping
    assert not any(body.locked for body in made.scene.bodies[1:])


def test_a_grid_in_metres() -> None:
    made = array(ONE, ["b1"], ArraySpec(counts=(1, 3, 1), relative=False, spacing=(0.0, -0.5, 0.0)))
    assert [body.position[1] for body in made.scene.bodies] == [2.0, 1.5, 1.0]


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 12), st.floats(0.1, 5.0), st.booleans())
def test_a_circle_keeps_its_radius_and_closes(count: int, radius: float, turned: bool) -> None:
    made = array(ONE, ["b1"], ArraySpec("circle", around=count, radius=radius, turned=turned))
    center = np.array([1.0, 2.0 + radius])
    places = np.array([body.position for body in made.scene.bodies])
    assert np.hypot(*(places[:, :2] - center).T) == pytest.approx(radius)
    assert (places[:, 2] == 0.3).all()
    assert places.mean(axis=0)[:2] == pytest.approx(center)
    assert any(body.orientation != (1.0, 0.0, 0.0, 0.0) for body in made.scene.bodies) == turned


def test_half_a_circle_ends_on_the_other_side() -> None:
    made = array(ONE, ["b1"], ArraySpec("circle", around=3, radius=1.0, sweep=180.0))
    assert made.scene.bodies[-1].position == pytest.approx((1.0, 4.0, 0.3))


def test_arrays_that_cannot_be_are_refused() -> None:
    assert array(ONE, [], ArraySpec()).refused == "Select the bodies to copy."
    assert "most" in array(ONE, ["b1"], ArraySpec(counts=(1000, 1000, 1))).refused
    plane = Scene(bodies=[Body("Floor", Plane(), static=True)])
    assert "plane" in array(plane, ["b1"], ArraySpec()).refused


SHAPES = [
    Sphere(0.3),
    Box((0.1, 0.2, 0.3)),
    Capsule(0.1, 0.4),
    Cylinder(0.2, 0.3),
    Hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])),
    Compound([(Sphere(0.1), (0.5, 0.0, 0.0)), (Box((0.1, 0.1, 0.1)), (0.0, 0.5, 0.0))]),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("angles", [(0, 0, 0), (30, 50, -70)])
def test_the_box_around_a_body_is_tight(shape: object, angles: tuple[float, float, float]) -> None:
    body = Body("a", shape, (1.0, -2.0, 3.0), from_angles(angles))  # type: ignore[arg-type]
    low, high = body_extent(body)  # type: ignore[misc]
    for axis in range(3):
        for sign, bound in ((1.0, high[axis]), (-1.0, -low[axis])):
            direction = sign * np.eye(3)[axis]
            reach = support(shape, rotation_matrix(body.orientation).T @ direction)
            assert reach + direction @ body.position == pytest.approx(bound, abs=1e-12)


def support(shape: object, d: np.ndarray) -> float:
    """Farthest reach along a direction, by the book."""
    if isinstance(shape, Sphere):
        return shape.radius * float(np.linalg.norm(d))
    if isinstance(shape, Box):
        return float(np.abs(d) @ shape.half)
    if isinstance(shape, Capsule):
        return shape.radius + abs(float(d[2])) * shape.half_length
    if isinstance(shape, Cylinder):
        return shape.radius * math.hypot(d[0], d[1]) + abs(float(d[2])) * shape.half_height
    if isinstance(shape, Hull):
        return float((shape.points @ d).max())
    assert isinstance(shape, Compound)
    return max(support(part, d) + float(d @ place) for part, place, _ in shape.parts)


def test_put_groups_a_batch_and_leaves_a_single_body_alone() -> None:
    pair, one = (Body("a", Sphere(0.1)), Body("b", Sphere(0.1))), (Body("a", Sphere(1.0)),)
    made = Made((Batch("Pair", pair), Batch("One", one)))
    scene, ids = put(ONE, made, (1.0, 0.0, 0.0))
    assert [group.name for group in scene.groups] == ["Pair"]
    assert [body.group for body in scene.bodies] == ["", scene.groups[0].id, scene.groups[0].id, ""]
    assert [body.name for body in scene.bodies] == ["Die", "a", "b", "a 1"] and len(ids) == 3
    assert scene.bodies[1].position == (1.0, 0.0, 0.0)


def test_a_free_place_is_clear_of_everything() -> None:
    made = make_wall(WallSpec())
    assert free_place(Scene(), made) == (0.0, 0.0, 0.0)
    scene, first = put(Scene(), made)
    scene, second = put(scene, made, free_place(scene, made))
    here, there = ([body for body in scene.bodies if body.id in set(ids)] for ids in (first, second))
    assert extent(there)[1][1] < extent(here)[0][1]  # type: ignore[index]
    assert len({body.name for body in scene.bodies}) == len(scene.bodies)


def test_many_bodies_come_in_fast() -> None:
    """A large wall twice: naming and grouping must not be quadratic."""
    made = make_wall(WallSpec(bond="stack", courses=100, bricks=60))
    start = time.process_time()
    scene, _ = put(Scene(), made)
    scene, _ = put(scene, made, (0.0, 5.0, 0.0))
    assert len(scene.bodies) == 12_000 and time.process_time() - start < 3.0
