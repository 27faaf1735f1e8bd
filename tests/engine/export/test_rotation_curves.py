"""Curves of rotations: no jumps of sign, none of more than half a turn, and always the rotation that was meant."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import matrices

from engine.export.rotations import angle_between, blend, continuous, euler, from_euler, slerp, unit, unrolled

SEEDS = st.integers(0, 2**32 - 1)


def tumbling(seed: int, frames: int = 60) -> np.ndarray:
    """A path of rotations with random signs, up to 120 degrees from frame to frame."""
    random = np.random.default_rng(seed)
    q = unit(random.normal(size=4))
    path = []
    for _ in range(frames):
        axis = unit(random.normal(size=3))
        half = 0.5 * np.radians(120.0) * random.random()
        step = np.concatenate([[np.cos(half)], np.sin(half) * axis])
        a, b = step, q
        q = unit(
            np.array(
                [
                    a[0] * b[0] - a[1:] @ b[1:],
                    *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])),
                ]
            )
        )
        path.append(random.choice([-1.0, 1.0]) * q)
    return np.array(path)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(0, 59))
def test_neighbours_never_have_opposite_signs_and_the_anchor_keeps_its_bits(seed: int, anchor: int) -> None:
    path = tumbling(seed)
    found = continuous(path, anchor)
    assert (found[anchor] == path[anchor]).all()
    assert ((found[1:] * found[:-1]).sum(-1) >= 0.0).all()
    assert np.array_equal(np.abs(found), np.abs(path))
    np.testing.assert_allclose(matrices(found), matrices(path), atol=1e-15)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_euler_curves_turn_as_meant_and_never_jump(seed: int) -> None:
    path = tumbling(seed)
    angles = unrolled(euler(path))
    assert np.abs(np.diff(angles, axis=0)).max() <= np.pi + 1e-12
    np.testing.assert_allclose(matrices(from_euler(angles)), matrices(path), atol=1e-7)


def test_a_body_that_spins_about_one_axis_has_a_straight_curve() -> None:
    turns = np.radians(np.arange(0.0, 3600.0, 80.0))
    for axis in range(3):
        angles = np.zeros((len(turns), 3))
        angles[:, axis] = turns
        if axis != 1:  # y leaves its range of +-90 degrees, and the others take part
            np.testing.assert_allclose(unrolled(euler(from_euler(angles))), angles, atol=1e-7)
        else:
            found = unrolled(euler(from_euler(angles)))
            assert np.abs(np.diff(found, axis=0)).max() <= np.pi
            np.testing.assert_allclose(matrices(from_euler(found)), matrices(from_euler(angles)), atol=1e-7)


def test_at_the_pole_z_stays_and_x_goes_on() -> None:
    angles = np.radians([[10.0, 80.0, 30.0], [10.0, 90.0, 30.0], [20.0, 90.0, 30.0], [20.0, 80.0, 30.0]])
    np.testing.assert_allclose(unrolled(euler(from_euler(angles))), angles, atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_ways_between_rotations(seed: int) -> None:
    a, b = tumbling(seed, 2)
    shares = np.linspace(0.0, 1.0, 9)
    way = slerp(np.tile(a, (9, 1)), np.tile(b, (9, 1)), shares)
    whole = angle_between(a, b)
    np.testing.assert_allclose(angle_between(np.tile(a, (9, 1)), way), shares * whole, atol=1e-7)
    ends = blend(np.tile(a, (2, 1)), np.tile(b, (2, 1)), np.array([0.0, 1.0]))
    np.testing.assert_allclose(matrices(ends), matrices(np.array([a, b])), atol=1e-12)
