"""Forward steps against textbook formulas (or, where they exist, the exact sums of the discrete scheme)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.certificate.audit import certify
from engine.run import forward
from engine.scene.spec import Body, Box, Cylinder, Material, Plane, Scene, Sphere

G = 9.81


def test_a_sliding_box_stops_after_the_right_distance() -> None:
    mu, v0, dt = 0.4, 3.0, 1 / 480
    box = Body("box", Box((0.3, 0.3, 0.1)), (0, 0, 0.1), velocity=(v0, 0, 0), material=Material(friction=mu))
    take = forward(Scene([box]), 1.5, dt)
    full = math.floor(v0 / (mu * G * dt))  # steps that end still sliding
    distance = dt * sum(v0 - k * mu * G * dt for k in range(1, full + 1))
    assert take.positions[-1, 0, 0] == pytest.approx(distance, abs=1e-9)
    assert distance == pytest.approx(v0 * v0 / (2 * mu * G), rel=0.01)
    assert np.abs(take.velocities[-1]).max() == 0.0
    assert certify(take).max_residual <= 1e-12


@pytest.mark.parametrize("mu, slides", [(0.55, False), (0.6, False), (0.5, True), (0.3, True)])
def test_the_friction_angle(mu: float, slides: bool) -> None:
    """A box on a slope of 28 degrees (tan = 0.5317)."""
    angle = math.radians(28)
    down = np.array([math.cos(angle), 0, -math.sin(angle)])
    normal = np.array([math.sin(angle), 0, math.cos(angle)])
    tilt = (math.cos(angle / 2), 0, math.sin(angle / 2), 0)
    slope = Body("slope", Plane(tuple(normal)), static=True, material=Material(friction=mu))
    box = Body("box", Box((0.3, 0.3, 0.1)), tuple(0.1 * normal), tilt, material=Material(friction=mu))
    take = forward(Scene([slope, box], ground=False), 0.5, 1 / 480)
    moved = (take.positions[-1, 1] - take.positions[0, 1]) @ down
    if not slides:
        assert abs(moved) <= 1e-12
        return
    acceleration = G * (math.sin(angle) - mu * math.cos(angle))
    k = len(take.times) - 1
    assert moved == pytest.approx(acceleration * k * (k + 1) / 2 / 480**2, rel=1e-9)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.8])
def test_bounce_heights_fall_by_the_square_of_restitution(restitution: float) -> None:
    ball = Body("ball", Sphere(0.1), (0, 0, 1.1), material=Material(restitution=restitution))
    dt = 1 / 4000
    take = forward(Scene([ball]), 2.0, dt)
    height = take.positions[:, 0, 2] - 0.1
    apex = [1.0] + [h for a, h, b in zip(height, height[1:], height[2:], strict=False) if a < h >= b]
    assert len(apex) >= 3
    for above, below in zip(apex[:2], apex[1:3], strict=True):
        depth = math.sqrt(2 * G * above) * dt  # an impact is seen up to this far inside the ground
        assert below == pytest.approx(restitution**2 * above, abs=depth)


def test_a_rolling_ball_slows_at_the_rolling_friction_rate() -> None:
    """a = -(mu_r g / r) / (1 + 2/5) for a solid ball that rolls without slipping."""
    r, mu_r, v0 = 0.2, 0.01, 1.0
    ball = Body("ball", Sphere(r), (0, 0, r), velocity=(v0, 0, 0), angular_velocity=(0, v0 / r, 0),
                material=Material(friction=0.6, rolling_friction=mu_r))  # fmt: skip
    take = forward(Scene([ball]), 1.0, 1 / 480)
    slowed = (take.velocities[-1, 0, 0] - v0) / take.times[-1]
    assert slowed == pytest.approx(-mu_r * G / r / 1.4, rel=1e-9)
    spin = take.angular_velocities[-1, 0, 1]
    assert spin * r == pytest.approx(take.velocities[-1, 0, 0], abs=1e-9)


def test_a_skidding_ball_ends_rolling_at_five_sevenths() -> None:
    ball = Body("ball", Sphere(0.2), (0, 0, 0.2), velocity=(2, 0, 0), material=Material(friction=0.3))
    take = forward(Scene([ball]), 1.0, 1 / 1000)
    assert take.velocities[-1, 0, 0] == pytest.approx(2 * 5 / 7, rel=1e-9)


def test_a_cylinder_rolls_down_a_slope_at_two_thirds_of_the_slip_free_rate() -> None:
    angle, r = math.radians(20), 0.1
    normal = np.array([math.sin(angle), 0, math.cos(angle)])
    slope = Body("slope", Plane(tuple(normal)), static=True, material=Material(friction=0.8))
    roll = Body("roll", Cylinder(r, 0.2), tuple(r * normal), (math.sqrt(0.5), math.sqrt(0.5), 0, 0),
                material=Material(friction=0.8))  # fmt: skip
    take = forward(Scene([slope, roll], ground=False), 1.0, 1 / 480)
    speed = take.velocities[-1, 1] @ np.array([math.cos(angle), 0, -math.sin(angle)])
    assert speed == pytest.approx(2 / 3 * G * math.sin(angle) * take.times[-1], rel=1e-9)
    gap = take.positions[:, 1] @ normal - r
    assert np.abs(gap).max() < 1e-9, "a rolling cylinder neither sinks nor lifts"


def test_a_pivoting_box_keeps_its_edge_on_the_ground() -> None:
    """With plain velocities the edge drifts by millimetres; with secants its gap stays where it was."""
    angle = 0.6
    q = (math.cos(angle / 2), 0, math.sin(angle / 2), 0)
    lowest = 0.5 * math.sin(angle) + 0.3 * math.cos(angle)
    box = Body("box", Box((0.5, 0.4, 0.3)), (0, 0, lowest), q, material=Material(friction=1.0))
    take = forward(Scene([box]), 0.3, 1 / 240)
    w, x, y, z = take.orientations[:, 0].T
    corner = take.positions[:, 0, 2] + 0.5 * 2 * (x * z - w * y) - 0.3 * (1 - 2 * (x * x + y * y))
    assert take.angular_velocities[-1, 0, 1] < -0.5 or take.angular_velocities[-1, 0, 1] > 0.5
    assert np.abs(corner).max() < 1e-9


def test_an_elastic_ball_keeps_its_energy() -> None:
    ball = Body("ball", Sphere(0.1), (0, 0, 1.1), material=Material(restitution=1.0))
    take = forward(Scene([ball]), 5.0, 1 / 240)
    assert (np.diff(take.tape.start) > 0).sum() >= 5
    assert np.abs(take.energy / take.energy[0] - 1).max() < 1e-12
