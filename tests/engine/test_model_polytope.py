"""Hulls with whole faces: closed, convex, outward, merged, exact where numbers are exact."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from engine import GeometryError
from engine.shapes.polytope import Polytope, box_polytope, convex_polytope


def check(solid: Polytope, points: np.ndarray) -> None:
    """Everything a polytope promises, from the definition."""
    size = np.ptp(points, axis=0).max()
    assert len(solid.vertices) - len(solid.edges) + len(solid.faces) == 2
    assert np.allclose(np.linalg.norm(solid.normals, axis=1), 1.0, atol=1e-14)
    heights = points @ solid.normals.T - solid.offsets
    assert heights.max() <= 2e-9 * size, "a point outside the hull"
    for face, normal, offset in zip(solid.faces, solid.normals, solid.offsets, strict=True):
        corners = solid.vertices[list(face)]
        assert np.abs(corners @ normal - offset).max() <= 2e-9 * size
        middle = corners.mean(axis=0)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            assert np.dot(np.cross(a - middle, b - middle), normal) > 0.0, "not counter-clockwise"
    sides = {(f[k], f[(k + 1) % len(f)]): n for n, f in enumerate(solid.faces) for k in range(len(f))}
    assert len(sides) == 2 * len(solid.edges)
    for (i, j), (left, right) in zip(solid.edges, solid.edge_faces, strict=True):
        assert i < j and sides[i, j] == left and sides[j, i] == right
    folds = np.einsum("ij,ij->i", solid.normals[solid.edge_faces[:, 0]], solid.normals[solid.edge_faces[:, 1]])
    assert folds.max() < 1.0 - 1e-16, "two faces of one plane were not merged"


def volume(solid: Polytope) -> float:
    apex, total = solid.vertices.mean(axis=0), 0.0
    for face in solid.faces:
        v = solid.vertices[list(face)] - apex
        total += sum(np.linalg.det([v[0], v[k], v[k + 1]]) for k in range(1, len(v) - 1)) / 6.0
    return total


@pytest.mark.parametrize("seed", range(20))
def test_random_hulls(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(4, 120), 3)) * 10.0 ** rng.uniform(-3, 3) + rng.normal(size=3)
    solid = convex_polytope(points)
    check(solid, points)
    assert volume(solid) == pytest.approx(ConvexHull(points).volume, rel=1e-9)
    assert {tuple(v) for v in solid.vertices} <= {tuple(p) for p in points}, "corners keep their exact coordinates"


@pytest.mark.parametrize("turn", range(6))
def test_a_box_full_of_points_has_eight_corners(turn: int) -> None:
    """A grid: points inside, in the middle of faces and of edges, all to be dropped."""
    grid = np.array(list(itertools.product(np.linspace(-1, 1, 5), repeat=3))) * [0.3, 0.2, 0.1]
    points = grid if turn == 0 else Rotation.random(rng=np.random.default_rng(turn)).apply(grid) + turn * 10.0
    solid = convex_polytope(points)
    check(solid, points)
    assert (len(solid.vertices), len(solid.edges), len(solid.faces)) == (8, 12, 6)


@pytest.mark.parametrize("corners", [3, 5, 8, 24, 64])
def test_prisms_have_two_caps(corners: int) -> None:
    angles = 2.0 * np.pi * np.arange(corners) / corners
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.concatenate([np.column_stack([ring, np.full(corners, z)]) for z in (-0.5, 0.5)])
    points = Rotation.from_rotvec([0.3, -0.4, 0.5]).apply(points)
    solid = convex_polytope(points)
    check(solid, points)
    assert sorted(len(f) for f in solid.faces) == sorted([4] * corners + [corners] * 2)


def test_box_numbers_are_exact() -> None:
    half = (0.05, 0.07, 0.3)
    solid = box_polytope(half)
    check(solid, solid.vertices)
    assert {tuple(np.abs(v)) for v in solid.vertices} == {half}
    assert sorted(np.abs(solid.normals).ravel()) == [0.0] * 12 + [1.0] * 6
    assert np.array_equal(solid.offsets, np.abs(solid.normals) @ half)
    hull = convex_polytope(solid.vertices)
    assert {(*n, o) for n, o in zip(hull.normals + 0.0, hull.offsets, strict=True)} == {
        (*n, o) for n, o in zip(solid.normals + 0.0, solid.offsets, strict=True)
    }


def test_far_from_the_origin_and_nearly_doubled_points() -> None:
    rng = np.random.default_rng(1)
    cube = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    far = convex_polytope(cube + [1e4, -2e4, 3e4])
    assert (len(far.vertices), len(far.faces)) == (8, 6)
    doubled = np.concatenate([cube, cube + rng.uniform(-1e-12, 1e-12, cube.shape)])
    solid = convex_polytope(doubled)
    assert volume(solid) == pytest.approx(1.0, rel=1e-9)
    assert len(solid.vertices) - len(solid.edges) + len(solid.faces) == 2


def test_a_fine_ball_keeps_its_facets() -> None:
    points = np.random.default_rng(0).normal(size=(400, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    solid = convex_polytope(points)
    check(solid, points)
    assert len(solid.vertices) == 400 and len(solid.faces) == 796


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((0, 3)),
        np.eye(3),
        np.zeros((10, 3)),
        np.column_stack([np.random.default_rng(0).normal(size=(20, 2)), np.ones(20)]),
        np.outer(np.arange(9.0), [1.0, 2.0, 3.0]),
        np.zeros((4, 2)),
    ],
)
def test_points_without_a_solid_are_refused(points: np.ndarray) -> None:
    with pytest.raises(GeometryError):
        convex_polytope(points)
