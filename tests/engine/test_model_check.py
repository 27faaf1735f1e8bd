"""Overlapping and floating bodies, with distances of balls and planes in closed form as the collision code."""

from __future__ import annotations

import functools

import numpy as np

from engine import Body, Box, Plane, Scene, Sphere
from engine.model.arrays import PLANE
from engine.model.check import pose_problems
from engine.model.compile import compile_scene
from engine.shapes.turns import rotation_matrix


def distance(g, a, b, x, q):
    """Signed distance of ball and ball, ball and plane; normal from b to a."""
    centers = [x[g.part_body[p]] + rotation_matrix(q[g.part_body[p]]) @ g.part_center[p] for p in (a, b)]
    if g.part_kind[a] == PLANE:
        value, normal = distance(g, b, a, x, q)
        return value, -normal
    if g.part_kind[b] == PLANE:
        normal = rotation_matrix(q[g.part_body[b]]) @ g.part_axis[b]
        return float(normal @ (centers[0] - centers[1])) - g.part_radius[a], normal
    apart = centers[0] - centers[1]
    length = float(np.linalg.norm(apart))
    return length - g.part_radius[a] - g.part_radius[b], apart / length


def told(*bodies: Body, ground: bool = True, flying: set[int] | None = None, gravity=(0, 0, -9.81)):
    model = compile_scene(Scene(list(bodies), ground=ground, gravity=gravity))
    measure = functools.partial(distance, model.geometry)
    return [(p.severity, p.code, p.body, p.message) for p in pose_problems(model, measure, flying)]


def ball(name: str, *place: float, **values) -> Body:
    return Body(name, Sphere(0.5), place, **values)


def test_touching_is_fine() -> None:
    assert told(ball("a", 0, 0, 0.5), ball("b", 1, 0, 0.5), ball("c", 0, 0, 1.5)) == []
    assert told(ball("a", 0, 0, 0.5 - 5e-7)) == []


def test_a_slight_overlap_is_a_warning() -> None:
    """Settled poses overlap by hundredths of a millimetre; from a tenth on it is an error."""
    assert told(ball("a", 0, 0, 0.49995)) == [("warning", "overlap", "a", "a overlaps ground by 0.05 mm.")]
    assert told(ball("a", 0, 0, 0.4998)) == [("error", "overlap", "a", "a overlaps ground by 0.2 mm.")]


def test_overlaps_are_errors_with_their_depth() -> None:
    assert told(ball("a", 0, 0, 0.5), ball("b", 0.9, 0, 0.5)) == [("error", "overlap", "a", "a overlaps b by 100 mm.")]
    assert told(ball("a", 0, 0, 0.498)) == [("error", "overlap", "a", "a overlaps ground by 2 mm.")]
    fixed = ball("s", 0, 0, 0.5, static=True)
    assert told(fixed, ball("a", 0, 0, 1.49)) == [("error", "overlap", "a", "a overlaps s by 10 mm.")]
    assert told(fixed, ball("t", 0, 0, 0.7, static=True), ground=True) == []


def test_floating_is_a_warning_that_says_how_far() -> None:
    assert told(ball("a", 0, 0, 0.503)) == [("warning", "floating", "a", "a floats: ground is 3 mm below.")]
    assert told(ball("a", 0, 0, 5), ground=False) == [
        ("warning", "floating", "a", "a floats: there is nothing below it.")
    ]
    assert told(ball("a", 0, 0, 5), flying={0}) == []
    assert told(ball("a", 0, 0, 5), gravity=(0, 0, 0)) == []


def test_a_group_floats_together_and_stands_together() -> None:
    stack = [ball("a", 0, 0, 1.0), ball("b", 0, 0, 2.0), ball("c", 0, 0, 3.0)]
    assert told(*stack) == [("warning", "floating", "a", "a floats: ground is 500 mm below.")]
    assert told(ball("floor", 0, 0, 0, static=True), *stack, ground=False) == []
    assert told(*stack, flying={1}) == []


def test_what_lies_beside_or_above_is_not_below() -> None:
    above = ball("lamp", 0, 0, 2.0, static=True)
    assert told(above, ball("a", 0, 0, 0.9))[0][3] == "a floats: ground is 400 mm below."
    wall = Body("wall", Plane((1, 0, 0), (-0.6, 0, 0)), static=True)
    assert told(wall, ball("a", 0, 0, 0.9))[0][3] == "a floats: ground is 400 mm below."


def test_many_balls_only_the_guilty_are_named() -> None:
    rng = np.random.default_rng(0)
    places = np.array([[2.0 * i, 2.0 * j, 0.5] for i in range(12) for j in range(12)])
    rng.shuffle(places)
    places[17] = places[100] + [0.8, 0, 0]
    found = told(*[ball(f"ball{i:03}", *p) for i, p in enumerate(places)])
    assert [row[3] for row in found] == ["ball017 overlaps ball100 by 200 mm."]


def test_scene_problems_use_the_collision_code() -> None:
    die = Body("die", Box((0.05, 0.05, 0.05)), (0, 0, 0.05))
    assert Scene([die]).problems() == []
    sunk = Body("sunk", Box((0.05, 0.05, 0.05)), (0.04, 0.04, 0.149))
    found = Scene([die, sunk]).problems()
    assert [(p.severity, p.code) for p in found] == [("error", "overlap")]
    assert found[0].message == "die overlaps sunk by 1 mm."
    # The flying body comes first in the document and last among the rows.
    thrown = Body("thrown", Sphere(0.1), (3, 0, 1), velocity=(1, 0, 0))
    held = Body("held", Sphere(0.1), (0, 3, 0.15))
    found = Scene([thrown, held, die]).problems()
    assert [(p.code, p.message) for p in found] == [("floating", "held floats: ground is 50 mm below.")]
