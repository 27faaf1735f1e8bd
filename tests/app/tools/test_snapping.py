"""Bodies dropped on what lies below them, and put on the ground."""

from __future__ import annotations

import math
from dataclasses import replace

import coal
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.document import edits
from app.tools.snapping import drop, rested, snapped, to_ground
from engine.scene.spec import (
    Body,
    Box,
    Capsule,
    Compound,
    Cylinder,
    Hull,
    Plane,
    Scene,
    Shape,
    Sphere,
    TriangleMesh,
)
from engine.shapes.extent import bottom, bounds, lowest, reach
from engine.shapes.turns import about, product, rotation_matrix

CLOSE = 1e-6  # m, what the tool promises
angles = st.floats(-math.pi, math.pi)
turns = st.tuples(angles, angles, angles).map(
    lambda a: product(about((0, 0, 1), a[2]), product(about((0, 1, 0), a[1]), about((1, 0, 0), a[0])))
)
sizes = st.floats(0.05, 0.5)
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
shapes = st.one_of(
    st.builds(Sphere, sizes),
    st.builds(lambda *half: Box(half), sizes, sizes, sizes),
    st.builds(Capsule, sizes, sizes),
    st.builds(Cylinder, sizes, sizes),
    st.builds(lambda *h: Hull(CUBE[[0, 1, 2, 4, 7]] * h), sizes, sizes, sizes),
    st.builds(lambda r, h: Compound([(Sphere(r), (0.1, 0.2, 0.0)), (Box((h, r, h)), (0.0, 0.0, -0.1))]), sizes, sizes),
)
convex = shapes.filter(lambda shape: not isinstance(shape, Compound))


def surface_points(shape: Shape) -> np.ndarray:
    """Many points of a shape's surface: an independent, coarse view of it."""
    u = np.linspace(0.0, 2.0 * math.pi, 181)
    circle = np.c_[np.cos(u), np.sin(u), np.zeros_like(u)]
    if isinstance(shape, Compound):
        placed = ((part, at, rotation_matrix(turn)) for part, at, turn in shape.parts)
        return np.vstack([surface_points(part) @ turn.T + np.array(at) for part, at, turn in placed])
    if isinstance(shape, Box):
        return CUBE * np.array(shape.half)
    if isinstance(shape, Hull):
        return shape.points
    if isinstance(shape, TriangleMesh):
        return shape.vertices
    if isinstance(shape, Cylinder):
        ends = np.array([[0, 0, -shape.half_height], [0, 0, shape.half_height]])
        return np.vstack([shape.radius * circle + end for end in ends])
    a, b = np.meshgrid(u, np.linspace(0.0, math.pi, 91))
    ball = np.stack([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)], axis=-1).reshape(-1, 3)
    if isinstance(shape, Sphere):
        return shape.radius * ball
    assert isinstance(shape, Capsule)
    ends = np.array([[0, 0, -shape.half_length], [0, 0, shape.half_length]])
    return np.vstack([shape.radius * ball + end for end in ends])


@given(shapes, turns, turns)
def test_reach_is_exact(shape: Shape, turn: tuple, way: tuple) -> None:
    direction = rotation_matrix(way)[:, 2]
    brute = float((surface_points(shape) @ rotation_matrix(turn).T @ direction).max())
    exact = float(reach(shape, turn, direction[None, :])[0])
    assert brute - 1e-12 <= exact <= brute + 6e-4  # points on round shapes are 2 degrees apart


def test_reach_in_closed_form() -> None:
    tilt = about((0, 1, 0), math.radians(30.0))
    assert lowest(Sphere(0.3), tilt) == -0.3
    assert lowest(Box((0.2, 0.1, 0.4)), (1, 0, 0, 0)) == -0.4
    assert lowest(Box((0.2, 0.1, 0.4)), tilt) == pytest.approx(-(0.2 * 0.5 + 0.4 * math.sqrt(0.75)), abs=1e-15)
    assert lowest(Capsule(0.1, 0.4), tilt) == pytest.approx(-(0.1 + 0.4 * math.sqrt(0.75)), abs=1e-15)
    assert lowest(Cylinder(0.1, 0.4), tilt) == pytest.approx(-(0.1 * 0.5 + 0.4 * math.sqrt(0.75)), abs=1e-15)
    assert lowest(Plane(), (1, 0, 0, 0)) == -math.inf


@given(shapes, turns, st.floats(-2.0, 3.0))
def test_to_ground_touches_exactly(shape: Shape, turn: tuple, height: float) -> None:
    scene = Scene([Body("a", shape, (0.3, -0.2, height), turn, id="a")])
    body = to_ground(scene, ["a"]).bodies[0]
    assert abs(bottom(body)) < 1e-14 and body.position[:2] == (0.3, -0.2)


