"""The law that predicts landings: nothing passes the surface, what rests does so at gap zero, and it can be undone."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepping import Steps, plan_of

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.contact.law import normal_bias
from engine.contact.tiers import TUNED
from engine.model.arrays import State
from engine.params import CAUGHT, PREDICTED, Params, make_params
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Material, Scene, Sphere
from engine.tape.store import load_take, write_take

DT = 1 / 480
BACK = Options(policy="constant", arrivals="together", launch=False, landing="predicted")


def test_at_gap_zero_both_laws_are_one() -> None:
    for before in (-3.0, -0.11, -0.09, 0.0, 0.5):
        caught = normal_bias(before, 0.4, 0.1, 0.0, 0.0)
        assert normal_bias(before, 0.4, 0.1, 0.0, -9.81 * DT) == caught == (0.4 * before if before < -0.1 else 0.0)


def test_a_bounce_is_taken_in_the_step_that_would_pass_the_surface() -> None:
    """Falling with 1 m/s: 3 mm above the ground a step of 2.08 mm does not get there, 2 mm above it does."""
    pull = -9.81 * DT
    assert normal_bias(-1.0, 0.5, 0.1, 3e-3 / DT, pull) == 3e-3 / DT
    assert normal_bias(-1.0, 0.5, 0.1, 2e-3 / DT, pull) == -0.5
    assert normal_bias(-1.0, 0.0, 0.1, 2e-3 / DT, pull) == 2e-3 / DT  # what does not bounce lands


def test_a_ball_dropped_straight_bounces_above_the_ground_and_rests_on_it() -> None:
    ball = Body("ball", Sphere(0.1), (0, 0, 0.5), material=Material(restitution=0.5))
    take = forward(Scene([ball]), 2.0, DT, landing="predicted")
    gap = take.tape.x[:, 0, 2] - 0.1
    assert gap.min() >= -1e-14
    assert abs(gap[-1]) <= 1e-14
    report = certify(take)
    assert report.exact_fraction == 1.0 and report.max_residual <= 1e-12
    first = int(np.flatnonzero(np.diff(gap) > 0.0)[0])
    assert gap[first] > 0.0  # it turned before it touched
    speed = take.tape.v[:, 0, 2]
    assert speed[first + 1] == pytest.approx(-0.5 * speed[first], rel=1e-12)
    assert replay(take).max() <= 1e-14


SHAPES = (Sphere(0.2), Box((0.3, 0.2, 0.1)), Capsule(0.1, 0.2), Cylinder(0.2, 0.15))
speed = st.floats(-4, 4)


@settings(max_examples=30)
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
    """The body ends in mid-air going up; backward it meets the ground before it would pass it, and forward again the
    tape comes out the same. What has no explanation is called so."""
    body = Body("it", shape, (0, 0, height), turn, velocity=velocity, angular_velocity=spin,
                material=Material(friction=0.3, restitution=0.6))  # type: ignore[arg-type]  # fmt: skip
    take = backward(Scene([body]), 0.5, DT, options=BACK)
    assert take.tape.params.landing == PREDICTED
    report = certify(take)
    assert report.max_residual <= 1e-11
    if report.tiers.max() <= TUNED:
        assert report.assist == 0.0
        assert report.max_overlap <= 1e-6
        assert replay(take).max() <= 1e-10


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_bounce_is_undone_by_the_backward_step(share: float) -> None:
    """Forward, then backward from where it got to, without friction: the state it began with. The bounce is taken where
    the ball would have come out of the ground otherwise, `share` of the way it goes after it."""
    material = Material(friction=0.0, restitution=0.6)
    fast = 2.0
    height = 0.1 + share * DT * 0.6 * fast
    ball = Body("ball", Sphere(0.1), (0, 0, height), velocity=(0.4, 0.1, -fast), angular_velocity=(3, -2, 1),
                material=material)  # fmt: skip
    steps = Steps(Scene([ball]), DT)
    steps.params = make_params(DT, (0, 0, -9.81), PREDICTED)
    start = steps.start
    after, _ = steps.forward(start, State(start.x - DT * start.v, start.q, start.v, start.l))
    assert after.v[0, 2] == pytest.approx(0.6 * fast, rel=1e-12)
    steps.cold()
    before, _ = steps.backward(after, plan_of(steps.model))
    for mine, taped in zip(before, start, strict=True):
        assert np.abs(mine - taped).max() <= 1e-12


def test_a_resting_box_is_left_alone_by_both_laws() -> None:
    box = Body("box", Box((0.3, 0.2, 0.1)), (0, 0, 0.1))
    for landing in ("caught", "predicted"):
        take = backward(Scene([box]), 0.2, DT, options=Options(arrivals="together", launch=False, landing=landing))
        assert np.array_equal(take.tape.x[0], take.tape.x[-1]) and certify(take).exact_fraction == 1.0


def test_the_other_law_is_noticed() -> None:
    """A bounce above the ground is no contact under the law that catches, and the certificate says so."""
    ball = Body("ball", Sphere(0.1), (0, 0, 0.5), material=Material(restitution=0.5))
    take = forward(Scene([ball]), 1.0, DT, landing="predicted")
    object.__setattr__(take.tape, "params", take.tape.params._replace(landing=CAUGHT))
    assert certify(take).exact_fraction < 1.0


def test_a_tape_keeps_its_law_and_old_tapes_mean_the_first(tmp_path) -> None:  # type: ignore[no-untyped-def]
    scene = Scene([Body("ball", Sphere(0.1), (0, 0, 0.15), velocity=(0, 0, -1))])
    take = forward(scene, 0.1, DT, landing="predicted")
    stream = io.BytesIO()
    write_take(stream, take)
    (tmp_path / "take.npz").write_bytes(stream.getvalue())
    assert load_take(tmp_path / "take.npz", scene).tape.params.landing == PREDICTED
    assert Params(*[*make_params(DT, (0, 0, -9.81))][:-1]).landing == CAUGHT
