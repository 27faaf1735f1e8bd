"""Walls: neighbours touch and never overlap (in exact arithmetic), every brick is carried, counts are right."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.makers.lengths import GRID, on_grid
from app.makers.made import LIMIT
from app.makers.shades import shade
from app.makers.wall import CLAY, SAND, Bond, WallSpec, make_wall
from engine.rules import scene_problems
from engine.scene.spec import Body, Box, Scene
from engine.shapes.turns import rotation_matrix

Span = tuple[Fraction, Fraction]

BONDS = ["running", "stack", "flemish", "english"]

specs = st.builds(
    WallSpec,
    courses=st.integers(2, 5),
    bricks=st.integers(1, 6),
    length=st.floats(0.15, 0.5),
    depth=st.floats(0.02, 0.14),
    height=st.floats(0.02, 0.2),
    joint=st.one_of(st.just(0.0), st.floats(0.001, 0.02)),
)


def spans(body: Body) -> tuple[Span, Span, Span]:
    """The box of a body that is not turned, without any rounding."""
    assert isinstance(body.shape, Box) and body.orientation == (1.0, 0.0, 0.0, 0.0)
    place, half = map(Fraction, body.position), map(Fraction, body.shape.half)
    x, y, z = ((c - h, c + h) for c, h in zip(place, half, strict=True))
    return x, y, z


def overlap(a: Span, b: Span) -> Fraction:
    return min(a[1], b[1]) - max(a[0], b[0])


@pytest.mark.parametrize("bond", BONDS)
@settings(max_examples=25, deadline=None)
@given(specs)
def test_bricks_never_overlap_and_are_carried(bond: Bond, spec: WallSpec) -> None:
    spec = replace(spec, bond=bond)
    made = make_wall(spec)
    if made.refused:
        assert spec.joint > 0.0 or spec.length - spec.depth < 0.01
        return
    boxes = [spans(body) for body in made.bodies]
    courses: dict[Span, list[tuple[Span, Span, Span]]] = defaultdict(list)
    for box in boxes:
        courses[box[2]].append(box)
    levels = sorted(courses)
    assert len(levels) == spec.courses and levels[0][0] == 0
    assert all(below[1] == above[0] for below, above in pairwise(levels))  # bit for bit
    for level in levels:
        row = courses[level]
        for i, a in enumerate(row):
            assert all(min(overlap(a[0], b[0]), overlap(a[1], b[1])) <= 0 for b in row[:i])
    for low, high in pairwise(levels):
        for a in courses[high]:
            under = [b for b in courses[low] if overlap(a[0], b[0]) > 0 and overlap(a[1], b[1]) > 0]
            middle = sum(a[0]) / 2
            assert min(b[0][0] for b in under) < middle < max(b[0][1] for b in under)


@pytest.mark.parametrize("bond", BONDS)
@settings(max_examples=25, deadline=None)
@given(specs)
def test_courses_end_where_the_first_ends(bond: Bond, spec: WallSpec) -> None:
    made = make_wall(replace(spec, bond=bond))
    ends: dict[float, list[Fraction]] = defaultdict(list)
    for body in made.bodies:
        ends[body.position[2]] += spans(body)[0]
    widths = {max(values) - min(values) for values in ends.values()}
    assert made.refused or len(widths) == 1


@pytest.mark.parametrize(("bond", "count"), [("running", 4 * 5 + 3 * 6), ("stack", 7 * 5)])
def test_counts(bond: str, count: int) -> None:
    made = make_wall(WallSpec(bond=bond, courses=7, bricks=5))  # type: ignore[arg-type]
    assert len(made.bodies) == count
    sand = {shade(SAND, number) for number in range(len(made.bodies) + 1)}
    clay = {shade(CLAY, number) for number in range(len(made.bodies) + 1)}
    assert sum(body.color in sand for body in made.bodies) == (6 if bond == "running" else 0)
    assert all(body.color in clay | sand for body in made.bodies)
    assert len({body.color for body in made.bodies}) > 0.4 * count  # neighbours can be told apart
    assert [batch.name for batch in made.batches] == ["Wall"]
    assert len({body.name for body in made.bodies}) == count


def test_flemish_headers_stand_over_the_middle_of_stretchers() -> None:
    made = make_wall(WallSpec(bond="flemish", courses=2, bricks=4, length=0.25, depth=0.125))
    low = [body for body in made.bodies if body.position[2] < 0.06 and body.name.startswith("Brick")]
    high = [body for body in made.bodies if body.position[2] > 0.06 and body.name.startswith("Header")]
    middles = {body.position[0] for body in low}
    assert {body.position[0] for body in high[1:-1]} <= middles and len(high) == 4


def test_a_wall_of_the_default_is_a_sound_scene() -> None:
    assert scene_problems(Scene(bodies=make_wall(WallSpec()).bodies)) == []


@pytest.mark.parametrize("bricks", [3, 4, 12, 31])
def test_neighbours_of_a_tower_touch_at_their_inner_edges(bricks: int) -> None:
    made = make_wall(WallSpec(tower=True, bricks=bricks, courses=2))
    assert len(made.bodies) == 2 * bricks

    def corner(body: Body, side: float) -> tuple[float, float]:
        assert isinstance(body.shape, Box)
        x, y, _ = rotation_matrix(body.orientation) @ (side * body.shape.half[0], body.shape.half[1], 0.0)
        return body.position[0] + x, body.position[1] + y

    for a, b in zip(made.bodies[:bricks], [*made.bodies[1:bricks], made.bodies[0]], strict=True):
        (ax, ay), (bx, by) = corner(a, 1.0), corner(b, -1.0)
        gap = math.hypot(ax - bx, ay - by)
        assert gap < 1e-9
        # The corner of the next brick is not behind this one's end face: seen along this brick, it is further on.
        along = rotation_matrix(a.orientation)[:, 0]
        assert (bx - ax) * along[0] + (by - ay) * along[1] > -1e-14


def test_what_cannot_be_built_is_refused_with_advice() -> None:
    assert "longer than deep" in make_wall(WallSpec(bond="flemish", length=0.1, depth=0.1)).refused
    assert "joint" in make_wall(WallSpec(joint=0.2)).refused
    assert "three bricks" in make_wall(WallSpec(tower=True, bricks=2)).refused
    many = make_wall(WallSpec(courses=500, bricks=2000))
    assert many.bodies == [] and f"{LIMIT:,}".replace(",", " ") in many.refused
    assert make_wall(WallSpec(length=math.nan)).refused


@given(st.floats(-1000.0, 1000.0))
def test_the_grid_is_finer_than_a_micrometre(length: float) -> None:
    assert abs(on_grid(length) - length) <= GRID / 2 < 1e-6
