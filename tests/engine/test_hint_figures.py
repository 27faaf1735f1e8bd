"""How closely hints are met: measured from the motion, told in words, and within what the studio promises."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.arrivals.follows import HintReport, follows, met_words
from engine.certificate.audit import certify
from engine.commands.takes import Judged
from engine.contact.tiers import PLASTIC
from engine.run import backward
from tests.bench.hints import asked_of_a_box, is_met
from tests.bench.scenes import box_spins_in


@pytest.mark.parametrize("kind", ["slide", "bounce"])
def test_random_hints_are_met(kind: str) -> None:
    """Direction within 10 degrees, speed within 15 %; read off the velocities, beside what the report says."""
    for number in range(6):
        scene = asked_of_a_box(kind, number)
        take = backward(scene, 1.2)
        (report,) = follows(take)
        hint = scene.hints[0]
        assert is_met(report), (number, report)
        assert certify(take).tiers.max() <= PLASTIC
        speeds = np.linalg.norm(take.velocities[:, 0], axis=1)
        if kind == "slide":
            fastest = int(speeds.argmax())
            direction = take.velocities[fastest, 0] / speeds[fastest]
            assert speeds[fastest] == pytest.approx(hint.speed, rel=0.15)
        else:
            asked = hint.speed * np.array(hint.direction)
            nearest = np.linalg.norm(take.velocities[:, 0] - asked, axis=1).argmin()
            direction = take.velocities[nearest, 0] / speeds[nearest]
            assert speeds[nearest] == pytest.approx(hint.speed, rel=0.15)
        assert math.degrees(math.acos(min(1.0, float(direction @ np.array(hint.direction))))) <= 10.0


def test_friction_differs_from_contact_to_contact_when_a_body_spins_in() -> None:
    take = backward(box_spins_in(), 0.5)
    assert certify(take).tiers.max() <= PLASTIC
    tape = take.tape
    last = next(i for i in range(tape.steps - 1, -1, -1) if np.any(tape.v[i, take.model.index(take.scene.bodies[0])]))
    opened = tape.at_step(last)
    friction = opened.column("impulse")[opened.rows(last), :2]
    angles = np.degrees(np.arctan2(friction[:, 1], friction[:, 0]))
    assert len(angles) >= 4 and np.ptp(angles) > 5.0
    assert take.angular_velocities[0, 0, 2] > 0.0, "it turns the way that was asked"


def test_how_closely_in_words() -> None:
    assert met_words(HintReport("h", "b", "slide")) == "not met"
    assert met_words(HintReport("h", "b", "slide", angle=3.2, speed=0.021, found=True)) == "3° aside, 2 % faster"
    assert met_words(HintReport("h", "b", "bounce", speed=-0.1, height=0.001, found=True)) == "10 % slower"
    assert met_words(HintReport("h", "b", "bounce", found=True)) == "met"


def test_a_hint_is_met_by_its_whole_velocity() -> None:
    assert is_met(HintReport("h", "b", "bounce", angle=40.0, aim=2.0, speed=0.1, found=True)), "steep: no side to miss"
    assert not is_met(HintReport("h", "b", "bounce", angle=1.0, aim=11.0, speed=0.0, found=True))
    assert not is_met(HintReport("h", "b", "slide", angle=1.0, speed=0.2, found=True))
    assert not is_met(HintReport("h", "b", "slide"))


def test_the_command_tells_the_figures() -> None:
    take = backward(asked_of_a_box("slide", 1), 0.6)
    (told,) = Judged(take, certify(take), 0.0).summary()["hints"]
    (report,) = follows(take)
    assert told["angle"] == report.angle and told["speed"] == report.speed and told["followed"] is report.followed