@given(shapes, turns, st.floats(0.0, 2.0))
def test_a_drop_on_the_ground_never_goes_in(shape: Shape, turn: tuple, above: float) -> None:
    start = Body("a", shape, (0.0, 0.0, above - lowest(shape, turn)), turn, id="a")
    body = drop(Scene([start]), ["a"]).bodies[0]
    lowest_point = body.position[2] + float((surface_points(shape) @ rotation_matrix(turn).T)[:, 2].min())
    assert -CLOSE <= bottom(body) <= CLOSE and lowest_point >= -CLOSE


@given(sizes, sizes, st.tuples(*[st.floats(-0.4, 0.4)] * 2))
def test_balls_on_balls_in_closed_form(r: float, s: float, away: tuple[float, float]) -> None:
    scene = Scene([Body("a", Sphere(r), (*away, 3.0), id="a"), Body("b", Sphere(s), id="b")], ground=False)
    body = drop(scene, ["a"]).bodies[0]
    square = (r + s) ** 2 - away[0] ** 2 - away[1] ** 2
    if square > 1e-6:
        assert body.position[2] == pytest.approx(math.sqrt(square), abs=1e-7)
    elif square < -1e-6:
        assert body.position[2] == 3.0  # past it, and nothing below


def geometry(shape: Shape) -> coal.CollisionGeometry:
    if isinstance(shape, Sphere):
        return coal.Sphere(shape.radius)
    if isinstance(shape, Box):
        return coal.Box(*(2.0 * h for h in shape.half))
    if isinstance(shape, Capsule):
        return coal.Capsule(shape.radius, 2.0 * shape.half_length)
    if isinstance(shape, Cylinder):
        return coal.Cylinder(shape.radius, 2.0 * shape.half_height)
    assert isinstance(shape, Hull)
    points = coal.StdVec_Vec3s()
    for point in shape.points:
        points.append(point)
    return coal.Convex.convexHull(points, False, "")


def distance(a: Body, b: Body) -> float:
    """By another library; negative inside. Good to about 1e-6 for cylinders, and for faces that are nearly parallel: it
    tells 2.7e-7 of two cubes a millionth of a turn off, whose faces overlap by 4e-14 along the axis between them."""
    places = [coal.Transform3s(rotation_matrix(x.orientation), np.array(x.position)) for x in (a, b)]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-10, 1000
    return float(coal.distance(geometry(a.shape), places[0], geometry(b.shape), places[1], request, result))


@given(convex, convex, turns, turns, st.tuples(*[st.floats(-0.5, 0.5)] * 2))
def test_a_drop_on_a_body_touches_it(
    above: Shape, below: Shape, turn: tuple, other: tuple, away: tuple[float, float]
) -> None:
    start = Body("a", above, (*away, 3.0), turn, id="a")
    floor = Body("b", below, (0.0, 0.0, 0.0), other, id="b")
    body = drop(Scene([start, floor], ground=False), ["a"]).bodies[0]
    if body is start:  # passed by: nowhere on the way down do they meet
        for z in np.linspace(3.0, -3.0, 40):
            assert distance(replace(start, position=(*away, float(z))), floor) > -CLOSE
    else:
        assert -CLOSE <= distance(body, floor) <= CLOSE


def brick(key: str, x: float, z: float, y: float = 0.0) -> Body:
    return Body(key, Box((0.1, 0.05, 0.03)), (x, y, z), id=key)


def test_bricks_in_a_row_do_not_hold_each_other() -> None:
    rows = [brick("left", 0.1, 0.03), brick("right", 0.1 + 0.2 + 0.2, 0.03)]  # 0.3 apart in thirds that round
    scene = Scene([*rows, brick("a", 0.3, 1.0)])
    assert bottom(drop(scene, ["a"]).bodies[2]) == pytest.approx(0.0, abs=1e-9)
    half = edits.translate(scene, ["a"], (0.1, 0.0, 0.0))
    assert bottom(drop(half, ["a"]).bodies[2]) == pytest.approx(0.06, abs=1e-9)


def test_balls_slide_past_what_they_only_touch() -> None:
    wall = Body("wall", Box((0.1, 1.0, 0.5)), (0.2, 0.0, 0.5), id="w")
    scene = Scene([wall, Body("a", Sphere(0.1), (0.0, 0.0, 2.0), id="a")])
    assert bottom(drop(scene, ["a"]).bodies[1]) == pytest.approx(0.0, abs=1e-9)


def test_a_pile_falls_in_order() -> None:
    bodies = [brick("top", 0.0, 0.9), brick("middle", 0.0, 0.6), brick("low", 0.0, 0.5)]
    scene = Scene(bodies)
    each = drop(scene, ["top", "middle", "low"])
    assert [body.position[2] for body in each.bodies] == pytest.approx([0.15, 0.09, 0.03], abs=1e-8)


