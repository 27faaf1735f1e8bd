"""F after B is the identity: random throws, stepped back and replayed."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from stepping import Steps

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.run import backward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Material, Scene, Sphere

SHAPES = (Sphere(0.2), Box((0.3, 0.2, 0.1)), Capsule(0.1, 0.2), Cylinder(0.2, 0.15))
speed = st.floats(-4, 4)


@settings(max_examples=40)
@given(
    st.sampled_from(SHAPES),
    st.tuples(speed, speed, st.floats(0.5, 4)),
    st.tuples(*[st.floats(-12, 12)] * 3),
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(c * c for c in q) > 0.1),
    st.floats(0.4, 1.0),
)
def test_a_throw_comes_back_exactly(
    shape: object, velocity: tuple[float, ...], spin: tuple[float, ...], turn: tuple[float, ...], height: float
) -> None:
    """The body ends in mid-air going up, so it bounced off the ground before: one to a few contacts, all explained."""
    body = Body("it", shape, (0, 0, height), turn, velocity=velocity, angular_velocity=spin,
                material=Material(friction=0.3, restitution=0.6))  # type: ignore[arg-type]  # fmt: skip
    take = backward(Scene([body]), 0.5, 1 / 480, options=Options(policy="constant"))
    report = certify(take)
    assert report.max_residual <= 1e-12
    assert report.assist == 0.0
    lawful = report.tiers.max() < 3
    assert not lawful or replay(take).max() <= 1e-10


def test_a_cold_forward_step_repeats_a_bounce() -> None:
    """One contact has one answer: no tape, no warm start, the authored material - and the same state comes out."""
    body = Body("ball", Sphere(0.2), (0, 0, 0.5), velocity=(1, 0.5, 3), angular_velocity=(5, -3, 2),
                material=Material(friction=0.3, restitution=0.6))  # fmt: skip
    take = backward(Scene([body]), 0.5, 1 / 480, options=Options(policy="constant"))
    tape = take.tape
    assert (np.diff(tape.start) > 0).sum() >= 1
    steps = Steps(take.scene, 1 / 480)
    for i in range(tape.steps):
        steps.cold()
        after, _ = steps.forward(tape.state(i), tape.state(max(i - 1, 0)))
        for mine, taped in zip(after, tape.state(i + 1), strict=True):
            assert np.abs(mine - taped).max() <= 1e-11
