"""Symmetries keep the shape, bring one direction to the other, and are all there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.scene.spec import Box, Capsule, Cylinder, Hull, Sphere
from engine.shapes.ask import ask

UP = np.array([0.0, 0.0, 1.0])
SIDE = np.array([1.0, 0.0, 0.0])


def corners(half: tuple[float, ...]) -> set[tuple[float, ...]]:
    return {tuple(h * s for h, s in zip(half, signs, strict=True)) for signs in itertools.product((1, -1), repeat=3)}


@pytest.mark.parametrize(
    ("half", "images"), [((0.3, 0.2, 0.1), 4), ((0.2, 0.1, 0.1), 4), ((0.1, 0.1, 0.2), 8), ((0.1, 0.1, 0.1), 8)]
)
def test_images_of_a_box_on_its_lower_face(half: tuple[float, float, float], images: int) -> None:
    """Turns about the vertical and mirrors through it: four where the face is oblong, eight where it is square."""
    found = ask(Box(half)).alike(UP, UP)
    assert len(found) == images
    assert sum(np.linalg.det(s) > 0.0 for s in found) == images // 2
    for s in found:
        assert {tuple(np.round(s @ c, 12) + 0.0) for c in corners(half)} == {
            tuple(np.round(c, 12)) for c in corners(half)
        }


def test_the_upper_face_counts_as_the_lower_and_another_one_does_not() -> None:
    assert len(ask(Box((0.3, 0.2, 0.1))).alike(UP, -UP)) == 4
    assert ask(Box((0.3, 0.2, 0.1))).alike(UP, SIDE) == []
    assert len(ask(Box((0.1, 0.1, 0.1))).alike(UP, SIDE)) == 8


@pytest.mark.parametrize("shape", [Capsule(0.1, 0.2), Cylinder(0.1, 0.2)])
def test_round_bodies_lie_on_any_line_of_their_side(shape: object) -> None:
    a, b = np.array([np.cos(0.3), np.sin(0.3), 0.0]), np.array([np.cos(2.0), np.sin(2.0), 0.0])
    found = ask(shape).alike(a, b)  # type: ignore[arg-type]
    assert len(found) == 4
    for s in found:
        assert np.allclose(s @ a, b, atol=1e-14) and np.allclose(s @ s.T, np.eye(3), atol=1e-14)
        assert abs(s[2, 2]) == 1.0
    assert ask(shape).alike(a, UP) == []  # type: ignore[arg-type]


def test_a_ball_lies_anyhow_and_a_hull_only_as_it_is() -> None:
    a = np.array([0.6, 0.0, 0.8])
    for s in ask(Sphere(0.1)).alike(a, SIDE, 1.0):
        assert np.allclose(s @ a, SIDE, atol=1e-14) and np.allclose(s @ s.T, np.eye(3), atol=1e-14)
    hull = Hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]))
    assert len(ask(hull).alike(a, a)) == 1 and ask(hull).alike(a, SIDE) == []


def test_sides_that_are_alike_have_one_name() -> None:
    box = Box((0.3, 0.2, 0.1))
    assert np.array_equal(ask(box).canonical_side(UP), ask(box).canonical_side(-UP))
    assert not np.array_equal(ask(box).canonical_side(UP), ask(box).canonical_side(SIDE))
    cube = Box((0.1, 0.1, 0.1))
    assert np.array_equal(ask(cube).canonical_side(UP), ask(cube).canonical_side(-SIDE))
