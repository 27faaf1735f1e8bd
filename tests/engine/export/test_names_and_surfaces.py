"""Names that programs accept, and surfaces that are closed, outward and of the right size."""

from __future__ import annotations

import re

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed import mixed_scene
from reading import matrices

from engine.export.axes import Axes, back
from engine.export.dice import body_surface
from engine.export.names import legal_names
from engine.scene.spec import Body, Box, Plane, Sphere, TriangleMesh
from engine.shapes.ask import ask
from engine.shapes.mass import mass_properties
from engine.shapes.surface import shape_key

TEXTS = st.lists(st.text(max_size=80), max_size=12)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_identifiers_are_legal_and_no_two_alike(names: list[str]) -> None:
    found = legal_names(names, "identifier")
    assert len(set(found)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) for name in found)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["any", "blender"]))
def test_names_can_be_written(names: list[str], rule: str) -> None:
    found = legal_names(names, rule)
    assert len(set(found)) == len(names) and all(name and name.encode("utf-8") for name in found)
    if rule == "blender":
        assert max((len(name.encode()) for name in found), default=0) <= 63


def test_a_name_that_fits_is_nobody_elses() -> None:
    assert legal_names(["a b", "a_b", "a-b", "7up", "", "Größe"], "identifier") == [
        "a_b_2", "a_b", "a_b_3", "_7up", "Body", "Groe",
    ]  # fmt: skip
    assert legal_names(["Brick", "Brick"], "blender") == ["Brick", "Brick.002"]


@pytest.mark.parametrize("body", mixed_scene().bodies, ids=lambda body: body.name)
def test_surfaces_are_those_of_the_shapes(body: Body) -> None:
    surface = body_surface(body)
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1.0, atol=1e-12)
    mesh = trimesh.Trimesh(surface.points, surface.corners[surface.triangles], process=False)
    if isinstance(body.shape, Plane):
        assert not surface.solid and not mesh.is_watertight
        return
    assert mesh.is_watertight and mesh.is_winding_consistent
    exact = mass_properties(body.shape, 1.0).mass
    assert 0.96 * exact < mesh.volume <= exact * (1 + 1e-12)
    outward = (mesh.face_normals * surface.normals[surface.triangles].mean(axis=1)).sum(1)
    assert outward.min() > 0.8
    points, normals, triangles = surface.split
    assert triangles.max() == len(points) - 1 and len(normals) == len(points)
    again = trimesh.Trimesh(points, triangles, process=True)
    assert again.volume == pytest.approx(mesh.volume, rel=1e-9)


def test_round_bodies_are_as_wide_as_they_should_be() -> None:
    np.testing.assert_array_equal(np.ptp(ask(Sphere(0.25)).surface().points, axis=0), [0.5, 0.5, 0.5])


def test_equal_shapes_share_a_surface() -> None:
    assert shape_key(Box((1, 2, 3))) == shape_key(Box((1, 2, 3))) != shape_key(Box((1, 2, 4)))
    triangle = TriangleMesh(np.eye(3), [[0, 1, 2]])
    assert shape_key(triangle) == shape_key(TriangleMesh(np.eye(3), [[0, 1, 2]]))
    assert shape_key(triangle) != shape_key(TriangleMesh(2.0 * np.eye(3), [[0, 1, 2]]))


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("hand", ["right", "left"])
def test_axes_turn_points_and_rotations_alike(up: str, hand: str) -> None:
    """Turning a point and then changing axes is changing axes and then turning; a mirror keeps volumes positive."""
    random = np.random.default_rng(1)
    axes = Axes("cm", up, hand)
    q = random.normal(size=(20, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    points = random.normal(size=(20, 3))
    turned = np.einsum("kij,kj->ki", matrices(q), points)
    other = np.einsum("kij,kj->ki", matrices(axes.quaternions(q)), axes.points(points))
    np.testing.assert_allclose(other, axes.points(turned), atol=1e-12)
    np.testing.assert_allclose(back(axes, axes.points(points)), points, atol=1e-14)
    assert np.linalg.det(axes.turn) == (1.0 if hand == "right" else -1.0)
    assert axes.points(np.array([0.0, 0.0, 1.0]))["xyz".index(up)] == 100.0
    surface = ask(Box((0.1, 0.2, 0.3))).surface()
    mirrored = surface.mirrored() if axes.mirrored else surface
    mesh = trimesh.Trimesh(axes.points(surface.points), mirrored.corners[mirrored.triangles], process=False)
    assert mesh.volume == pytest.approx(0.048e6, rel=1e-12)


def test_metres_with_z_up_keep_every_bit() -> None:
    values = np.random.default_rng(2).normal(size=(100, 4))
    assert (Axes().points(values[:, :3]) == values[:, :3]).all() and (Axes().quaternions(values) == values).all()
