"""Contacts of a scene as wrenches: directions, arms, masses, and what turns into what by the transpose."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.analysis.touch import tangents_of, touch_of
from engine.model.arrays import copy_state
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Material, Plane, Scene
from engine.shapes.turns import rotation_matrix

DOWN = np.array([0.0, 0.0, -9.81])


def two_boxes() -> Scene:
    """One on the ground, one on top of it, turned and shifted."""
    turned = (math.cos(0.2), 0.0, 0.0, math.sin(0.2))
    rough = Material(friction=0.9)
    return Scene(
        bodies=[
            Body("low", Box((0.5, 0.4, 0.3)), (0.0, 0.0, 0.3), material=Material(friction=0.4)),
            Body("high", Box((0.2, 0.1, 0.25)), (0.1, 0.05, 0.85), turned, material=rough),
        ]
    )


def test_normals_point_toward_the_body_and_gravity_is_its_weight() -> None:
    model = compile_scene(two_boxes())
    touch = touch_of(model)
    low, high = model.names.index("low"), model.names.index("high")
    on_low = touch.on_body(low)
    below = touch.others_of(low) != high
    assert sorted(np.round(on_low.Wn[2], 12)) == [-1.0] * 4 + [1.0] * 4
    assert (on_low.Wn[2][below] == 1.0).all()
    assert on_low.gravity[2] == pytest.approx(-9.81 * model.bodies.mass[low])
    assert set(np.round(on_low.mu, 12)) == {0.4, 0.6}  # bare ground takes on what touches it; pairs the mean


def test_the_transpose_gives_the_motion_at_the_contact() -> None:
    model = compile_scene(two_boxes())
    touch = touch_of(model)
    rng = np.random.default_rng(1)
    motion = rng.normal(size=6 * len(touch.moving))
    whole = touch.on_all()
    place = {int(row): 6 * i for i, row in enumerate(touch.moving)}

    def speed(body: int, point: np.ndarray) -> np.ndarray:
        if body not in place:
            return np.zeros(3)
        v, w = motion[place[body] :][:3], motion[place[body] + 3 :][:3]
        return v + np.cross(w, point - model.start.x[body])

    for c in range(touch.count):
        apart = speed(int(touch.a[c]), touch.point[c]) - speed(int(touch.b[c]), touch.point[c])
        for matrix, way in ((whole.Wn, touch.normal), (whole.Wt, touch.tangent), (whole.Wo, touch.other)):
            assert matrix[:, c] @ motion == pytest.approx(apart @ way[c], abs=1e-12)


def test_all_bodies_together_are_the_single_ones() -> None:
    model = compile_scene(two_boxes())
    touch = touch_of(model)
    whole = touch.on_all()
    for i, body in enumerate(touch.moving):
        alone, six = touch.on_body(int(body)), slice(6 * i, 6 * i + 6)
        for all_of_them, own in ((whole.Wn, alone.Wn), (whole.Wt, alone.Wt), (whole.Wo, alone.Wo)):
            assert np.array_equal(all_of_them[six][:, alone.rows], own)
        assert np.array_equal(whole.mass[six, six], alone.mass)
        assert np.array_equal(whole.gravity[six], alone.gravity)


def test_inertia_turns_with_the_body() -> None:
    model = compile_scene(two_boxes())
    touch = touch_of(model)
    row = model.names.index("high")
    turn = rotation_matrix(model.start.q[row])
    mass, half = model.bodies.mass[row], np.array([0.2, 0.1, 0.25])
    own = mass / 3.0 * np.diag((half**2).sum() - half**2)
    assert touch.mass_of(row)[3:, 3:] == pytest.approx(turn @ own @ turn.T)


def test_tangents_point_down_the_slope() -> None:
    angle = 0.3
    slope = Plane(normal=(math.sin(angle), 0.0, math.cos(angle)))
    lean = (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
    center = 0.1 * np.array(slope.normal)
    scene = Scene(
        bodies=[
            Body("slope", slope, static=True),
            Body("block", Box((0.1, 0.1, 0.1)), tuple(center), lean),
        ],
        ground=False,
    )
    touch = touch_of(compile_scene(scene))
    assert touch.count == 4
    assert touch.tangent == pytest.approx(np.tile([math.cos(angle), 0.0, -math.sin(angle)], (4, 1)))
    on_block = touch.on_body(int(touch.moving[0]))
    assert on_block.Wt.T @ on_block.gravity == pytest.approx(
        np.full(4, 9.81 * math.sin(angle) * touch.model.bodies.mass[touch.moving[0]])
    )


def test_tangents_are_unit_vectors_at_right_angles() -> None:
    rng = np.random.default_rng(2)
    normal = rng.normal(size=(200, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    normal[:3] = np.eye(3)
    for along in (DOWN, np.zeros(3)):
        tangent = tangents_of(normal, along)
        assert np.abs((tangent * normal).sum(1)).max() < 1e-12
        assert np.linalg.norm(tangent, axis=1) == pytest.approx(np.ones(200))
    assert tangents_of(np.zeros((0, 3)), DOWN).shape == (0, 3)


def test_another_state_has_other_contacts() -> None:
    model = compile_scene(two_boxes())
    state = copy_state(model.start)
    state.x[model.names.index("high"), 2] += 1.0
    assert touch_of(model).count == 8
    assert touch_of(model, state).count == 4
