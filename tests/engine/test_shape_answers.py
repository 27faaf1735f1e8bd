"""Every shape answers every question, and the answers agree with each other."""

from __future__ import annotations

import math
import subprocess
import sys
import typing

import numpy as np
import pytest

from engine.errors import GeometryError
from engine.scene.spec import Body, Box, Capsule, Compound, Cylinder, Hull, Plane, Shape, Sphere, TriangleMesh
from engine.shapes.apart import gap
from engine.shapes.ask import ANSWERS, ask, shape_faults
from engine.shapes.solids import Solids
from engine.shapes.turns import about, rotation_matrix

POINTS = np.random.default_rng(5).normal(size=(12, 3))
SIMPLE: list[Shape] = [
    Sphere(0.3), Box((0.1, 0.2, 0.4)), Capsule(0.1, 0.3), Cylinder(0.2, 0.3), Hull(POINTS),
    TriangleMesh(POINTS[:8], np.array([[0, 1, 2], [2, 3, 4], [5, 6, 7]])),
]  # fmt: skip
TURNED = about((1.0, 2.0, 0.5), 0.8)
SHAPES = [*SIMPLE, Compound([(part, (0.3 * k, 0.1, 0.0), TURNED) for k, part in enumerate(SIMPLE)])]
DIRECTIONS = np.random.default_rng(6).normal(size=(40, 3))


def name(shape: Shape) -> str:
    return type(shape).__name__


def test_nobody_is_left_out() -> None:
    assert set(ANSWERS) == set(typing.get_args(Shape))
    assert len({answers.word for answers in ANSWERS.values()}) == len(ANSWERS)
    with pytest.raises(TypeError, match="no shape"):
        ask("a ball")  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_reach_box_and_ball_hold_the_surface(shape: Shape) -> None:
    """Its points never lie beyond what it reaches, and come close to it."""
    answers, turn, place = ask(shape), rotation_matrix(TURNED), np.array([1.0, -2.0, 0.5])
    assert list(shape_faults(shape, static=True)) == []
    points = answers.surface().points
    far, reach = (DIRECTIONS @ points.T).max(axis=1), answers.reach(DIRECTIONS)
    assert (far <= reach + 1e-12).all() and (far >= 0.9 * reach - 0.1).all()
    np.testing.assert_allclose((DIRECTIONS @ answers.points().T).max(axis=1), far, atol=1e-12)
    box = answers.box(place, turn)
    assert box is not None
    np.testing.assert_allclose(box[0], place - answers.reach(-turn), atol=1e-12)
    np.testing.assert_allclose(box[1], place + answers.reach(turn), atol=1e-12)
    assert np.linalg.norm(points, axis=1).max() <= answers.radius() + 1e-12
    center, radius = answers.ball()
    assert np.linalg.norm(points - center, axis=1).max() <= radius + 1e-12


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_solids_for_distances_reach_as_far(shape: Shape) -> None:
    """A ball far away is as far from the body as its reach toward the ball says, for the farthest of the parts."""
    solids = Solids(Body("x", shape))
    for d in DIRECTIONS[:8] / np.linalg.norm(DIRECTIONS[:8], axis=1)[:, None]:
        ball = Solids(Body("ball", Sphere(0.5), tuple(1e4 * d)))[0]
        gaps = [gap(ball, solids[k]) for k in range(len(solids))]
        nearest = min(found.sure for found in gaps if found is not None)
        assert 1e4 - 0.5 - nearest == pytest.approx(ask(shape).reach(d[None, :])[0], abs=1e-3)


@pytest.mark.parametrize("shape", SHAPES, ids=name)
def test_twice_as_large(shape: Shape) -> None:
    larger = ask(shape).scaled(np.full(3, 2.0))
    np.testing.assert_allclose(ask(larger).reach(DIRECTIONS), 2.0 * ask(shape).reach(DIRECTIONS))
    volume = ask(shape).volume()
    assert volume is not None and ask(larger).volume() == pytest.approx(8.0 * volume)
    for field in ask(shape).sizes:
        assert field.read(larger) == pytest.approx(2.0 * field.read(shape))


@pytest.mark.parametrize("shape", SHAPES[:5], ids=name)
def test_mass_is_that_of_the_volume(shape: Shape) -> None:
    answers = ask(shape)
    volume = answers.volume()
    assert answers.massive and volume is not None and answers.mass(700.0).mass == pytest.approx(700.0 * volume)


def test_what_has_no_mass_says_so() -> None:
    for shape in (Plane(), SHAPES[5], SHAPES[6]):
        assert not ask(shape).massive
        with pytest.raises(GeometryError, match="only be static"):
            ask(shape).mass(1.0)


def test_a_plane_has_no_end() -> None:
    answers = ask(Plane((0.0, 3.0, 0.0), (0.0, 2.0, 0.0)))
    assert answers.endless and answers.size() is None and answers.box(np.zeros(3), np.eye(3)) is None
    assert answers.reach(np.eye(3)).tolist() == [math.inf, 2.0, math.inf]


def test_asking_needs_no_compiler() -> None:
    code = "import sys, engine.shapes.ask, engine.shapes.solids, engine.rules; print('numba' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