def test_what_touches_overlaps_or_is_locked_stays() -> None:
    resting = Scene([brick("a", 0.0, 0.03), brick("b", 0.0, 0.09)])
    assert drop(resting, ["b"]).bodies[1].position == pytest.approx((0.0, 0.0, 0.09), abs=1e-12)
    inside = Scene([brick("a", 0.0, 0.53), brick("b", 0.0, 0.55)])
    assert drop(inside, ["b"]).bodies[1] is inside.bodies[1]
    locked = edits.set_fields(edits.translate(resting, ["b"], (0, 0, 1)), ["b"], locked=True)
    assert drop(locked, ["b"]).bodies[1] is locked.bodies[1]
    nothing_below = Scene([brick("a", 0.0, 0.03)], ground=False)
    assert drop(nothing_below, ["a"]).bodies[0] is nothing_below.bodies[0]


def test_surfaces_and_slopes_hold_bodies() -> None:
    square = np.array([[-1, -1, 0.2], [1, -1, 0.2], [1, 1, 0.4], [-1, 1, 0.4]], float)
    mesh = Body("m", TriangleMesh(square, [[0, 1, 2], [0, 2, 3]]), static=True, id="m")
    ball = Body("a", Sphere(0.1), (0.0, 0.0, 2.0), id="a")
    slope = math.atan(0.1)
    scene = Scene([mesh, ball], ground=False)
    assert drop(scene, ["a"]).bodies[1].position[2] == pytest.approx(0.3 + 0.1 / math.cos(slope), abs=1e-8)
    # And a mesh can be dropped itself, on a ball.
    low = drop(Scene([replace(mesh, position=(0, 0, 5)), replace(ball, position=(0, 0, 0.1))]), ["m"]).bodies[0]
    assert low.position[2] == pytest.approx(0.1 - 0.3 + 0.1 / math.cos(slope), abs=1e-8)
    ramp = Body("r", Plane((0.0, -math.sin(0.5), math.cos(0.5))), static=True, id="r")
    tilted = drop(Scene([ramp, ball], ground=False), ["a"]).bodies[1]
    assert tilted.position[2] == pytest.approx(0.1 / math.cos(0.5), abs=1e-12)


def test_a_drop_through_a_ring_of_parts() -> None:
    sides = [(Box((0.3, 0.05, 0.1)), (0.0, y, 0.0)) for y in (-0.25, 0.25)]
    ends = [(Box((0.05, 0.2, 0.1)), (x, 0.0, 0.0)) for x in (-0.25, 0.25)]
    frame = Body("frame", Compound([*sides, *ends]), (0.0, 0.0, 0.1), id="f")
    inner = drop(Scene([frame, Body("a", Box((0.2, 0.2, 0.05)), (0.0, 0.0, 1.0), id="a")]), ["a"]).bodies[1]
    assert bottom(inner) == pytest.approx(0.0, abs=1e-9)  # fits exactly
    wide = drop(Scene([frame, Body("a", Box((0.21, 0.2, 0.05)), (0.0, 0.0, 1.0), id="a")]), ["a"]).bodies[1]
    assert bottom(wide) == pytest.approx(0.2, abs=1e-9)


@given(shapes, turns, turns, st.tuples(*[st.floats(-1, 1)] * 3), st.booleans())
def test_resting_on_a_plane_touches_it(
    shape: Shape, turn: tuple, way: tuple, point: tuple[float, float, float], align: bool
) -> None:
    normal = rotation_matrix(way)[:, 2]
    body = rested(Body("a", shape, orientation=turn), np.array(point), normal, align)
    deep = float(reach(shape, body.orientation, -normal[None, :])[0])
    assert float(normal @ (np.array(body.position) - point)) == pytest.approx(deep, abs=1e-12)
    if align:
        assert rotation_matrix(body.orientation)[:, 2] == pytest.approx(normal, abs=1e-7)


@given(st.floats(-1e3, 1e3), st.sampled_from([0.01, 0.05, 0.1, 0.25, 1.0]))
def test_snapped_values_are_near_multiples(value: float, step: float) -> None:
    near = snapped(value, step)
    assert abs(near - value) <= 0.5 * step + 1e-9 and near / step == pytest.approx(round(near / step), abs=1e-6)
    assert snapped(near, step) == near and snapped(value, 0.0) == value
    assert snapped(0.149, 0.05) == 0.15


def test_bounds_hold_the_body() -> None:
    low, high = bounds(Body("a", Cylinder(0.3, 0.2), (1.0, 2.0, 3.0), about((1, 0, 0), math.pi / 2)))
    assert low == pytest.approx([0.7, 1.8, 2.7]) and high == pytest.approx([1.3, 2.2, 3.3])
