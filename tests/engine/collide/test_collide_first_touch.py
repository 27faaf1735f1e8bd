"""Boxes and lumps that were apart one step ago and overlap now are in contact by the features they met with."""

from __future__ import annotations

import numpy as np
import pytest

from engine.collide.detect import Detector
from engine.collide.gauge import Gauge
from engine.collide.recorded import place_contacts
from engine.model.arrays import Contacts
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Hull, Scene
from tests.bench.scenes import hull_points

DT = 1 / 240


def unit(q: np.ndarray) -> np.ndarray:
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def turned(q: np.ndarray, spin: np.ndarray) -> np.ndarray:
    """q after DT with angular velocities `spin`."""
    angle = np.linalg.norm(spin, axis=1, keepdims=True) * DT
    axis = spin * DT / angle
    e = np.hstack([np.cos(angle / 2), np.sin(angle / 2) * axis])
    w, x, y, z = e.T
    a, b, c, d = q.T
    return np.stack(
        [w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b,
         w * d + x * c - y * b + z * a], axis=1)  # fmt: skip


@pytest.mark.parametrize("shape", [Box((0.5, 0.4, 0.3)), Hull(hull_points())], ids=["boxes", "lumps"])
def test_contacts_are_those_of_first_touch(shape: object) -> None:
    model = compile_scene(Scene([Body("a", shape), Body("b", shape, (5, 0, 0))], ground=False))  # type: ignore[arg-type]
    detector = Detector(model.geometry, model.bodies.inverse_mass, 64)
    gauge = Gauge(model.geometry)
    rng = np.random.default_rng(5)
    met = 0
    for _ in range(4000):
        q_from = unit(rng.normal(size=(2, 4)))
        x_from = np.array([[0.0, 0, 0], rng.normal(size=3)])
        x_from[1] *= rng.uniform(0.7, 1.2) / np.linalg.norm(x_from[1])
        x_now = x_from + DT * np.array([[0, 0, 0], -8.0 * x_from[1] + 4.0 * rng.normal(size=3)])
        q_now = turned(q_from, 12.0 * rng.normal(size=(2, 3)))
        if gauge.measure(0, 1, x_from, q_from)[0] <= 0 or gauge.measure(0, 1, x_now, q_now)[0] >= -1e-5:
            continue
        met += 1
        count = detector.find(x_now, q_now, x_from, q_from, np.ones(2, bool), 1e-6)
        assert count >= 1
        now = detector.contacts.gap[:count].copy()
        earlier = Contacts(*(column[:count].copy() for column in detector.contacts))
        place_contacts(count, earlier, x_from, q_from)
        deepest = int(np.argmin(np.where(earlier.gap > -1e-6, now, np.inf)))
        assert earlier.gap[deepest] > -1e-6, "some contact was open one step ago"
        assert now[deepest] <= 1e-6
    assert met >= 100


def test_a_face_that_comes_down_on_part_of_another_touches_only_there() -> None:
    """A brick that lands flat on one half of another: its corners beside the lower one touch nothing."""
    brick = Box((0.1, 0.05, 0.05))
    bricks = [Body("low", brick, (-0.102, 0, 0.05)), Body("high", brick, (0, 0, 0.15))]
    model = compile_scene(Scene(bricks, ground=False))
    detector = Detector(model.geometry, model.bodies.inverse_mass, 64)
    low = model.names.index("low")
    x_from, x_now = model.start.x.copy(), model.start.x.copy()
    x_from[1 - low, 2] += 1e-3
    x_now[1 - low, 2] -= 3e-4
    count = detector.find(x_now, model.start.q, x_from, model.start.q, np.ones(2, bool), 1e-6)
    place_contacts(count, detector.contacts, x_now, model.start.q)
    points = detector.contacts.point[:count]
    assert count == 4
    assert sorted(np.round(points[:, 0], 6)) == [-0.1, -0.1, -0.002, -0.002]
    assert sorted(np.round(points[:, 1], 6)) == [-0.05, -0.05, 0.05, 0.05]
