"""Meshes are closed, face outward, and have the volume their shape has."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.viewport.layout import pieces
from app.viewport.meshes import Mesh, levels, shape_mesh
from engine.scene.spec import Compound, Hull, Sphere, TriangleMesh
from engine.shapes.smoothing import CREASE

VOLUMES = {"dome": 2.0 / 3.0 * math.pi, "cylinder": 2.0 * math.pi, "box": 8.0}


def corners(mesh: Mesh) -> np.ndarray:
    return mesh.vertices.astype(float)[mesh.triangles]


def volume(mesh: Mesh) -> float:
    c = corners(mesh)
    return float((c[:, 0] * np.cross(c[:, 1], c[:, 2])).sum() / 6.0)


@pytest.mark.parametrize("kind", ["cylinder", "box", "tube", "dome", "plane"])
def test_triangles_face_the_way_of_their_normals(kind: str) -> None:
    for mesh in levels(kind):
        c = corners(mesh)
        outward = np.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0])
        assert ((outward * mesh.normals[mesh.triangles].mean(axis=1)).sum(axis=1) > 0.0).all()
        assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("kind", ["dome", "cylinder", "box"])
def test_levels_come_closer_to_the_true_volume(kind: str) -> None:
    missing = [VOLUMES[kind] - volume(mesh) for mesh in levels(kind)]
    assert missing == sorted(missing)
    assert abs(missing[0]) < 0.004 * VOLUMES[kind]


def test_tube_and_two_domes_close_a_capsule() -> None:
    for tube, dome in zip(levels("tube"), levels("dome"), strict=True):
        rim = tube.vertices[tube.vertices[:, 2] > 0][:, :2]
        foot = dome.vertices[dome.vertices[:, 2] == 0][:, :2]
        assert np.allclose(rim, foot, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 30))
def test_a_hull_holds_its_points(seed: int, count: int) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    mesh = shape_mesh(Hull(points))
    for c, triangle in zip(corners(mesh), mesh.triangles, strict=True):
        normal = mesh.normals[triangle[0]].astype(float)
        assert ((points - c[0]) @ normal).max() < 1e-5
    assert volume(mesh) > 0.0


def test_a_box_has_twelve_edges_between_its_faces() -> None:
    edges = levels("box")[0].edges
    assert len(edges) == 12
    assert np.allclose(np.linalg.norm(edges[:, 0] - edges[:, 1], axis=1), 2.0)
    assert np.allclose((edges[:, 2] * edges[:, 3]).sum(axis=1), 0.0)


def test_a_bent_sheet_is_smooth_below_the_crease_angle_and_sharp_above() -> None:
    for angle, sharp in ((0.5 * CREASE, 0), (1.5 * CREASE, 1)):
        out = np.array([-math.cos(angle), 0.0, -math.sin(angle)])
        points = np.array([[0, 0, 0], [0, 1, 0], [1.0, 0, 0], out])
        mesh = shape_mesh(TriangleMesh(points, np.array([[0, 2, 1], [0, 1, 3]])))
        inner = [e for e in mesh.edges if np.allclose(e[:2, 0], 0.0)]
        assert len(inner) == sharp
        first, second = mesh.normals[0], mesh.normals[3]  # of both triangles, at the point they share
        assert np.allclose(first, second, atol=1e-5) == (not sharp)
        assert len(mesh.edges) == 4 + sharp  # borders always show


def test_flush_pieces_of_one_body_have_no_lines_between_them() -> None:
    """Two cubes side by side are drawn as one bar of 12 edges; one thrice as high keeps the edges of its step."""
    cube = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    still = (1.0, 0.0, 0.0, 0.0)

    def edges(second: np.ndarray) -> int:
        shape = Compound([(Hull(cube), (0.0, 0.0, 0.0), still), (Hull(second), (1.0, 0.0, 0.0), still)])
        (whole,) = pieces(shape)
        assert whole.mesh is not None
        if len(whole.mesh.triangles) != 22:  # faces that are covered in part stay, and then the sum is not closed
            assert volume(whole.mesh) == pytest.approx(2.0)
        assert len(whole.mesh.triangles) == (20 if (second == cube).all() else 22 if second.max() > 1.0 else 24)
        return len(whole.mesh.edges)  # and the faces between the two are gone, as far as they are covered

    assert edges(cube) == 8 + 8  # four of them in two halves
    high = cube * (1.0, 1.0, 3.0) + (0.0, 0.0, 1.0)  # same foot, thrice as high
    assert edges(high) == 9 + 11  # the step: the low one's upper edge stays, and the high one's upright ones
    assert edges(cube + (0.5, 0.0, 0.0)) == 12 + 12  # apart


def test_a_compound_without_hulls_or_with_one_is_left_alone() -> None:
    still = (1.0, 0.0, 0.0, 0.0)
    cube = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    shape = Compound([(Hull(cube), (0.0, 0.0, 0.0), still), (Sphere(0.5), (1.0, 0.0, 0.0), still)])
    hull, ball = pieces(shape)
    assert hull.mesh is not None and len(hull.mesh.edges) == 12 and ball.kind == "sphere"
