"""Linear damping of Twigg and James: its closed form in flight, its label, its way through a file."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.contact.tiers import ASSISTED
from engine.papers.remedies import LINEAR_DAMPING
from engine.run import backward
from engine.scene.spec import Body, Box, Scene
from engine.tape.store import load_take, save_take
from engine.tape.take import Take
from engine.work.sample import worst_tier

DT, SECONDS = 1 / 240, 0.5


@functools.cache
def flight(linear: bool) -> Take:
    """A box in the air, under way at the ending."""
    box = Body("Box", Box((0.1, 0.2, 0.1)), (0, 0, 9.0), velocity=(1.0, 0.0, -2.0), angular_velocity=(0.0, 0.0, 3.0))
    scene = Scene(bodies=[box])
    scene.assign_ids()
    return backward(scene, SECONDS, DT, options=Options(policy="constant", linear_damping=linear))


def test_speed_falls_by_its_rate_on_the_way_back_and_spin_does_not() -> None:
    take = flight(True)
    speed, gravity = np.array([1.0, 0.0, -2.0]), np.array(take.scene.gravity)
    for k in range(take.tape.steps, 0, -1):
        assert take.tape.v[k, 0] == pytest.approx(speed, rel=1e-12, abs=1e-12)
        speed = (1.0 - LINEAR_DAMPING * DT) * (speed - DT * gravity)
    assert take.tape.v[0, 0] == pytest.approx(speed, rel=1e-12, abs=1e-12)
    assert take.tape.l[0, 0] == pytest.approx(flight(False).tape.l[0, 0], rel=1e-12)
    assert np.linalg.norm(speed) < np.linalg.norm(flight(False).tape.v[0, 0])


def test_damping_is_a_push_from_outside_and_is_replayed_as_one() -> None:
    take, free = flight(True), flight(False)
    assert worst_tier(take) == ASSISTED != worst_tier(free)
    assert certify(take).assist > 0.0 == certify(free).assist
    assert (certify(take).tiers[:-1] == ASSISTED).all(), "in the air, too"
    assert replay(take).max() < 1e-9 and replay(free).max() < 1e-9


def test_damping_survives_the_disk(tmp_path: Path) -> None:
    take, name = flight(True), tmp_path / "take.npz"
    save_take(name, take)
    loaded = load_take(name, take.scene)
    assert loaded.tape.linear_damping == LINEAR_DAMPING and loaded.hash() == take.hash()
    assert certify(loaded).summary() == certify(take).summary()
    save_take(name, flight(False))
    with np.load(name) as archive:
        assert "linear_damping" not in archive.files, "other takes keep their files"
