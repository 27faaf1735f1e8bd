"""What is fast and thin is met, not passed, forward and backward; the certificate looks at the way between states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.arrivals.options import Options
from engine.certificate.audit import certify
from engine.certificate.replay import replay
from engine.contact.tiers import EXACT, GHOSTED, TUNED
from engine.model.compile import compile_scene
from engine.params import FINAL_DT, PREVIEW_DT
from engine.run import backward, forward
from engine.scene.spec import Body, Box, Capsule, Cylinder, Hull, Material, Scene, Shape, Sphere
from engine.step.scratch import make_scratch
from engine.tape.take import Take
from tests.bench.tunnelling import DIRECTIONS, passes, random_case, run
from tests.engine.forging import spread

BOUNCY = Material(friction=0.3, restitution=0.5)
STEPS = (PREVIEW_DT, 1 / 480, FINAL_DT)


def thrown(shape: Shape, speed: float = 10.0, high: float = 0.2) -> Scene:
    """Down on a plate of 2 mm."""
    plate = Body("plate", Box((0.1, 0.1, 0.001)), static=True, material=BOUNCY)
    return Scene([plate, Body("it", shape, (0, 0, high), velocity=(0, 0, -speed), material=BOUNCY)], ground=False)


def height(take: Take) -> np.ndarray:
    return take.positions[:, 1, 2]


@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("shift", [0.0, 0.7e-3, 3.1e-3, 4.2e-3])
def test_a_small_ball_bounces_off_a_thin_plate(dt: float, shift: float) -> None:
    """5 mm across at 10 m/s: the bounce is that of the law, wherever the steps fall."""
    take = forward(thrown(Sphere(2.5e-3), high=0.2 + shift), 0.04, dt)
    assert height(take).min() > 0.001
    speed = take.velocities[:, 1, 2]
    turn = int(np.flatnonzero(speed > 0.0)[0])
    assert speed[turn] == pytest.approx(-0.5 * speed[turn - 1], rel=1e-9)
    report = certify(take)
    assert report.exact_fraction == 1.0 and report.ok and report.max_residual <= 1e-12
    assert replay(take).max() <= 1e-12


@pytest.mark.parametrize("shape", [Sphere(2.5e-3), Box((4e-3, 3e-3, 2e-3)), Cylinder(8e-3, 1e-3), Capsule(2e-3, 5e-3)])
@pytest.mark.parametrize("dt", STEPS)
def test_what_bounced_off_a_thin_plate_comes_back_to_it(shape: Shape, dt: float) -> None:
    """Backward it is met in the last state before it: forward again the tape comes out the same."""
    scene = thrown(shape, speed=-12.0, high=0.25)
    take = backward(scene, 0.06, dt, options=Options(policy="constant", arrivals="together", launch=False))
    assert height(take).min() > 0.0 and height(take)[0] > 0.2
    report = certify(take)
    assert report.tiers.max() <= TUNED and report.tier_counts[EXACT] + report.tier_counts[TUNED] > 0 and report.ok
    assert replay(take).max() <= 1e-9


def test_balls_that_fly_at_each_other_meet() -> None:
    bodies = [
        Body(name, Sphere(5e-3), (side * 0.2, 0, 0), velocity=(-side * 40.0, 0, 0), material=BOUNCY)
        for name, side in (("left", -1.0), ("right", 1.0))
    ]
    take = forward(Scene(bodies, ground=False, gravity=(0, 0, 0)), 0.02, PREVIEW_DT)
    assert (take.positions[:, 0, 0] < take.positions[:, 1, 0]).all()
    assert take.velocities[-1, 0, 0] == pytest.approx(-20.0, rel=1e-9)
    assert certify(take).exact_fraction == 1.0


def test_the_certificate_names_who_passed_another_between_two_states() -> None:
    """The way of a ball that meets nothing, told of a scene in which a plate stands in it."""
    scene = thrown(Sphere(2.5e-3))
    aside = replace(scene, bodies=[replace(scene.bodies[0], position=(5.0, 0, 0)), scene.bodies[1]])
    flown = forward(aside, 0.04, PREVIEW_DT)
    assert certify(flown).ok
    model, plate = compile_scene(scene), flown.model.names.index("plate")

    def put_back(arrays: dict[str, np.ndarray]) -> None:
        arrays["x"][:, plate] = model.start.x[plate]

    told = replace(spread(flown, put_back), scene=scene, model=model)
    report = certify(told)
    [(step, *names, depth)] = report.ghosts
    assert set(names) == {"it", "plate"} and depth == pytest.approx(3.5e-3)
    assert report.tiers[step] == GHOSTED and not report.ok
    assert report.worst[0] == tuple(names) and report.worst[1] == pytest.approx(told.times[step])
    z = height(told)
    assert z[step] > 0.0 > z[step + 1]


def test_only_what_is_fast_and_thin_is_looked_for() -> None:
    """On the ground alone nothing can be passed; a mesh has no thickness of its own."""
    ground = Scene([Body("it", Box((0.05, 0.05, 0.05)), (0, 0, 1))])
    model = compile_scene(ground)
    assert make_scratch(model).passing.thinnest[0] == np.inf
    model = compile_scene(thrown(Cylinder(8e-3, 1.5e-3)))
    assert make_scratch(model).passing.thinnest[0] == pytest.approx(2.5e-3)
    corners = ((0, 0, 0), (0.03, 0, 0), (0, 0.03, 0), (0, 0, 0.03))
    bodies = [
        Body(str(i), shape, (i, 0, 1)) for i, shape in enumerate((Hull(corners), Box((0.03, 0.02, 0.01)), Sphere(0.04)))
    ]
    half = make_scratch(compile_scene(Scene(bodies, ground=False))).passing.half
    assert sorted(half) == pytest.approx([0.5 * 0.03 / 3**0.5, 0.01, 0.04])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_random_cases_pass_nothing(direction: str) -> None:
    """`foregone bench tunnelling` has a thousand of them."""
    for i in range(25):
        case = random_case(1, i, direction)
        take = run(case, direction)
        assert not passes(case, take), i
