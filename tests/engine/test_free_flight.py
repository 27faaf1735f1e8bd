"""Drift: closed forms, invariants, and its exact inverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.run import backward, forward
from engine.scene.spec import Body, Box, Cylinder, Scene, Sphere
from engine.step.drift import drift


def test_a_ball_falls_along_the_discrete_parabola() -> None:
    scene = Scene([Body("ball", Sphere(0.1), (0, 0, 50), velocity=(1, 2, 3))], ground=False)
    dt, take = 1 / 480, forward(scene, 1.0, 1 / 480)
    k = np.arange(len(take.times))
    expected = 50 + 3 * k * dt - 9.81 * dt * dt * k * (k + 1) / 2
    assert np.abs(take.positions[:, 0, 2] - expected).max() < 1e-11
    assert np.abs(take.positions[:, 0, 0] - k * dt).max() < 1e-12


def top(spin: tuple[float, float, float], shape: Cylinder | Box) -> Scene:
    return Scene([Body("top", shape, angular_velocity=spin)], ground=False, gravity=(0, 0, 0))


@pytest.mark.parametrize("spin", [(0.5, 5.0, 0.5), (2.0, 20.0, 2.0)])
def test_a_free_box_keeps_energy_and_momentum_for_a_minute(spin: tuple[float, float, float]) -> None:
    take = forward(top(spin, Box((0.5, 0.2, 0.05))), 60.0, 1 / 480)
    momentum = take.tape.l[:, 0]
    assert np.array_equal(momentum, np.broadcast_to(momentum[0], momentum.shape))
    assert np.abs(take.energy / take.energy[0] - 1).max() < 2e-4


def test_a_symmetric_top_precesses_at_the_textbook_rate() -> None:
    """The axis turns about L with |L|/I_perp; the phase error of the midpoint rule is second order in dt."""
    seconds, errors = 5.0, []
    for dt in (1 / 240, 1 / 480):
        take = forward(top((1.0, 0.0, 6.0), Cylinder(0.3, 0.1)), seconds, dt)
        inertia = np.diag(take.model.bodies.inertia[0])
        l = take.tape.l[0, 0]
        rate = np.linalg.norm(l) / inertia[0]
        w, x, y, z = take.orientations[:, 0].T
        axis = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
        up = l / np.linalg.norm(l)
        e1 = axis[0] - axis[0] @ up * up
        e1 /= np.linalg.norm(e1)
        phase = np.unwrap(np.arctan2(axis @ np.cross(up, e1), axis @ e1))
        errors.append(abs(phase[-1] - rate * take.times[-1]))
    assert errors[0] < 0.02
    assert 3.0 < errors[0] / errors[1] < 5.0


def test_free_flight_backward_undoes_free_flight_forward() -> None:
    start = Scene(
        [Body("box", Box((0.5, 0.2, 0.05)), (1, 2, 3), velocity=(1, -2, 4), angular_velocity=(3, 20, -7))], ground=False
    )
    there = forward(start, 2.0, 1 / 240)
    end = Scene(
        [
            Body(
                "box",
                Box((0.5, 0.2, 0.05)),
                there.positions[-1, 0],
                there.orientations[-1, 0],
                velocity=there.velocities[-1, 0],
                angular_velocity=there.angular_velocities[-1, 0],
            )
        ],
        ground=False,
    )
    back = backward(end, 2.0, 1 / 240)
    assert np.abs(back.positions[0] - there.positions[0]).max() < 1e-11
    assert np.abs(back.orientations[0] - there.orientations[0]).max() < 1e-10


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(*[st.floats(-60, 60)] * 3),
    st.tuples(*[st.floats(0.05, 1.0)] * 3),
    st.sampled_from([1 / 240, 1 / 480, 1 / 1000]),
)
def test_drift_is_its_own_inverse(
    momentum: tuple[float, float, float], moments: tuple[float, float, float], dt: float
) -> None:
    """At any spin up to 60 rad/s about any axis, round trip to rounding."""
    i, j, k = sorted(moments)
    k = min(k, i + j)  # triangle inequality of a real body
    inertia = np.array([i, j, k])
    inverse = np.diag(1 / inertia)[None].copy()
    l = (np.array(momentum) * i)[None].copy()
    x, v = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0, 6.0]])
    q = np.array([[0.5, 0.5, -0.5, 0.5]])
    x1, q1, x0, q0, spin = (np.empty_like(a) for a in (x, q, x, q, x))
    drift(x, q, v, l, inverse, dt, x1, q1, spin)
    drift(x1, q1, v, l, inverse, -dt, x0, q0, spin)
    assert np.abs(x0 - x).max() < 1e-14
    assert np.abs(q0 - q).max() < 1e-14
    assert abs(np.linalg.norm(q1) - 1) < 1e-15
