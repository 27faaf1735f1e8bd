"""The middle frame: both takes meet in the authored frame, and what was authored in motion is explained both ways."""

from __future__ import annotations

import numpy as np
import pytest

from engine.both_ways import both_ways
from engine.certificate.audit import certify
from engine.contact.tiers import PLASTIC
from engine.scene.spec import Body, Box, Material, Scene, Sphere


def crash() -> Scene:
    """Two boxes just after their crash over the ground, a ball at rest beside them."""
    material = Material(friction=0.4, restitution=0.5)
    half = (0.1, 0.1, 0.1)
    return Scene(
        [
            Body("left", Box(half), (-0.18, 0.0, 0.6), (0.9, 0.1, 0.3, 0.1), material, velocity=(-1.5, 0.2, 0.5)),
            Body("right", Box(half), (0.18, 0.05, 0.62), (0.8, 0.2, 0.1, 0.5), material, velocity=(1.4, -0.3, 0.6),
                 angular_velocity=(1.0, 2.0, 0.5)),
            Body("ball", Sphere(0.1), (0.0, 1.0, 0.1), material=material),
        ]
    )  # fmt: skip


def test_both_takes_meet_in_the_authored_frame() -> None:
    scene = crash()
    told: list[tuple[int, int]] = []
    came, goes = both_ways(scene, 0.4, 0.6, 1 / 480, seed=3, progress=lambda done, of: told.append((done, of)))
    for name in ("positions", "orientations", "velocities", "angular_velocities"):
        assert np.array_equal(getattr(came, name)[-1], getattr(goes, name)[0]), name
    assert came.positions[-1].tolist() == [list(body.position) for body in scene.bodies]
    assert came.energy[-1] == goes.energy[0]
    assert (came.times[0], came.times[-1]) == pytest.approx((0.0, 0.4))
    assert (goes.times[0], goes.times[-1]) == pytest.approx((0.0, 0.6))
    assert told[-1] == (480, 480) and all(of == 480 for _, of in told)
    assert certify(came).tiers.max() <= PLASTIC
    assert certify(goes).exact_fraction == 1.0
    assert np.abs(came.positions[0, :2] - came.positions[-1, :2]).max() > 0.1
    assert np.abs(goes.positions[0, :2] - goes.positions[-1, :2]).max() > 0.1


def test_a_stop_is_heard_by_both() -> None:
    came, goes = both_ways(crash(), 2.0, 2.0, progress=lambda *_: False)
    assert came.stopped and goes.stopped
    assert np.array_equal(came.positions[-1], goes.positions[0])
