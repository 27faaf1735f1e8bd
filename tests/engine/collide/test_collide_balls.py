"""Balls: the quick formulas give what the general code gives, and no contact is ever dismissed."""

from __future__ import annotations

import numpy as np
import pytest
from collide_cases import assorted_shapes, random_turn

from engine.collide.balls import APART, TOUCHING, UNDECIDED, ball_pair
from engine.collide.cores import build_cores
from engine.collide.detect import Detector
from engine.collide.dismiss import far_apart
from engine.collide.gauge import Gauge
from engine.model.arrays import PLANE
from engine.model.compile import compile_scene
from engine.scene.spec import Body, Box, Hull, Plane, Scene, Sphere

SLOP = 1e-6


def pair_scene(rng: np.random.Generator, other: object) -> Scene:
    """A ball off its body's centre would be a compound; here it is the body itself, near the other."""
    ball = Body("a", Sphere(float(rng.uniform(0.05, 0.5))), tuple(rng.uniform(-0.8, 0.8, 3)), tuple(random_turn(rng)))
    if isinstance(other, Plane):
        return Scene(bodies=[ball, Body("b", other, static=True)], ground=False)
    body = Body("b", other, tuple(rng.uniform(-0.2, 0.2, 3)), tuple(random_turn(rng)))
    return Scene(bodies=[ball, body], ground=False)


@pytest.mark.parametrize("kind", ["plane", "ball", "box", "hull"])
def test_quick_contacts_have_the_distance_of_the_pair(kind: str) -> None:
    rng = np.random.default_rng(len(kind))
    seen = dict.fromkeys((APART, TOUCHING, UNDECIDED), 0)
    for _ in range(400):
        other = {
            "plane": lambda: Plane(tuple(rng.normal(size=3)), tuple(rng.uniform(-0.2, 0.2, 3))),
            "ball": lambda: Sphere(float(rng.uniform(0.05, 0.5))),
            "box": lambda: Box(tuple(rng.uniform(0.05, 0.5, 3))),
            "hull": lambda: Hull(rng.normal(size=(12, 3)) * 0.3),
        }[kind]()
        model = compile_scene(pair_scene(rng, other))
        x, q = model.start.x, model.start.q
        distance, normal = Gauge(model.geometry).measure(0, 1, x, q)
        how, _, _, _, _, gap, n, at = ball_pair(model.geometry, build_cores(model.geometry), 0, 1, x, q, SLOP)
        seen[how] += 1
        if how == APART:
            assert distance > SLOP - 1e-9
        elif how == TOUCHING:
            assert gap == pytest.approx(distance, abs=1e-12)
            np.testing.assert_allclose(n, normal, atol=1e-9)
            radius = float(model.geometry.part_radius[0])
            np.testing.assert_allclose(at, x[0] - (radius + 0.5 * gap) * np.array(n), atol=1e-12)
        detector = Detector(model.geometry, model.bodies.inverse_mass, 64)
        count = detector.find(x, q, x, q, np.array([True, False]), SLOP)
        assert (count > 0) == (distance <= SLOP) or abs(distance - SLOP) < 1e-9
    assert seen[APART] > 20 and seen[TOUCHING] > 20


def test_no_contact_is_ever_dismissed() -> None:
    rng = np.random.default_rng(5)
    shapes = assorted_shapes(rng)
    bodies = [Body(f"{i:02d}", shape) for i, shape in enumerate(shapes)]
    model = compile_scene(Scene(bodies=bodies, ground=True))
    geometry, cores, gauge = model.geometry, build_cores(model.geometry), Gauge(model.geometry)
    dismissed = kept = 0
    for _ in range(3000):
        i, j = (int(k) for k in rng.choice(len(geometry.part_kind), 2, replace=False))
        if geometry.part_kind[i] == PLANE:
            i, j = j, i
        x = model.start.x.copy()
        q = np.array([random_turn(rng) for _ in x])
        x[geometry.part_body[i]] = rng.normal(size=3) * 0.7
        if geometry.part_kind[j] == PLANE:
            q[geometry.part_body[j]] = model.start.q[geometry.part_body[j]]
        distance, _ = gauge.measure(i, j, x, q)
        if far_apart(geometry, cores, i, j, x, q, SLOP):
            assert distance > SLOP
            dismissed += 1
        else:
            kept += 1
    assert dismissed > 300 and kept > 300
